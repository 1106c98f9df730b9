/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Contexts and the scheduler, for the files of libvnet/kern; see lvk_sched.c.
 *
 * A context is what is put aside and goes on later: a stack and what belongs
 * to it.  td_pcb of a struct thread leads to the one that it runs on.  An
 * interrupt thread has none of its own: it is worn by the context that runs
 * the interrupt.
 */
#ifndef LVK_SCHED_H
#define LVK_SCHED_H

#include <sys/param.h>
#include <sys/queue.h>
#include <sys/tree.h>
#include <seam_cpu.h>
#include <seam_thread.h>

#include <lvk.h>

enum lvk_ctx_kind {
	LVK_HOME,		/* thread0: the host thread that booted */
	LVK_FLOW,		/* a kernel thread, on whatever carrier */
	LVK_ATTACHED		/* another host thread of the program */
};

enum lvk_ctx_state {
	LVK_NEW,
	LVK_READY,		/* on the run queue */
	LVK_RUNNING,
	LVK_PARKED,		/* until lvk_sched_ready() */
	LVK_DEAD
};

#define LVK_HELD_MAX 16u
struct lvk_held_lock {			/* see lvk_held.h */
	const struct lock_object *h_lock;
	const char *h_file;
	int h_line;
};

struct lvk_ctx {
	struct vnh_co lc_co;			/* first */
	enum lvk_ctx_kind lc_kind;
	enum lvk_ctx_state lc_state;		/* (s) */
	bool lc_polls;				/* (s) ready to look again only */
	bool lc_intr;				/* an interrupt thread, goes first */
	bool lc_idle;				/* (s) parked: nothing to do */
	bool lc_oncpu;				/* (s) has lc_pcpu */
	bool lc_fixed;				/* (s) waits for lc_pcpu itself */
	bool lc_bound;				/* to lc_pcpu, by sched_bind() */
	struct pcpu *lc_next_pcpu;		/* (s) once it leaves lc_pcpu */
	u_int lc_slice;				/* points passed on this CPU */
	struct thread *lc_td;
	TAILQ_ENTRY(lvk_ctx) lc_link;		/* (s) all contexts */
	TAILQ_ENTRY(lvk_ctx) lc_runq;		/* (s) */

	/* What the host thread knows while this runs. */
	struct thread *lc_worn;			/* curthread */
	struct pcpu *lc_pcpu;
	int lc_owner_none;
	int lc_counter_depth;			/* with INVARIANTS */

	/* Asleep on a channel, perhaps until some time; subr_sleepqueue.c. */
	bool lc_asleep;				/* (s) */
	bool lc_timed;				/* (s) in the tree of timeouts */
	int lc_error;				/* (s) what woke it */
	const void *lc_chan;			/* (s) */
	TAILQ_ENTRY(lvk_ctx) lc_slpq;		/* (s) */
	RB_ENTRY(lvk_ctx) lc_timeout;		/* (s) */
	sbintime_t lc_deadline;			/* (s) */
	uint64_t lc_seq;			/* (s) order of equal deadlines */

	const struct lock_object *lc_lock;	/* waited for, else NULL */
	u_int lc_nheld;
	struct lvk_held_lock lc_held[LVK_HELD_MAX];
	void (*lc_func)(void *);
	void *lc_arg;
	int lc_xid;		/* its number for an explorer, + 1 */
};						/* (s): lvk_sched_lock */

TAILQ_HEAD(lvk_ctx_list, lvk_ctx);
extern struct lvk_spin lvk_sched_lock;
extern struct lvk_ctx_list lvk_contexts;
extern struct lvk_ctx lvk_home;
extern enum vnh_carrier lvk_carrier;
/* td_lock of a thread that runs, or is ready to. */
extern struct mtx lvk_thread_mtx;

#define LVK_CTX(td) ((struct lvk_ctx *)(void *)(td)->td_pcb)
#define lvk_ctx_self() LVK_CTX(curthread)

/* ---- lvk_sched.c */
void	lvk_sched_init(enum vnh_carrier);
/* The rest of the context, and its place among all. */
void	lvk_ctx_setup(struct lvk_ctx *, enum lvk_ctx_kind, struct thread *);
void	lvk_ctx_gone(struct lvk_ctx *);
/* Runs from now on, after those that are ready. */
void	lvk_sched_start(struct lvk_ctx *);
/* The current flow stops; returns when it was made ready. */
void	lvk_sched_park(struct lvk_ctx *self);
/* Called with lvk_sched_lock held. */
void	lvk_sched_ready(struct lvk_ctx *);
void	lvk_sched_yield(void);
/* Under an explorer: the current flow, or home, stays ready. */
void	lvk_sched_give_way(void);
void	lvk_sched_exit(void) __dead2;
/* The caller goes on on that CPU. */
void	lvk_sched_move(struct pcpu *);
/* The context has no use for a CPU any more. */
void	lvk_sched_leave(struct lvk_ctx *);
/* VNH_HOST: what was claimed is for whoever waits. */
void	lvk_sched_unclaim(struct pcpu *);
/* VNH_HOST: the caller has run long enough; others wait for a CPU. */
void	lvk_sched_preempt(void);
/*
 * The current flow has done its work and stops, unless *need, until
 * lvk_sched_rouse(); that starts a flow which never ran.  `unlock' (NULL none)
 * is a spin mutex that is given up once no rouse can be missed.
 */
void	lvk_sched_idle(struct lvk_ctx *self, const volatile int *need,
	    struct mtx *unlock);
void	lvk_sched_rouse(struct lvk_ctx *);
/* From now on that CPU's, as far as it runs. */
void	lvk_sched_bind(struct lvk_ctx *, int cpu);
/*
 * Home lets the others run, each until it stops or gives way.  False: none did
 * anything but look in vain for what it waits for.
 */
bool	lvk_others(void);
/* Switches so far to threads that had something to do. */
extern volatile u_long lvk_progress;
/* Panics where threads wait for each other's locks in a circle. */
void	lvk_deadlock_check(void);
/* What every waiting thread waits for, after "; ", or nothing. */
void	lvk_waiters(char *buf, size_t size);

/* ---- subr_sleepqueue.c */
void	lvk_sleep_enter(struct lvk_ctx *, const void *chan, const char *wmesg,
	    sbintime_t deadline);
/* What msleep()'s time means; SBT_MAX is none. */
sbintime_t lvk_sleep_deadline(sbintime_t sbt, int flags);
int	lvk_sleep_wait(struct lvk_ctx *, const char *wmesg);
/* Made as the machine has run dry, from lvk_sleep_wait() and lvk_wait(). */
void	lvk_sleeps_for_ever(const char *wmesg, const char *object) __dead2;
/* How many were woken. */
int	lvk_sleep_wake(const void *chan, bool all);
sbintime_t lvk_sleep_next(void);		/* SBT_MAX: none */
bool	lvk_sleep_pending(void);	/* without the lock */
void	lvk_sleep_expire(sbintime_t now);

/* ---- kern_kthread.c */
void	lvk_kthread_free(struct lvk_ctx *);

#endif /* LVK_SCHED_H */
