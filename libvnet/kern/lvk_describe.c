/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: nothing of FreeBSD's; what host world asks about the heap.
 * Fidelity: exact
 * Differs: --
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <vm/uma.h>

#include <lvk.h>
#include "lvk_explore.h"
#include "lvk_heap.h"
#include "lvk_sched.h"
#include "uma_int.h"

static struct uma_slab *
slab_of(const void *p)
{
	struct lvk_page *pg = lvk_region == NULL ? NULL : lvk_page_find(p);

	return (pg != NULL && pg->pg_kind == LVK_PAGE_SLAB ?
	    lvk_page_slab(pg) : NULL);
}

/* Of the gap between two items, the half behind an item is that item's. */
static uint32_t
nearest(const struct uma_slab *sl, const char *p, size_t stride)
{
	size_t gap = stride - sl->us_keg->uk_size, i;

	if (p + gap / 2 < sl->us_base || stride == 0)
		return (0);
	i = (size_t)(p + gap / 2 - sl->us_base) / stride;
	return ((uint32_t)MIN(i, (size_t)sl->us_items - 1));
}

/* Fills `d' and a line of text; 0 where the address is of no item. */
int
vnk_heap_describe(const void *addr, char *buf, vnh_size_t len,
    struct vnh_heap_sites *d)
{
	const struct uma_slab *sl = slab_of(addr);
	const char *p = addr, *item, *kind, *name, *where;
	const struct lvk_tag *tag;
	size_t size;
	uint32_t i;
	long off;

	if (sl == NULL || sl->us_keg == NULL)
		return (0);
	if ((sl->us_keg->uk_flags & UMA_ZONE_PCPU) != 0)
		p = sl->us_mem + (size_t)(p - sl->us_mem) % UMA_PCPU_ALLOC_SIZE;
	i = nearest(sl, p, sl->us_stride);
	item = lvk_slab_item(sl, i);
	tag = &sl->us_tag[i];
	name = lvk_item_name(sl, i, &kind);
	size = lvk_item_bytes(sl, i);
	off = (long)(p - item);
	where = off < 0 ? "before" : off < (long)size ? "inside" : "behind";
	snprintf(buf, len, "%p is %ld bytes %s %s item of %zu bytes of %s "
	    "\"%s\" at %p, of vnet %d", addr,
	    off < 0 ? -off : off < (long)size ? off : off - (long)size, where,
	    tag->tg_free_pc == 0 ? "a live" : "a freed", size, kind, name, item,
	    tag->tg_vnet);
	d->alloc_pc = tag->tg_pc;
	d->free_pc = tag->tg_free_pc <= LVK_NEVER ? 0 : tag->tg_free_pc;
	return (1);
}

#ifdef LIBVNET_EXPLORE

/* The CPU whose slot of a per-CPU item this is, or -1. */
int
lvk_percpu_item(const void *addr)
{
	const struct uma_slab *sl = slab_of(addr);

	if (sl == NULL || sl->us_keg == NULL ||
	    (sl->us_keg->uk_flags & UMA_ZONE_PCPU) == 0)
		return (-1);
	return ((int)((size_t)((const char *)addr - sl->us_mem) /
	    UMA_PCPU_ALLOC_SIZE));
}

int
vnk_explorer_item(const void *item, vnh_size_t *size, int *copies,
    vnh_size_t *apart)
{
	const struct uma_slab *sl = slab_of(item);

	if (sl == NULL || sl->us_keg == NULL)
		return (0);
	*size = lvk_item_bytes(sl, nearest(sl, item, sl->us_stride));
	*copies = (sl->us_keg->uk_flags & UMA_ZONE_PCPU) != 0 ?
	    (int)sl->us_keg->uk_copies : 1;
	*apart = UMA_PCPU_ALLOC_SIZE;
	return (1);
}

/* Some zones are made so that one may look at items that are free. */
int
vnk_explorer_freed(const void *addr)
{
	const struct uma_slab *sl = slab_of(addr);
	const char *p = addr;
	uint32_t i;

	if (sl == NULL || sl->us_keg == NULL || sl->us_stride == 0 ||
	    (sl->us_keg->uk_flags & (UMA_ZONE_SMR | UMA_ZONE_NOFREE)) != 0)
		return (0);
	if ((sl->us_keg->uk_flags & UMA_ZONE_PCPU) != 0)
		p = sl->us_mem + (size_t)(p - sl->us_mem) % UMA_PCPU_ALLOC_SIZE;
	i = nearest(sl, p, sl->us_stride);
	return (sl->us_tag[i].tg_free_pc > LVK_NEVER);
}

#endif

void
vnk_threads(int n, int quiet)
{
	atomic_store_rel_int((volatile u_int *)&lvk_single,
	    n <= 1 && quiet != 0 && lvk_carrier != VNH_HOST);
}

int
vnk_threads_busy(void)
{
	return (lvk_single_in | lvk_spin_in);
}
