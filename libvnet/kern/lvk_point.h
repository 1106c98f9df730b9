/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Points: where a kernel could switch, or something could be decided.  They
 * cost one load while nobody watches.  Never under an lvk_spin lock.
 */
#ifndef LVK_POINT_H
#define LVK_POINT_H

#include <sys/param.h>
#include <sys/systm.h>
#include <seam_explore.h>

#define LVK_WATCH_EXPLORE 0x1		/* host world decides who runs */
#define LVK_WATCH_WAITERS 0x2		/* VNH_HOST: threads wait for a CPU */
#define LVK_WATCH_IPI 0x4		/* VNH_HOST: a rendezvous is on */
extern volatile u_int lvk_watch;
extern __thread int lvk_points_off;	/* nothing may be done at one */

void	lvk_watch_set(u_int bit, bool on);
void	lvk_point_watched(enum vnh_event event, const void *object);
/* VNH_HOST: do what others want done on the caller's CPU. */
void	lvk_cpu_attend(void);

static __always_inline void
lvk_point(enum vnh_event event, const void *object)
{
	if (__predict_false(atomic_load_int(&lvk_watch) != 0))
		lvk_point_watched(event, object);
}

#endif /* LVK_POINT_H */
