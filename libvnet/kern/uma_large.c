/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: malloc_large(): items of malloc(9) that no zone is for.
 * Fidelity: modelled
 * Differs: with INVARIANTS a page before the item, and one behind it where
 * its last page has no room, hold red zones.
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

static struct lvk_spin large_lock;

struct uma_keg uma_large_keg = {
	.uk_malloc = true, .uk_trashable = true, .uk_copies = 1
};

/*
 * Unlike items of slabs these come with their pages: a large item is never
 * kept when it is free, apart from a quarantine.
 */
void *
uma_large_alloc(size_t size, size_t align, void *type, struct lvk_tag **tag)
{
	struct uma_slab *sl = uma_header_alloc(&uma_large_keg, 1);
	size_t front = 0, back = 0, pages = howmany(size, PAGE_SIZE);

	align = MAX(align, PAGE_SIZE);
#ifdef INVARIANTS
	uma_large_keg.uk_red = LVK_RED;
	front = align;
	if (pages * PAGE_SIZE - size < LVK_RED)
		back = 1;
#endif
	sl->us_large = size;
	if (lvk_backend != VNH_HEAP_REGION) {
		if (vnh_sanitized() != 0)
			uma_large_keg.uk_red = 0;
		uma_mem_from_host(sl, size, align, uma_large_keg.uk_red);
	} else {
		sl->us_mem = lvk_pages_alloc(front / PAGE_SIZE + pages + back,
		    align / PAGE_SIZE);
		lvk_pages_slab(sl->us_mem, sl);
		sl->us_base = sl->us_mem + front;
	}
	*tag = sl->us_tag;
	sl->us_tag->tg_origin = type;
	sl->us_tag->tg_size = (uint32_t)MIN(size, UINT32_MAX);
	sl->us_nfree = 0;
	lvk_red_fill(sl);
	lvk_spin_lock(&large_lock);
	LIST_INSERT_HEAD(&uma_large_keg.uk_full, sl, us_link);
	lvk_spin_unlock(&large_lock);
	return (sl->us_base);
}

void
uma_large_free(struct uma_slab *sl)
{
	if (lvk_in_heap(sl->us_mem)) {
#ifdef INVARIANTS
		lvk_gone_add(sl);
#endif
		lvk_pages_slab(sl->us_mem, NULL);
		lvk_pages_free(sl->us_mem);
	} else {
		vnh_unpoison(lvk_item_slabp(sl->us_base),
		    sizeof(struct uma_slab *));
		vnh_heap_free(sl->us_mem);
	}
	lvk_spin_lock(&large_lock);
	LIST_REMOVE(sl, us_link);
	lvk_spin_unlock(&large_lock);
	uma_header_free(sl);
}
