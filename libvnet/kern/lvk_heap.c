/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: nothing of FreeBSD's; owners of items.
 * Fidelity: exact
 * Differs: --
 *
 * A tag names the vnet that was current when its item was made.  So that
 * destroying a vnet looks at its own memory only, however many vnets there
 * are, a vnet has a list of the slabs in which it ever owned an item:
 *
 * 1. A slab is listed when an item's owner changes to the vnet, unless the
 *    slab was the last it listed.
 * 2. An item keeps its owner when it is freed; so items that one vnet uses
 *    again and again list nothing.
 * 3. A slab that is given back and used anew has tags of nobody: an old
 *    entry that leads there finds nothing, and 1. lists it again.
 * 4. A full list is freed of what stands there twice before it grows.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/queue.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/kernel.h>
#include <net/vnet.h>

#include <lvk.h>
#include "lvk_heap.h"
#include "uma_int.h"

#define OWNER_BUCKETS 256
#define OWNER_SLABS_MIN 14
#define LEAK_SITES 64		/* distinct sites listed in one report */

struct owner {
	LIST_ENTRY(owner) ow_link;
	int ow_vnet;
	u_int ow_n, ow_max;
	struct uma_slab **ow_slab;
};
static LIST_HEAD(ownerhead, owner) owners[OWNER_BUCKETS];
static struct lvk_spin owners_lock;
static __thread int owner_none;

/* ---- who owns what is made now */

int
lvk_owner(void)
{
#ifdef VIMAGE
	struct vnet *v;

	if (owner_none == 0 && curthread != NULL && (v = curvnet) != NULL)
		return (v->vnet_number);
#endif
	return (-1);
}

void
lvk_owner_none_enter(void)
{
	owner_none++;
}

void
lvk_owner_none_exit(void)
{
	owner_none--;
}

int
lvk_owner_none_set(int n)
{
	int old = owner_none;

	owner_none = n;
	return (old);
}

/* ---- the lists, with owners_lock held */

static struct owner *
owner_find(int vnet)
{
	struct owner *ow;

	LIST_FOREACH(ow, &owners[(u_int)vnet % OWNER_BUCKETS], ow_link)
		if (ow->ow_vnet == vnet)
			break;
	return (ow);
}

static struct owner *
owner_get(int vnet)
{
	struct owner *ow = owner_find(vnet);

	if (ow != NULL)
		return (ow);
	ow = lvk_block_alloc(sizeof(*ow), 16);
	ow->ow_vnet = vnet;
	ow->ow_n = 0;
	ow->ow_max = OWNER_SLABS_MIN;
	ow->ow_slab = lvk_block_alloc(ow->ow_max * sizeof(ow->ow_slab[0]), 16);
	LIST_INSERT_HEAD(&owners[(u_int)vnet % OWNER_BUCKETS], ow, ow_link);
	return (ow);
}

/* Each slab once, and none that is not in use. */
static void
owner_compact(struct owner *ow)
{
	u_int n = 0;

	for (u_int i = 0; i < ow->ow_n; i++) {
		struct uma_slab *sl = ow->ow_slab[i];

		if (sl->us_keg == NULL || sl->us_mark)
			continue;
		sl->us_mark = true;
		ow->ow_slab[n++] = sl;
	}
	ow->ow_n = n;
	for (u_int i = 0; i < n; i++)
		ow->ow_slab[i]->us_mark = false;
}

static void
owner_grow(struct owner *ow)
{
	struct uma_slab **more;

	owner_compact(ow);
	if (ow->ow_n <= ow->ow_max / 2)
		return;
	more = lvk_block_alloc(2 * ow->ow_max * sizeof(more[0]), 16);
	memcpy(more, ow->ow_slab, ow->ow_n * sizeof(more[0]));
	lvk_block_free(ow->ow_slab, 16);
	ow->ow_slab = more;
	ow->ow_max *= 2;
}

void
lvk_owner_change(const void *item, struct lvk_tag *tag, int vnet)
{
	struct uma_slab *sl;
	struct owner *ow;

	atomic_store_int(&tag->tg_vnet, vnet);
	if (vnet < 0)
		return;
	sl = lvk_item_slab(item);
	lvk_spin_lock(&owners_lock);
	if (sl->us_owner != vnet) {
		sl->us_owner = vnet;
		ow = owner_get(vnet);
		if (ow->ow_n == ow->ow_max)
			owner_grow(ow);
		ow->ow_slab[ow->ow_n++] = sl;
	}
	lvk_spin_unlock(&owners_lock);
}

/* ---- what an item is */

const char *
lvk_item_name(const struct uma_slab *sl, uint32_t i, const char **kind)
{
	const void *origin = sl->us_tag[i].tg_origin;

	if (sl->us_keg->uk_malloc) {
		*kind = "malloc type";
		return (origin == NULL ? "?" :
		    ((const struct malloc_type *)origin)->ks_shortdesc);
	}
	*kind = "UMA zone";
	if (sl->us_keg == uma_zone_zone->uz_keg && sl->us_tag[i].tg_free_pc == 0)
		return (((const struct uma_zone *)(const void *)
		    lvk_slab_item(sl, i))->uz_label);
	return (origin == NULL ? sl->us_keg->uk_zone->uz_name :
	    ((const struct uma_zone *)origin)->uz_name);
}

size_t
lvk_item_bytes(const struct uma_slab *sl, uint32_t i)
{
	if (sl->us_keg == &uma_large_keg)
		return (sl->us_large);
	if (sl->us_keg->uk_malloc && sl->us_tag[i].tg_free_pc == 0)
		return (sl->us_tag[i].tg_size);
	return (sl->us_keg->uk_size);
}

/* ---- what a vnet left behind */

struct leak {
	const char *kind;
	int type;		/* of malloc(9) */
	const char *name;
	size_t size;
	vnh_uptr pc;
	u_long count;
};

struct leaks {
	u_long total;
	int sites;
	struct leak site[LEAK_SITES];
};

static void
leak_add(struct leaks *l, const struct uma_slab *sl, uint32_t n)
{
	struct leak k = { .size = lvk_item_bytes(sl, n),
	    .type = sl->us_keg->uk_malloc,
	    .pc = sl->us_tag[n].tg_pc };
	int i;

	k.name = lvk_item_name(sl, n, &k.kind);
	l->total++;
	for (i = 0; i < l->sites; i++)
		if (l->site[i].pc == k.pc && l->site[i].size == k.size &&
		    l->site[i].name == k.name)
			break;
	if (i == l->sites) {
		if (l->sites == LEAK_SITES)
			return;
		l->site[l->sites++] = k;
	}
	l->site[i].count++;
}

static void
slab_report(struct leaks *l, struct uma_slab *sl, int vnet)
{
	if (sl->us_keg == NULL)
		return;
	for (uint32_t i = 0; i < sl->us_items; i++) {
		if (atomic_load_int(&sl->us_tag[i].tg_vnet) != vnet ||
		    atomic_load_ptr(&sl->us_tag[i].tg_free_pc) != 0)
			continue;
		leak_add(l, sl, i);
#ifdef INVARIANTS
		if (sl->us_keg->uk_red != 0)
			lvk_red_check(sl, i);
#endif
	}
}

/* Nothing is found twice: the vnet's list goes with the vnet. */
static void
owner_report(struct leaks *l, int vnet)
{
	struct owner *ow;

	lvk_spin_lock(&owners_lock);
	ow = owner_find(vnet);
	if (ow != NULL) {
		LIST_REMOVE(ow, ow_link);
		owner_compact(ow);
	}
	lvk_spin_unlock(&owners_lock);
	if (ow == NULL)
		return;
	for (u_int i = 0; i < ow->ow_n; i++) {
		slab_report(l, ow->ow_slab[i], vnet);
		if (ow->ow_slab[i]->us_owner == vnet)
			ow->ow_slab[i]->us_owner = LVK_NOBODY;
	}
	lvk_block_free(ow->ow_slab, 16);
	lvk_block_free(ow, 16);
}

/* Whether it is on the list of known leaks; else what that says of it. */
static bool
known(const struct leak *s, char *note, size_t size)
{
	struct vnh_leak l = { .version = __FreeBSD_version, .type = s->type,
	    .name = s->name, .pc = s->pc, .count = s->count };
	vnh_u64 most;

	if (vnh_leak_known(&l))
		return (true);
	most = vnh_leak_most(&l);
	note[0] = '\0';
	if (most != 0)
		snprintf(note, size, " (of this tree up to %ju are known)",
		    (uintmax_t)most);
	return (false);
}

u_long
lvk_leak_report(int number)
{
	static struct leaks l;
	u_long listed = 0;
	char note[64];

	l.total = 0;
	l.sites = 0;
	owner_report(&l, number);
	vnh_leaks_begin();
	for (int i = 0; i < l.sites; i++) {
		struct leak *s = &l.site[i];

		listed += s->count;
		if (known(s, note, sizeof(note)))
			continue;
		lvk_finding("leak", s->name, number, NULL, 0, s->pc,
		    "%lu item%s of %zu bytes of %s \"%s\" still allocated "
		    "after vnet %d was destroyed%s", s->count,
		    s->count == 1 ? "" : "s", s->size, s->kind, s->name,
		    number, note);
	}
	if (listed < l.total)
		lvk_finding("leak", NULL, number, NULL, 0, 0,
		    "%lu more items at further sites still allocated after "
		    "vnet %d was destroyed", l.total - listed, number);
	vnh_heap_gone(number);
	return (l.total);
}
