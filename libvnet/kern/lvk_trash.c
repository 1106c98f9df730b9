/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: trash_ctor() and trash_dtor() of uma_dbg.c: writes to free items.
 * Fidelity: modelled
 * Differs: always there with INVARIANTS; who allocated and who freed is named
 * in each report.
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

#define TRASH_WORD 0xdeadc0deu

void
lvk_trash_fill(void *item, size_t size)
{
	uint32_t *w = item;

	for (size_t n = size / sizeof(*w); n > 0; n--)
		*w++ = TRASH_WORD;
}

static __inline vnh_uptr
site(vnh_uptr pc)
{
	return (pc <= LVK_NEVER ? 0 : pc);
}

/* Where the first word that is none lies, or the size. */
static size_t
trash_look(const void *item, size_t size)
{
	const uint32_t *w = item;
	size_t n = size / sizeof(*w);

	for (size_t k = 0; k < n; k++)
		if (__predict_false(w[k] != TRASH_WORD))
			return (k * sizeof(*w));
	return (size);
}

static void
trash_report(const struct uma_slab *sl, uint32_t i, const char *item,
    size_t at)
{
	const struct lvk_tag *tag = &sl->us_tag[i];
	const char *kind, *name = lvk_item_name(sl, i, &kind);

	lvk_faults++;
	lvk_finding_sites("useafterfree", name, tag->tg_vnet, tag->tg_pc,
	    site(tag->tg_free_pc), "item %p of %s \"%s\" was written after it "
	    "was freed: offset %zu holds 0x%x", item, kind, name, at,
	    *(const uint32_t *)(const void *)(item + at));
}

void
lvk_trash_check(const struct uma_slab *sl, uint32_t i, const void *item)
{
	size_t size = sl->us_keg->uk_size, at = trash_look(item, size);
	const char *kind;

	if (__predict_true(at >= rounddown2(size, sizeof(uint32_t))))
		return;
	trash_report(sl, i, item, at);
	panic("Memory modified after free: %s \"%s\", item %p, offset "
	    "%zu holds 0x%x", sl->us_keg->uk_malloc ? "type" : "zone",
	    lvk_item_name(sl, i, &kind), item, at,
	    *(const uint32_t *)(const void *)((const char *)item + at));
}

void
lvk_trash_mend(const struct uma_slab *sl, uint32_t i)
{
	size_t size = sl->us_keg->uk_size, at;

	for (uint32_t c = 0; c < sl->us_keg->uk_copies; c++) {
		char *item = zpcpu_get_cpu(lvk_slab_item(sl, i), c);

		at = trash_look(item, size);
		if (at >= rounddown2(size, sizeof(uint32_t)))
			continue;
		trash_report(sl, i, item, at);
		lvk_trash_fill(item, size);
	}
}

/* ---- large items that are gone: the last few, while their pages are free */

#define GONE_MAX 16

enum gone_state { GONE_NONE, GONE_WATCHED, GONE_WRITTEN };

struct gone {
	enum gone_state gn_state;
	char *gn_item;
	size_t gn_size;			/* bytes that are trash */
	size_t gn_at;			/* GONE_WRITTEN: where, and what */
	uint32_t gn_word;
	struct lvk_tag gn_tag;
};
static struct gone gone[GONE_MAX];
static u_int gone_next;
static struct lvk_spin gone_lock;

/* Only notes it: whoever takes pages may hold locks. */
static bool
gone_look(struct gone *g)
{
	g->gn_at = trash_look(g->gn_item, g->gn_size);
	if (g->gn_at == g->gn_size)
		return (false);
	g->gn_word = *(uint32_t *)(void *)(g->gn_item + g->gn_at);
	g->gn_state = GONE_WRITTEN;
	return (true);
}

void
lvk_gone_add(const struct uma_slab *sl)
{
	size_t size = rounddown2(MIN(sl->us_large, LVK_LARGE_TRASH), 4);
	struct gone *g = NULL;

	if ((lvk_hooks & LVK_HOOK_SANITIZER) != 0)
		return;
	lvk_trash_fill(sl->us_base, size);
	lvk_spin_lock(&gone_lock);
	for (u_int k = 0; k < GONE_MAX; k++) {
		g = &gone[gone_next];
		gone_next = (gone_next + 1) % GONE_MAX;
		if (g->gn_state == GONE_NONE ||
		    (g->gn_state == GONE_WATCHED && !gone_look(g)))
			break;
	}
	*g = (struct gone){ .gn_state = GONE_WATCHED, .gn_item = sl->us_base,
	    .gn_size = size, .gn_tag = sl->us_tag[0] };
	lvk_spin_unlock(&gone_lock);
}

void
lvk_gone_taken(const char *p, size_t bytes)
{
	lvk_spin_lock(&gone_lock);
	for (struct gone *g = gone; g < gone + GONE_MAX; g++)
		if (g->gn_state == GONE_WATCHED && g->gn_item < p + bytes &&
		    p < g->gn_item + g->gn_size && !gone_look(g))
			g->gn_state = GONE_NONE;
	lvk_spin_unlock(&gone_lock);
}

void
lvk_gone_check(void)
{
	struct gone g;
	const char *name;

	for (u_int i = 0; i < GONE_MAX; i++) {
		lvk_spin_lock(&gone_lock);
		if (gone[i].gn_state == GONE_WATCHED)
			(void)gone_look(&gone[i]);
		g = gone[i];
		if (g.gn_state == GONE_WRITTEN)
			gone[i].gn_state = GONE_NONE;
		lvk_spin_unlock(&gone_lock);
		if (g.gn_state != GONE_WRITTEN)
			continue;
		name = ((struct malloc_type *)g.gn_tag.tg_origin)->ks_shortdesc;
		lvk_faults++;
		lvk_finding_sites("useafterfree", name, g.gn_tag.tg_vnet,
		    g.gn_tag.tg_pc, site(g.gn_tag.tg_free_pc), "item %p of "
		    "malloc type \"%s\" was written after it was freed: offset "
		    "%zu holds 0x%x", g.gn_item, name, g.gn_at, g.gn_word);
	}
}
