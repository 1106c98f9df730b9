/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: uma(9): zones and their knobs.  FreeBSD's vm/uma_core.c.
 * Fidelity: modelled
 * Differs: no kegs: a secondary zone copies size and init functions of its
 * primary.  No slabs to trim, no NUMA; reserves are noted and never needed.
 * A zone belongs to the vnet that was current when it was made: one forgotten
 * there is a leak.  Destroying a zone with live items is a finding; the items
 * and the zone's name stay valid, nothing can be allocated from it.  The
 * maximum action runs with the next epoch callbacks, where FreeBSD queues a
 * task.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/epoch.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/smp.h>
#include <sys/sysctl.h>
#include <vm/uma.h>

#include <lvk.h>
#include "uma_int.h"

#define LABEL "UMA Zones: "

uma_zone_t pcpu_zone_4;
uma_zone_t pcpu_zone_8;
uma_zone_t pcpu_zone_16;
uma_zone_t pcpu_zone_32;
uma_zone_t pcpu_zone_64;

struct uma_zones uma_zones = LIST_HEAD_INITIALIZER(uma_zones);
struct lvk_spin uma_zones_lock;
static char zones_origin;		/* the "zone" that zones come from */

static void
sleep_check(const char *what __unused)
{
#ifdef INVARIANTS
	lvk_sleep_check(what);
#endif
}

/* ---- making and unmaking */

/* The caller's name may go, that of a zone with live items may not. */
static char *
label_make(const char *name)
{
	size_t n = sizeof(LABEL) + strlen(name);
	char *label = lvk_block_alloc(n, 16);

	snprintf(label, n, "%s%s", LABEL, name);
	return (label);
}

static struct uma_zone *
zone_make(const char *name, size_t size, size_t align, uint32_t flags,
    vnh_uptr pc)
{
	char *label = label_make(name);
	struct uma_zone *zone;

	zone = lvk_item_alloc(sizeof(*zone), _Alignof(struct uma_zone),
	    LVK_UMA, &zones_origin, label, pc);
	memset(zone, 0, sizeof(*zone));
	zone->uz_magic = ZONE_ALIVE;
	zone->uz_label = label;
	zone->uz_name = label + sizeof(LABEL) - 1;
	zone->uz_size = size;
	zone->uz_align = align;
	zone->uz_flags = flags;
	zone->uz_cache_max = vnh_sanitized() != 0 ? 0 : UMA_CACHE_ITEMS_MAX;
	LIST_INIT(&zone->uz_partial);
	LIST_INIT(&zone->uz_full);
	lvk_spin_lock(&uma_zones_lock);
	LIST_INSERT_HEAD(&uma_zones, zone, uz_link);
	lvk_spin_unlock(&uma_zones_lock);
	return (zone);
}

/*
 * Free items may be trashed unless something relies on their contents: init
 * and fini functions do, and so do the users of these flags.
 */
static bool
may_trash(uint32_t flags, uma_init init, uma_fini fini)
{
#ifdef INVARIANTS
	return ((flags & (UMA_ZONE_ZINIT | UMA_ZONE_NOTOUCH |
	    UMA_ZONE_NOFREE)) == 0 && init == NULL && fini == NULL);
#else
	return (false);
#endif
}

uma_zone_t
uma_zcreate(const char *name, size_t size, uma_ctor ctor, uma_dtor dtor,
    uma_init init, uma_fini fini, int align, uint32_t flags)
{
	struct uma_zone *zone;

	sleep_check("uma_zcreate");
	if (align == UMA_ALIGN_CACHE)
		align = CACHE_LINE_SIZE - 1;
	KASSERT(powerof2(align + 1), ("uma_zcreate: zone \"%s\": alignment "
	    "mask 0x%x is not a power of two less one", name, align));
	KASSERT(size > 0, ("uma_zcreate: zone \"%s\": size 0", name));
	zone = zone_make(name, size, (size_t)align + 1, flags, LVK_PC);
	zone->uz_ctor = ctor;
	zone->uz_dtor = dtor;
	zone->uz_keg_init = (flags & UMA_ZONE_ZINIT) != 0 ? NULL : init;
	zone->uz_keg_fini = fini;
	zone->uz_keg_trash = may_trash(flags, init, fini);
	zone->uz_trash = zone->uz_keg_trash && vnh_sanitized() == 0;
	if ((flags & UMA_ZONE_PCPU) != 0)
		uma_pcpu_setup(zone);
	return (zone);
}

uma_zone_t
uma_zsecond_create(const char *name, uma_ctor ctor, uma_dtor dtor,
    uma_init zinit, uma_fini zfini, uma_zone_t primary)
{
	struct uma_zone *zone;

	sleep_check("uma_zsecond_create");
	KASSERT((primary->uz_flags & UMA_ZONE_SECONDARY) == 0,
	    ("uma_zsecond_create: \"%s\": \"%s\" is itself a secondary zone",
	    name, primary->uz_name));
	zone = zone_make(name, primary->uz_size, primary->uz_align,
	    primary->uz_flags | UMA_ZONE_SECONDARY, LVK_PC);
	zone->uz_ctor = ctor;
	zone->uz_dtor = dtor;
	zone->uz_keg_init = primary->uz_keg_init;
	zone->uz_keg_fini = primary->uz_keg_fini;
	zone->uz_keg_trash = primary->uz_keg_trash;
	zone->uz_init = zinit;
	zone->uz_fini = zfini;
	return (zone);
}

static void
zone_empty(struct uma_zone *zone)
{
	if ((zone->uz_flags & UMA_ZONE_PCPU) != 0)
		uma_pcpu_trim(zone, 0);
	else
		uma_trim(zone, 0);
}

static void
zone_release(struct uma_zone *zone)
{
	lvk_spin_lock(&uma_zones_lock);
	LIST_REMOVE(zone, uz_link);
	lvk_spin_unlock(&uma_zones_lock);
	lvk_item_retire(zone);
	lvk_block_free(zone->uz_label, 16);
	lvk_item_release(zone);
}

/* What is still in use keeps the zone's name: it stays, out of any vnet. */
static void
zone_bury(struct uma_zone *zone, vnh_uptr pc)
{
	lvk_finding("zone", zone->uz_name,
	    zone->uz_owner == OWNER_MANY ? -1 : zone->uz_owner, NULL, 0, pc,
	    "UMA zone \"%s\" destroyed with %u item%s still allocated",
	    zone->uz_name, zone->uz_live, zone->uz_live == 1 ? "" : "s");
	lvk_item_retire(zone);
}

void
uma_zdestroy(uma_zone_t zone)
{
	sleep_check("uma_zdestroy");
	KASSERT(zone->uz_magic == ZONE_ALIVE,
	    ("uma_zdestroy: zone %p was destroyed before", zone));
	if (zone->uz_max_pending != 0)
		epoch_drain_callbacks(global_epoch);
	zone_empty(zone);
	if (zone->uz_cache != NULL)
		lvk_block_free(zone->uz_cache, 16);
	zone->uz_cache = NULL;
	zone->uz_cache_max = 0;
	zone->uz_magic = ZONE_DEAD;
	if (zone->uz_live == 0)
		zone_release(zone);
	else
		zone_bury(zone, LVK_PC);
}

/* ---- reclaiming */

void
uma_zone_reclaim(uma_zone_t zone, int req __unused)
{
	sleep_check("uma_zone_reclaim");
	zone_empty(zone);
}

/* The n-th zone: fini functions run between, without the list's lock. */
static struct uma_zone *
zone_nth(u_int n)
{
	struct uma_zone *zone;

	lvk_spin_lock(&uma_zones_lock);
	LIST_FOREACH(zone, &uma_zones, uz_link)
		if (n-- == 0)
			break;
	lvk_spin_unlock(&uma_zones_lock);
	return (zone);
}

void
uma_reclaim(int req __unused)
{
	struct uma_zone *zone;

	sleep_check("uma_reclaim");
	for (u_int n = 0; (zone = zone_nth(n)) != NULL; n++)
		zone_empty(zone);
}

void
uma_prealloc(uma_zone_t zone, int items)
{
	sleep_check("uma_prealloc");
	while (items-- > 0 && uma_prefill(zone, LVK_PC))
		;
}

/* ---- limits */

int
uma_zone_set_max(uma_zone_t zone, int items)
{
	lvk_spin_lock(&zone->uz_lock);
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
	int cur;

	lvk_spin_lock(&zone->uz_lock);
	cur = (int)zone->uz_live;
	lvk_spin_unlock(&zone->uz_lock);
	return (cur);
}

int
uma_zone_exhausted(uma_zone_t zone)
{
	bool exhausted;

	lvk_spin_lock(&zone->uz_lock);
	exhausted = zone->uz_max != 0 && zone->uz_live >= zone->uz_max;
	lvk_spin_unlock(&zone->uz_lock);
	return (exhausted);
}

void
uma_zone_set_maxcache(uma_zone_t zone, int items)
{
	u_int max = (u_int)MIN(items, UMA_CACHE_ITEMS_MAX);

	if (vnh_sanitized() != 0)
		return;
	lvk_spin_lock(&zone->uz_lock);
	zone->uz_cache_max = max;
	lvk_spin_unlock(&zone->uz_lock);
	uma_trim(zone, max);
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
void
uma_limit_reached(struct uma_zone *zone)
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

/* Memory is never short, so that nothing needs the reserve. */
void
uma_zone_reserve(uma_zone_t zone __unused, int items __unused)
{
}

size_t
uma_zone_memory(uma_zone_t zone)
{
	size_t copies = (zone->uz_flags & UMA_ZONE_PCPU) != 0 ?
	    (size_t)mp_maxid + 1 : 1;
	size_t n;

	lvk_spin_lock(&zone->uz_lock);
	n = (size_t)zone->uz_live + zone->uz_cached;
	lvk_spin_unlock(&zone->uz_lock);
	return (n * copies * roundup2(zone->uz_size, zone->uz_align));
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

/* ---- the zones of counter(9) */

static void
pcpu_zones_init(void *arg __unused)
{
	static const struct {
		uma_zone_t *zone;
		const char *name;
		size_t size;
	} z[] = {
		{ &pcpu_zone_4, "pcpu-4", 4 },
		{ &pcpu_zone_8, "pcpu-8", 8 },
		{ &pcpu_zone_16, "pcpu-16", 16 },
		{ &pcpu_zone_32, "pcpu-32", 32 },
		{ &pcpu_zone_64, "pcpu-64", 64 },
	};

	for (size_t i = 0; i < nitems(z); i++)
		*z[i].zone = uma_zcreate(z[i].name, z[i].size, NULL, NULL,
		    NULL, NULL, (int)z[i].size - 1, UMA_ZONE_PCPU);
}
SYSINIT(lvk_pcpu_zones, SI_SUB_COUNTER, SI_ORDER_FIRST, pcpu_zones_init, NULL);
