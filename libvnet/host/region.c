/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The region of addresses for kernel world: reserved once, emptied for every
 * boot.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "host.h"
#include "snapshot.h"

#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif
#ifndef MAP_FIXED_NOREPLACE		/* FreeBSD's name for it */
#ifdef MAP_EXCL
#define MAP_FIXED_NOREPLACE (MAP_FIXED | MAP_EXCL)
#else
#define MAP_FIXED_NOREPLACE 0
#endif
#endif

#define CHUNK (2ul << 20)	/* the heap wants the base aligned to this */
#define STACK_PART (12ul << 30)	/* where the kernel's stacks begin */
#define WIPE_MAX (256ul << 10)	/* up to this, writing is cheaper than faults */

/* For the gdb script: what a core file may leave out. */
const size_t host_region_bytes = VNH_REGION_BYTES;
const size_t host_region_stacks = STACK_PART;

static char *region;
static size_t page;

/* Which pages of the stacks' part are guards: a bit a page. */
#define GUARD_WORDS ((VNH_REGION_BYTES - STACK_PART) / 4096 / 64)
static uint64_t guards[GUARD_WORDS];

static char *
reserve(void *at, size_t size, int flags)
{
	char *p = mmap(at, size, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);

	return (p == MAP_FAILED ? NULL : p);
}

static void
map(void)
{
	char *p = reserve((void *)VNH_REGION_BASE, VNH_REGION_BYTES,
	    MAP_FIXED_NOREPLACE);

	if (p != NULL && (uintptr_t)p != VNH_REGION_BASE) {
		munmap(p, VNH_REGION_BYTES);	/* an older kernel: a hint */
		p = NULL;
	}
	if (p == NULL) {
		p = reserve(NULL, VNH_REGION_BYTES + CHUNK, 0);
		if (p != NULL)
			p += -(uintptr_t)p % CHUNK;
	}
	if (p == NULL) {
		fprintf(stderr, "libvnet: cannot reserve %lu bytes of addresses "
		    "for the kernel heap; is there a limit (ulimit -v)?\n",
		    VNH_REGION_BYTES);
		abort();
	}
	region = p;
	page = (size_t)sysconf(_SC_PAGESIZE);
}

vnh_size_t
vnh_region(void **base, vnh_size_t *size)
{
	if (region == NULL)
		map();
	*base = region;
	*size = VNH_REGION_BYTES;
	return (page);
}

static void
guards_note(const char *p, size_t n, int on)
{
	size_t first = (size_t)(p - region - STACK_PART) / 4096;

	for (size_t i = first; i < first + n / 4096 &&
	    i / 64 < GUARD_WORDS; i++)
		if (on)
			guards[i / 64] |= 1ULL << i % 64;
		else
			guards[i / 64] &= ~(1ULL << i % 64);
}

void
vnh_protect(void *p, vnh_size_t n, int on)
{
	if (mprotect(p, n, on ? PROT_NONE : PROT_READ | PROT_WRITE) != 0) {
		perror("libvnet: mprotect of a guard page");
		abort();
	}
	if ((char *)p >= region + STACK_PART)
		guards_note(p, n, on);
}

int
host_heap_ranges(struct host_range out[HOST_HEAP_RANGES])
{
	struct vnh_heap_options o;

	vnh_heap_options(&o);
	if (o.backend != VNH_HEAP_REGION || region == NULL)
		return (0);
	out[0] = (struct host_range){ .start = region, .room = STACK_PART,
	    .used = vnk_region_used, .digest = true };
	out[1] = (struct host_range){ .start = region + STACK_PART,
	    .room = VNH_REGION_BYTES - STACK_PART, .used = vnk_stacks_used,
	    .digest = true, .guards = guards };
	return (2);
}

static void
empty(char *p, size_t n)
{
	vnh_unpoison(p, n);
	if (n <= WIPE_MAX || madvise(p, n, MADV_DONTNEED) != 0)
		memset(p, 0, n);
	host_initialised(p, n);
}

void
host_region_reset(void)
{
	size_t stacks = vnk_stacks_used();

	if (region == NULL)
		return;
	empty(region, vnk_region_used());
	if (stacks == 0)
		return;
	vnh_protect(region + STACK_PART, stacks, 0);
	empty(region + STACK_PART, stacks);
}
