/* SPDX-License-Identifier: BSD-2-Clause */
/* What kern_intr.c and kern_intr_thread.c share. */
#ifndef KERN_INTR_H
#define KERN_INTR_H

#include <lvk.h>

extern struct proc *intrproc;

struct intr_thread {
	struct intr_event *it_event;
	struct thread *it_thread;
	volatile int it_need;		/* something to do */
	bool it_dead;
	struct lvk_spin it_lock;	/* all below; behind ie_lock */
	bool it_busy;			/* walks the handlers */
	bool it_wanted;			/* someone waits for the end of that */
};

/* ---- kern_intr_thread.c */
struct intr_thread *lvk_ithread_create(struct intr_event *);
/* It has something to do. */
void	lvk_ithread_schedule(struct intr_thread *);
/* With the event's lock held: wait, if need be, until nobody walks. */
void	lvk_ithread_wait(struct intr_event *, struct intr_thread *);

#endif /* KERN_INTR_H */
