/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the two files of the scheduler share: lvk_sched.c, which has the queue
 * and switches, and lvk_sched_way.c, where one makes way for others.
 */
#ifndef LVK_SCHED_INT_H
#define LVK_SCHED_INT_H

extern struct lvk_ctx_list lvk_runq;	/* (s) */
extern u_int lvk_running;	/* (s) VNH_HOST: flows that do, or want to */
extern bool lvk_home_waits;	/* (s) VNH_HOST: for them to stop */
extern bool lvk_home_called;	/* (s) VNH_HOST: what home slept for came */
extern u_int lvk_intr_streak;	/* (s) switches to interrupt threads in a row */

/* With lvk_sched_lock held. */
void	lvk_enqueue(struct lvk_ctx *, bool polls);
/* VNH_HOST: hands CPUs to those that wait. */
void	lvk_dispatch(void);
/* Called with the lock held, return without: the caller stops, or is ready. */
void	lvk_switch_away(struct lvk_ctx *self);
void	lvk_leave_cpu(struct lvk_ctx *self);
/* VNH_HOST: the caller waits its turn for a CPU. */
void	lvk_requeue(struct lvk_ctx *self);
/* Frees flows that have ended. */
void	lvk_reap(void);

/* Where one runs at a time, who attached may make it less by one, not equal. */
static __inline void
lvk_progressed(void)
{
	if (lvk_carrier == VNH_HOST)
		atomic_add_long(&lvk_progress, 1);
	else
		atomic_store_long(&lvk_progress,
		    atomic_load_long(&lvk_progress) + 1);
}

static __inline void
lvk_come_on(struct lvk_ctx *self)
{
	lvk_curpcpu = self->lc_pcpu;
	lvk_curpcpu->pc_curthread = self->lc_worn;
	self->lc_worn->td_oncpu = (int)lvk_curpcpu->pc_cpuid;
	self->lc_slice = 0;
}

/* In a critical section a thread stays on its CPU, and keeps it. */
static __inline bool
lvk_keeps_cpu(void)
{
	return (curthread->td_critnest > 0);
}

#endif /* LVK_SCHED_INT_H */
