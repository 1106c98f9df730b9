/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The kernel heap, shared by its files:
 *
 *	lvk_region.c	pages of the region, and blocks without an owner
 *	lvk_stack.c	stacks of threads, with guard pages
 *	lvk_heap.c	owners, and what a vnet left behind
 *	lvk_guard.c	red zones, trash, quarantine, and what a fault is told as
 *	lvk_fail.c	allocations that are made to fail
 *	uma_*.c, kern_malloc.c
 *
 * From an address to who owns it:
 *
 *	address -> chunk (2 MiB, aligned) -> its page's entry -> slab -> tag
 *
 * A tag stands for an item.  Tags lie beside the slab, never in it, so that
 * an overrun of an item cannot reach one.
 *
 * Order of locks: zone list, zone, keg, pages.
 */
#ifndef LVK_HEAP_H
#define LVK_HEAP_H

#include <sys/param.h>
#include <sys/queue.h>

#include <lvk.h>

struct uma_keg;
struct uma_zone;

/* ---- pages (lvk_region.c) */

#define LVK_CHUNK_BYTES ((size_t)2 << 20)
#define LVK_CHUNK_PAGES 496	/* the entries of the rest hold the summary */
#define LVK_HEAP_BYTES ((size_t)12 << 30)	/* the rest is for stacks */
#define LVK_CHUNKS (LVK_HEAP_BYTES / LVK_CHUNK_BYTES)

enum lvk_page_kind { LVK_PAGE_FREE, LVK_PAGE_BLOCK, LVK_PAGE_RUN, LVK_PAGE_SLAB };

struct lvk_page {
	uint32_t pg_slab;	/* offset from the base, in 16 bytes */
	uint32_t pg_kind : 4;
	uint32_t pg_class : 4;	/* of a page of blocks */
	uint32_t pg_run : 24;	/* pages, where a run begins */
};

struct lvk_chunk {
	struct lvk_page ck_page[LVK_CHUNK_PAGES];
	uint64_t ck_free[8];	/* a bit a page */
	uint32_t ck_nfree;
	uint32_t ck_hint;	/* no page before it is free */
	uint64_t ck_pad[7];
};
CTASSERT(sizeof(struct lvk_chunk) == PAGE_SIZE);

extern char *lvk_region;	/* base */
extern size_t lvk_region_size;
extern size_t lvk_host_page;

void	lvk_region_init(void);
/* `align' is a power of two of pages.  Contents are undefined. */
char	*lvk_pages_alloc(size_t pages, size_t align);
void	lvk_pages_free(char *p);
size_t	lvk_region_used(void);
/* All pages of the run at `p' are the slab's. */
struct uma_slab;
void	lvk_pages_slab(char *p, struct uma_slab *);
/* `n' pages inside another slab are `sl's for a while; returns the other. */
struct uma_slab *lvk_pages_lend(char *p, size_t n, struct uma_slab *sl);
/* The entry of an address in use, or NULL. */
struct lvk_page *lvk_page_find(const void *p);

/* ---- items */

struct lvk_tag {
	vnh_uptr tg_pc;		/* who allocated it last */
	vnh_uptr tg_free_pc;	/* who freed it last; 0 while it is live */
#define LVK_NEVER 1		/* nobody yet */
	void *tg_origin;	/* malloc type, or zone */
	int tg_vnet;		/* owner, kept after free */
#define LVK_NOBODY (-3)		/* was never allocated */
	uint32_t tg_size;	/* bytes asked for; next free one in a slab */
#define LVK_WAITS UINT32_MAX	/* free, but readers may see it: uma_smr.c */
};

struct uma_slab {
	struct uma_keg *us_keg;	/* NULL: not in use */
	char *us_base;		/* the first item */
	struct lvk_tag *us_tag;
	uint32_t us_stride;
	uint32_t us_rcp;	/* 2^32 / us_stride, rounded up */
	uint32_t us_items;
	uint32_t us_nfree;
	uint32_t us_first;	/* first free one, us_items none */
	int us_owner;		/* last owner that listed this slab */
	bool us_mark;
	char *us_mem;		/* its pages, or its block of the host */
	size_t us_large;	/* bytes of a large item, or foreign slab */
	struct uma_slab *us_under;	/* whose pages a foreign slab borrows */
	LIST_ENTRY(uma_slab) us_link;	/* of its keg */
	LIST_ENTRY(uma_slab) us_foreign;
};
LIST_HEAD(uma_slabs, uma_slab);

static __inline struct uma_slab *
lvk_page_slab(const struct lvk_page *pg)
{
	return ((struct uma_slab *)(void *)(lvk_region +
	    ((size_t)pg->pg_slab << 4)));
}

static __inline bool
lvk_in_heap(const void *p)
{
	return ((uintptr_t)p - (uintptr_t)lvk_region < LVK_HEAP_BYTES);
}

/* Of a backend that gives each item a block: the slab is named before it. */
static __inline struct uma_slab **
lvk_item_slabp(const void *item)
{
	return (__DECONST(struct uma_slab **, item) - 1);
}
struct uma_slab *lvk_block_slab(const void *item);

/* The slab of an item that is one. */
static __inline struct uma_slab *
lvk_item_slab(const void *item)
{
	uintptr_t a = (uintptr_t)item;
	struct lvk_chunk *ck;

	if (__predict_false(!lvk_in_heap(item)))
		return (lvk_block_slab(item));
	ck = (struct lvk_chunk *)rounddown2(a, LVK_CHUNK_BYTES);
	return (lvk_page_slab(
	    &ck->ck_page[(a / PAGE_SIZE) % (LVK_CHUNK_BYTES / PAGE_SIZE)]));
}

static __inline uint32_t
lvk_slab_index(const struct uma_slab *sl, const void *item)
{
	return ((uint32_t)(((uint64_t)((const char *)item - sl->us_base) *
	    sl->us_rcp) >> 32));
}

static __inline char *
lvk_slab_item(const struct uma_slab *sl, uint32_t i)
{
	return (sl->us_base + (size_t)i * sl->us_stride);
}

static __inline struct lvk_tag *
lvk_item_tag(const void *item)
{
	struct uma_slab *sl = lvk_item_slab(item);

	return (&sl->us_tag[lvk_slab_index(sl, item)]);
}

/*
 * Tags are written by whoever has the item, with plain stores that are atomic:
 * a report may read the tags of others.
 */
/* Records the owner of an item whose tag names another. */
void	lvk_owner_change(const void *item, struct lvk_tag *, int owner);

static __always_inline void
lvk_tag_live(struct lvk_tag *tg, const void *item, vnh_uptr pc, int owner)
{
	atomic_store_ptr(&tg->tg_pc, pc);
	atomic_store_ptr(&tg->tg_free_pc, 0);
	if (__predict_false(tg->tg_vnet != owner))
		lvk_owner_change(item, tg, owner);
}

static __always_inline void
lvk_tag_free(struct lvk_tag *tg, vnh_uptr pc)
{
	atomic_store_ptr(&tg->tg_free_pc, pc);
}

/* Name and kind of who made the item, for a report. */
const char *lvk_item_name(const struct uma_slab *, uint32_t i,
	    const char **kind);
size_t	lvk_item_bytes(const struct uma_slab *, uint32_t i);

/* ---- guards (lvk_guard.c) */

#define LVK_RED 16		/* bytes between items, at the least */
#define LVK_QUARANTINE_ASAN 1024	/* items, under AddressSanitizer */

/* What an item costs more than its own work; 0 in the fast path. */
extern int lvk_hooks;
#define LVK_HOOK_SANITIZER 1	/* vnh_item_* and poisoning */
#define LVK_HOOK_QUARANTINE 2
extern int lvk_backend;		/* enum vnh_heap_backend */

void	lvk_guard_init(void);
/* Of a whole slab, when it is made. */
void	lvk_red_fill(const struct uma_slab *);
/* Behind the `size' bytes asked for, when an item is allocated. */
void	lvk_red_tail(const struct uma_slab *, uint32_t i);
/* Reports what was written around item i, and mends it. */
void	lvk_red_check(const struct uma_slab *, uint32_t i);
extern u_long lvk_faults;	/* reported */

/* ---- lvk_trash.c */
void	lvk_trash_fill(void *item, size_t size);
void	lvk_trash_check(const struct uma_slab *, uint32_t i, const void *item);
/* The same, but it is mended and life goes on. */
void	lvk_trash_mend(const struct uma_slab *, uint32_t i);
#define LVK_LARGE_TRASH ((size_t)256 << 10)	/* so much of a large item */
/* A large item goes; its pages are used again. */
void	lvk_gone_add(const struct uma_slab *);
void	lvk_gone_taken(const char *p, size_t bytes);
void	lvk_gone_check(void);

/* ---- lvk_guard.c */

/*
 * The slab and tag of a live item of `origin', or a finding and a panic that
 * say what is wrong with the pointer.  `what' names the caller.
 */
struct lvk_tag *lvk_item_check(void *item, const void *origin,
	    const char *what, struct uma_slab **slp);

/* Puts a freed item aside; what has been there longest comes out, or NULL. */
void	*lvk_quarantine(void *item, struct uma_zone **zone);
/* The next of `zone' (NULL: any), when it has to be empty. */
void	*lvk_quarantine_take(struct uma_zone **zone);

/* ---- one host thread only? */

/*
 * Where no other host thread is attached, caches of free items are used
 * without their lock.  Thread attach clears lvk_single and then waits until
 * lvk_single_in is 0: see vnk_threads().
 */
extern volatile int lvk_single;
extern volatile int lvk_single_in;
extern volatile int lvk_spin_in;	/* as that, of lvk_spin_lock() */

/* True: go on unlocked, and call lvk_single_exit(). */
static __always_inline bool
lvk_single_enter(void)
{
	if (__predict_false(atomic_load_acq_int((volatile u_int *)&lvk_single)
	    == 0))
		return (false);
	lvk_single_in = 1;
	atomic_interrupt_fence();
	if (__predict_true(atomic_load_int(&lvk_single) != 0))
		return (true);
	lvk_single_in = 0;
	return (false);
}

static __always_inline void
lvk_single_exit(void)
{
	atomic_store_rel_int((volatile u_int *)&lvk_single_in, 0);
}

/* ---- failures (lvk_fail.c) */
extern bool lvk_fail_armed;
extern uint64_t lvk_fail_seen;	/* allocations that might have failed */
bool	lvk_fail_hit(const char *name);
static __always_inline bool
lvk_fail(const char *name)
{
	if (__predict_true(atomic_load_int(&lvk_single) != 0))
		lvk_fail_seen++;
	else
		atomic_add_64((volatile uint64_t *)&lvk_fail_seen, 1);
	return (__predict_false(lvk_fail_armed) && lvk_fail_hit(name));
}

/* ---- gauges (lvk_counter.c): one is freed */
#ifdef INVARIANTS
void	lvk_gauge_gone(const void *item);
#endif

#endif /* LVK_HEAP_H */
