/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: uma(9): items.  FreeBSD's vm/uma_core.c.
 * Fidelity: modelled
 * Differs: each item is a block of its own with an owner.  Free ones are kept
 * in one small cache a zone, last in first out; under a sanitizer nothing is
 * kept, so that it sees use after free and each new user's missing
 * initialisation.  A zone's limit counts items in use, not those kept.
 * M_WAITOK at the limit lets the machine run until an item comes back, and
 * panics where none can.  Double and foreign frees always panic.
 *
 * Memory that reaches an init function is zero, as FreeBSD's fresh pages
 * are, unless the zone may be trashed: see uma_zcreate().
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <vm/uma.h>

#include <lvk.h>
#include "lvk_sleep.h"
#include "uma_int.h"

#define TRASH_WORD 0xdeadc0deu

#ifdef INVARIANTS
/* What a kernel forbids even where no memory has to be waited for. */
void
uma_debug_check(struct uma_zone *zone, const char *what)
{
	if (zone->uz_magic != ZONE_ALIVE)
		panic("%s: zone %p was destroyed", what, zone);
	if (curthread->td_critnest != 0)
		panic("%s: zone \"%s\": called with a spin lock held or in a "
		    "critical section", what, zone->uz_name);
}
#endif

/* ---- trash in free items: finds writes to them */

void
uma_trash_fill(void *item, size_t size)
{
	uint32_t *w = item;

	for (size_t n = size / sizeof(*w); n > 0; n--)
		*w++ = TRASH_WORD;
}

void
uma_trash_check(const struct uma_zone *zone, const void *item)
{
	const uint32_t *w = item;

	for (size_t i = 0; i < zone->uz_size / sizeof(*w); i++)
		if (w[i] != TRASH_WORD)
			panic("Memory modified after free: zone \"%s\", item "
			    "%p, offset %zu holds 0x%x", zone->uz_name, item,
			    i * sizeof(*w), w[i]);
}

/* ---- making and unmaking items */

static void
fini(struct uma_zone *zone, void *item)
{
	if (zone->uz_fini != NULL)
		zone->uz_fini(item, (int)zone->uz_size);
	if (zone->uz_keg_fini != NULL)
		zone->uz_keg_fini(item, (int)zone->uz_size);
}

static bool
init(struct uma_zone *zone, void *item, int flags)
{
	int size = (int)zone->uz_size;

	if (zone->uz_keg_init != NULL &&
	    zone->uz_keg_init(item, size, flags) != 0)
		return (false);
	if (zone->uz_init != NULL && zone->uz_init(item, size, flags) != 0) {
		if (zone->uz_keg_fini != NULL)
			zone->uz_keg_fini(item, size);
		return (false);
	}
	return (true);
}

/* What an init function allocates belongs to the zone, not to a vnet. */
static void *
item_make(struct uma_zone *zone, int flags, vnh_uptr pc)
{
	void *item;
	bool ok;

	item = lvk_item_alloc(zone->uz_size, zone->uz_align, LVK_UMA, zone,
	    zone->uz_name, pc);
	if (!zone->uz_keg_trash)
		memset(item, 0, zone->uz_size);
#ifdef INVARIANTS
	else if (vnh_sanitized() == 0)
		uma_trash_fill(item, zone->uz_size);
#endif
	lvk_owner_none_enter();
	ok = init(zone, item, flags & ~M_ZERO);
	lvk_owner_none_exit();
	if (ok)
		return (item);
	lvk_item_retire(item);
	lvk_item_release(item);
	return (NULL);
}

/* Of a retired item. */
static void
item_unmake(struct uma_zone *zone, void *item)
{
	if (zone->uz_trash)
		uma_trash_check(zone, item);
	fini(zone, item);
	lvk_item_release(item);
}

/* ---- the cache */

/*
 * Puts a free item into the cache; false when there is no room.  `freed' is 1
 * when it was live until now.
 */
static bool
cache_put(struct uma_zone *zone, void *item, u_int freed)
{
	bool room;

	lvk_spin_lock(&zone->uz_lock);
	zone->uz_live -= freed;
	room = zone->uz_cached < zone->uz_cache_max;
	if (room) {
		if (zone->uz_cache == NULL)
			zone->uz_cache = lvk_block_alloc(
			    UMA_CACHE_ITEMS_MAX * sizeof(void *), 16);
		zone->uz_cache[zone->uz_cached++] = item;
	}
	lvk_spin_unlock(&zone->uz_lock);
	return (room);
}

void
uma_trim(struct uma_zone *zone, u_int keep)
{
	void *item;

	do {
		item = NULL;
		lvk_spin_lock(&zone->uz_lock);
		if (zone->uz_cached > keep)
			item = zone->uz_cache[--zone->uz_cached];
		lvk_spin_unlock(&zone->uz_lock);
		if (item != NULL)
			item_unmake(zone, item);
	} while (item != NULL);
}

bool
uma_prefill(struct uma_zone *zone, vnh_uptr pc)
{
	void *item;
	bool room;

	lvk_spin_lock(&zone->uz_lock);
	room = zone->uz_cached < zone->uz_cache_max;
	lvk_spin_unlock(&zone->uz_lock);
	if (!room)
		return (false);
	item = item_make(zone, M_WAITOK, pc);
	if (item == NULL)
		return (false);
	lvk_item_retire(item);
	if (cache_put(zone, item, 0))
		return (true);
	item_unmake(zone, item);
	return (false);
}

/* ---- counting */

/* With the zone locked. */
static void
owner_note(struct uma_zone *zone)
{
	int owner = lvk_owner();

	if (zone->uz_live == 0)
		zone->uz_owner = owner;
	else if (zone->uz_owner != owner)
		zone->uz_owner = OWNER_MANY;
}

static bool
try_take(struct uma_zone *zone, void **item)
{
	bool ok;

	*item = NULL;
	lvk_spin_lock(&zone->uz_lock);
	ok = zone->uz_max == 0 || zone->uz_live < zone->uz_max;
	if (ok) {
		owner_note(zone);
		zone->uz_live++;
		if (zone->uz_cached > 0)
			*item = zone->uz_cache[--zone->uz_cached];
	}
	lvk_spin_unlock(&zone->uz_lock);
	return (ok);
}

static bool
below_limit(void *arg)
{
	return (uma_zone_exhausted(arg) == 0);
}

bool
uma_take(struct uma_zone *zone, int flags, void **item)
{
	bool ok = try_take(zone, item);

	if (__predict_true(ok))
		return (true);
	uma_limit_reached(zone);
	if ((flags & M_WAITOK) == 0)
		return (false);
	lvk_sleep_check("uma_zalloc(M_WAITOK)");
	while (!try_take(zone, item))
		(void)lvk_wait(below_limit, zone, SBT_MAX, "zonelimit",
		    zone->uz_name);
	return (true);
}

/* ---- allocating and freeing */

/* Give the memory of an item back, whose destructor has run. */
static void
item_put(struct uma_zone *zone, void *item)
{
	if (zone->uz_trash)
		uma_trash_fill(item, zone->uz_size);
	lvk_item_retire(item);
	if (!cache_put(zone, item, 1))
		item_unmake(zone, item);
}

static void *
item_get(struct uma_zone *zone, int flags, vnh_uptr pc)
{
	void *item;

	if (!uma_take(zone, flags, &item))
		return (NULL);
	if (item != NULL) {
		lvk_item_revive(item, pc);
		if (zone->uz_trash)
			uma_trash_check(zone, item);
		return (item);
	}
	item = item_make(zone, flags, pc);
	if (item == NULL) {
		lvk_spin_lock(&zone->uz_lock);
		zone->uz_live--;
		lvk_spin_unlock(&zone->uz_lock);
	}
	return (item);
}

void *
uma_zalloc_arg(uma_zone_t zone, void *udata, int flags)
{
	void *item;

	UMA_CHECK(zone, "uma_zalloc");
	KASSERT((zone->uz_flags & UMA_ZONE_PCPU) == 0,
	    ("uma_zalloc: zone \"%s\" is per CPU: use uma_zalloc_pcpu()",
	    zone->uz_name));
#ifdef INVARIANTS
	if ((flags & M_WAITOK) != 0)
		lvk_sleep_check("uma_zalloc(M_WAITOK)");
#endif
	item = item_get(zone, flags, LVK_PC);
	if (item == NULL)
		return (NULL);
	if (zone->uz_ctor != NULL &&
	    zone->uz_ctor(item, (int)zone->uz_size, udata, flags) != 0) {
		item_put(zone, item);
		return (NULL);
	}
	if ((flags & M_ZERO) != 0)
		memset(item, 0, zone->uz_size);
	return (item);
}

void
uma_zfree_arg(uma_zone_t zone, void *item, void *udata)
{
	if (item == NULL)
		return;
	UMA_CHECK(zone, "uma_zfree");
	KASSERT((zone->uz_flags & UMA_ZONE_PCPU) == 0,
	    ("uma_zfree: zone \"%s\" is per CPU: use uma_zfree_pcpu()",
	    zone->uz_name));
	lvk_item_check(item, LVK_UMA, zone, "uma_zfree");
	if (zone->uz_dtor != NULL)
		zone->uz_dtor(item, (int)zone->uz_size, udata);
	item_put(zone, item);
}

void *
uma_zalloc_pcpu_arg(uma_zone_t zone, void *udata, int flags)
{
	UMA_CHECK(zone, "uma_zalloc_pcpu");
	KASSERT((zone->uz_flags & UMA_ZONE_PCPU) != 0,
	    ("uma_zalloc_pcpu: zone \"%s\" is not per CPU", zone->uz_name));
#ifdef INVARIANTS
	if ((flags & M_WAITOK) != 0)
		lvk_sleep_check("uma_zalloc_pcpu(M_WAITOK)");
#endif
	return (uma_pcpu_alloc(zone, udata, flags, LVK_PC));
}

void
uma_zfree_pcpu_arg(uma_zone_t zone, void *item, void *udata)
{
	if (item == NULL)
		return;
	UMA_CHECK(zone, "uma_zfree_pcpu");
	KASSERT((zone->uz_flags & UMA_ZONE_PCPU) != 0,
	    ("uma_zfree_pcpu: zone \"%s\" is not per CPU", zone->uz_name));
	uma_pcpu_free(zone, item, udata);
}
