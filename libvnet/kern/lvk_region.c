/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: nothing of FreeBSD's; the pages below uma(9), in place of its vm.
 * Fidelity: modelled
 * Differs: one reserved region of addresses, no physical memory, no pressure.
 *
 * The region has two parts: the heap, and behind it the stacks (lvk_stack.c).
 * The heap is made of chunks, taken from low addresses on.  The first page of
 * a chunk describes all of its pages, so that everything there is to know
 * about the heap lies below lvk_region_used() or in this file's variables:
 * copying both is a snapshot.
 *
 *	chunk: | page table | page 1 | page 2 | ... | page 495 | never used |
 *
 * A run longer than a chunk takes whole chunks; only the first has a table.
 *
 * Runs are taken at the lowest address that fits, by bits, so that free
 * neighbours join by themselves.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/proc.h>

#include <lvk.h>
#include "lvk_heap.h"

#define BITS 64
#define ROOM_MAX 250		/* "so many, or more" */
#define BLOCK_MIN_SHIFT 4	/* blocks of 16 bytes to half a page */
#define BLOCK_CLASSES 8
#define SLAB_BATCH 16

/* What a chunk is, and the longest run it may still hold, at most. */
enum { CHUNK_NONE = 0, CHUNK_TAIL = 255, CHUNK_ROOM = 1 };
static uint8_t chunks[LVK_CHUNKS];	/* CHUNK_ROOM + room, where a table */
static size_t nchunks;			/* those behind are CHUNK_NONE */
static size_t high;			/* bytes from the base ever in use */
static struct lvk_spin pages_lock;

struct block {
	struct block *next;
};
static struct block *blocks[BLOCK_CLASSES];
static struct lvk_spin blocks_lock;

char *lvk_region;
size_t lvk_region_size;
size_t lvk_host_page;

void
lvk_region_init(void)
{
	void *base;
	vnh_size_t size;

	lvk_host_page = vnh_region(&base, &size);
	lvk_region = base;
	lvk_region_size = size;
	if ((uintptr_t)base != VNH_REGION_BASE)
		printf("kernel heap at %p: its usual address is taken, so that "
		    "addresses differ from run to run\n", base);
}

static __inline struct lvk_chunk *
chunk_at(size_t c)
{
	return ((struct lvk_chunk *)(void *)(lvk_region + c * LVK_CHUNK_BYTES));
}

static __inline size_t
chunk_of(const void *p)
{
	return ((size_t)((const char *)p - lvk_region) / LVK_CHUNK_BYTES);
}

/* ---- bits: the first one of a kind at or after `i' */

static size_t
bit_next(const struct lvk_chunk *ck, size_t i, bool set)
{
	while (i < LVK_CHUNK_PAGES) {
		uint64_t w = ck->ck_free[i / BITS];

		w = (set ? w : ~w) >> (i % BITS);
		if (w != 0)
			return (MIN(i + (size_t)__builtin_ctzll(w),
			    (size_t)LVK_CHUNK_PAGES));
		i = rounddown2(i, BITS) + BITS;
	}
	return (LVK_CHUNK_PAGES);
}

static void
bits_write(struct lvk_chunk *ck, size_t i, size_t n, bool set)
{
	for (; n > 0; i++, n--)
		if (set)
			ck->ck_free[i / BITS] |= (uint64_t)1 << (i % BITS);
		else
			ck->ck_free[i / BITS] &= ~((uint64_t)1 << (i % BITS));
}

/* ---- chunks */

static size_t
chunks_find(size_t n)
{
	size_t run = 0;

	for (size_t c = 0; c < LVK_CHUNKS; c++) {
		run = chunks[c] == CHUNK_NONE ? run + 1 : 0;
		if (run == n)
			return (c + 1 - n);
	}
	panic("kernel heap: no %zu chunks of %zu bytes in a row are left of "
	    "%zu bytes; something leaks, or asks for too much", n,
	    LVK_CHUNK_BYTES, LVK_HEAP_BYTES);
}

/* `n' chunks with one table. */
static struct lvk_chunk *
chunks_make(size_t n)
{
	size_t c = chunks_find(n);
	struct lvk_chunk *ck = chunk_at(c);

	vnh_unpoison(ck, sizeof(*ck));
	memset(ck, 0, sizeof(*ck));
	bits_write(ck, 1, LVK_CHUNK_PAGES - 1, true);
	ck->ck_nfree = LVK_CHUNK_PAGES - 1;
	ck->ck_hint = 1;
	chunks[c] = CHUNK_ROOM + ROOM_MAX;
	for (size_t i = 1; i < n; i++)
		chunks[c + i] = CHUNK_TAIL;
	nchunks = MAX(nchunks, c + n);
	vnh_poison((char *)ck + PAGE_SIZE, n * LVK_CHUNK_BYTES - PAGE_SIZE);
	return (ck);
}

static void
chunks_unmake(size_t c)
{
	do
		chunks[c++] = CHUNK_NONE;
	while (c < nchunks && chunks[c] == CHUNK_TAIL);
	while (nchunks > 0 && chunks[nchunks - 1] == CHUNK_NONE)
		nchunks--;
}

/* ---- runs */

static size_t
run_find(const struct lvk_chunk *ck, size_t n, size_t align)
{
	size_t i = ck->ck_hint, end;

	for (;;) {
		i = roundup2(bit_next(ck, i, true), align);
		if (i + n > LVK_CHUNK_PAGES)
			return (0);
		end = bit_next(ck, i, false);
		if (end >= i + n)
			return (i);
		i = MAX(end, i + 1);
	}
}

static char *
run_take(struct lvk_chunk *ck, size_t i, size_t n)
{
	bits_write(ck, i, MIN(n, LVK_CHUNK_PAGES - i), false);
	ck->ck_nfree -= (uint32_t)MIN(n, LVK_CHUNK_PAGES - i);
	ck->ck_hint = (uint32_t)bit_next(ck, ck->ck_hint, true);
	ck->ck_page[i].pg_kind = LVK_PAGE_RUN;
	ck->ck_page[i].pg_run = (uint32_t)n;
	high = MAX(high, (size_t)((char *)ck - lvk_region) +
	    (i + n) * PAGE_SIZE);
	return ((char *)ck + i * PAGE_SIZE);
}

static char *
run_from_chunks(size_t n, size_t align)
{
	struct lvk_chunk *ck;
	size_t i;

	for (size_t c = 0; c < nchunks; c++) {
		if (chunks[c] == CHUNK_NONE || chunks[c] == CHUNK_TAIL ||
		    (size_t)(chunks[c] - CHUNK_ROOM) < MIN(n, ROOM_MAX))
			continue;
		ck = chunk_at(c);
		i = run_find(ck, n, align);
		if (i != 0)
			return (run_take(ck, i, n));
		if (align == 1)
			chunks[c] = (uint8_t)(CHUNK_ROOM +
			    MIN(n - 1, ROOM_MAX));
	}
	ck = chunks_make(1);
	return (run_take(ck, run_find(ck, n, align), n));
}

char *
lvk_pages_alloc(size_t n, size_t align)
{
	char *p;

	if (align + n > LVK_CHUNK_PAGES && align > 1)
		panic("kernel heap: %zu pages aligned to %zu pages", n, align);
	lvk_spin_lock(&pages_lock);
	if (n < LVK_CHUNK_PAGES)
		p = run_from_chunks(n, align);
	else
		p = run_take(chunks_make(howmany((n + 1) * PAGE_SIZE,
		    LVK_CHUNK_BYTES)), 1, n);
	lvk_spin_unlock(&pages_lock);
	vnh_unpoison(p, n * PAGE_SIZE);
#ifdef INVARIANTS
	lvk_gone_taken(p, n * PAGE_SIZE);
#endif
	return (p);
}

void
lvk_pages_free(char *p)
{
	size_t c = chunk_of(p), i = (size_t)p / PAGE_SIZE %
	    (LVK_CHUNK_BYTES / PAGE_SIZE), n, here;
	struct lvk_chunk *ck = chunk_at(c);

	lvk_spin_lock(&pages_lock);
	n = ck->ck_page[i].pg_run;
	here = MIN(n, LVK_CHUNK_PAGES - i);
	vnh_poison(p, n * PAGE_SIZE);
	memset(&ck->ck_page[i], 0, here * sizeof(ck->ck_page[0]));
	bits_write(ck, i, here, true);
	ck->ck_nfree += (uint32_t)here;
	ck->ck_hint = MIN(ck->ck_hint, (uint32_t)i);
	chunks[c] = CHUNK_ROOM + ROOM_MAX;
	if (ck->ck_nfree == LVK_CHUNK_PAGES - 1)
		chunks_unmake(c);
	lvk_spin_unlock(&pages_lock);
}

struct uma_slab *
lvk_pages_lend(char *p, size_t n, struct uma_slab *sl)
{
	struct lvk_chunk *ck = chunk_at(chunk_of(p));
	size_t i = (size_t)p / PAGE_SIZE % (LVK_CHUNK_BYTES / PAGE_SIZE);
	struct uma_slab *old = lvk_page_slab(&ck->ck_page[i]);

	KASSERT((uintptr_t)p % PAGE_SIZE == 0 && i + n <= LVK_CHUNK_PAGES,
	    ("memory of a zone's own allocator is no run of pages: %p", p));
	for (size_t k = i; k < i + n; k++)
		ck->ck_page[k].pg_slab =
		    (uint32_t)((size_t)((char *)sl - lvk_region) >> 4);
	return (old);
}

void
lvk_pages_slab(char *p, struct uma_slab *sl)
{
	struct lvk_chunk *ck = chunk_at(chunk_of(p));
	size_t i = (size_t)p / PAGE_SIZE % (LVK_CHUNK_BYTES / PAGE_SIZE);
	size_t n = ck->ck_page[i].pg_run;

	for (size_t k = i; k < MIN(i + n, (size_t)LVK_CHUNK_PAGES); k++) {
		ck->ck_page[k].pg_slab = sl == NULL ? 0 :
		    (uint32_t)((size_t)((char *)sl - lvk_region) >> 4);
		ck->ck_page[k].pg_kind = sl == NULL ? LVK_PAGE_RUN :
		    LVK_PAGE_SLAB;
	}
}

static struct lvk_page *
page_find(const void *p)
{
	size_t c, i;
	struct lvk_chunk *ck;

	if (!lvk_in_heap(p) || (c = chunk_of(p)) >= nchunks ||
	    chunks[c] == CHUNK_NONE)
		return (NULL);
	i = (size_t)p / PAGE_SIZE % (LVK_CHUNK_BYTES / PAGE_SIZE);
	if (chunks[c] == CHUNK_TAIL || i >= LVK_CHUNK_PAGES) {
		while (chunks[c] == CHUNK_TAIL)
			c--;
		i = 1;		/* where a run of whole chunks begins */
		if (chunk_at(c)->ck_page[i].pg_run < LVK_CHUNK_PAGES)
			return (NULL);
	}
	ck = chunk_at(c);
	if (i == 0 || (ck->ck_free[i / BITS] & (uint64_t)1 << (i % BITS)) != 0)
		return (NULL);
	return (&ck->ck_page[i]);
}

struct lvk_page *
lvk_page_find(const void *p)
{
	struct lvk_page *pg;

	if (atomic_load_int(&lvk_single) != 0)
		return (page_find(p));
	lvk_spin_lock(&pages_lock);
	pg = page_find(p);
	lvk_spin_unlock(&pages_lock);
	return (pg);
}

/*
 * Not less after a free: what lies behind is zero, so that two runs from one
 * snapshot find the same memory.
 */
size_t
lvk_region_used(void)
{
	return (high);
}

vnh_size_t
vnk_region_used(void)
{
	return (high);
}

/* ---- blocks: powers of two of a page, or runs */

static u_int
block_class(size_t size)
{
	u_int shift = BLOCK_MIN_SHIFT;

	while ((size_t)1 << shift < size)
		shift++;
	return (shift - BLOCK_MIN_SHIFT);
}

/* With the blocks locked. */
static void
blocks_more(u_int class)
{
	size_t size = (size_t)1 << (class + BLOCK_MIN_SHIFT);
	char *page = lvk_pages_alloc(1, 1);
	struct lvk_page *pg = lvk_page_find(page);

	pg->pg_kind = LVK_PAGE_BLOCK;
	pg->pg_class = class & 15;
	for (size_t o = PAGE_SIZE; o > 0; o -= size) {
		struct block *b = (void *)(page + o - size);

		b->next = blocks[class];
		blocks[class] = b;
	}
}

void *
lvk_block_alloc(size_t size, size_t align)
{
	u_int class = block_class(MAX(size, align));
	struct block *b;

	if (class >= BLOCK_CLASSES)
		return (lvk_pages_alloc(howmany(size, PAGE_SIZE),
		    howmany(align, PAGE_SIZE)));
	lvk_spin_lock(&blocks_lock);
	if (blocks[class] == NULL)
		blocks_more(class);
	b = blocks[class];
	blocks[class] = b->next;
	lvk_spin_unlock(&blocks_lock);
	vnh_uninit(b, (size_t)1 << (class + BLOCK_MIN_SHIFT));
	return (b);
}

void
lvk_block_free(void *mem, size_t align __unused)
{
	struct lvk_page *pg = lvk_page_find(mem);
	struct block *b = mem;

	KASSERT(pg != NULL && pg->pg_kind != LVK_PAGE_SLAB,
	    ("lvk_block_free: %p is not a block", mem));
	if (pg->pg_kind == LVK_PAGE_RUN) {
		lvk_pages_free(mem);
		return;
	}
	lvk_spin_lock(&blocks_lock);
	b->next = blocks[pg->pg_class];
	blocks[pg->pg_class] = b;
	lvk_spin_unlock(&blocks_lock);
}
