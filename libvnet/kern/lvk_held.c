/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: what WITNESS says to a sleep with a lock held that cannot be held
 * across one (WITNESS_WARN()), FreeBSD's kern/subr_witness.c.
 * Fidelity: modelled
 * Differs: a finding, always; at most 16 locks of a thread are known.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <net/vnet.h>

#include "lvk_held.h"

#ifdef INVARIANTS
void
lvk_held_drop(struct lvk_ctx *c, const struct lock_object *lo)
{
	u_int n = MIN(c->lc_nheld + 1, LVK_HELD_MAX), i;

	for (i = n; i > 0; i--)
		if (c->lc_held[i - 1].h_lock == lo)
			break;
	if (i == 0)
		return;			/* there was no room for it */
	for (; i < n; i++)
		c->lc_held[i - 1] = c->lc_held[i];
	if (n == LVK_HELD_MAX)
		c->lc_held[n - 1].h_lock = NULL;
}

void
lvk_held_check(const char *what, const struct lock_object *but)
{
	struct lvk_ctx *c = lvk_ctx_self();
	struct lvk_held_lock *h;

	for (u_int i = MIN(c->lc_nheld, LVK_HELD_MAX); i > 0; i--) {
		h = &c->lc_held[i - 1];
		if (h->h_lock == NULL || h->h_lock == but ||
		    h->h_lock == &Giant.lock_object)
			continue;
		lvk_finding("sleep", h->h_lock->lo_name,
		    vnk_vnet_number(curvnet), h->h_file, h->h_line, 0,
		    "%s may sleep while %s \"%s\" is held, which forbids it",
		    what, LOCK_CLASS(h->h_lock)->lc_name, h->h_lock->lo_name);
		return;
	}
}

void
vnk_thread_locks_told(void)
{
	struct lvk_ctx *c = lvk_ctx_self();

	for (u_int i = 0; i < LVK_HELD_MAX; i++)
		c->lc_held[i].h_lock = NULL;
}
#else
void
vnk_thread_locks_told(void)
{
}

void
lvk_held_check(const char *what __unused,
    const struct lock_object *but __unused)
{
}
#endif
