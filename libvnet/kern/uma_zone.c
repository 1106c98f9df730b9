/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: uma(9): zones.  FreeBSD's vm/uma_core.c.
 * Fidelity: modelled
 * Differs: no NUMA, no SMR.  A zone belongs to the vnet that was current when
 * it was made: one forgotten there is a leak.  Destroying a zone with live
 * items is a finding; the items and the zone's name stay valid, nothing can
 * be allocated from it.
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
#include <sys/smr.h>
#include <vm/uma.h>

#include <lvk.h>
#include "lvk_boot.h"
#include "lvk_heap.h"
#include "uma_cache.h"
#include "uma_int.h"

#define LABEL "UMA Zones: "

uma_zone_t pcpu_zone_4;
uma_zone_t pcpu_zone_8;
uma_zone_t pcpu_zone_16;
uma_zone_t pcpu_zone_32;
uma_zone_t pcpu_zone_64;

struct uma_zones uma_zones = LIST_HEAD_INITIALIZER(uma_zones);
struct lvk_spin uma_zones_lock;
struct uma_zone *uma_zone_zone;
static struct uma_zone zone_zone;

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

static void
zone_setup(struct uma_zone *zone, const char *name, size_t size,
    uint32_t flags)
{
	memset(zone, 0, sizeof(*zone));
	zone->uz_magic = ZONE_ALIVE;
	zone->uz_label = label_make(name);
	zone->uz_name = zone->uz_label + sizeof(LABEL) - 1;
	zone->uz_size = size;
	zone->uz_flags = flags;
	uma_caches_init(zone);
	lvk_spin_lock(&uma_zones_lock);
	LIST_INSERT_HEAD(&uma_zones, zone, uz_link);
	lvk_spin_unlock(&uma_zones_lock);
}

static struct uma_zone *
zone_make(const char *name, size_t size, uint32_t flags, vnh_uptr pc)
{
	struct lvk_tag *tag;
	struct uma_zone *zone = uma_get(uma_zone_zone, M_WAITOK, &tag);

	lvk_tag_live(tag, zone, pc, lvk_owner());
	uma_item_arrive(uma_zone_zone->uz_keg, uma_zone_zone->uz_fresh, zone,
	    sizeof(*zone), tag);
	zone_setup(zone, name, size, flags);
	return (zone);
}

/* Zones come from a zone, which is the first. */
static void
zone_zone_init(void)
{
	uma_zone_zone = &zone_zone;
	zone_setup(&zone_zone, "UMA Zones", sizeof(struct uma_zone), 0);
	zone_zone.uz_keg = uma_keg_create(&zone_zone, sizeof(struct uma_zone),
	    CACHE_LINE_SIZE, NULL, NULL, 0);
}

unsigned int	uma_get_cache_align_mask(void);	/* in no header of 13's */

/* Of -1, which 13's UMA_ALIGN_CACHE is, uma_zcreate() makes the same. */
unsigned int
uma_get_cache_align_mask(void)
{
	return (CACHE_LINE_SIZE - 1);
}

uma_zone_t
uma_zcreate(const char *name, size_t size, uma_ctor ctor, uma_dtor dtor,
    uma_init init, uma_fini fini, int align, uint32_t flags)
{
	struct uma_zone *zone;

	sleep_check("uma_zcreate");
	if (align == -1)
		align = (int)uma_get_cache_align_mask();
	KASSERT(powerof2(align + 1), ("uma_zcreate: zone \"%s\": alignment "
	    "mask 0x%x is not a power of two less one", name, align));
	KASSERT(size > 0, ("uma_zcreate: zone \"%s\": size 0", name));
	zone = zone_make(name, size, flags, LVK_PC);
	zone->uz_ctor = ctor;
	zone->uz_dtor = dtor;
	zone->uz_keg = uma_keg_create(zone, size, (size_t)align + 1, init, fini,
	    flags);
	if ((flags & UMA_ZONE_SMR) != 0)
		uma_smr_create(zone);
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
	zone = zone_make(name, primary->uz_size,
	    (primary->uz_flags & ~UMA_ZONE_SMR) | UMA_ZONE_SECONDARY, LVK_PC);
	zone->uz_ctor = ctor;
	zone->uz_dtor = dtor;
	zone->uz_init = zinit;
	zone->uz_fini = zfini;
	zone->uz_keg = primary->uz_keg;
	/* What its init made lasts as long as an item is in its caches. */
	zone->uz_fresh = zone->uz_keg->uk_trashable && zinit == NULL &&
	    zfini == NULL;
	zone->uz_trash = zone->uz_keg->uk_trash && zone->uz_fresh;
	atomic_add_int(&zone->uz_keg->uk_zones, 1);
	return (zone);
}

/* A zone over another allocator: buckets, and no keg. */
uma_zone_t
uma_zcache_create(const char *name, int size, uma_ctor ctor, uma_dtor dtor,
    uma_init zinit, uma_fini zfini, uma_import zimport, uma_release zrelease,
    void *arg, int flags)
{
	struct uma_zone *zone;

	sleep_check("uma_zcache_create");
	KASSERT(zimport != NULL && zrelease != NULL,
	    ("uma_zcache_create: \"%s\": give an import and a release function",
	    name));
	zone = zone_make(name, (size_t)size, (uint32_t)flags, LVK_PC);
	zone->uz_ctor = ctor;
	zone->uz_dtor = dtor;
	zone->uz_init = zinit;
	zone->uz_fini = zfini;
	zone->uz_import = zimport;
	zone->uz_release = zrelease;
	zone->uz_arg = arg;
	return (zone);
}

u_int
uma_zone_live(struct uma_zone *zone)
{
	int64_t n = zone->uz_direct - (int64_t)zone->uz_waiting;

	for (u_int i = 0; i <= mp_maxid; i++) {
		struct uma_cache *c = &zone->uz_cpu[i];

		lvk_spin_lock(&c->uc_lock);
		n += (int64_t)(c->uc_allocs - c->uc_frees);
		lvk_spin_unlock(&c->uc_lock);
	}
	return (n > 0 ? (u_int)n : 0);
}

static void
zone_release(struct uma_zone *zone, vnh_uptr pc)
{
	struct lvk_tag *tag = lvk_item_tag(zone);

	lvk_spin_lock(&uma_zones_lock);
	LIST_REMOVE(zone, uz_link);
	lvk_spin_unlock(&uma_zones_lock);
	lvk_block_free(zone->uz_label, 16);
	lvk_block_free(zone->uz_cpu, CACHE_LINE_SIZE);
	lvk_tag_free(tag, pc);
	uma_item_leave(uma_zone_zone->uz_keg, uma_zone_zone->uz_fresh,
	    uma_zone_zone->uz_trash, zone);
	uma_put(uma_zone_zone, zone, tag);
}

/*
 * What is still in use keeps the zone's name: it stays, out of any vnet.
 */
static void
zone_bury(struct uma_zone *zone, u_int live, vnh_uptr pc)
{
	struct lvk_tag *tag = lvk_item_tag(zone);

	if (tag->tg_vnet >= 0)
		lvk_owner_change(zone, tag, -1);
	lvk_finding_sites("zone", zone->uz_name, lvk_owner(), tag->tg_pc, pc,
	    "UMA zone \"%s\" destroyed with %u item%s still allocated",
	    zone->uz_name, live, live == 1 ? "" : "s");
}

void
uma_zdestroy(uma_zone_t zone)
{
	struct uma_keg *keg = zone->uz_keg;
	u_int live;

	sleep_check("uma_zdestroy");
	KASSERT(zone->uz_magic == ZONE_ALIVE,
	    ("uma_zdestroy: zone %p was destroyed before", zone));
	if (zone->uz_max_pending != 0)
		epoch_drain_callbacks(global_epoch);
	uma_smr_destroy(zone);
	uma_quarantine_drain(zone);
	zone->uz_bucket = zone->uz_bucket_max = 0;
	uma_cache_drain(zone, true);
	zone->uz_magic = ZONE_DEAD;
	live = uma_zone_live(zone);
	if (live > 0) {
		zone_bury(zone, live, LVK_PC);
		return;
	}
	if (keg != NULL && atomic_fetchadd_int(&keg->uk_zones, -1) == 1)
		(void)uma_keg_destroy(keg);
	zone_release(zone, LVK_PC);
}

/* ---- reclaiming */

static void
zone_reclaim(struct uma_zone *zone, int req)
{
	if (zone->uz_magic != ZONE_ALIVE)
		return;
	(void)uma_smr_reclaim(zone, req != UMA_RECLAIM_TRIM);
	if (req != UMA_RECLAIM_TRIM)
		uma_quarantine_drain(zone);
	uma_cache_drain(zone, req == UMA_RECLAIM_DRAIN_CPU);
	if (zone->uz_keg != NULL)
		uma_keg_drain(zone->uz_keg);
}

void
uma_zone_reclaim(uma_zone_t zone, int req)
{
	sleep_check("uma_zone_reclaim");
	zone_reclaim(zone, req);
}

/* The n-th zone: fini functions run between, without the list's lock. */
struct uma_zone *
uma_zone_nth(u_int n)
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
uma_reclaim(int req)
{
	struct uma_zone *zone;

	sleep_check("uma_reclaim");
	for (u_int n = 0; (zone = uma_zone_nth(n)) != NULL; n++)
		zone_reclaim(zone, req);
}

/* Slabs for so many items, beside those that are there. */
void
uma_prealloc(uma_zone_t zone, int items)
{
	struct uma_keg *keg = zone->uz_keg;
	struct uma_entry *e;
	u_int got, slabs = howmany((u_int)items, keg->uk_items);

	sleep_check("uma_prealloc");
	e = lvk_block_alloc((size_t)slabs * keg->uk_items * sizeof(*e), 16);
	for (got = 0; got < slabs * keg->uk_items; got++)
		if (uma_keg_fetch(keg, zone, e + got, 1,
		    M_WAITOK | M_USE_RESERVE) == 0)
			break;
	while (got-- > 0)
		uma_keg_put(keg, e[got].ue_item, e[got].ue_tag);
	lvk_block_free(e, 16);
}

size_t
uma_zone_memory(uma_zone_t zone)
{
	if (zone->uz_keg == NULL)
		return ((uma_zone_live(zone) + (size_t)zone->uz_cached) *
		    zone->uz_size);
	return (uma_keg_memory(zone->uz_keg));
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
	smr_init();
}
SYSINIT(lvk_pcpu_zones, SI_SUB_COUNTER, SI_ORDER_FIRST, pcpu_zones_init, NULL);

void
lvk_uma_init(void)
{
	lvk_guard_init();
	zone_zone_init();
	lvk_malloc_init();
}
