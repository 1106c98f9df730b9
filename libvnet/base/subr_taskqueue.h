/* SPDX-License-Identifier: BSD-2-Clause */
/* What subr_taskqueue.c and subr_taskqueue_thread.c share. */
#ifndef SUBR_TASKQUEUE_H
#define SUBR_TASKQUEUE_H

#include <sys/param.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/queue.h>
#include <sys/taskqueue.h>

#define ARMED 0x1			/* timeout_task.f: its callout is */
#define DRAINING 0x2

struct running {			/* on the stack of who runs tasks */
	LIST_ENTRY(running) r_link;
	struct task *r_task;
	struct thread *r_thread;
	u_int r_seq;			/* older is smaller */
};

struct taskqueue {
	struct mtx tq_mtx;		/* all below */
	STAILQ_HEAD(, task) tq_tasks;	/* by priority, then by age */
	LIST_HEAD(, running) tq_running;
	u_int tq_seq;			/* of the task started last */
	int tq_timeouts;		/* armed */
	int tq_waiters;			/* threads in a drain */
	bool tq_spin;
	bool tq_active;			/* until taskqueue_free() */
	bool tq_blocked;
	bool tq_started;		/* its threads run */
	taskqueue_enqueue_fn tq_enqueue;
	void *tq_context;
	struct thread **tq_threads;
	int tq_tcount;
	taskqueue_callback_fn tq_callback[TASKQUEUE_NUM_CALLBACKS];
	void *tq_callback_arg[TASKQUEUE_NUM_CALLBACKS];
	char tq_name[TASKQUEUE_NAMELEN];
};

MALLOC_DECLARE(M_TASKQUEUE);

void	tq_lock(struct taskqueue *);
void	tq_unlock(struct taskqueue *);
void	tq_sleep(struct taskqueue *, const void *chan, const char *wmesg);
/* Locked: run what is there. */
void	tq_run(struct taskqueue *);
bool	tq_runs(const struct taskqueue *, const struct task *);
/* Locked: its threads, which have not run yet, may. */
void	tq_threads_begin(struct taskqueue *);
void	tq_threads_end(struct taskqueue *);

#endif
