/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the files of uma(9) share:
 *
 *	uma_zone.c	zones: make, destroy, reclaim
 *	uma_limit.c	zones: limits, knobs, sysctl
 *	uma_smr.c	zones: free items that readers may still see
 *	uma_core.c	items: allocate and free, by way of the CPU's cache
 *	uma_bucket.c	buckets: between the caches and the kegs
 *	uma_keg.c	kegs: slabs of items
 */
#ifndef UMA_INT_H
#define UMA_INT_H

#include <sys/param.h>
#include <sys/epoch.h>
#include <sys/queue.h>
#include <vm/uma.h>

#include <lvk.h>
#include "lvk_heap.h"

#define UMA_BUCKET_MIN 3	/* items: the sizes are 2^n less one */
#define UMA_BUCKET_MAX 127
#define UMA_BUCKET_BYTES 65536	/* worth of items in one bucket */
#define UMA_WARN_INTERVAL (300 * SBT_1S)

#define ZONE_ALIVE 0x2077ee17u
#define ZONE_DEAD 0xdead207eu

/* ---- kegs: where items come from */

struct uma_keg {
	LIST_ENTRY(uma_keg) uk_link;	/* all kegs */
	size_t uk_size;
	size_t uk_align;		/* bytes, not a mask */
	uint32_t uk_stride;
	uint32_t uk_head;		/* bytes before the first item */
	uint32_t uk_red;		/* checked bytes around items, or 0 */
	uint32_t uk_items;		/* in a slab */
	uint32_t uk_pages;		/* of a slab, for each copy */
	uint32_t uk_copies;		/* a CPU each, or 1 */
	uint32_t uk_flags;
	bool uk_malloc;			/* of malloc(9): tags name types */
	bool uk_trashable;		/* as uz_fresh, for items in slabs */
	bool uk_trash;
	struct uma_zone *uk_zone;	/* the primary */
	uma_init uk_init;
	uma_fini uk_fini;
	uma_alloc uk_allocf;
	uma_free uk_freef;

	struct lvk_spin uk_lock;	/* all below */
	volatile u_int uk_zones;
	uint32_t uk_free;		/* items in slabs, free */
	uint32_t uk_total;		/* items in slabs */
	uint32_t uk_reserve;
	struct uma_slabs uk_partial;
	struct uma_slabs uk_empty;
	struct uma_slabs uk_full;
};
LIST_HEAD(uma_kegs, uma_keg);
extern struct uma_kegs uma_kegs;

struct uma_entry {
	void *ue_item;
	struct lvk_tag *ue_tag;
};

struct uma_keg *uma_keg_create(struct uma_zone *zone, size_t size,
	    size_t align, uma_init init, uma_fini fini, uint32_t flags);
/* False where slabs with live items remain; the keg stays then. */
bool	uma_keg_destroy(struct uma_keg *keg);
/* Takes up to `n' items; returns how many. */
u_int	uma_keg_fetch(struct uma_keg *keg, struct uma_zone *zone,
	    struct uma_entry *e, u_int n, int flags);
void	uma_keg_put(struct uma_keg *keg, void *item, struct lvk_tag *tag);
/* Gives back slabs without items in use. */
void	uma_keg_drain(struct uma_keg *keg);
size_t	uma_keg_memory(struct uma_keg *keg);
/* Each copy of an item is made usable, or unusable, for a while. */
void	uma_item_open(const struct uma_keg *keg, void *item);
void	uma_item_close(const struct uma_keg *keg, void *item);
/* A large item of malloc(9): a slab of its own, see uma_large.c. */
void	*uma_large_alloc(size_t size, size_t align, void *type,
	    struct lvk_tag **tag);
void	uma_large_free(struct uma_slab *sl);
extern struct uma_keg uma_large_keg;
/* For those two. */
struct uma_slab *uma_header_alloc(struct uma_keg *keg, uint32_t items);
void	uma_header_free(struct uma_slab *sl);
void	uma_mem_from_host(struct uma_slab *sl, size_t size, size_t align,
	    uint32_t red);

/* ---- buckets */

struct uma_bucket {
	struct uma_bucket *ub_next;
	uint32_t ub_cnt;
	uint32_t ub_entries;
	struct uma_entry ub_item[];
};
CTASSERT(sizeof(struct uma_bucket) == sizeof(struct uma_entry));
extern struct uma_bucket uma_no_bucket;	/* holds nothing and never will */

/* A CPU's.  Locked only where several host threads may share the CPU. */
struct uma_cache {
	struct uma_bucket *uc_alloc;
	struct uma_bucket *uc_free;
	uint64_t uc_allocs;
	uint64_t uc_frees;
	struct lvk_spin uc_lock;
} __aligned(CACHE_LINE_SIZE);

struct uma_zone {
	struct uma_cache *uz_cpu;	/* an array, by CPU */
	struct uma_keg *uz_keg;		/* NULL: a cache zone */
	size_t uz_size;
	uma_ctor uz_ctor;
	uma_dtor uz_dtor;
	uint32_t uz_flags;
	u_int uz_magic;
	u_int uz_max;			/* 0 no limit; see uma_limit.c */
	volatile u_int uz_waiting;	/* free items in quarantine */
	bool uz_fresh;			/* nothing relies on old contents */
	bool uz_trash;			/* free items are trash, checked */
	uma_init uz_init;		/* on the way from the keg */
	uma_fini uz_fini;		/* on the way back */
	uma_import uz_import;		/* of a cache zone */
	uma_release uz_release;
	void *uz_arg;
	struct uma_smr *uz_smr;		/* UMA_ZONE_SMR, else NULL */
	char *uz_label;			/* "UMA Zones: " and the name */
	const char *uz_name;		/* the part behind */
	LIST_ENTRY(uma_zone) uz_link;	/* all zones, dead ones too */

	struct lvk_spin uz_lock;	/* all below */
	struct uma_bucket *uz_full;	/* buckets with items */
	u_int uz_cached;		/* items in those */
	u_int uz_cached_max;
	u_int uz_bucket;		/* entries of the next bucket, 0 none */
	u_int uz_bucket_max;
	int64_t uz_direct;		/* live items that came by no bucket */
	u_int uz_counted;		/* live items, while there is a limit */
	const char *uz_warning;
	sbintime_t uz_warned;
	uma_maxaction_t uz_maxaction;
	struct epoch_context uz_max_ctx;
	int uz_max_pending;
};

LIST_HEAD(uma_zones, uma_zone);
extern struct uma_zones uma_zones;
extern struct lvk_spin uma_zones_lock;	/* before uz_lock */
extern struct uma_zone *uma_zone_zone;	/* zones come from it */

void	uma_caches_init(struct uma_zone *zone);
/* Fill the CPU's cache for an allocation; false where there is nothing. */
bool	uma_refill(struct uma_zone *zone, int flags);
/* Make room in the CPU's cache for a free; false where there is none. */
bool	uma_make_room(struct uma_zone *zone);
/* One item past the buckets. */
void	*uma_import_one(struct uma_zone *zone, int flags, struct lvk_tag **tag);
void	uma_release_one(struct uma_zone *zone, void *item, struct lvk_tag *tag);
/* Empty the caches; those of the CPUs too. */
void	uma_cache_drain(struct uma_zone *zone, bool cpus);
void	uma_quarantine_drain(struct uma_zone *zone);

/* Puts a free item, that counts as waiting, aside. */
void	uma_quarantine_add(struct uma_zone *zone, void *item);
/* The n-th of all zones, or NULL. */
struct uma_zone *uma_zone_nth(u_int n);

/* ---- uma_smr.c */
void	uma_smr_create(struct uma_zone *zone);
void	uma_smr_destroy(struct uma_zone *zone);
void	uma_smr_defer(struct uma_zone *zone, void *item);
u_int	uma_smr_reclaim(struct uma_zone *zone, bool wait);

bool	uma_limit_take(struct uma_zone *zone, int flags);
void	uma_limit_give(struct uma_zone *zone);
u_int	uma_zone_live(struct uma_zone *zone);

#endif /* UMA_INT_H */
