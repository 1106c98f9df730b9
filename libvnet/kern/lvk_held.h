/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The locks that the current thread holds and that forbid it to sleep:
 * mutexes, rwlocks and rmlocks.  Only where checks are in.
 */
#ifndef LVK_HELD_H
#define LVK_HELD_H

#include <sys/param.h>
#include <sys/proc.h>

#include "lvk_sched.h"

#ifdef INVARIANTS
/* Out of their order, or beyond what there is room for. */
void	lvk_held_drop(struct lvk_ctx *, const struct lock_object *);

static __inline void
lvk_held_add(const struct lock_object *lo, const char *file, int line)
{
	struct lvk_ctx *c = lvk_ctx_self();
	u_int n = c->lc_nheld++;

	if (__predict_true(n < LVK_HELD_MAX))
		c->lc_held[n] = (struct lvk_held_lock){ lo, file, line };
}

static __inline void
lvk_held_del(const struct lock_object *lo)
{
	struct lvk_ctx *c = lvk_ctx_self();
	u_int n = --c->lc_nheld;

	if (__predict_false(n >= LVK_HELD_MAX || c->lc_held[n].h_lock != lo))
		lvk_held_drop(c, lo);
}
#else
#define lvk_held_add(lo, file, line) ((void)(file), (void)(line))
#define lvk_held_del(lo) ((void)0)
#endif

/*
 * A finding "sleep" where one is held, but for Giant, which a sleep drops,
 * and for `but', the one that the sleep gives up (NULL: none).
 */
void	lvk_held_check(const char *what, const struct lock_object *but);

#endif /* LVK_HELD_H */
