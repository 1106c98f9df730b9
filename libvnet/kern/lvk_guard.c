/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: the checks of uma_dbg.c and of redzone(9).
 * Fidelity: modelled
 * Differs: always there with INVARIANTS; who allocated and who freed is named
 * in each report.
 *
 * Between two items, or a CPU's copies of them, lie at least LVK_RED bytes of
 * filler.  The first LVK_RED behind an item are checked for it, and the last
 * LVK_RED before it.  Where AddressSanitizer or valgrind watches they are
 * poisoned instead.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <vm/uma.h>

#include <lvk.h>
#include "lvk_heap.h"
#include "uma_int.h"

#define RED_BYTE 0xfd

int lvk_hooks;
int lvk_backend;
volatile int lvk_single;
volatile int lvk_single_in;

static bool poisons;		/* red zones are poisoned, not checked */
u_long lvk_faults;

/* ---- quarantine: a ring */

struct waiting {
	void *item;
	struct uma_zone *zone;
};
static struct waiting *ring;
static u_int ring_max, ring_n, ring_first;
static struct lvk_spin ring_lock;

void
lvk_guard_init(void)
{
	struct vnh_heap_options o;

	vnh_heap_options(&o);
	lvk_backend = o.backend;
	poisons = (vnh_sanitized() & (VNH_ASAN | VNH_VALGRIND)) != 0;
	if (vnh_sanitized() != 0)
		lvk_hooks |= LVK_HOOK_SANITIZER;
	ring_max = (u_int)o.quarantine;
	if (ring_max == 0)
		return;
	lvk_hooks |= LVK_HOOK_QUARANTINE;
	ring = lvk_block_alloc(ring_max * sizeof(*ring), 16);
}

void *
lvk_quarantine(void *item, struct uma_zone **zone)
{
	struct waiting w = { item, *zone }, out = { NULL, NULL };

	lvk_spin_lock(&ring_lock);
	if (ring_n == ring_max) {
		out = ring[ring_first];
		ring_first = (ring_first + 1) % ring_max;
		ring_n--;
	}
	ring[(ring_first + ring_n++) % ring_max] = w;
	lvk_spin_unlock(&ring_lock);
	*zone = out.zone;
	return (out.item);
}

void *
lvk_quarantine_take(struct uma_zone **zone)
{
	struct waiting out = { NULL, NULL };
	u_int i, k;

	lvk_spin_lock(&ring_lock);
	for (i = 0; i < ring_n; i++)
		if (ring[(ring_first + i) % ring_max].zone == *zone)
			break;
	if (i < ring_n) {
		out = ring[(ring_first + i) % ring_max];
		for (k = i; k > 0; k--)
			ring[(ring_first + k) % ring_max] =
			    ring[(ring_first + k - 1) % ring_max];
		ring_first = (ring_first + 1) % ring_max;
		ring_n--;
	}
	lvk_spin_unlock(&ring_lock);
	return (out.item);
}

/* ---- red zones */

static void
red_fill_item(char *item, size_t size, uint32_t red)
{
	if (poisons) {
		vnh_poison(item - (lvk_in_heap(item) ? red : 0),
		    lvk_in_heap(item) ? red : 0);
		vnh_unpoison(item, size);
		/* From the very next byte, to the end of its granule. */
		vnh_poison(item + size, roundup2(size, 8) - size + red);
		return;
	}
	if (lvk_in_heap(item))
		memset(item - red, RED_BYTE, red);
	memset(item + size, RED_BYTE, red);
}

void
lvk_red_fill(const struct uma_slab *sl)
{
	const struct uma_keg *keg = sl->us_keg;
	size_t size = keg == &uma_large_keg ? sl->us_large : keg->uk_size;

	if (keg->uk_red == 0)
		return;
	if (poisons && lvk_in_heap(sl->us_mem) && keg != &uma_large_keg)
		vnh_poison(sl->us_mem, (size_t)keg->uk_pages *
		    keg->uk_copies * PAGE_SIZE);
	for (uint32_t i = 0; i < sl->us_items; i++)
		for (uint32_t c = 0; c < keg->uk_copies; c++)
			red_fill_item(zpcpu_get_cpu(lvk_slab_item(sl, i), c),
			    size, keg->uk_red);
}

void
lvk_red_tail(const struct uma_slab *sl, uint32_t i)
{
	size_t asked = sl->us_tag[i].tg_size;

	if (!poisons)
		memset(lvk_slab_item(sl, i) + asked, RED_BYTE,
		    MIN((size_t)LVK_RED, sl->us_keg->uk_size - asked));
}

static size_t
red_look(const unsigned char *p, size_t n)
{
	for (size_t k = 0; k < n; k++)
		if (p[k] != RED_BYTE)
			return (k);
	return (n);
}

static void
red_report(const struct uma_slab *sl, uint32_t i, const void *item,
    long offset)
{
	const struct lvk_tag *tag = &sl->us_tag[i];
	size_t size = lvk_item_bytes(sl, i);
	const char *kind, *name = lvk_item_name(sl, i, &kind);

	lvk_faults++;
	lvk_finding_sites("overrun", name, tag->tg_vnet, tag->tg_pc, 0,
	    "byte %ld %s an item of %zu bytes of %s \"%s\" (%p) was written",
	    offset < 0 ? -offset : offset - (long)size + 1,
	    offset < 0 ? "before" : "behind", size, kind, name, item);
}

static void
red_check_item(const struct uma_slab *sl, uint32_t i, unsigned char *item)
{
	size_t size = lvk_item_bytes(sl, i), n;

	n = red_look(item + size, LVK_RED);
	if (n < LVK_RED) {
		red_report(sl, i, item, (long)(size + n));
		memset(item + size, RED_BYTE, LVK_RED);
	}
	if (!lvk_in_heap(item))
		return;
	/* The last byte first: the next item's, not the one's before. */
	for (n = LVK_RED; n > 0 && item[(long)n - LVK_RED - 1] == RED_BYTE;)
		n--;
	if (n == 0)
		return;
	red_report(sl, i, item, (long)n - LVK_RED - 1);
	memset(item - LVK_RED, RED_BYTE, LVK_RED);
}

void
lvk_red_check(const struct uma_slab *sl, uint32_t i)
{
	unsigned char *item = (unsigned char *)lvk_slab_item(sl, i);

	if (poisons)
		return;
	for (uint32_t c = 0; c < sl->us_keg->uk_copies; c++)
		red_check_item(sl, i, zpcpu_get_cpu(item, c));
}

/* ---- pointers that are given back */

static void __dead2
bad_free(const void *item, const char *what, const char *why)
{
	lvk_faults++;
	lvk_finding("badfree", NULL, lvk_owner(), NULL, 0, 0, "%s: %p %s",
	    what, item, why);
	panic("%s: %p %s", what, item, why);
}

/* `alike': it went to another type or zone, and not to the other allocator. */
static void __dead2
bad_origin(const struct uma_slab *sl, uint32_t i, bool alike,
    const char *what)
{
	const char *kind, *name = lvk_item_name(sl, i, &kind);
	char *item = lvk_slab_item(sl, i);

	lvk_faults++;
	lvk_finding_sites("badfree", name, sl->us_tag[i].tg_vnet,
	    sl->us_tag[i].tg_pc, 0, "%s: %p belongs to %s \"%s\"; give it back "
	    "there", what, item, kind, name);
	if (alike)
		panic("%s: %p belongs to \"%s\"; give it back there", what,
		    item, name);
	panic("%s: %p comes from %s \"%s\"; give it back there", what, item,
	    kind, name);
}

static void __dead2
double_free(const struct uma_slab *sl, uint32_t i, const char *what)
{
	const struct lvk_tag *tag = &sl->us_tag[i];
	const char *kind, *name = lvk_item_name(sl, i, &kind);
	char *item = lvk_slab_item(sl, i);

	if (tag->tg_free_pc == LVK_NEVER)
		bad_free(item, what, "was never allocated here");
	lvk_faults++;
	lvk_finding_sites("doublefree", name, tag->tg_vnet, tag->tg_pc,
	    tag->tg_free_pc, "%s: %p of %s \"%s\" was freed before", what,
	    item, kind, name);
	panic("%s: %p (%s) was freed before", what, item, name);
}

/* Somewhere in slab `sl', in or beside an item that is told of. */
static void __dead2
bad_inside(const struct uma_slab *sl, uint32_t i, const void *p,
    const char *what)
{
	struct vnh_heap_sites sites;
	const char *kind;
	char text[300];

	if (vnk_heap_describe(p, text, sizeof(text), &sites) == 0)
		bad_free(p, what, "is not the start of an item");
	i = MIN(i, sl->us_items - 1);
	lvk_faults++;
	lvk_finding_sites("badfree", lvk_item_name(sl, i, &kind), lvk_owner(),
	    sites.alloc_pc, sites.free_pc, "%s: %p is not the start of an item: "
	    "%s", what, p, text);
	panic("%s: %p is not the start of an item: %s", what, p, text);
}

static struct uma_slab *
slab_check(void *item, const char *what)
{
	struct lvk_page *pg;
	struct uma_slab *sl;

	if (lvk_in_heap(item)) {
		pg = lvk_page_find(item);
		if (pg == NULL || pg->pg_kind != LVK_PAGE_SLAB)
			bad_free(item, what, "was never allocated here, or "
			    "its pages were given back");
		return (lvk_page_slab(pg));
	}
	/* A wild pointer may fault here: that is its report. */
	if (lvk_backend != VNH_HEAP_REGION && vnh_sanitized() != 0)
		(void)*(volatile char *)item;
	sl = lvk_block_slab(item);
	if (sl == NULL || lvk_page_find(sl) == NULL || sl->us_keg == NULL ||
	    (sl->us_items == 1 && sl->us_base != item))
		bad_free(item, what, "was never allocated here, or was "
		    "freed before");
	return (sl);
}

struct lvk_tag *
lvk_item_check(void *item, const void *origin, const char *what,
    struct uma_slab **slp)
{
	struct uma_slab *sl = slab_check(item, what);
	uint32_t i = lvk_slab_index(sl, item);

	*slp = sl;
	if (i >= sl->us_items || lvk_slab_item(sl, i) != item ||
	    (char *)item < sl->us_base)
		bad_inside(sl, i, item, what);
	if (sl->us_tag[i].tg_free_pc != 0)
		double_free(sl, i, what);
	if (sl->us_tag[i].tg_origin != origin)
		bad_origin(sl, i, sl->us_keg->uk_malloc == (what[0] != 'u'),
		    what);
	return (&sl->us_tag[i]);
}

/* ---- looking around */

/* A free item in the caches of a secondary zone may be what init made it. */
static bool
is_trash(const struct uma_slab *sl, uint32_t i)
{
	const struct uma_zone *zone = sl->us_tag[i].tg_origin;

	if (!sl->us_keg->uk_trash)
		return (false);
	return (sl->us_keg->uk_malloc || zone == NULL || zone->uz_trash);
}

static void
slabs_check(const struct uma_slabs *list)
{
	struct uma_slab *sl;

	LIST_FOREACH(sl, list, us_link)
		for (uint32_t i = 0; i < sl->us_items; i++)
			if (sl->us_tag[i].tg_free_pc == 0) {
				if (sl->us_keg->uk_red != 0)
					lvk_red_check(sl, i);
			} else if (is_trash(sl, i) &&
			    sl->us_tag[i].tg_size != LVK_WAITS)
				lvk_trash_mend(sl, i);
}

u_long
lvk_heap_check(void)
{
	u_long before = lvk_faults;
	struct uma_keg *keg;

	LIST_FOREACH(keg, &uma_kegs, uk_link)
		if (keg->uk_red != 0 || keg->uk_trash) {
			slabs_check(&keg->uk_partial);
			slabs_check(&keg->uk_full);
			slabs_check(&keg->uk_empty);
		}
	if (uma_large_keg.uk_red != 0)
		slabs_check(&uma_large_keg.uk_full);
	lvk_gone_check();
	return (lvk_faults - before);
}

unsigned long
vnk_heap_check(void)
{
	return (lvk_heap_check());
}
