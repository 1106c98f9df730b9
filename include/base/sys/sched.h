/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS_SCHED_H_
#define _SYS_SCHED_H_

#include <sys/types.h>
#include <sys/proc.h>

void	sched_add(struct thread *, int flags);
void	sched_class(struct thread *, int);
void	sched_prio(struct thread *, u_char);
void	sched_ithread_prio(struct thread *, u_char);
/* An idle thread has something to do; as sched_add(). */
void	sched_wakeup(struct thread *, int flags);
void	sched_relinquish(struct thread *);
void	sched_bind(struct thread *, int cpu);
void	sched_unbind(struct thread *);
int	sched_is_bound(struct thread *);

static __inline void
sched_pin(void)
{
	curthread->td_pinned++;
}

static __inline void
sched_unpin(void)
{
	curthread->td_pinned--;
}

/* sched_add() */
#define SRQ_BORING 0x0000
#define SRQ_YIELDING 0x0001
#define SRQ_OURSELF 0x0002
#define SRQ_INTR 0x0004
#define SRQ_PREEMPTED 0x0008
#define SRQ_BORROWING 0x0010
#define SRQ_HOLD 0x0020
#define SRQ_HOLDTD 0x0040		/* leave the thread's lock held */

#endif /* _SYS_SCHED_H_ */
