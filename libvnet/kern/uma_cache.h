/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The way of an item that is warm, for uma_core.c and kern_malloc.c: inline,
 * without a call and, where one host thread is attached, without an atomic
 * operation.
 */
#ifndef UMA_CACHE_H
#define UMA_CACHE_H

#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/pcpu.h>
#include <sys/proc.h>

#include "uma_int.h"

/* Off that way. */
void	*uma_get_slow(struct uma_zone *zone, int flags, struct lvk_tag **tag);
void	uma_put_slow(struct uma_zone *zone, void *item, struct lvk_tag *tag);
void	uma_put_quarantined(struct uma_zone *zone, void *item);
void	uma_arrive_hooks(const struct uma_keg *keg, bool fresh, void *item,
	    size_t size);
void	uma_leave_hooks(const struct uma_keg *keg, bool fresh, void *item);

/* ---- this CPU's cache */

static __always_inline struct uma_cache *
uma_cache_enter(struct uma_zone *zone, bool *single)
{
	struct uma_cache *c;

	curthread->td_critnest++;
	c = &zone->uz_cpu[curcpu];
	*single = lvk_single_enter();
	if (__predict_false(!*single))
		lvk_spin_lock(&c->uc_lock);
	return (c);
}

static __always_inline void
uma_cache_exit(struct uma_cache *c, bool single)
{
	if (__predict_true(single))
		lvk_single_exit();
	else
		lvk_spin_unlock(&c->uc_lock);
	curthread->td_critnest--;
}

static __always_inline void *
uma_cache_pop(struct uma_zone *zone, struct lvk_tag **tag)
{
	bool single;
	struct uma_cache *c = uma_cache_enter(zone, &single);
	struct uma_bucket *b = c->uc_alloc;
	struct uma_entry *e;
	void *item = NULL;

	if (__predict_false(b->ub_cnt == 0)) {
		b = c->uc_free;
		c->uc_free = c->uc_alloc;
		c->uc_alloc = b;
	}
	if (__predict_true(b->ub_cnt != 0)) {
		e = &b->ub_item[--b->ub_cnt];
		item = e->ue_item;
		*tag = e->ue_tag;
		c->uc_allocs++;
	}
	uma_cache_exit(c, single);
	return (item);
}

static __always_inline bool
uma_cache_push(struct uma_zone *zone, void *item, struct lvk_tag *tag)
{
	bool single, room;
	struct uma_cache *c = uma_cache_enter(zone, &single);
	struct uma_bucket *b = c->uc_alloc;

	if (__predict_false(b->ub_cnt == b->ub_entries))
		b = c->uc_free;
	room = b->ub_cnt < b->ub_entries;
	if (__predict_true(room)) {
		b->ub_item[b->ub_cnt++] = (struct uma_entry){ item, tag };
		c->uc_frees++;
	}
	uma_cache_exit(c, single);
	return (room);
}

static __always_inline void *
uma_get(struct uma_zone *zone, int flags, struct lvk_tag **tag)
{
	void *item;

	if (__predict_false(zone->uz_max != 0) &&
	    !uma_limit_take(zone, flags))
		return (NULL);
	item = uma_cache_pop(zone, tag);
	if (__predict_false(item == NULL)) {
		item = uma_get_slow(zone, flags, tag);
		if (item == NULL && zone->uz_max != 0)
			uma_limit_give(zone);
	}
	return (item);
}

/* Free already as far as counting goes. */
static __always_inline void
uma_put_back(struct uma_zone *zone, void *item, struct lvk_tag *tag)
{
	if (__predict_false(!uma_cache_push(zone, item, tag)))
		uma_put_slow(zone, item, tag);
}

static __always_inline void
uma_put(struct uma_zone *zone, void *item, struct lvk_tag *tag)
{
	uma_put_back(zone, item, tag);
	if (__predict_false(zone->uz_max != 0))
		uma_limit_give(zone);
}

/* ---- an item changes hands; `fresh', `trash': its zone's, or its keg's */

/* What it was in its life before, while its tag still tells of that. */
static __always_inline void
uma_item_look(const struct uma_keg *keg __unused, bool trash __unused,
    void *item __unused, struct lvk_tag *tag __unused)
{
#ifdef INVARIANTS
	struct uma_slab *sl = lvk_item_slab(item);

	for (uint32_t c = 0; trash && c < keg->uk_copies; c++)
		lvk_trash_check(sl, (uint32_t)(tag - sl->us_tag),
		    zpcpu_get_cpu((char *)item, c));
#endif
}

static __always_inline void
uma_item_arrive(const struct uma_keg *keg, bool fresh, void *item,
    size_t size, struct lvk_tag *tag)
{
#ifdef INVARIANTS
	struct uma_slab *sl = lvk_item_slab(item);

	if (size < keg->uk_size && keg->uk_red != 0)
		lvk_red_tail(sl, (uint32_t)(tag - sl->us_tag));
#endif
	if (__predict_false(lvk_hooks != 0))
		uma_arrive_hooks(keg, fresh, item, size);
}

static __always_inline void
uma_item_leave(const struct uma_keg *keg, bool fresh, bool trash __unused,
    void *item)
{
#ifdef INVARIANTS
	for (uint32_t c = 0; trash && c < keg->uk_copies; c++)
		lvk_trash_fill(zpcpu_get_cpu((char *)item, c), keg->uk_size);
#endif
	if (__predict_false(lvk_hooks != 0))
		uma_leave_hooks(keg, fresh, item);
}

#endif /* UMA_CACHE_H */
