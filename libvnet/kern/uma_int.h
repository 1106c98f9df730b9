/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * struct uma_zone, shared by the three files of uma(9):
 *
 *	uma_zone.c	zones: make, destroy, limits, knobs
 *	uma_core.c	items: allocate, free, the cache of free ones
 *	uma_pcpu.c	items that every CPU has a copy of
 */
#ifndef UMA_INT_H
#define UMA_INT_H

#include <sys/param.h>
#include <sys/epoch.h>
#include <sys/queue.h>
#include <vm/uma.h>

#include <lvk.h>

#define UMA_CACHE_ITEMS_MAX 256		/* free items a zone keeps */
#define UMA_WARN_INTERVAL (300 * SBT_1S)

#define ZONE_ALIVE 0x2077ee17u
#define ZONE_DEAD 0xdead207eu

#define OWNER_MANY (-2)			/* uz_owner: several, or forgotten */

struct pcpu_slab;
LIST_HEAD(pcpu_slabs, pcpu_slab);

struct uma_zone {
	LIST_ENTRY(uma_zone) uz_link;	/* all zones, dead ones too */
	u_int uz_magic;
	char *uz_label;			/* "UMA Zones: " and the name */
	const char *uz_name;		/* the part behind */
	size_t uz_size;
	size_t uz_align;		/* bytes, not a mask */
	uint32_t uz_flags;
	uma_ctor uz_ctor;
	uma_dtor uz_dtor;
	uma_init uz_keg_init;		/* of the zone, or of its primary */
	uma_fini uz_keg_fini;
	uma_init uz_init;		/* of a secondary zone */
	uma_fini uz_fini;
	bool uz_keg_trash;		/* new memory is trash, else zero */
	bool uz_trash;			/* free items are trash, checked */

	struct lvk_spin uz_lock;	/* all below */
	u_int uz_live;
	u_int uz_max;			/* 0 no limit */
	int uz_owner;			/* vnet of all live items, or MANY */
	void **uz_cache;		/* free items, the last one first */
	u_int uz_cached;
	u_int uz_cache_max;
	const char *uz_warning;
	sbintime_t uz_warned;
	uma_maxaction_t uz_maxaction;
	struct epoch_context uz_max_ctx;
	int uz_max_pending;

	/* Of a zone per CPU. */
	size_t uz_stride;		/* from one item to the next */
	u_int uz_per_slab;
	u_int uz_empty_slabs;
	struct pcpu_slabs uz_partial;	/* slabs with room */
	struct pcpu_slabs uz_full;
};

LIST_HEAD(uma_zones, uma_zone);
extern struct uma_zones uma_zones;
extern struct lvk_spin uma_zones_lock;	/* before uz_lock */

#ifdef INVARIANTS
void	uma_debug_check(struct uma_zone *zone, const char *what);
#define UMA_CHECK(zone, what) uma_debug_check((zone), (what))
#else
#define UMA_CHECK(zone, what) do { } while (0)
#endif

/*
 * Count one more live item and hand out a free one: *item is NULL where the
 * caller has to make one.  False at the limit, without M_WAITOK.
 */
bool	uma_take(struct uma_zone *zone, int flags, void **item);
/* Throw away the free items, but for some. */
void	uma_trim(struct uma_zone *zone, u_int keep);
/* Make one and keep it; false where there is no room or init fails. */
bool	uma_prefill(struct uma_zone *zone, vnh_uptr pc);
void	uma_limit_reached(struct uma_zone *zone);

void	uma_trash_fill(void *item, size_t size);
void	uma_trash_check(const struct uma_zone *zone, const void *item);

void	uma_pcpu_setup(struct uma_zone *zone);
void	*uma_pcpu_alloc(struct uma_zone *zone, void *udata, int flags,
	    vnh_uptr pc);
void	uma_pcpu_free(struct uma_zone *zone, void *item, void *udata);
void	uma_pcpu_trim(struct uma_zone *zone, u_int keep);

#endif /* UMA_INT_H */
