/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Memory for kernel world: jemalloc where it is linked and no sanitizer
 * watches, else the process's malloc.  The blocks hang in one list, so that
 * all can be dropped at once.
 */
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sched.h>

#include "host.h"

/* jemalloc's, present when it is linked. */
extern void *mallocx(size_t, int) __attribute__((weak));
extern void dallocx(void *, int) __attribute__((weak));
#define ALIGN_FLAG(align) (__builtin_ctzl(align))	/* MALLOCX_ALIGN */

struct block {
	struct block *next, *prev;
};
_Static_assert(sizeof(struct block) <= VNH_HEAP_RESERVED,
    "the block header must fit in what the seam reserves");

static struct block blocks = { &blocks, &blocks };
static atomic_flag blocks_lock = ATOMIC_FLAG_INIT;

static void
lock(void)
{
	while (atomic_flag_test_and_set_explicit(&blocks_lock,
	    memory_order_acquire))
		sched_yield();
}

static void
unlock(void)
{
	atomic_flag_clear_explicit(&blocks_lock, memory_order_release);
}

static void *
raw_alloc(size_t size, size_t align)
{
	void *p = NULL;

	if (mallocx != NULL && vnh_sanitized() == 0)
		p = mallocx(size, ALIGN_FLAG(align));
	else if (posix_memalign(&p, align, size) != 0)
		p = NULL;
	if (p == NULL) {
		fprintf(stderr, "libvnet: out of memory: the kernel world asks "
		    "for %zu bytes\n", size);
		abort();
	}
	return (p);
}

static void
raw_free(void *p)
{
	if (mallocx != NULL && vnh_sanitized() == 0)
		dallocx(p, 0);
	else
		free(p);
}

void *
vnh_heap_alloc(vnh_size_t size, vnh_size_t align)
{
	struct block *b;

	if (align < 16)
		align = 16;
	b = raw_alloc(size, align);
	lock();
	vnh_unpoison(blocks.next, sizeof(*b));
	b->next = blocks.next;
	b->prev = &blocks;
	b->next->prev = b;
	if (b->next != &blocks)
		vnh_poison(b->next, sizeof(*b));
	blocks.next = b;
	vnh_poison(b, sizeof(*b));
	unlock();
	return (b);
}

void
vnh_heap_free(void *p)
{
	struct block *b = p;

	lock();
	vnh_unpoison(b, sizeof(*b));
	vnh_unpoison(b->next, sizeof(*b));
	vnh_unpoison(b->prev, sizeof(*b));
	b->next->prev = b->prev;
	b->prev->next = b->next;
	if (b->next != &blocks)
		vnh_poison(b->next, sizeof(*b));
	if (b->prev != &blocks)
		vnh_poison(b->prev, sizeof(*b));
	unlock();
	raw_free(b);
}

void
host_heap_reset(void)
{
	struct block *b, *next;

	for (b = blocks.next; b != &blocks; b = next) {
		vnh_unpoison(b, sizeof(*b));
		next = b->next;
		raw_free(b);
	}
	blocks.next = blocks.prev = &blocks;
}
