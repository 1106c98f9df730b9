/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: the scheduler.
 * Fidelity: modelled
 * Differs: one run queue; nothing preempts.  Interrupt threads go first, by
 * priority; all others are served first come first served.
 *
 * With coroutines and with the baton one context at a time runs, and it runs
 * until it stops: sleeps, waits for a lock, yields, exits.  Then the first of
 * the run queue goes on.  Home, which is the test's own stack, is always on
 * that queue when it does not run, so there always is a first.  What nobody
 * else does falls to home: callouts, epoch callbacks, moving the clock
 * (kern_tc.c).
 *
 * A context that waits for a lock stays on the queue to look again.  That is
 * no progress: where a round of the queue brings nothing else, only an event
 * can help, and where there is none it is a deadlock.
 *
 * With host threads that run freely (VNH_HOST) there is no queue; home waits
 * until all others have stopped before it lets time pass.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/pcpu.h>
#include <sys/proc.h>
#include <sys/smp.h>

#include "lvk_sched.h"

struct lvk_spin lvk_sched_lock;
struct lvk_ctx_list lvk_contexts = TAILQ_HEAD_INITIALIZER(lvk_contexts);
struct lvk_ctx lvk_home;
enum vnh_carrier lvk_carrier;
volatile u_long lvk_progress;

static struct lvk_ctx_list runq = TAILQ_HEAD_INITIALIZER(runq);
static struct lvk_ctx_list dead = TAILQ_HEAD_INITIALIZER(dead);
static u_int running;		/* VNH_HOST: flows that are */
static bool home_waits;		/* VNH_HOST: for them to stop */
static u_int next_cpu;

/*
 * Interrupt threads may keep each other busy for ever, and home would never
 * come to notice: so it does every now and then, and in the end calls it off.
 */
#define INTR_BATCH 1000
#define INTR_STORM 5000000
static u_int intr_streak;	/* (s) switches to them in a row */

void
lvk_ctx_setup(struct lvk_ctx *c, enum lvk_ctx_kind kind, struct thread *td)
{
	c->lc_kind = kind;
	c->lc_td = c->lc_worn = td;
	c->lc_co.co_name = td->td_name;
	td->td_pcb = (struct pcb *)(void *)c;
	lvk_spin_lock(&lvk_sched_lock);
	c->lc_pcpu = cpuid_to_pcpu[0];
	if (kind == LVK_FLOW && lvk_carrier == VNH_HOST)
		c->lc_pcpu = cpuid_to_pcpu[++next_cpu % (u_int)mp_ncpus];
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
	lvk_ctx_setup(&lvk_home, LVK_HOME, &thread0);
	lvk_home.lc_state = LVK_RUNNING;
	vnh_co_adopt(&lvk_home.lc_co, carrier);
}

/* ---- switching */

static __inline void
progressed(void)
{
	atomic_add_long(&lvk_progress, 1);
}

static void
reap(void)
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
	lvk_curpcpu = self->lc_pcpu;
	if (lvk_carrier != VNH_HOST)	/* there CPUs are shared */
		lvk_curpcpu->pc_curthread = self->lc_worn;
	lvk_owner_none_set(self->lc_owner_none);
	if (lvk_carrier != VNH_HOST && __predict_false(!TAILQ_EMPTY(&dead)))
		reap();
}

/* With the lock held. */
static void
enqueue(struct lvk_ctx *c, bool polls)
{
	c->lc_state = LVK_READY;
	c->lc_polls = polls;
	TAILQ_INSERT_TAIL(&runq, c, lc_runq);
}

/* It was woken: before whatever matters less. */
static void
enqueue_woken(struct lvk_ctx *c)
{
	struct lvk_ctx *i = NULL;

	if (c->lc_intr)
		TAILQ_FOREACH(i, &runq, lc_runq)
			if (!i->lc_intr || i->lc_polls ||
			    i->lc_td->td_priority > c->lc_td->td_priority)
				break;
	c->lc_state = LVK_READY;
	c->lc_polls = false;
	if (i != NULL)
		TAILQ_INSERT_BEFORE(i, c, lc_runq);
	else
		TAILQ_INSERT_TAIL(&runq, c, lc_runq);
}

static struct lvk_ctx *
first(void)
{
	struct lvk_ctx *c = TAILQ_FIRST(&runq);

	if (!c->lc_intr) {
		if (!c->lc_polls)
			intr_streak = 0;
	} else if (++intr_streak % INTR_BATCH == 0 &&
	    lvk_home.lc_state == LVK_READY)
		return (&lvk_home);
	return (c);
}

static struct lvk_ctx *
dequeue(void)
{
	struct lvk_ctx *c;

	c = first();
	TAILQ_REMOVE(&runq, c, lc_runq);
	c->lc_state = LVK_RUNNING;
	c->lc_polls = false;
	TD_SET_RUNNING(c->lc_td);
	return (c);
}

/* Called with the lock held, returns without. */
static void
switch_away(struct lvk_ctx *self)
{
	struct lvk_ctx *next = dequeue();

	lvk_spin_unlock(&lvk_sched_lock);
	if (next == self)
		return;
	self->lc_worn = curthread;
	self->lc_pcpu = lvk_curpcpu;
	self->lc_owner_none = lvk_owner_none_set(0);
	vnh_co_switch(&self->lc_co, &next->lc_co);
	resume(self);
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
	if (--running == 0 && home_waits)
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
}

void
lvk_sched_ready(struct lvk_ctx *c)
{
	if (c->lc_kind == LVK_ATTACHED)
		return;				/* it looks for itself */
	if (lvk_carrier == VNH_HOST) {
		if (c->lc_kind == LVK_FLOW && c->lc_state != LVK_PARKED)
			return;		/* on its way: it will see */
		if (c->lc_kind == LVK_FLOW) {
			running++;
			c->lc_state = LVK_RUNNING;
			TD_SET_RUNNING(c->lc_td);
		}
		vnh_co_unpark(&c->lc_co);
	} else if (c->lc_state == LVK_PARKED) {
		enqueue_woken(c);
		TD_SET_RUNQ(c->lc_td);
	} else if (c->lc_state == LVK_READY && c->lc_polls) {
		TAILQ_REMOVE(&runq, c, lc_runq);
		enqueue_woken(c);
	}
}

void
lvk_sched_park(struct lvk_ctx *self)
{
	lvk_spin_lock(&lvk_sched_lock);
	if (!self->lc_asleep) {
		lvk_spin_unlock(&lvk_sched_lock);
		return;
	}
	progressed();
	self->lc_state = LVK_PARKED;
	if (lvk_carrier != VNH_HOST) {
		switch_away(self);
		return;
	}
	stopped_running();
	lvk_spin_unlock(&lvk_sched_lock);
	vnh_co_park(&self->lc_co);
}

static bool
idle(const struct lvk_ctx *c)
{
	bool is;

	lvk_spin_lock(&lvk_sched_lock);
	is = c->lc_idle;
	lvk_spin_unlock(&lvk_sched_lock);
	return (is);
}

void
lvk_sched_idle(struct lvk_ctx *self, const volatile int *need,
    struct mtx *unlock)
{
	bool host = lvk_carrier == VNH_HOST;

	lvk_spin_lock(&lvk_sched_lock);
	progressed();
	if (atomic_load_int(need) != 0) {
		if (host)
			lvk_spin_unlock(&lvk_sched_lock);
		else {
			enqueue_woken(self);
			switch_away(self);
		}
		return;
	}
	self->lc_idle = true;
	self->lc_state = LVK_PARKED;
	if (unlock != NULL)
		mtx_unlock_spin(unlock);
	if (!host) {
		switch_away(self);
		return;
	}
	stopped_running();
	lvk_spin_unlock(&lvk_sched_lock);
	do {
		vnh_co_park(&self->lc_co);
	} while (idle(self));
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
	c->lc_pcpu = cpuid_to_pcpu[cpu];
	lvk_spin_unlock(&lvk_sched_lock);
	if (c == lvk_ctx_self()) {
		lvk_curpcpu = c->lc_pcpu;
		lvk_curpcpu->pc_curthread = curthread;
	}
}

void
lvk_sched_exit(void)
{
	struct lvk_ctx *self = lvk_ctx_self(), *next = NULL;

	lvk_spin_lock(&lvk_sched_lock);
	progressed();
	self->lc_state = LVK_DEAD;
	TAILQ_INSERT_TAIL(&dead, self, lc_runq);
	if (lvk_carrier == VNH_HOST)
		stopped_running();
	else
		next = dequeue();
	lvk_spin_unlock(&lvk_sched_lock);
	lvk_owner_none_set(0);
	vnh_co_exit(&self->lc_co, next != NULL ? &next->lc_co : NULL);
}

/* ---- giving way */

static void
lvk_intr_storm(void)
{
	char who[MAXCOMLEN + 1] = "?";
	struct lvk_ctx *c;

	lvk_spin_lock(&lvk_sched_lock);
	TAILQ_FOREACH(c, &runq, lc_runq)
		if (c->lc_intr)
			break;
	if (c != NULL)
		strlcpy(who, c->lc_td->td_name, sizeof(who));
	lvk_spin_unlock(&lvk_sched_lock);
	panic("interrupt storm: interrupt threads, \"%s\" among them, keep "
	    "each other busy for ever; nothing else runs and time stands still",
	    who);
}

bool
lvk_others(void)
{
	struct lvk_ctx *self = lvk_ctx_self();
	u_long before = atomic_load_long(&lvk_progress);

	if (self->lc_kind != LVK_HOME)
		return (false);
	lvk_spin_lock(&lvk_sched_lock);
	if (lvk_carrier != VNH_HOST) {
		enqueue(self, true);
		switch_away(self);
		if (atomic_load_long(&lvk_progress) == before)
			intr_streak = 0;
		else if (__predict_false(intr_streak > INTR_STORM))
			lvk_intr_storm();
		return (atomic_load_long(&lvk_progress) != before);
	}
	if (running == 0) {
		lvk_spin_unlock(&lvk_sched_lock);
		reap();
		return (false);
	}
	home_waits = true;
	lvk_spin_unlock(&lvk_sched_lock);
	vnh_co_park(&self->lc_co);
	lvk_spin_lock(&lvk_sched_lock);
	home_waits = false;
	lvk_spin_unlock(&lvk_sched_lock);
	return (true);
}

/* A flow stays ready; `polls' where it only wants to look again. */
static void
give_way(struct lvk_ctx *self, bool polls)
{
	if (self->lc_kind == LVK_HOME && lvk_carrier != VNH_HOST)
		(void)lvk_others();
	else if (self->lc_kind == LVK_FLOW && lvk_carrier != VNH_HOST) {
		lvk_spin_lock(&lvk_sched_lock);
		enqueue(self, polls);
		switch_away(self);
	} else
		vnh_yield();
}

void
lvk_sched_yield(void)
{
	progressed();
	give_way(lvk_ctx_self(), false);
}

/* Whether an event could end home's wait for something that a thread has. */
static bool
others_alive(void)
{
	struct lvk_ctx *c;

	lvk_spin_lock(&lvk_sched_lock);
	TAILQ_FOREACH(c, &lvk_contexts, lc_link)
		if (c->lc_kind == LVK_FLOW && c->lc_state != LVK_NEW &&
		    c->lc_state != LVK_DEAD && !c->lc_idle)
			break;
	lvk_spin_unlock(&lvk_sched_lock);
	return (c != NULL);
}

static bool
any_running(void)
{
	bool any;

	lvk_spin_lock(&lvk_sched_lock);
	any = running != 0;
	lvk_spin_unlock(&lvk_sched_lock);
	return (any);
}

bool
lvk_relinquish(struct lvk_turns *t)
{
	struct lvk_ctx *self = lvk_ctx_self();
	u_long before;

	if (t->lt_turns++ == 0) {
		t->lt_since = lvk_clock();
		progressed();
	}
	before = atomic_load_long(&lvk_progress);
	give_way(self, true);
	if (self->lc_kind != LVK_HOME || atomic_load_long(&lvk_progress) != before)
		return (true);
	if (lvk_carrier == VNH_HOST && any_running())
		return (true);
	if (!lvk_in_intr() && (t->lt_events || others_alive()) &&
	    lvk_clock() - t->lt_since < LVK_FOREVER && lvk_event(SBT_MAX) > 0)
		return (true);
	if (vnh_threads() > 1) {
		t->lt_alone = false;
		return (true);
	}
	/* The last of the others may have let go since our caller looked. */
	if (t->lt_alone)
		return (false);
	t->lt_alone = true;
	return (true);
}

/* ---- who waits for whom */

static struct thread *
owner_of(const struct lock_object *lo)
{
	struct thread *owner = NULL;

	if (LOCK_CLASS(lo)->lc_owner(lo, &owner) == 0)
		return (NULL);
	return (owner);
}

void
lvk_waiters(char *buf, size_t size)
{
	struct thread *owner;
	struct lvk_ctx *c;
	size_t n = 0;

	buf[0] = '\0';
	TAILQ_FOREACH(c, &lvk_contexts, lc_link) {
		if (c->lc_lock == NULL || n + 1 >= size)
			continue;
		owner = owner_of(c->lc_lock);
		n += (size_t)snprintf(buf + n, size - n, "; thread \"%s\" "
		    "waits for lock \"%s\" of %s%s%s", c->lc_worn->td_name,
		    c->lc_lock->lo_name, owner != NULL ? "thread \"" :
		    "its readers", owner != NULL ? owner->td_name : "",
		    owner != NULL ? "\"" : "");
	}
}

void
lvk_contend(const struct lock_object *lo, struct lvk_turns *t,
    const char *file, int line)
{
	struct lvk_ctx *self = lvk_ctx_self();
	char who[256];

	self->lc_lock = lo;
	self->lc_worn = curthread;
	if (!lvk_relinquish(t)) {
		lvk_waiters(who, sizeof(who));
		panic("deadlock: lock \"%s\" is held and no other thread runs "
		    "that could release it, at %s:%d%s", lo->lo_name, file,
		    line, who);
	}
	self->lc_lock = NULL;
}

/* The context that `c' waits for, where that is known. */
static struct lvk_ctx *
waits_for(const struct lvk_ctx *c)
{
	struct thread *owner = c->lc_lock != NULL ? owner_of(c->lc_lock) : NULL;

	return (owner != NULL ? LVK_CTX(owner) : NULL);
}

void
lvk_deadlock_check(void)
{
	struct lvk_ctx *c, *slow, *fast;
	char who[400];

	if (lvk_carrier == VNH_HOST)
		return;
	TAILQ_FOREACH(c, &lvk_contexts, lc_link) {
		for (slow = fast = c; fast != NULL;) {
			fast = waits_for(fast);
			if (fast == NULL)
				break;
			fast = waits_for(fast);
			slow = waits_for(slow);
			if (fast != NULL && fast == slow) {
				lvk_waiters(who, sizeof(who));
				panic("deadlock: threads wait for each other%s",
				    who);
			}
		}
	}
}
