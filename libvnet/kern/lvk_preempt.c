/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: preemption.
 * Fidelity: modelled
 * Differs: with free-running host threads only, after another thread has
 * waited for a CPU for a while, and at points only: where a lock is released
 * or a section is left.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/proc.h>

#include "lvk_point.h"
#include "lvk_sched.h"

#define SLICE 32		/* points before a thread makes room */

volatile u_int lvk_watch;
__thread int lvk_points_off;

void
lvk_watch_set(u_int bit, bool on)
{
	if (((atomic_load_int(&lvk_watch) & bit) != 0) == on)
		return;
	if (on)
		atomic_set_int(&lvk_watch, bit);
	else
		atomic_clear_int(&lvk_watch, bit);
}

void
lvk_point_watched(void)
{
	struct lvk_ctx *self = lvk_ctx_self();
	u_int watch = atomic_load_int(&lvk_watch);

	if (lvk_points_off != 0 || self->lc_kind == LVK_ATTACHED)
		return;
	if ((watch & LVK_WATCH_IPI) != 0)
		lvk_cpu_attend();
	if ((watch & LVK_WATCH_WAITERS) != 0 && curthread->td_critnest == 0 &&
	    !lvk_in_intr() && ++self->lc_slice >= SLICE)
		lvk_sched_preempt();
}
