/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: uma(9): kegs and slabs.  FreeBSD's vm/uma_core.c.
 * Fidelity: modelled
 * Differs: one memory domain.  Slab headers always lie outside the slab.
 * With INVARIANTS there are red zones between items.  Where another backend
 * than the region was chosen, a slab is one item in a block of the host's.
 *
 * Slabs of a keg are empty, partial or full, by free items in them, and keep
 * the run of the keg's init on each item until they are given back.  A zone
 * per CPU has a run of pages for each CPU in a slab; items are counted in the
 * first, and their copies are UMA_PCPU_ALLOC_SIZE apart:
 *
 *	| item 0 | item 1 | ...     | item 0 | item 1 | ...
 *	`------- CPU 0 ------------'`------- CPU 1 ----
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

#define SLAB_PAGES_MAX 8
#define SLAB_ITEMS_GOOD 8

struct uma_kegs uma_kegs = LIST_HEAD_INITIALIZER(uma_kegs);

static struct lvk_spin slabs_lock;
static struct uma_slab *slabs_spare;	/* never used for anything else */
static struct uma_slabs slabs_foreign;	/* from a zone's own allocator */

/* ---- slab headers */

struct uma_slab *
uma_header_alloc(struct uma_keg *keg, uint32_t items)
{
	struct uma_slab *sl;

	lvk_spin_lock(&slabs_lock);
	sl = slabs_spare;
	if (sl != NULL)
		slabs_spare = LIST_NEXT(sl, us_link);
	lvk_spin_unlock(&slabs_lock);
	if (sl == NULL)
		sl = lvk_block_alloc(sizeof(*sl), 16);
	memset(sl, 0, sizeof(*sl));
	sl->us_tag = lvk_block_alloc(items * sizeof(struct lvk_tag), 16);
	for (uint32_t i = 0; i < items; i++)
		sl->us_tag[i] = (struct lvk_tag){ .tg_free_pc = LVK_NEVER,
		    .tg_vnet = LVK_NOBODY, .tg_size = i + 1 };
	sl->us_items = sl->us_nfree = items;
	sl->us_owner = LVK_NOBODY;
	sl->us_keg = keg;
	return (sl);
}

void
uma_header_free(struct uma_slab *sl)
{
	sl->us_keg = NULL;
	lvk_block_free(sl->us_tag, 16);
	lvk_spin_lock(&slabs_lock);
	sl->us_link.le_next = slabs_spare;
	slabs_spare = sl;
	lvk_spin_unlock(&slabs_lock);
}

/* Of an item outside the region. */
struct uma_slab *
lvk_block_slab(const void *item)
{
	struct uma_slab *sl, **slp;

	LIST_FOREACH(sl, &slabs_foreign, us_foreign)
		if ((size_t)((const char *)item - sl->us_mem) < sl->us_large)
			return (sl);
	if (lvk_backend == VNH_HEAP_REGION)
		return (NULL);
	slp = lvk_item_slabp(item);
	vnh_unpoison(slp, sizeof(*slp));
	sl = *slp;
	vnh_poison(slp, sizeof(*slp));
	return (sl);
}

/* ---- the memory of a slab */

/* Whether each item is a block of the host's. */
static __inline bool
keg_hosted(const struct uma_keg *keg)
{
	return (lvk_backend != VNH_HEAP_REGION &&
	    (keg->uk_flags & UMA_ZONE_PCPU) == 0);
}

static size_t
block_pad(size_t align)
{
	return (roundup2(VNH_HEAP_RESERVED + sizeof(struct uma_slab *), align));
}

void
uma_mem_from_host(struct uma_slab *sl, size_t size, size_t align, uint32_t red)
{
	size_t pad = block_pad(align);

	sl->us_mem = vnh_heap_alloc(pad + size + red, align, lvk_owner());
	sl->us_base = sl->us_mem + pad;
	*lvk_item_slabp(sl->us_base) = sl;
	vnh_poison(lvk_item_slabp(sl->us_base), sizeof(struct uma_slab *));
}

static bool
mem_from_zone(struct uma_slab *sl, struct uma_keg *keg, int flags)
{
	size_t bytes = (size_t)keg->uk_pages * keg->uk_copies * PAGE_SIZE;
	uint8_t pflag = 0;

	sl->us_mem = keg->uk_allocf(keg->uk_zone, bytes, 0, &pflag, flags);
	if (sl->us_mem == NULL)
		return (false);
	sl->us_base = sl->us_mem + keg->uk_head;
	sl->us_large = bytes;
	if (lvk_in_heap(sl->us_mem))
		sl->us_under = lvk_pages_lend(sl->us_mem, bytes / PAGE_SIZE, sl);
	lvk_spin_lock(&slabs_lock);
	LIST_INSERT_HEAD(&slabs_foreign, sl, us_foreign);
	lvk_spin_unlock(&slabs_lock);
	return (true);
}

static bool
mem_alloc(struct uma_slab *sl, struct uma_keg *keg, int flags)
{
	if (keg->uk_allocf != NULL)
		return (mem_from_zone(sl, keg, flags));
	if (keg_hosted(keg)) {
		uma_mem_from_host(sl, keg->uk_size, keg->uk_align, keg->uk_red);
		return (true);
	}
	sl->us_mem = lvk_pages_alloc((size_t)keg->uk_pages * keg->uk_copies, 1);
	lvk_pages_slab(sl->us_mem, sl);
	sl->us_base = sl->us_mem + keg->uk_head;
	return (true);
}

static void
mem_free(struct uma_slab *sl, struct uma_keg *keg)
{
	if (keg->uk_allocf != NULL) {
		lvk_spin_lock(&slabs_lock);
		LIST_REMOVE(sl, us_foreign);
		lvk_spin_unlock(&slabs_lock);
		if (sl->us_under != NULL)
			(void)lvk_pages_lend(sl->us_mem,
			    sl->us_large / PAGE_SIZE, sl->us_under);
		vnh_unpoison(sl->us_mem, sl->us_large);
		if (keg->uk_freef != NULL)
			keg->uk_freef(sl->us_mem, sl->us_large, 0);
	} else if (lvk_in_heap(sl->us_mem)) {
		lvk_pages_slab(sl->us_mem, NULL);
		lvk_pages_free(sl->us_mem);
	} else {
		vnh_unpoison(lvk_item_slabp(sl->us_base),
		    sizeof(struct uma_slab *));
		vnh_heap_free(sl->us_mem);
	}
}

/* ---- items: usable or not */

void
uma_item_open(const struct uma_keg *keg, void *item)
{
	if (lvk_hooks == 0)
		return;
	for (uint32_t c = 0; c < keg->uk_copies; c++)
		vnh_unpoison(zpcpu_get_cpu((char *)item, c), keg->uk_size);
}

void
uma_item_close(const struct uma_keg *keg, void *item)
{
	if (lvk_hooks == 0)
		return;
	for (uint32_t c = 0; c < keg->uk_copies; c++)
		vnh_poison(zpcpu_get_cpu((char *)item, c),
		    roundup2(keg->uk_size, 8));
}

static void
item_fini(struct uma_keg *keg, void *item)
{
	if (keg->uk_fini == NULL)
		return;
	uma_item_open(keg, item);
	keg->uk_fini(item, (int)keg->uk_size);
	uma_item_close(keg, item);
}

/* What init functions see is zero, unless it may be trash. */
static bool
item_init(struct uma_keg *keg, void *item, int flags)
{
	int error = 0;

	for (uint32_t c = 0; c < keg->uk_copies; c++)
		if (keg->uk_trash)
			lvk_trash_fill(zpcpu_get_cpu((char *)item, c),
			    keg->uk_size);
		else
			memset(zpcpu_get_cpu((char *)item, c), 0,
			    keg->uk_size);
	if (keg->uk_init != NULL)
		error = keg->uk_init(item, (int)keg->uk_size, flags);
	uma_item_close(keg, item);
	return (error == 0);
}

/* ---- slabs */

static void
slab_free(struct uma_slab *sl)
{
	struct uma_keg *keg = sl->us_keg;

	for (uint32_t i = 0; i < sl->us_items; i++) {
		if (keg->uk_trash)
			lvk_trash_check(sl, i, lvk_slab_item(sl, i));
		item_fini(keg, lvk_slab_item(sl, i));
	}
	mem_free(sl, keg);
	uma_header_free(sl);
}

static struct uma_slab *
slab_alloc(struct uma_keg *keg, int flags)
{
	struct uma_slab *sl = uma_header_alloc(keg, keg->uk_items);
	uint32_t i;

	if (!mem_alloc(sl, keg, flags)) {
		uma_header_free(sl);
		return (NULL);
	}
	sl->us_stride = keg->uk_items == 1 ? 0 : keg->uk_stride;
	sl->us_rcp = keg->uk_items == 1 ? 0 : (uint32_t)
	    ((((uint64_t)1 << 32) + keg->uk_stride - 1) / keg->uk_stride);
	lvk_red_fill(sl);
	lvk_owner_none_enter();
	for (i = 0; i < keg->uk_items; i++)
		if (!item_init(keg, lvk_slab_item(sl, i), flags & ~M_ZERO))
			break;
	if (i < keg->uk_items) {
		while (i-- > 0)
			item_fini(keg, lvk_slab_item(sl, i));
		mem_free(sl, keg);
		uma_header_free(sl);
		sl = NULL;
	}
	lvk_owner_none_exit();
	return (sl);
}

/* ---- kegs */

/* As many pages as leave little behind the last item. */
static void
keg_layout(struct uma_keg *keg)
{
	size_t per = (keg->uk_flags & UMA_ZONE_PCPU) != 0 ? 1 : SLAB_PAGES_MAX, n;

	for (n = howmany(keg->uk_head + keg->uk_stride, PAGE_SIZE); n < per;
	    n++)
		if ((n * PAGE_SIZE - keg->uk_head) % keg->uk_stride * 8 <=
		    n * PAGE_SIZE && n * PAGE_SIZE / keg->uk_stride >=
		    SLAB_ITEMS_GOOD)
			break;
	keg->uk_pages = (uint32_t)n;
	keg->uk_items = (uint32_t)((n * PAGE_SIZE - keg->uk_head) /
	    keg->uk_stride);
}

struct uma_keg *
uma_keg_create(struct uma_zone *zone, size_t size, size_t align,
    uma_init init, uma_fini fini, uint32_t flags)
{
	struct uma_keg *keg = lvk_block_alloc(sizeof(*keg), CACHE_LINE_SIZE);
	bool pcpu = (flags & UMA_ZONE_PCPU) != 0;

	memset(keg, 0, sizeof(*keg));
	keg->uk_zone = zone;
	keg->uk_zones = 1;
	keg->uk_size = size;
	keg->uk_align = MAX(align, 8);
	keg->uk_flags = flags;
	keg->uk_init = (flags & UMA_ZONE_ZINIT) != 0 ? NULL : init;
	keg->uk_fini = fini;
	keg->uk_trashable = (flags & (UMA_ZONE_ZINIT | UMA_ZONE_NOTOUCH |
	    UMA_ZONE_NOFREE)) == 0 && init == NULL && fini == NULL;
	keg->uk_copies = pcpu ? mp_maxid + 1 : 1;
#ifdef INVARIANTS
	keg->uk_trash = keg->uk_trashable && vnh_sanitized() == 0;
	keg->uk_red = LVK_RED;
	/* A CPU's copies have one page: a few large items go without. */
	if (pcpu && roundup2(LVK_RED, keg->uk_align) + size + LVK_RED >
	    UMA_PCPU_ALLOC_SIZE)
		keg->uk_red = 0;
#endif
	zone->uz_fresh = keg->uk_trashable;
	zone->uz_trash = keg->uk_trash;
	if (keg_hosted(keg)) {
		if (vnh_sanitized() != 0)
			keg->uk_red = 0;
		keg->uk_items = keg->uk_pages = 1;
	} else {
		keg->uk_head = (uint32_t)roundup2(keg->uk_red, keg->uk_align);
		keg->uk_stride = (uint32_t)roundup2(size + keg->uk_red,
		    keg->uk_align);
		keg_layout(keg);
	}
	if (pcpu && keg->uk_pages * PAGE_SIZE != UMA_PCPU_ALLOC_SIZE)
		panic("uma_zcreate: zone \"%s\": %zu bytes are too many for an "
		    "item per CPU", zone->uz_name, size);
	lvk_spin_lock(&uma_zones_lock);
	LIST_INSERT_HEAD(&uma_kegs, keg, uk_link);
	lvk_spin_unlock(&uma_zones_lock);
	return (keg);
}

bool
uma_keg_destroy(struct uma_keg *keg)
{
	uma_keg_drain(keg);
	if (keg->uk_total != 0)
		return (false);
	lvk_spin_lock(&uma_zones_lock);
	LIST_REMOVE(keg, uk_link);
	lvk_spin_unlock(&uma_zones_lock);
	lvk_block_free(keg, CACHE_LINE_SIZE);
	return (true);
}

/* With the keg locked: takes what one slab has. */
static u_int
slab_take(struct uma_keg *keg, struct uma_slab *sl, struct uma_zone *zone,
    struct uma_entry *e, u_int n)
{
	u_int got = 0;

	LIST_REMOVE(sl, us_link);
	while (got < n && sl->us_nfree > 0) {
		struct lvk_tag *tg = &sl->us_tag[sl->us_first];

		e[got++] = (struct uma_entry){
		    lvk_slab_item(sl, sl->us_first), tg };
		sl->us_first = tg->tg_size;
		sl->us_nfree--;
		tg->tg_size = (uint32_t)keg->uk_size;
		tg->tg_origin = keg->uk_malloc ? NULL : zone;
	}
	keg->uk_free -= got;
	LIST_INSERT_HEAD(sl->us_nfree == 0 ? &keg->uk_full : &keg->uk_partial,
	    sl, us_link);
	return (got);
}

/* With the keg locked, and locked again when it returns. */
static bool
keg_grow(struct uma_keg *keg, int flags)
{
	struct uma_slab *sl;

	lvk_spin_unlock(&keg->uk_lock);
	sl = slab_alloc(keg, flags);
	lvk_spin_lock(&keg->uk_lock);
	if (sl == NULL)
		return (false);
	keg->uk_free += sl->us_items;
	keg->uk_total += sl->us_items;
	LIST_INSERT_HEAD(&keg->uk_empty, sl, us_link);
	return (true);
}

u_int
uma_keg_fetch(struct uma_keg *keg, struct uma_zone *zone, struct uma_entry *e,
    u_int n, int flags)
{
	uint32_t kept = (flags & M_USE_RESERVE) != 0 ? 0 : keg->uk_reserve;
	struct uma_slab *sl;
	u_int got = 0;

	lvk_spin_lock(&keg->uk_lock);
	while (got < n) {
		if (keg->uk_free <= kept) {
			/* One bucket is not worth a second slab. */
			if (got > 0 || !keg_grow(keg, flags))
				break;
			continue;
		}
		sl = LIST_FIRST(&keg->uk_partial);
		if (sl == NULL)
			sl = LIST_FIRST(&keg->uk_empty);
		got += slab_take(keg, sl, zone, e + got,
		    MIN(n - got, keg->uk_free - kept));
	}
	lvk_spin_unlock(&keg->uk_lock);
	return (got);
}

void
uma_keg_put(struct uma_keg *keg, void *item, struct lvk_tag *tag)
{
	struct uma_slab *sl = lvk_item_slab(item);
	bool drop;

	if (!keg->uk_malloc)
		tag->tg_origin = keg->uk_zone;
	lvk_spin_lock(&keg->uk_lock);
	LIST_REMOVE(sl, us_link);
	tag->tg_size = sl->us_first;
	sl->us_first = (uint32_t)(tag - sl->us_tag);
	sl->us_nfree++;
	keg->uk_free++;
	drop = keg_hosted(keg) && keg->uk_allocf == NULL;
	if (drop) {
		keg->uk_free -= sl->us_items;
		keg->uk_total -= sl->us_items;
	} else
		LIST_INSERT_HEAD(sl->us_nfree == sl->us_items ?
		    &keg->uk_empty : &keg->uk_partial, sl, us_link);
	lvk_spin_unlock(&keg->uk_lock);
	if (drop)
		slab_free(sl);
}

void
uma_keg_drain(struct uma_keg *keg)
{
	struct uma_slab *sl;

	if ((keg->uk_flags & UMA_ZONE_NOFREE) != 0 &&
	    keg->uk_zone->uz_magic == ZONE_ALIVE)
		return;
	for (;;) {
		lvk_spin_lock(&keg->uk_lock);
		sl = LIST_FIRST(&keg->uk_empty);
		if (sl != NULL && keg->uk_free - sl->us_items <
		    keg->uk_reserve && keg->uk_zone->uz_magic == ZONE_ALIVE)
			sl = NULL;
		if (sl != NULL) {
			LIST_REMOVE(sl, us_link);
			keg->uk_free -= sl->us_items;
			keg->uk_total -= sl->us_items;
		}
		lvk_spin_unlock(&keg->uk_lock);
		if (sl == NULL)
			return;
		slab_free(sl);
	}
}

size_t
uma_keg_memory(struct uma_keg *keg)
{
	return ((size_t)keg->uk_total / keg->uk_items * keg->uk_pages *
	    keg->uk_copies * PAGE_SIZE);
}
