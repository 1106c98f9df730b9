/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The seam's part about schedules: what may be decided, and when.
 *
 * With one thread at a time (VNH_COROUTINE, VNH_BATON) host world can be told
 * of every event at which a kernel could switch, and can say there who goes
 * on.  Memory accesses are events too, but come from the compiler and not
 * through here.
 */
#ifndef LIBVNET_SEAM_EXPLORE_H
#define LIBVNET_SEAM_EXPLORE_H

#include "seam.h"

enum vnh_event {
	VNH_EV_LOCK,		/* about to take a lock; object: it */
	VNH_EV_LOCKED,		/* has taken it */
	VNH_EV_UNLOCK,		/* has released it */
	VNH_EV_RLOCKED,		/* as LOCKED, shared */
	VNH_EV_RUNLOCK,
	VNH_EV_EPOCH_ENTER,	/* object: the epoch */
	VNH_EV_EPOCH_EXIT,
	VNH_EV_EPOCH_CALL,	/* object: the context that was queued */
	VNH_EV_EPOCH_CALLBACK,	/* object: the one whose callback begins */
	VNH_EV_EPOCH_WAITED,	/* object: the epoch */
	VNH_EV_CRITICAL_ENTER,	/* outermost; object: the thread */
	VNH_EV_CRITICAL_EXIT,
	VNH_EV_CALLOUT,		/* events of a CPU's clock; object: its pcpu */
	VNH_EV_CPU,		/* the thread has come on a CPU; object: its pcpu */
	VNH_EV_RENDEZVOUS,	/* about to act on a CPU; object: its pcpu */
	VNH_EV_SLEEP,		/* object: the channel */
	VNH_EV_WAKEUP,
	VNH_EV_CREATE,		/* object: the thread */
	VNH_EV_EXIT,
	VNH_EV_COUNTER		/* about to add, in one instruction; object: the
				 * slot */
};

/*
 * Made while vnk_explore(1) holds, by the thread it happens to.  It may call
 * vnk_explore_run(), and then returns when that thread goes on.
 */
void	 vnh_explore_event(int kind, const void *object);

/* ---- host calls kernel */

/* On: every event above is told. */
void	 vnk_explore(int on);

/* A thread that could go on instead of the caller. */
struct vnk_choice {
	void		*thread;	/* its struct thread */
	const char	*name;
	int		 cpu;		/* where it would run */
	int		 preempts;	/* 1: the caller loses its CPU */
	const void	*waits;		/* for this lock, else NULL */
};
/*
 * All of them, each on each CPU it could have; how many.  None preempts while
 * the caller is in a critical section or an interrupt.
 */
int	 vnk_explore_choices(struct vnk_choice *choices, int max);
/* The caller stays ready, on its CPU unless it is preempted. */
void	 vnk_explore_run(const struct vnk_choice *choice);

#endif /* LIBVNET_SEAM_EXPLORE_H */
