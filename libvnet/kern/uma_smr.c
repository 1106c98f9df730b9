/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: uma(9): zones whose items readers may still look at when they are
 * freed, UMA_ZONE_SMR.  FreeBSD's vm/uma_core.c.
 * Fidelity: modelled
 * Differs: each free item waits for its own grace period, not a bucket of
 * them.  It is destructed and given back, and from then on is poison like any
 * free item, when the zone is used next or the machine is idle.  A context
 * that uma_zcreate() made goes with its zone.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/smr.h>
#include <vm/uma.h>

#include <lvk.h>
#include "lvk_heap.h"
#include "uma_cache.h"
#include "uma_int.h"

#define PART_ITEMS 62			/* a part is a block of 1 KiB */

struct wait {
	void *w_item;
	smr_seq_t w_goal;
};

struct part {
	struct part *p_next;
	uint32_t p_first, p_end;	/* of p_wait in use */
	struct wait p_wait[PART_ITEMS];
};

struct uma_smr {
	smr_t us_smr;
	bool us_own;			/* made with the zone */
	struct lvk_spin us_lock;	/* all below */
	bool us_busy;			/* somebody reclaims */
	struct part *us_oldest, *us_newest;
};

volatile u_int uma_smr_waiting;		/* items in all zones */

/* ---- contexts */

static void
attach(struct uma_zone *zone, smr_t smr, bool own)
{
	struct uma_smr *us = lvk_block_alloc(sizeof(*us), 16);

	memset(us, 0, sizeof(*us));
	us->us_smr = smr;
	us->us_own = own;
	zone->uz_smr = us;
	zone->uz_flags |= UMA_ZONE_SMR;
}

void
uma_smr_create(struct uma_zone *zone)
{
	/* The zone's leak is enough of a report. */
	lvk_owner_none_enter();
	attach(zone, smr_create(zone->uz_name, 0, 0), true);
	lvk_owner_none_exit();
}

void
uma_zone_set_smr(uma_zone_t zone, smr_t smr)
{
	KASSERT(smr != NULL, ("uma_zone_set_smr: zone \"%s\": NULL smr",
	    zone->uz_name));
	KASSERT(zone->uz_smr == NULL, ("uma_zone_set_smr: zone \"%s\" has one",
	    zone->uz_name));
	KASSERT(uma_zone_live(zone) == 0, ("uma_zone_set_smr: zone \"%s\" is "
	    "in use; set it before", zone->uz_name));
	attach(zone, smr, false);
}

smr_t
uma_zone_get_smr(uma_zone_t zone)
{
	return (zone->uz_smr != NULL ? zone->uz_smr->us_smr : NULL);
}

/* ---- items that wait */

/* Its tag says that it is free, and so does the zone's count. */
void
uma_smr_defer(struct uma_zone *zone, void *item)
{
	struct wait w = { item, smr_advance(zone->uz_smr->us_smr) };
	struct uma_smr *us = zone->uz_smr;
	struct part *p;

	lvk_item_tag(item)->tg_size = LVK_WAITS;
	atomic_add_int(&zone->uz_waiting, 1);
	atomic_add_int(&uma_smr_waiting, 1);
	lvk_spin_lock(&us->us_lock);
	p = us->us_newest;
	if (p == NULL || p->p_end == PART_ITEMS) {
		p = lvk_block_alloc(sizeof(*p), 16);
		p->p_next = NULL;
		p->p_first = p->p_end = 0;
		if (us->us_newest != NULL)
			us->us_newest->p_next = p;
		else
			us->us_oldest = p;
		us->us_newest = p;
	}
	p->p_wait[p->p_end++] = w;
	lvk_spin_unlock(&us->us_lock);
}

/* The one that has waited longest; false: there is none. */
static bool
oldest(struct uma_smr *us, struct wait *w)
{
	struct part *p;
	bool any;

	lvk_spin_lock(&us->us_lock);
	p = us->us_oldest;
	any = p != NULL && p->p_first < p->p_end;
	if (any)
		*w = p->p_wait[p->p_first];
	lvk_spin_unlock(&us->us_lock);
	return (any);
}

static void
oldest_remove(struct uma_smr *us)
{
	struct part *p;

	lvk_spin_lock(&us->us_lock);
	p = us->us_oldest;
	if (++p->p_first == p->p_end) {
		us->us_oldest = p->p_next;
		if (us->us_oldest == NULL)
			us->us_newest = NULL;
	} else
		p = NULL;
	lvk_spin_unlock(&us->us_lock);
	if (p != NULL)
		lvk_block_free(p, 16);
}

static void
give_back(struct uma_zone *zone, void *item)
{
	if (zone->uz_dtor != NULL)
		zone->uz_dtor(item, (int)zone->uz_size, NULL);
	uma_item_leave(zone->uz_keg, zone->uz_fresh, zone->uz_trash, item);
	lvk_item_tag(item)->tg_size = (uint32_t)zone->uz_keg->uk_size;
	atomic_subtract_int(&uma_smr_waiting, 1);
	if (__predict_false((lvk_hooks & LVK_HOOK_QUARANTINE) != 0)) {
		uma_quarantine_add(zone, item);
		return;
	}
	uma_put_back(zone, item, lvk_item_tag(item));
	atomic_subtract_int(&zone->uz_waiting, 1);
}

static bool
reclaim_begin(struct uma_smr *us)
{
	bool mine;

	lvk_spin_lock(&us->us_lock);
	mine = !us->us_busy;
	us->us_busy = true;
	lvk_spin_unlock(&us->us_lock);
	return (mine);
}

/* Those whose readers have left, or all; returns how many. */
u_int
uma_smr_reclaim(struct uma_zone *zone, bool wait)
{
	struct uma_smr *us = zone->uz_smr;
	struct wait w;
	u_int n = 0;

	if (us == NULL || !reclaim_begin(us))
		return (0);
	if (wait && (zpcpu_get(us->us_smr)->c_flags & SMR_LAZY) != 0)
		wait = false;
	while (oldest(us, &w) && smr_poll(us->us_smr, w.w_goal, wait)) {
		oldest_remove(us);
		give_back(zone, w.w_item);
		n++;
	}
	lvk_spin_lock(&us->us_lock);
	us->us_busy = false;
	lvk_spin_unlock(&us->us_lock);
	return (n);
}

/* Every item is back, or reported as still in use. */
void
uma_smr_destroy(struct uma_zone *zone)
{
	struct uma_smr *us = zone->uz_smr;

	if (us == NULL)
		return;
	(void)uma_smr_reclaim(zone, true);
	if (us->us_oldest != NULL)
		panic("uma_zdestroy: zone \"%s\": its smr is lazy and not all "
		    "readers of freed items have been seen to leave",
		    zone->uz_name);
	if (us->us_own)
		smr_destroy(us->us_smr);
	zone->uz_smr = NULL;
	lvk_block_free(us, 16);
}

/* ---- when the machine is idle */

u_long
lvk_smr_run(void)
{
	struct uma_zone *zone;
	struct thread *td;
	u_long n = 0;

	if (atomic_load_int(&uma_smr_waiting) == 0)
		return (0);
	td = lvk_intr_enter();
	for (u_int i = 0; (zone = uma_zone_nth(i)) != NULL; i++)
		if (zone->uz_magic == ZONE_ALIVE)
			n += uma_smr_reclaim(zone, false);
	lvk_intr_exit(td);
	return (n);
}
