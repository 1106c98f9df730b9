/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: uma(9): buckets.  FreeBSD's vm/uma_core.c.
 * Fidelity: modelled
 * Differs: bucket sizes are 2^n less one, and a zone's grows whenever its
 * caches ran empty.  Where items are blocks of the host's there are none.
 *
 * A CPU has two buckets of a zone: items are freed to the first, or the
 * second when that is full, and allocated from the first, which the second
 * replaces when it is empty.  Whole buckets go to the zone and come back
 * from it; only where the zone has none are items moved to or from the keg.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/pcpu.h>
#include <sys/proc.h>
#include <sys/smp.h>
#include <vm/uma.h>

#include <lvk.h>
#include "lvk_heap.h"
#include "uma_int.h"

struct uma_bucket uma_no_bucket;
static struct lvk_tag no_tag;		/* of a cache zone's items */

void
uma_caches_init(struct uma_zone *zone)
{
	size_t size = ((size_t)mp_maxid + 1) * sizeof(*zone->uz_cpu);
	u_int max = UMA_BUCKET_MAX;

	zone->uz_cpu = lvk_block_alloc(size, CACHE_LINE_SIZE);
	memset(zone->uz_cpu, 0, size);
	for (u_int c = 0; c <= mp_maxid; c++)
		zone->uz_cpu[c].uc_alloc = zone->uz_cpu[c].uc_free =
		    &uma_no_bucket;
	while (max > UMA_BUCKET_MIN && max * zone->uz_size > UMA_BUCKET_BYTES)
		max /= 2;
	if ((zone->uz_flags & UMA_ZONE_NOBUCKET) != 0 ||
	    (lvk_backend != VNH_HEAP_REGION &&
	    (zone->uz_flags & UMA_ZONE_PCPU) == 0))
		max = 0;
	zone->uz_bucket_max = max;
	zone->uz_bucket = (zone->uz_flags & UMA_ZONE_MAXBUCKET) != 0 ? max :
	    MIN(max, UMA_BUCKET_MIN);
	zone->uz_cached_max = UINT_MAX;
}

static struct uma_bucket *
bucket_alloc(u_int entries)
{
	struct uma_bucket *b;

	if (entries == 0)
		return (NULL);
	b = lvk_block_alloc((entries + 1) * sizeof(struct uma_entry), 16);
	b->ub_next = NULL;
	b->ub_cnt = 0;
	b->ub_entries = entries;
	return (b);
}

static void
bucket_free(struct uma_bucket *b)
{
	if (b != &uma_no_bucket)
		lvk_block_free(b, 16);
}

/* ---- between a bucket and where items come from */

/*
 * What an init function allocates belongs to the zone, not to a vnet.
 * Returns how many of the items it took.
 */
static u_int
items_init(struct uma_zone *zone, struct uma_entry *e, u_int n, int flags)
{
	u_int i;

	if (zone->uz_init == NULL)
		return (n);
	lvk_owner_none_enter();
	for (i = 0; i < n; i++) {
		int error;

		if (zone->uz_keg != NULL)
			uma_item_open(zone->uz_keg, e[i].ue_item);
		error = zone->uz_init(e[i].ue_item, (int)zone->uz_size,
		    flags & ~M_ZERO);
		if (zone->uz_keg != NULL)
			uma_item_close(zone->uz_keg, e[i].ue_item);
		if (error != 0)
			break;
	}
	lvk_owner_none_exit();
	return (i);
}

static void
items_give(struct uma_zone *zone, struct uma_entry *e, u_int n)
{
	for (u_int i = 0; i < n; i++)
		if (zone->uz_keg != NULL)
			uma_keg_put(zone->uz_keg, e[i].ue_item, e[i].ue_tag);
		else
			zone->uz_release(zone->uz_arg, &e[i].ue_item, 1);
}

static u_int
import(struct uma_zone *zone, struct uma_entry *e, u_int n, int flags)
{
	u_int got, kept;

	if (zone->uz_keg != NULL)
		got = uma_keg_fetch(zone->uz_keg, zone, e, n, flags);
	else {
		void *store[UMA_BUCKET_MAX];

		got = (u_int)zone->uz_import(zone->uz_arg, store, (int)n, 0,
		    flags);
		for (u_int i = 0; i < got; i++)
			e[i] = (struct uma_entry){ store[i], &no_tag };
	}
	kept = items_init(zone, e, got, flags);
	items_give(zone, e + kept, got - kept);
	return (kept);
}

static void
release(struct uma_zone *zone, struct uma_entry *e, u_int n)
{
	for (u_int i = 0; i < n && zone->uz_fini != NULL; i++) {
		if (zone->uz_keg != NULL)
			uma_item_open(zone->uz_keg, e[i].ue_item);
		zone->uz_fini(e[i].ue_item, (int)zone->uz_size);
		for (u_int c = 0; zone->uz_keg != NULL &&
		    zone->uz_keg->uk_trash && c < zone->uz_keg->uk_copies; c++)
			lvk_trash_fill(zpcpu_get_cpu((char *)e[i].ue_item, c),
			    zone->uz_size);
		if (zone->uz_keg != NULL)
			uma_item_close(zone->uz_keg, e[i].ue_item);
	}
	items_give(zone, e, n);
}

static void
bucket_empty(struct uma_zone *zone, struct uma_bucket *b)
{
	release(zone, b->ub_item, b->ub_cnt);
	if (b != &uma_no_bucket)
		b->ub_cnt = 0;
}

void *
uma_import_one(struct uma_zone *zone, int flags, struct lvk_tag **tag)
{
	struct uma_entry e;

	if (import(zone, &e, 1, flags) == 0)
		return (NULL);
	*tag = e.ue_tag;
	lvk_spin_lock(&zone->uz_lock);
	zone->uz_direct++;
	lvk_spin_unlock(&zone->uz_lock);
	return (e.ue_item);
}

void
uma_release_one(struct uma_zone *zone, void *item, struct lvk_tag *tag)
{
	struct uma_entry e = { item, tag };

	release(zone, &e, 1);
	lvk_spin_lock(&zone->uz_lock);
	zone->uz_direct--;
	lvk_spin_unlock(&zone->uz_lock);
}

/* ---- between a CPU and the zone */

static void
caches_lock(struct uma_cache *c)
{
	curthread->td_critnest++;
	lvk_spin_lock(&c->uc_lock);
}

static void
caches_unlock(struct uma_cache *c)
{
	lvk_spin_unlock(&c->uc_lock);
	curthread->td_critnest--;
}

static struct uma_bucket *
full_get(struct uma_zone *zone)
{
	struct uma_bucket *b;

	lvk_spin_lock(&zone->uz_lock);
	b = zone->uz_full;
	if (b != NULL) {
		zone->uz_full = b->ub_next;
		zone->uz_cached -= b->ub_cnt;
	}
	lvk_spin_unlock(&zone->uz_lock);
	return (b);
}

/* A bucket with items, or with none; the zone keeps it or gives it up. */
static void
full_put(struct uma_zone *zone, struct uma_bucket *b)
{
	bool keep;

	lvk_spin_lock(&zone->uz_lock);
	keep = b->ub_cnt > 0 &&
	    zone->uz_cached + b->ub_cnt <= zone->uz_cached_max;
	if (keep) {
		b->ub_next = zone->uz_full;
		zone->uz_full = b;
		zone->uz_cached += b->ub_cnt;
	}
	lvk_spin_unlock(&zone->uz_lock);
	if (keep)
		return;
	bucket_empty(zone, b);
	bucket_free(b);
}

static struct uma_bucket *
bucket_fill(struct uma_zone *zone, int flags)
{
	struct uma_bucket *b;
	u_int n;

	lvk_spin_lock(&zone->uz_lock);
	n = zone->uz_bucket;
	atomic_store_int(&zone->uz_bucket, MIN(n * 2 + 1, zone->uz_bucket_max));
	lvk_spin_unlock(&zone->uz_lock);
	b = bucket_alloc(n);
	if (b == NULL)
		return (NULL);
	b->ub_cnt = import(zone, b->ub_item, n, flags);
	if (b->ub_cnt > 0)
		return (b);
	bucket_free(b);
	return (NULL);
}

bool
uma_refill(struct uma_zone *zone, int flags)
{
	struct uma_bucket *b, *old;
	struct uma_cache *c;

	if (zone->uz_bucket_max == 0)
		return (false);
	b = full_get(zone);
	if (b == NULL)
		b = bucket_fill(zone, flags);
	if (b == NULL)
		return (false);
	c = &zone->uz_cpu[curcpu];
	caches_lock(c);
	old = c->uc_alloc;
	c->uc_alloc = b;
	caches_unlock(c);
	if (old != &uma_no_bucket)
		full_put(zone, old);
	return (true);
}

bool
uma_make_room(struct uma_zone *zone)
{
	struct uma_bucket *b, *old;
	struct uma_cache *c;

	b = bucket_alloc(atomic_load_int(&zone->uz_bucket));
	if (b == NULL)
		return (false);
	c = &zone->uz_cpu[curcpu];
	caches_lock(c);
	old = c->uc_free;
	c->uc_free = b;
	caches_unlock(c);
	if (old != &uma_no_bucket)
		full_put(zone, old);
	return (true);
}

void
uma_cache_drain(struct uma_zone *zone, bool cpus)
{
	struct uma_bucket *b, *two[2];

	for (u_int i = 0; cpus && i <= mp_maxid; i++) {
		struct uma_cache *c = &zone->uz_cpu[i];

		caches_lock(c);
		two[0] = c->uc_alloc;
		two[1] = c->uc_free;
		c->uc_alloc = c->uc_free = &uma_no_bucket;
		caches_unlock(c);
		for (int k = 0; k < 2; k++) {
			bucket_empty(zone, two[k]);
			bucket_free(two[k]);
		}
	}
	while ((b = full_get(zone)) != NULL) {
		bucket_empty(zone, b);
		bucket_free(b);
	}
}
