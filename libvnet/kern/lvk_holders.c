/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: nothing of FreeBSD's; who names an object, by a look through all
 * live items for its address.
 * Fidelity: modelled
 * Differs: what keeps the address elsewhere, or with flags in it, is not
 * seen; a stale copy of it is.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/queue.h>

#include "lvk_holders.h"
#include "uma_int.h"

/* Items may have parts that were never written. */
#ifdef __clang__
#define UNSEEN __attribute__((noinline, no_sanitize("address", "memory", \
    "thread")))
#else
#define UNSEEN __attribute__((noinline, no_sanitize("address"), \
    no_sanitize("thread")))
#endif

UNSEEN
static bool
names(const char *item, size_t bytes, const void *target)
{
	const void *const *word = (const void *const *)(const void *)item;

	for (size_t n = bytes / sizeof(*word); n > 0; n--)
		if (*word++ == target)
			return (true);
	return (false);
}

static void
slabs_look(const struct uma_slabs *list, const void *target, const void *but,
    struct lvk_holders *h)
{
	const struct uma_slab *sl;
	const char *item;

	LIST_FOREACH(sl, list, us_link)
		for (uint32_t i = 0; i < sl->us_items; i++) {
			item = lvk_slab_item(sl, i);
			if (sl->us_tag[i].tg_free_pc != 0 || item == target ||
			    item == but ||
			    !names(item, lvk_item_bytes(sl, i), target))
				continue;
			if (h->h_count++ > 0)
				continue;
			h->h_name = lvk_item_name(sl, i, &h->h_kind);
			h->h_pc = sl->us_tag[i].tg_pc;
		}
}

void
lvk_holders_find(const void *target, const void *but, struct lvk_holders *h)
{
	struct uma_keg *keg;

	memset(h, 0, sizeof(*h));
	LIST_FOREACH(keg, &uma_kegs, uk_link) {
		slabs_look(&keg->uk_partial, target, but, h);
		slabs_look(&keg->uk_full, target, but, h);
	}
	slabs_look(&uma_large_keg.uk_full, target, but, h);
}

const char *
lvk_holders_text(const void *target, const void *but, char *buf, size_t size,
    vnh_uptr *pc)
{
	struct lvk_holders h;

	lvk_holders_find(target, but, &h);
	*pc = h.h_pc;
	buf[0] = '\0';
	if (h.h_count != 0)
		snprintf(buf, size, "; %lu live item%s name%s it, one of %s "
		    "\"%s\"", h.h_count, h.h_count == 1 ? "" : "s",
		    h.h_count == 1 ? "s" : "", h.h_kind, h.h_name);
	return (buf);
}
