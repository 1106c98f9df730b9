/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the kernel heap is to be, and items that do not come from its region:
 * each a block of jemalloc's or of the process's malloc, where that was asked
 * for.  The blocks hang in one list, so that all can be dropped at once.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sched.h>
#include <string.h>

#include "host.h"

#define QUARANTINE 1024		/* items, where AddressSanitizer watches */

struct block {
	struct block *next, *prev;
};
_Static_assert(sizeof(struct block) <= VNH_HEAP_RESERVED,
    "the block header must fit in what the seam reserves");

static struct block blocks = { &blocks, &blocks };
static atomic_flag blocks_lock = ATOMIC_FLAG_INIT;
static struct vnh_heap_options options;

/* ---- what was asked for */

static int
backend_from(const char *name)
{
	static const char *const names[] = { "region", "jemalloc", "libc" };

	for (int i = 0; i < 3; i++)
		if (strcmp(name, names[i]) == 0)
			return (i);
	return (-1);
}

const char *
host_heap_configure(int backend, int quarantine)
{
	const char *name = getenv("LIBVNET_HEAP");

	if (backend == VNH_HEAP_REGION && name != NULL && *name != '\0')
		backend = backend_from(name);
	if (backend < VNH_HEAP_REGION || backend > VNH_HEAP_LIBC)
		return ("the heap (environment: LIBVNET_HEAP) can be region, "
		    "jemalloc or libc");
	if (backend == VNH_HEAP_JEMALLOC && vnh_sanitized() != 0)
		return ("the jemalloc heap does not go with a sanitizer or "
		    "valgrind; use the region or libc heap there");
	if (backend == VNH_HEAP_JEMALLOC && !host_arena_present())
		return ("the jemalloc heap was asked for and jemalloc is not "
		    "linked; add -ljemalloc");
	options.backend = backend;
	options.quarantine = quarantine > 0 ? quarantine : 0;
	if (quarantine == 0 && backend == VNH_HEAP_REGION &&
	    (vnh_sanitized() & (VNH_ASAN | VNH_VALGRIND)) != 0)
		options.quarantine = QUARANTINE;
	return (NULL);
}

void
vnh_heap_options(struct vnh_heap_options *o)
{
	*o = options;
}

/* ---- blocks */

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
raw_alloc(size_t size, size_t align, int vnet)
{
	void *p = NULL;

	if (options.backend == VNH_HEAP_JEMALLOC)
		p = host_arena_alloc(size, align, vnet);
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
	if (options.backend == VNH_HEAP_JEMALLOC)
		host_arena_free(p);
	else
		free(p);
}

void *
vnh_heap_alloc(vnh_size_t size, vnh_size_t align, int vnet)
{
	struct block *b;

	if (align < 16)
		align = 16;
	b = raw_alloc(size, align, vnet);
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
vnh_heap_gone(int vnet)
{
	if (options.backend == VNH_HEAP_JEMALLOC)
		host_arena_gone(vnet);
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
	host_arena_reset();
	host_region_reset();
}
