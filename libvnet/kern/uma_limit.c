/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: uma(9): limits and other knobs of zones.  FreeBSD's vm/uma_core.c.
 * Fidelity: modelled
 * Differs: a limit counts items in use, not those cached.  The maximum action
 * runs with the next epoch callbacks, where FreeBSD queues a task.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/epoch.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/sysctl.h>
#include <vm/uma.h>

#include <lvk.h>
#include "lvk_heap.h"
#include "lvk_sleep.h"
#include "uma_int.h"

/* ---- counting */

static void
maxaction_run(epoch_context_t ctx)
{
	struct uma_zone *zone = __containerof(ctx, struct uma_zone,
	    uz_max_ctx);
	uma_maxaction_t action;
	int pending;

	lvk_spin_lock(&zone->uz_lock);
	action = zone->uz_maxaction;
	pending = zone->uz_max_pending;
	zone->uz_max_pending = 0;
	lvk_spin_unlock(&zone->uz_lock);
	if (action != NULL)
		(*action)(zone, pending);
}

/* The warning is not repeated within UMA_WARN_INTERVAL. */
static void
limit_reached(struct uma_zone *zone)
{
	sbintime_t now = lvk_clock();
	const char *warning = NULL;
	bool act = false;

	lvk_spin_lock(&zone->uz_lock);
	if (zone->uz_warned == 0 || now - zone->uz_warned >= UMA_WARN_INTERVAL)
		warning = zone->uz_warning;
	if (warning != NULL)
		zone->uz_warned = now;
	if (zone->uz_maxaction != NULL)
		act = zone->uz_max_pending++ == 0;
	lvk_spin_unlock(&zone->uz_lock);
	if (warning != NULL)
		printf("[zone: %s] %s\n", zone->uz_name, warning);
	if (act)
		epoch_call(global_epoch, maxaction_run, &zone->uz_max_ctx);
}

static bool
try_take(struct uma_zone *zone)
{
	bool ok;

	lvk_spin_lock(&zone->uz_lock);
	ok = zone->uz_max == 0 || zone->uz_counted < zone->uz_max;
	if (ok)
		zone->uz_counted++;
	lvk_spin_unlock(&zone->uz_lock);
	return (ok);
}

static bool
below_limit(void *arg)
{
	return (uma_zone_exhausted(arg) == 0);
}

bool
uma_limit_take(struct uma_zone *zone, int flags)
{
	if (__predict_true(try_take(zone)))
		return (true);
	limit_reached(zone);
	if ((flags & M_WAITOK) == 0)
		return (false);
	lvk_sleep_check("uma_zalloc(M_WAITOK)");
	while (!try_take(zone))
		(void)lvk_wait(below_limit, zone, SBT_MAX, "zonelimit",
		    zone->uz_name);
	return (true);
}

void
uma_limit_give(struct uma_zone *zone)
{
	lvk_spin_lock(&zone->uz_lock);
	if (zone->uz_counted > 0)
		zone->uz_counted--;
	lvk_spin_unlock(&zone->uz_lock);
}

/* ---- limits */

int
uma_zone_set_max(uma_zone_t zone, int items)
{
	lvk_spin_lock(&zone->uz_lock);
	zone->uz_counted = uma_zone_live(zone);
	zone->uz_max = (u_int)items;
	lvk_spin_unlock(&zone->uz_lock);
	return (items);
}

int
uma_zone_get_max(uma_zone_t zone)
{
	int max;

	lvk_spin_lock(&zone->uz_lock);
	max = (int)zone->uz_max;
	lvk_spin_unlock(&zone->uz_lock);
	return (max);
}

int
uma_zone_get_cur(uma_zone_t zone)
{
	return ((int)uma_zone_live(zone));
}

int
uma_zone_exhausted(uma_zone_t zone)
{
	bool exhausted;

	lvk_spin_lock(&zone->uz_lock);
	exhausted = zone->uz_max != 0 && zone->uz_counted >= zone->uz_max;
	lvk_spin_unlock(&zone->uz_lock);
	return (exhausted);
}

void
uma_zone_set_maxcache(uma_zone_t zone, int items)
{
	lvk_spin_lock(&zone->uz_lock);
	zone->uz_cached_max = (u_int)items;
	while (zone->uz_bucket_max > (u_int)items)
		zone->uz_bucket_max /= 2;
	atomic_store_int(&zone->uz_bucket,
	    MIN(zone->uz_bucket, zone->uz_bucket_max));
	lvk_spin_unlock(&zone->uz_lock);
	uma_cache_drain(zone, true);
}

void
uma_zone_set_warning(uma_zone_t zone, const char *warning)
{
	lvk_spin_lock(&zone->uz_lock);
	zone->uz_warning = warning;
	lvk_spin_unlock(&zone->uz_lock);
}

void
uma_zone_set_maxaction(uma_zone_t zone, uma_maxaction_t action)
{
	lvk_spin_lock(&zone->uz_lock);
	zone->uz_maxaction = action;
	lvk_spin_unlock(&zone->uz_lock);
}

/* Items that only M_USE_RESERVE may have; uma_prealloc() provides them. */
void
uma_zone_reserve(uma_zone_t zone, int items)
{
	zone->uz_keg->uk_reserve = (uint32_t)items;
}

/* ---- a zone's own allocator of slabs: before the first allocation */

void
uma_zone_set_allocf(uma_zone_t zone, uma_alloc allocf)
{
	KASSERT(zone->uz_keg->uk_total == 0,
	    ("uma_zone_set_allocf: zone \"%s\" has slabs already",
	    zone->uz_name));
	zone->uz_keg->uk_allocf = allocf;
}

void
uma_zone_set_freef(uma_zone_t zone, uma_free freef)
{
	zone->uz_keg->uk_freef = freef;
}

/* ---- sysctl */

int
sysctl_handle_uma_zone_max(SYSCTL_HANDLER_ARGS)
{
	uma_zone_t zone = *(uma_zone_t *)arg1;
	int error, max;

	max = uma_zone_get_max(zone);
	error = sysctl_handle_int(oidp, &max, 0, req);
	if (error != 0 || req->newptr == NULL)
		return (error);
	uma_zone_set_max(zone, max);
	return (0);
}

/* arg1 is the zone with arg2 set, else the address of the variable. */
int
sysctl_handle_uma_zone_cur(SYSCTL_HANDLER_ARGS)
{
	uma_zone_t zone = arg2 != 0 ? arg1 : *(uma_zone_t *)arg1;
	int cur = uma_zone_get_cur(zone);

	return (sysctl_handle_int(oidp, &cur, 0, req));
}
