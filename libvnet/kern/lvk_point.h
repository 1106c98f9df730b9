/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Points: where a thread that runs freely (VNH_HOST) can be preempted, and
 * looks whether its CPU is wanted for a rendezvous.  They cost one load while
 * nobody wants anything.
 */
#ifndef LVK_POINT_H
#define LVK_POINT_H

#include <sys/param.h>
#include <sys/systm.h>

#define LVK_WATCH_WAITERS 0x1		/* threads wait for a CPU */
#define LVK_WATCH_IPI 0x2		/* a rendezvous is on */
extern volatile u_int lvk_watch;
extern __thread int lvk_points_off;	/* as an lvk_spin lock is held */

void	lvk_watch_set(u_int bit, bool on);
void	lvk_point_watched(void);
/* Do what others want done on the caller's CPU. */
void	lvk_cpu_attend(void);

static __always_inline void
lvk_point(void)
{
	if (__predict_false(atomic_load_int(&lvk_watch) != 0))
		lvk_point_watched();
}

#endif /* LVK_POINT_H */
