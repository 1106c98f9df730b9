/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: uma(9): items.  FreeBSD's vm/uma_core.c.
 * Fidelity: exact
 * Differs: every item has an owner; double and foreign frees always panic
 * with INVARIANTS.  A zone's limit counts items in use, not those cached.
 * M_WAITOK at the limit lets the machine run until an item comes back, and
 * panics where none can.  With a quarantine, items are not used again soon.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/counter.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/pcpu.h>
#include <sys/proc.h>
#include <vm/uma.h>

#include <lvk.h>
#include "lvk_explore.h"
#include "lvk_heap.h"
#include "uma_cache.h"
#include "uma_int.h"

/* ---- what a kernel forbids even where no memory has to be waited for */

#ifdef INVARIANTS
/* Each kind of zone has functions of its own; `kind' is what the caller is. */
static __noinline void
kind_fault(struct uma_zone *zone, const char *what, uint32_t kind)
{
	uint32_t is = zone->uz_flags & (UMA_ZONE_PCPU | UMA_ZONE_SMR);

	if (is == UMA_ZONE_PCPU)
		panic("%s: zone \"%s\" is per CPU: use %s_pcpu()", what,
		    zone->uz_name, what);
	if (is == UMA_ZONE_SMR)
		panic("%s: zone \"%s\" is protected by smr(9): use %s_smr()",
		    what, zone->uz_name, what);
	panic("%s: zone \"%s\" is not %s", what, zone->uz_name,
	    kind == UMA_ZONE_PCPU ? "per CPU" : "protected by smr(9)");
}

static void
call_check(struct uma_zone *zone, const char *what, uint32_t kind)
{
	if (zone->uz_magic != ZONE_ALIVE)
		panic("%s: zone %p was destroyed", what, zone);
	if (curthread->td_critnest != 0)
		panic("%s: zone \"%s\": called with a spin lock held or in a "
		    "critical section", what, zone->uz_name);
	if ((zone->uz_flags & (UMA_ZONE_PCPU | UMA_ZONE_SMR)) != kind)
		kind_fault(zone, what, kind);
}

static void
alloc_check(struct uma_zone *zone, const char *what, uint32_t kind, int flags)
{
	call_check(zone, what, kind);
	if ((flags & M_WAITOK) != 0)
		lvk_sleep_check(kind == UMA_ZONE_PCPU ?
		    "uma_zalloc_pcpu(M_WAITOK)" : "uma_zalloc(M_WAITOK)");
}
#else
#define call_check(zone, what, kind) do { } while (0)
#define alloc_check(zone, what, kind, flags) do { } while (0)
#endif

/* ---- past this CPU's cache */

void *
uma_get_slow(struct uma_zone *zone, int flags, struct lvk_tag **tag)
{
	void *item;

	if (zone->uz_bucket_max == 0)
		return (uma_import_one(zone, flags, tag));
	while (uma_refill(zone, flags))
		if ((item = uma_cache_pop(zone, tag)) != NULL)
			return (item);
	return (NULL);
}

void
uma_put_slow(struct uma_zone *zone, void *item, struct lvk_tag *tag)
{
	while (uma_make_room(zone))
		if (uma_cache_push(zone, item, tag))
			return;
	uma_release_one(zone, item, tag);
}

/* With a sanitizer or a quarantine. */
void
uma_arrive_hooks(const struct uma_keg *keg, bool fresh, void *item,
    size_t size)
{
	/* The check of a free reads a byte there: see slab_check(). */
	if (size == 0 && lvk_backend != VNH_HEAP_REGION)
		size = 1;
	for (uint32_t c = 0; c < keg->uk_copies; c++)
		vnh_item_born(zpcpu_get_cpu((char *)item, c), size, fresh);
}

void
uma_leave_hooks(const struct uma_keg *keg, bool fresh, void *item)
{
	for (uint32_t c = 0; c < keg->uk_copies; c++)
		vnh_item_died(zpcpu_get_cpu((char *)item, c), keg->uk_size,
		    fresh);
}

/*
 * Where freed items are kept from use for a while: the one that has been kept
 * longest takes its turn.
 */
void
uma_put_quarantined(struct uma_zone *zone, void *item)
{
	if (zone != NULL) {
		atomic_add_int(&zone->uz_waiting, 1);
		if (zone->uz_max != 0)
			uma_limit_give(zone);
	}
	uma_quarantine_add(zone, item);
}

void
uma_quarantine_add(struct uma_zone *zone, void *item)
{
	struct uma_zone *z = zone;

	item = lvk_quarantine(item, &z);
	if (item == NULL)
		return;
	if (z == NULL) {
		uma_large_free(lvk_item_slab(item));
		return;
	}
	uma_put_back(z, item, lvk_item_tag(item));
	atomic_subtract_int(&z->uz_waiting, 1);
}

void
uma_quarantine_drain(struct uma_zone *zone)
{
	struct uma_zone *z = zone;
	void *item;

	while ((item = lvk_quarantine_take(&z)) != NULL) {
		uma_put_back(z, item, lvk_item_tag(item));
		atomic_subtract_int(&z->uz_waiting, 1);
	}
}

/* ---- allocating and freeing */

/* An item that is about to be freed. */
static __always_inline struct lvk_tag *
item_tag(struct uma_zone *zone __unused, void *item,
    const char *what __unused)
{
#ifdef INVARIANTS
	struct uma_slab *sl;
	struct lvk_tag *tag = lvk_item_check(item, zone, what, &sl);

	if (zone->uz_keg->uk_red != 0)
		lvk_red_check(sl, (uint32_t)(tag - sl->us_tag));
	return (tag);
#else
	return (lvk_item_tag(item));
#endif
}

static __always_inline void
item_free(struct uma_zone *zone, void *item, void *udata, vnh_uptr pc,
    const char *what)
{
	struct lvk_tag *tag;

	LVK_EVENT(VNH_EV_FREE, item);
	if (__predict_false(zone->uz_keg == NULL)) {
		if (zone->uz_dtor != NULL)
			zone->uz_dtor(item, (int)zone->uz_size, udata);
		uma_put(zone, item, NULL);
		return;
	}
	tag = item_tag(zone, item, what);
	if (zone->uz_dtor != NULL)
		zone->uz_dtor(item, (int)zone->uz_size, udata);
	lvk_tag_free(tag, pc);
	uma_item_leave(zone->uz_keg, zone->uz_fresh, zone->uz_trash, item);
	if (__predict_false((lvk_hooks & LVK_HOOK_QUARANTINE) != 0))
		uma_put_quarantined(zone, item);
	else
		uma_put(zone, item, tag);
}

static __noinline void
zero(struct uma_zone *zone, void *item)
{
	u_int copies = zone->uz_keg != NULL ? zone->uz_keg->uk_copies : 1;

	for (u_int c = 0; c < copies; c++)
		memset(zpcpu_get_cpu((char *)item, c), 0, zone->uz_size);
}

static __always_inline void *
item_alloc(struct uma_zone *zone, void *udata, int flags, vnh_uptr pc)
{
	struct lvk_tag *tag;
	void *item;

	if ((flags & M_WAITOK) == 0 && lvk_fail(zone->uz_name))
		return (NULL);
	item = uma_get(zone, flags, &tag);
	if (item == NULL)
		return (NULL);
	if (__predict_true(zone->uz_keg != NULL)) {
		uma_item_look(zone->uz_keg, zone->uz_trash, item, tag);
		lvk_tag_live(tag, item, pc, lvk_owner());
		uma_item_arrive(zone->uz_keg, zone->uz_fresh, item,
		    zone->uz_size, tag);
		LVK_EVENT(VNH_EV_ALLOC, item);
	}
	if (zone->uz_ctor != NULL &&
	    zone->uz_ctor(item, (int)zone->uz_size, udata, flags) != 0) {
		if (zone->uz_keg != NULL) {
			lvk_tag_free(tag, pc);
			uma_item_leave(zone->uz_keg, zone->uz_fresh,
			    zone->uz_trash, item);
		}
		uma_put(zone, item, tag);
		return (NULL);
	}
	if ((flags & M_ZERO) != 0)
		zero(zone, item);
	return (item);
}

/*
 * Who calls.  A tree's uma_zalloc() is inline, and without optimisation a
 * function of its own in each file, which nobody wants to hear of.
 */
#if defined(LIBVNET_BASE) || defined(__OPTIMIZE__)
#define CALLER(udata) LVK_PC
#else
#pragma GCC diagnostic ignored "-Wframe-address"
#define CALLER(udata)							\
	((udata) != NULL ? LVK_PC : (vnh_uptr)__builtin_return_address(1))
#endif

void *
uma_zalloc_arg(uma_zone_t zone, void *udata, int flags)
{
	alloc_check(zone, "uma_zalloc", 0, flags);
	return (item_alloc(zone, udata, flags, CALLER(udata)));
}

void
uma_zfree_arg(uma_zone_t zone, void *item, void *udata)
{
	if (item == NULL)
		return;
	call_check(zone, "uma_zfree", 0);
	item_free(zone, item, udata, CALLER(udata), "uma_zfree");
}

void *
uma_zalloc_pcpu_arg(uma_zone_t zone, void *udata, int flags)
{
	alloc_check(zone, "uma_zalloc_pcpu", UMA_ZONE_PCPU, flags);
	return (item_alloc(zone, udata, flags, CALLER(udata)));
}

void
uma_zfree_pcpu_arg(uma_zone_t zone, void *item, void *udata)
{
	if (item == NULL)
		return;
	call_check(zone, "uma_zfree_pcpu", UMA_ZONE_PCPU);
#ifdef INVARIANTS
	if (__predict_false(atomic_load_int(&lvk_gauges) != 0))
		lvk_gauge_gone(item);
#endif
	item_free(zone, item, udata, CALLER(udata), "uma_zfree_pcpu");
}

/* ---- items that readers may still look at when they are freed */

void *
uma_zalloc_smr(uma_zone_t zone, int flags)
{
	alloc_check(zone, "uma_zalloc", UMA_ZONE_SMR, flags);
	(void)uma_smr_reclaim(zone, false);
	return (item_alloc(zone, NULL, flags, LVK_PC));
}

void
uma_zfree_smr(uma_zone_t zone, void *item)
{
	call_check(zone, "uma_zfree", UMA_ZONE_SMR);
	KASSERT(item != NULL, ("uma_zfree_smr: zone \"%s\": NULL item",
	    zone->uz_name));
	lvk_tag_free(item_tag(zone, item, "uma_zfree_smr"), LVK_PC);
	if (zone->uz_max != 0)
		uma_limit_give(zone);
	uma_smr_defer(zone, item);
}
