/* SPDX-License-Identifier: BSD-2-Clause */
/* struct epoch, shared by subr_epoch.c and epoch_call.c. */
#ifndef EPOCH_INT_H
#define EPOCH_INT_H

#include <sys/param.h>
#include <sys/epoch.h>
#include <sys/queue.h>

#include <lvk.h>

/* Threads at one time: one a CPU, and attached ones that share a CPU. */
#define EPOCH_CRITICAL_MAX (MAXCPU + 66)

/* What epoch_call() makes of the caller's struct epoch_context. */
struct deferred {
	STAILQ_ENTRY(deferred) d_link;
	epoch_callback_t *d_callback;
};
CTASSERT(sizeof(struct deferred) <= sizeof(struct epoch_context));
STAILQ_HEAD(deferred_list, deferred);

struct critical {		/* a thread in epoch_enter() */
	struct thread *c_td;
	u_int c_depth;
};

struct epoch {
	TAILQ_ENTRY(epoch) e_link;
	const char *e_name;
	int e_flags;
	struct lvk_spin e_lock;			/* all below */
	TAILQ_HEAD(sections, epoch_tracker) e_sections; /* and marks */
	u_int e_critical;			/* of e_threads in use */
	struct critical e_threads[EPOCH_CRITICAL_MAX];
	struct deferred_list e_waiting;		/* callbacks behind e_mark */
	struct deferred_list e_new;		/* the next ones */
	struct epoch_tracker e_mark;
	sbintime_t e_due;			/* e_waiting run no earlier */
	bool e_eager;				/* and before anything else */
	u_long e_called;			/* callbacks ever queued */
	u_long e_marked;			/* of them, ever marked */
	u_long e_taken;				/* of them, ever taken */
};

TAILQ_HEAD(epoch_list, epoch);
extern struct epoch_list epochs;
extern struct lvk_spin epochs_lock;		/* before e_lock */

/*
 * Whether all sections have ended that were open when `mark' was set.  With
 * e_lock held, both.
 */
bool	epoch_period_passed(const struct epoch *e,
	    const struct epoch_tracker *mark);
void	epoch_mark_set(struct epoch *e, struct epoch_tracker *mark);
/* Let others end their sections; a deadlock panics. */
void	epoch_yield(const struct epoch *e, struct lvk_turns *turns,
	    const char *what);

/* ---- epoch_when.c */
/* A batch of callbacks begins to wait: when shall it run?  e_lock held. */
void	epoch_plan(struct epoch *e);

#endif /* EPOCH_INT_H */
