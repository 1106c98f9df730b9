/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: kstacks: vm_thread_new() and its guard pages.
 * Fidelity: modelled
 * Differs: --
 *
 * Stacks have a part of the region of their own, so that protection never
 * changes for a page of the heap.  A stack that is freed waits for the next
 * user of its size.
 *
 *	| guard | stack ... top | guard | stack ... top | ...
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/proc.h>

#include <lvk.h>
#include "lvk_heap.h"

#define STACK_HASH 512

struct stack {
	struct stack *st_next;		/* all, in the order of addresses */
	struct stack *st_hash;
	struct stack *st_free;		/* next free one */
	char *st_mem;
	size_t st_bytes;
	bool st_used;
};

static struct stack *first, **last = &first;
static struct stack *free_first;	/* freed last */
static struct stack *hash[STACK_HASH];
static size_t used;			/* bytes of the part */
static struct lvk_spin stacks_lock;

static __inline struct stack **
bucket(const void *mem)
{
	return (&hash[(uintptr_t)mem / PAGE_SIZE % STACK_HASH]);
}

static struct stack *
stack_reuse(size_t bytes)
{
	struct stack *st, **stp;

	for (stp = &free_first; (st = *stp) != NULL; stp = &st->st_free)
		if (st->st_bytes == bytes) {
			*stp = st->st_free;
			return (st);
		}
	return (NULL);
}

static struct stack *
stack_make(size_t bytes)
{
	struct stack *st;

	if (used + lvk_host_page + bytes > lvk_region_size - LVK_HEAP_BYTES)
		panic("no room for a stack of %zu bytes beside %zu bytes of "
		    "stacks", bytes, used);
	st = lvk_block_alloc(sizeof(*st), 16);
	st->st_mem = lvk_region + LVK_HEAP_BYTES + used + lvk_host_page;
	st->st_bytes = bytes;
	st->st_next = NULL;
	st->st_hash = *bucket(st->st_mem);
	*bucket(st->st_mem) = st;
	/* Whatever was here before a snapshot was put back. */
	vnh_protect(st->st_mem, bytes, 0);
	vnh_protect(st->st_mem - lvk_host_page, lvk_host_page, 1);
	used += lvk_host_page + bytes;
	*last = st;
	last = &st->st_next;
	return (st);
}

void *
lvk_stack_alloc(size_t bytes)
{
	struct stack *st;

	bytes = roundup2(bytes, lvk_host_page);
	lvk_spin_lock(&stacks_lock);
	st = stack_reuse(bytes);
	if (st == NULL)
		st = stack_make(bytes);
	st->st_used = true;
	lvk_spin_unlock(&stacks_lock);
	vnh_unpoison(st->st_mem, bytes);
	return (st->st_mem);
}

static struct stack *
stack_find(const void *mem)
{
	struct stack *st;

	for (st = *bucket(mem); st != NULL && st->st_mem != mem;)
		st = st->st_hash;
	return (st);
}

void
lvk_stack_free(void *mem)
{
	struct stack *st;

	lvk_spin_lock(&stacks_lock);
	st = stack_find(mem);
	if (st == NULL || !st->st_used)
		panic("lvk_stack_free: %p is not a stack in use", mem);
	st->st_used = false;
	st->st_free = free_first;
	free_first = st;
	lvk_spin_unlock(&stacks_lock);
}

void *
lvk_stack_next(const void *prev, size_t *bytes)
{
	struct stack *st = prev == NULL ? first : stack_find(prev)->st_next;

	while (st != NULL && !st->st_used)
		st = st->st_next;
	if (st == NULL)
		return (NULL);
	*bytes = st->st_bytes;
	return (st->st_mem);
}

vnh_size_t
vnk_stacks_used(void)
{
	return (used);
}
