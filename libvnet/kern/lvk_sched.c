/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: the scheduler.
 * Fidelity: modelled
 * Differs: one run queue.  Interrupt threads go first, by priority; all others
 * are served first come first served.
 *
 * With coroutines and with the baton one context at a time runs, and it runs
 * until it stops: sleeps, waits for a lock, yields, exits.  Then the first of
 * the run queue goes on that finds a CPU (lvk_cpu.c).  Home, which is the
 * test's own stack, is always on that queue when it does not run, and a CPU
 * is kept only by who is on the queue too, so there always is a first.  What
 * nobody else does falls to home: callouts, epoch callbacks, moving the clock
 * (kern_tc.c).
 *
 * A context that waits for a lock stays on the queue to look again.  That is
 * no progress: where a round of the queue brings nothing else, only an event
 * can help, and where there is none it is a deadlock.
 *
 * With host threads that run freely (VNH_HOST) the queue is of those that
 * wait for a CPU; whoever gives one up hands it on.  Where some wait, the
 * others are preempted, but only at calls that can do so (lvk_point()).  Home
 * waits until all others have stopped before it lets time pass.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/counter.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/pcpu.h>
#include <sys/proc.h>
#include <sys/smp.h>

#include "lvk_cpu.h"
#include "lvk_explore.h"
#include "lvk_heap.h"
#include "lvk_point.h"
#include "lvk_sched.h"
#include "lvk_sched_int.h"

struct lvk_spin lvk_sched_lock;
struct lvk_ctx_list lvk_contexts = TAILQ_HEAD_INITIALIZER(lvk_contexts);
struct lvk_ctx lvk_home;
enum vnh_carrier lvk_carrier;
volatile u_long lvk_progress;

struct lvk_ctx_list lvk_runq = TAILQ_HEAD_INITIALIZER(lvk_runq);
static struct lvk_ctx_list dead = TAILQ_HEAD_INITIALIZER(dead);
u_int lvk_running;
bool lvk_home_waits;
static u_int next_cpu;		/* of the thread made last */
bool lvk_home_called;

#define INTR_BATCH 1000		/* then home looks */
u_int lvk_intr_streak;

void
lvk_ctx_setup(struct lvk_ctx *c, enum lvk_ctx_kind kind, struct thread *td)
{
	c->lc_kind = kind;
	c->lc_td = c->lc_worn = td;
	c->lc_co.co_name = td->td_name;
	td->td_pcb = (struct pcb *)(void *)c;
	lvk_spin_lock(&lvk_sched_lock);
	if (kind == LVK_FLOW)
		next_cpu = (u_int)CPU_NEXT(next_cpu);
	c->lc_pcpu = cpuid_to_pcpu[kind == LVK_FLOW ? next_cpu : 0];
	TAILQ_INSERT_TAIL(&lvk_contexts, c, lc_link);
	lvk_spin_unlock(&lvk_sched_lock);
}

void
lvk_ctx_gone(struct lvk_ctx *c)
{
	lvk_spin_lock(&lvk_sched_lock);
	TAILQ_REMOVE(&lvk_contexts, c, lc_link);
	lvk_spin_unlock(&lvk_sched_lock);
}

void
lvk_sched_init(enum vnh_carrier carrier)
{
	lvk_carrier = carrier;
	if (carrier == VNH_HOST)	/* the heap is not one thread's */
		atomic_store_rel_int((volatile u_int *)&lvk_single, 0);
	lvk_solo = carrier != VNH_HOST && mp_maxid == 0;
	lvk_ctx_setup(&lvk_home, LVK_HOME, &thread0);
	(void)lvk_cpu_take(&lvk_home);
	lvk_home.lc_state = LVK_RUNNING;
	vnh_co_adopt(&lvk_home.lc_co, carrier);
}

/* ---- switching */

void
lvk_reap(void)
{
	struct lvk_ctx *c;

	for (;;) {
		lvk_spin_lock(&lvk_sched_lock);
		c = TAILQ_FIRST(&dead);
		if (c != NULL)
			TAILQ_REMOVE(&dead, c, lc_runq);
		lvk_spin_unlock(&lvk_sched_lock);
		if (c == NULL)
			return;
		vnh_co_destroy(&c->lc_co);
		lvk_ctx_gone(c);
		lvk_kthread_free(c);
	}
}

/* What the host thread must know of the context that goes on. */
static void
resume(struct lvk_ctx *self)
{
	lvk_curthread = self->lc_worn;
	lvk_come_on(self);
	if (lvk_carrier == VNH_HOST)	/* there the rest never left */
		return;
	lvk_owner_none_set(self->lc_owner_none);
#ifdef INVARIANTS
	lvk_counter_depth = self->lc_counter_depth;
#endif
	if (__predict_false(!TAILQ_EMPTY(&dead)))
		lvk_reap();
}

/* With the lock held. */
void
lvk_enqueue(struct lvk_ctx *c, bool polls)
{
	c->lc_state = LVK_READY;
	c->lc_polls = polls;
	TAILQ_INSERT_TAIL(&lvk_runq, c, lc_runq);
	if (lvk_explored)
		lvk_explorer_ready(c);
}

/* It was woken: before whatever matters less. */
static void
enqueue_woken(struct lvk_ctx *c)
{
	struct lvk_ctx *i = NULL;

	if (c->lc_intr)
		TAILQ_FOREACH(i, &lvk_runq, lc_runq)
			if (!i->lc_intr || i->lc_polls ||
			    i->lc_td->td_priority > c->lc_td->td_priority)
				break;
	c->lc_state = LVK_READY;
	c->lc_polls = false;
	if (i != NULL)
		TAILQ_INSERT_BEFORE(i, c, lc_runq);
	else
		TAILQ_INSERT_TAIL(&lvk_runq, c, lc_runq);
	if (lvk_explored)
		lvk_explorer_ready(c);
}

/*
 * With the lock held: who goes on, on a CPU and still on the queue.
 */
static struct lvk_ctx *
first(void)
{
	struct lvk_ctx *c = TAILQ_FIRST(&lvk_runq);
	bool home = atomic_load_int(&lvk_epoch_wanted) != 0;

	if (lvk_explored)
		return (lvk_explorer_pick());
	if (c->lc_intr && ++lvk_intr_streak % INTR_BATCH == 0)
		home = true;
	if (home && lvk_home.lc_state == LVK_READY && lvk_cpu_take(&lvk_home))
		return (&lvk_home);
	while (!lvk_cpu_take(c))
		c = TAILQ_NEXT(c, lc_runq);
	if (!c->lc_intr && !c->lc_polls)
		lvk_intr_streak = 0;
	return (c);
}

/* With the lock held; `c' is on the queue and has a CPU. */
static void
leave_queue(struct lvk_ctx *c)
{
	TAILQ_REMOVE(&lvk_runq, c, lc_runq);
	c->lc_state = LVK_RUNNING;
	c->lc_polls = false;
	TD_SET_RUNNING(c->lc_td);
}

static struct lvk_ctx *
dequeue(void)
{
	struct lvk_ctx *c;

	c = first();
	leave_queue(c);
	return (c);
}

/* Called with the lock held, returns without. */
static void
switch_to(struct lvk_ctx *self, struct lvk_ctx *next)
{
	lvk_spin_unlock(&lvk_sched_lock);
	if (next == self) {
		lvk_come_on(self);
		return;
	}
	self->lc_owner_none = lvk_owner_none_set(0);
#ifdef INVARIANTS
	self->lc_counter_depth = lvk_counter_depth;
#endif
	vnh_co_switch(&self->lc_co, &next->lc_co);
	resume(self);
}

/* Called with the lock held, returns without. */
void
lvk_switch_away(struct lvk_ctx *self)
{
	self->lc_worn = curthread;
	lvk_cpu_give(self);
	switch_to(self, dequeue());
}

/* The same of one that is ready and may be in the middle of something. */
void
lvk_leave_cpu(struct lvk_ctx *self)
{
	self->lc_worn = curthread;
	if (!lvk_keeps_cpu())
		lvk_cpu_give(self);
	switch_to(self, dequeue());
}

/* ---- VNH_HOST: handing CPUs on */

/* With the lock held. */
void
lvk_dispatch(void)
{
	struct lvk_ctx *c, *next;

	TAILQ_FOREACH_SAFE(c, &lvk_runq, lc_runq, next) {
		if (!lvk_cpu_take(c))
			continue;
		leave_queue(c);
		vnh_co_unpark(&c->lc_co);
	}
	lvk_watch_set(LVK_WATCH_WAITERS, !TAILQ_EMPTY(&lvk_runq));
}

void
lvk_sched_leave(struct lvk_ctx *c)
{
	lvk_spin_lock(&lvk_sched_lock);
	lvk_cpu_give(c);
	if (lvk_carrier == VNH_HOST)
		lvk_dispatch();
	lvk_spin_unlock(&lvk_sched_lock);
}

void
lvk_sched_unclaim(struct pcpu *pc)
{
	lvk_spin_lock(&lvk_sched_lock);
	lvk_cpu_unclaim(pc);
	lvk_dispatch();
	lvk_spin_unlock(&lvk_sched_lock);
}

/* Called with the lock held, returns without; on a CPU. */
static void
wait_to_run(struct lvk_ctx *self)
{
	while (self->lc_state != LVK_RUNNING) {
		lvk_spin_unlock(&lvk_sched_lock);
		vnh_co_park(&self->lc_co);
		lvk_spin_lock(&lvk_sched_lock);
	}
	lvk_spin_unlock(&lvk_sched_lock);
	resume(self);
	lvk_cpu_attend();
}

/* Called with the lock held, returns without. */
void
lvk_requeue(struct lvk_ctx *self)
{
	self->lc_worn = curthread;
	lvk_cpu_give(self);
	lvk_enqueue(self, false);
	lvk_dispatch();
	wait_to_run(self);
}

static void
flow_begin(void *arg)
{
	struct lvk_ctx *self = arg;

	resume(self);
	(*self->lc_func)(self->lc_arg);
	lvk_sched_exit();
}

/* VNH_HOST, with the lock held. */
static void
stopped_running(void)
{
	if (--lvk_running == 0 && lvk_home_waits)
		vnh_co_unpark(&lvk_home.lc_co);
}

void
lvk_sched_start(struct lvk_ctx *c)
{
	if (lvk_carrier == VNH_COROUTINE)
		c->lc_co.co_stack = lvk_stack_alloc(c->lc_co.co_size);
	vnh_co_create(&c->lc_co, flow_begin, c);
	lvk_spin_lock(&lvk_sched_lock);
	c->lc_state = LVK_PARKED;
	lvk_sched_ready(c);
	lvk_spin_unlock(&lvk_sched_lock);
	LVK_EVENT(VNH_EV_CREATE, c->lc_td);
}

void
lvk_sched_ready(struct lvk_ctx *c)
{
	if (c->lc_kind == LVK_ATTACHED)
		return;				/* it looks for itself */
	if (lvk_carrier == VNH_HOST) {
		if (c->lc_kind == LVK_HOME) {
			lvk_home_called = true;
			vnh_co_unpark(&c->lc_co);
		} else if (c->lc_state == LVK_PARKED) {
			lvk_running++;
			enqueue_woken(c);
			TD_SET_RUNQ(c->lc_td);
			lvk_dispatch();
		}		/* else it is on its way and will see */
	} else if (c->lc_state == LVK_PARKED) {
		enqueue_woken(c);
		TD_SET_RUNQ(c->lc_td);
	} else if (c->lc_state == LVK_READY && c->lc_polls) {
		TAILQ_REMOVE(&lvk_runq, c, lc_runq);
		enqueue_woken(c);
	}
}

/* Called with the lock held and the caller parked, returns without. */
static void
stop(struct lvk_ctx *self)
{
	if (lvk_carrier != VNH_HOST) {
		if (lvk_explored)
			lvk_explorer_parked(self, false);
		lvk_switch_away(self);
		return;
	}
	self->lc_worn = curthread;
	lvk_cpu_give(self);
	stopped_running();
	lvk_dispatch();
	wait_to_run(self);
}

void
lvk_sched_park(struct lvk_ctx *self)
{
	lvk_spin_lock(&lvk_sched_lock);
	if (!self->lc_asleep) {
		lvk_spin_unlock(&lvk_sched_lock);
		return;
	}
	lvk_progressed();
	self->lc_state = LVK_PARKED;
	stop(self);
}

void
lvk_sched_idle(struct lvk_ctx *self, const volatile int *need,
    struct mtx *unlock)
{
	bool host = lvk_carrier == VNH_HOST;

	lvk_spin_lock(&lvk_sched_lock);
	lvk_progressed();
	if (atomic_load_int(need) != 0) {
		if (host)
			lvk_spin_unlock(&lvk_sched_lock);
		else {
			enqueue_woken(self);
			lvk_switch_away(self);
		}
		return;
	}
	self->lc_idle = true;
	self->lc_state = LVK_PARKED;
	if (unlock != NULL) {
		lvk_points_off++;
		mtx_unlock_spin(unlock);
		lvk_points_off--;
	}
	stop(self);
}

void
lvk_sched_rouse(struct lvk_ctx *c)
{
	bool unborn;

	lvk_spin_lock(&lvk_sched_lock);
	unborn = c->lc_state == LVK_NEW;
	if (unborn)
		c->lc_state = LVK_PARKED;
	else if (c->lc_idle) {
		c->lc_idle = false;
		lvk_sched_ready(c);
	}
	lvk_spin_unlock(&lvk_sched_lock);
	if (unborn)
		lvk_sched_start(c);
}

void
lvk_sched_bind(struct lvk_ctx *c, int cpu)
{
	lvk_spin_lock(&lvk_sched_lock);
	c->lc_bound = true;
	if (c->lc_oncpu)
		c->lc_next_pcpu = cpuid_to_pcpu[cpu];
	else
		c->lc_pcpu = cpuid_to_pcpu[cpu];
	lvk_spin_unlock(&lvk_sched_lock);
	if (c == lvk_ctx_self() && lvk_curpcpu != cpuid_to_pcpu[cpu])
		lvk_sched_move(cpuid_to_pcpu[cpu]);
}

void
lvk_sched_exit(void)
{
	struct lvk_ctx *self = lvk_ctx_self(), *next = NULL;

	LVK_EVENT(VNH_EV_EXIT, self->lc_td);
	lvk_spin_lock(&lvk_sched_lock);
	lvk_progressed();
	self->lc_state = LVK_DEAD;
	TAILQ_INSERT_TAIL(&dead, self, lc_runq);
	if (lvk_explored)
		lvk_explorer_parked(self, true);
	lvk_cpu_give(self);
	if (lvk_carrier == VNH_HOST) {
		stopped_running();
		lvk_dispatch();
	} else
		next = dequeue();
	lvk_spin_unlock(&lvk_sched_lock);
	lvk_owner_none_set(0);
	vnh_co_exit(&self->lc_co, next != NULL ? &next->lc_co : NULL);
}
