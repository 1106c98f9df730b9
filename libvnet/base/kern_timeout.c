/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: callout(9), FreeBSD's kern/kern_timeout.c.
 * Fidelity: modelled
 * Differs: a tree ordered by time and age in place of the wheel, so that what
 * is due runs in that order; without C_HARDCLOCK a callout fires at its exact
 * time (precision is kept, and never used to put events together); one that
 * moves to another CPU while it runs does so at once; callout_drain() polls.
 * Arming what was not initialised, initialising what is pending, draining
 * where that may hang, and a handler that keeps a lock or a vnet, panic.
 *
 * One lock below all locks protects the callouts of all CPUs.  It is never
 * held while a handler runs or its lock is waited for.  In between lies the
 * window that callout_stop() closes: the handler's lock is held by whoever
 * stops, the handler waits for it.  Then cc_cancel tells the runner to go home
 * without calling.  Once the runner has the lock it sets cc_cancel itself, and
 * from there on the handler cannot be stopped, only drained.
 *
 * What the handler did with its callout is not known when it returns: it may
 * have freed it.  So the runner never looks at the callout again.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/callout.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/rmlock.h>
#include <sys/smp.h>

#include <lvk.h>
#include "lvk_handler.h"
#include "kern_timeout.h"

#define INIT_FLAGS (CALLOUT_RETURNUNLOCKED | CALLOUT_SHAREDLOCK)
#define IFLAGS (INIT_FLAGS | CALLOUT_INITIALIZED | CALLOUT_PENDING | \
	CALLOUT_DIRECT)

void	cpu_new_callout(int cpu, sbintime_t bt, sbintime_t bt_opt);

RB_HEAD(callout_tree, callout);

struct callout_cpu {
	struct callout_tree cc_tree;	/* pending */
	struct callout *cc_curr;	/* whose handler runs, or is about to */
	struct thread *cc_thread;	/* that runs it */
	bool cc_cancel;			/* stopped, or cannot be any more */
	bool cc_waiting;		/* somebody drains it */
};

static struct callout_cpu callout_cpus[MAXCPU];
struct lvk_spin lvk_callout_lock;
static uint64_t callout_seq;		/* of the youngest */

static int
by_time(struct callout *a, struct callout *b)
{
	if (a->c_time != b->c_time)
		return (a->c_time < b->c_time ? -1 : 1);
	return (a->c_seq < b->c_seq ? -1 : a->c_seq > b->c_seq);
}
RB_GENERATE_STATIC(callout_tree, callout, c_links, by_time)

static struct callout_cpu *
running_on(const struct callout *c)
{
	for (int i = 0; i < mp_ncpus; i++)
		if (callout_cpus[i].cc_curr == c)
			return (&callout_cpus[i]);
	return (NULL);
}

static void
pending_insert(struct callout *c)
{
	c->c_seq = ++callout_seq;
	c->c_iflags |= CALLOUT_PENDING;
	c->c_flags |= CALLOUT_ACTIVE;
	RB_INSERT(callout_tree, &callout_cpus[c->c_cpu].cc_tree, c);
	callout_place_insert(c);
}

static void
pending_remove(struct callout *c)
{
	RB_REMOVE(callout_tree, &callout_cpus[c->c_cpu].cc_tree, c);
	callout_place_remove(c);
	c->c_iflags &= ~CALLOUT_PENDING;
}

/* ---- checks */

/* Zeroed memory may be stopped, as in FreeBSD, but not armed. */
static void
check_initialized(const struct callout *c, const char *what, bool zeroed_too)
{
#ifdef INVARIANTS
	int iflags;

	lvk_spin_lock(&lvk_callout_lock);
	iflags = c->c_iflags;
	lvk_spin_unlock(&lvk_callout_lock);
	if (zeroed_too && iflags == 0)
		return;
	if ((iflags & CALLOUT_INITIALIZED) == 0 || (iflags & ~IFLAGS) != 0)
		panic("%s: callout %p is not initialised; call callout_init() "
		    "or callout_init_mtx() first", what, c);
#endif
}

static void
check_not_pending(const struct callout *c, const char *what)
{
	vnh_uptr func = 0;

	if (lvk_callout_pending_in(c, 1, &func))
		panic("%s: callout %p is pending (handler %p); stop it with "
		    "callout_drain() first", what, c, (void *)func);
}

/* ---- running */

static void
call(callout_func_t *func, void *arg, bool released)
{
#ifdef INVARIANTS
	struct handler_state before = handler_enter();
	const char *wrong;
#endif

	THREAD_NO_SLEEPING();
	func(arg);
	THREAD_SLEEPING_OK();
#ifdef INVARIANTS
	wrong = handler_exit(&before, released);
	if (wrong != NULL)
		panic("callout handler %p returned %s (%d locks before, %d "
		    "after)", func, wrong, before.hs_locks,
		    curthread->td_locks);
#endif
}

/* Call the handler with its lock held, unless that wait was made in vain. */
static void
call_locked(struct callout_cpu *cc, struct lock_object *lock,
    callout_func_t *func, void *arg, int iflags)
{
	struct lock_class *class = LOCK_CLASS(lock);
	bool released = (iflags & CALLOUT_RETURNUNLOCKED) != 0;
	struct rm_priotracker tracker;
	uintptr_t how = 0;

	if ((iflags & CALLOUT_SHAREDLOCK) != 0)
		how = class == &lock_class_rm ? (uintptr_t)&tracker : 1;
	class->lc_lock(lock, how);
	if (cc->cc_cancel) {
		class->lc_unlock(lock);
		return;
	}
	cc->cc_cancel = true;
	call(func, arg, released);
	if (!released)
		class->lc_unlock(lock);
}

/* Called and returns with lvk_callout_lock held. */
static void
run(struct callout_cpu *cc, struct callout *c)
{
	struct lock_object *lock = c->c_lock;
	callout_func_t *func = c->c_func;
	void *arg = c->c_arg;
	int iflags = c->c_iflags;
	bool direct = (iflags & CALLOUT_DIRECT) != 0;

	pending_remove(c);
	cc->cc_curr = c;
	cc->cc_thread = curthread;
	cc->cc_cancel = cc->cc_waiting = false;
	lvk_spin_unlock(&lvk_callout_lock);
	if (lock != NULL)
		call_locked(cc, lock, func, arg, iflags);
	else {
		if (direct)
			critical_enter();
		call(func, arg, false);
		if (direct)
			critical_exit();
	}
	lvk_spin_lock(&lvk_callout_lock);
	cc->cc_curr = NULL;
	cc->cc_thread = NULL;
	cc->cc_waiting = false;
}

/*
 * What is due, one after the other.  A callout that is armed meanwhile and due
 * at once waits for the next event: so callers can count events, and stop
 * where a callout rearms itself for ever.
 */
void
callout_process(sbintime_t now)
{
	int cpu = (int)curcpu;
	struct callout_cpu *cc = &callout_cpus[cpu];
	struct callout *c;
	uint64_t last;

	lvk_spin_lock(&lvk_callout_lock);
	last = callout_seq;
	while ((c = RB_MIN(callout_tree, &cc->cc_tree)) != NULL &&
	    c->c_time <= now && c->c_seq <= last)
		run(cc, c);
	if (c != NULL)
		cpu_new_callout(cpu, c->c_time + c->c_precision, c->c_time);
	lvk_spin_unlock(&lvk_callout_lock);
}

/* When the next one of a CPU is due, SBT_MAX where none is pending. */
sbintime_t
lvk_callout_next(int cpu)
{
	struct callout *c;
	sbintime_t when;

	lvk_spin_lock(&lvk_callout_lock);
	c = RB_MIN(callout_tree, &callout_cpus[cpu].cc_tree);
	when = c != NULL ? c->c_time : SBT_MAX;
	lvk_spin_unlock(&lvk_callout_lock);
	return (when);
}

/* ---- arming */

/* The last tick of the clock, from which C_HARDCLOCK counts. */
static sbintime_t
last_tick(void)
{
	sbintime_t now = sbinuptime();

	return (now - now % tick_sbt);
}

void
callout_when(sbintime_t sbt, sbintime_t precision, int flags, sbintime_t *res,
    sbintime_t *prec_res)
{
	sbintime_t from;

	*res = sbt;
	*prec_res = precision;
	if ((flags & (C_ABSOLUTE | C_PRECALC)) != 0)
		return;
	if ((flags & C_HARDCLOCK) != 0) {
		from = last_tick();
		if (sbt < tick_sbt)
			sbt = tick_sbt;
	} else
		from = sbinuptime();
	*res = sbt < SBT_MAX - from ? from + sbt : SBT_MAX;
}

/* With lvk_callout_lock held: stop what was armed before.  True where it was. */
static bool
disarm(struct callout *c)
{
	if ((c->c_iflags & CALLOUT_PENDING) == 0)
		return (false);
	pending_remove(c);
	c->c_flags &= ~CALLOUT_ACTIVE;
	return (true);
}

static void
arm(struct callout *c, sbintime_t when, sbintime_t precision,
    callout_func_t *func, void *arg, int cpu, bool direct)
{
	sbintime_t now = sbinuptime();

	if (cpu != -1)
		c->c_cpu = cpu;
	c->c_func = func;
	c->c_arg = arg;
	c->c_time = when < now ? now : when;
	c->c_precision = MIN(precision, SBT_MAX - c->c_time);
	if (direct)
		c->c_iflags |= CALLOUT_DIRECT;
	else
		c->c_iflags &= ~CALLOUT_DIRECT;
	pending_insert(c);
	cpu_new_callout(c->c_cpu, c->c_time + c->c_precision, c->c_time);
}

int
callout_reset_sbt_on(struct callout *c, sbintime_t sbt, sbintime_t prec,
    callout_func_t *func, void *arg, int cpu, int flags)
{
	bool direct = (flags & C_DIRECT_EXEC) != 0;
	bool cancelled = false, drained = false;
	sbintime_t when, precision;
	struct callout_cpu *cc;

	check_initialized(c, "callout_reset", false);
	KASSERT(func != NULL, ("callout_reset: callout %p has no handler", c));
	KASSERT(!direct || c->c_lock == NULL,
	    ("callout_reset: direct callout %p has a lock", c));
	if (cpu < -1 || cpu >= mp_ncpus)
		panic("Invalid CPU in callout %d", cpu);
	callout_when(sbt, prec, flags, &when, &precision);
	lvk_spin_lock(&lvk_callout_lock);
	cc = running_on(c);
	if (cc != NULL) {
		/* Its handler waits for the lock that our caller holds. */
		if (c->c_lock != NULL && !cc->cc_cancel)
			cancelled = cc->cc_cancel = true;
		drained = cc->cc_waiting;
	}
	/* Somebody drains it: then it stays stopped. */
	if (!drained) {
		cancelled |= disarm(c);
		arm(c, when, precision, func, arg, cpu, direct);
	}
	lvk_spin_unlock(&lvk_callout_lock);
	return (cancelled);
}

int
callout_schedule_on(struct callout *c, int to_ticks, int cpu)
{
	return (callout_reset_on(c, to_ticks, c->c_func, c->c_arg, cpu));
}

int
callout_schedule(struct callout *c, int to_ticks)
{
	return (callout_schedule_on(c, to_ticks, -1));
}

/* ---- stopping */

/* Wait until the handler is not running.  Called and returns locked. */
static void
wait_for_handler(struct callout *c)
{
	struct lvk_turns turns = { 0 };
	struct callout_cpu *cc;
	bool own;

	while ((cc = running_on(c)) != NULL) {
		own = cc->cc_thread == curthread;
		if (!own)
			cc->cc_waiting = true;
		lvk_spin_unlock(&lvk_callout_lock);
		if (own || !lvk_relinquish(&turns))
			panic("callout_drain: waits for ever for the handler "
			    "of callout %p that is its own caller; use "
			    "callout_stop()", c);
		lvk_spin_lock(&lvk_callout_lock);
	}
}

/*
 * The handler's lock, when our caller holds it as it should: then a handler
 * that waits for it can be called off.  Old code stops without Giant.
 */
static bool
stop_lock_held(struct callout *c)
{
	if (c->c_lock == NULL)
		return (false);
	if (c->c_lock == &Giant.lock_object)
		return (mtx_owned(&Giant));
	LOCK_CLASS(c->c_lock)->lc_assert(c->c_lock, LA_XLOCKED);
	return (true);
}

/* Draining sleeps, until a handler is done that may want the lock. */
static void
drain_check(struct callout *c)
{
#ifdef INVARIANTS
	struct callout_cpu *cc;
	bool own;

	lvk_spin_lock(&lvk_callout_lock);
	cc = running_on(c);
	own = cc != NULL && cc->cc_thread == curthread;
	lvk_spin_unlock(&lvk_callout_lock);
	if (own)
		return;		/* there is a better message for that */
	lvk_sleep_check("callout_drain");
	if (c->c_lock != NULL && c->c_lock != &Giant.lock_object)
		LOCK_CLASS(c->c_lock)->lc_assert(c->c_lock, LA_UNLOCKED);
#endif
}

/*
 * 1 stopped, 0 it runs and could not be stopped, -1 it was not scheduled.
 */
int
_callout_stop_safe(struct callout *c, int flags)
{
	bool drain = (flags & CS_DRAIN) != 0, held = false;
	struct callout_cpu *cc;
	int cancelled = 1;

	check_initialized(c, drain ? "callout_drain" : "callout_stop", true);
	if (drain)
		drain_check(c);
	else
		held = stop_lock_held(c);
	lvk_spin_lock(&lvk_callout_lock);
	if (drain)
		wait_for_handler(c);
	cc = running_on(c);
	if (cc != NULL) {
		c->c_flags &= ~CALLOUT_ACTIVE;
		if (held && !cc->cc_cancel) {
			cc->cc_cancel = true;
			lvk_spin_unlock(&lvk_callout_lock);
			return (1);
		}
		cancelled = (flags & CS_EXECUTING) != 0;
	}
	if (!disarm(c) && cc == NULL)
		cancelled = -1;
	lvk_spin_unlock(&lvk_callout_lock);
	return (cancelled);
}

/* ---- making */

static void
setup(struct callout *c, struct lock_object *lock, int iflags)
{
	memset(c, 0, sizeof(*c));
	c->c_lock = lock;
	c->c_iflags = (short)(iflags | CALLOUT_INITIALIZED);
}

void
callout_init(struct callout *c, int mpsafe)
{
	check_not_pending(c, "callout_init");
	if (mpsafe != 0)
		setup(c, NULL, CALLOUT_RETURNUNLOCKED);
	else
		setup(c, &Giant.lock_object, 0);
}

void
_callout_init_lock(struct callout *c, struct lock_object *lock, int flags)
{
	check_not_pending(c, "callout_init_lock");
	KASSERT((flags & ~INIT_FLAGS) == 0,
	    ("callout_init_lock: bad flags %d", flags));
	KASSERT(lock != NULL || (flags & CALLOUT_RETURNUNLOCKED) == 0,
	    ("callout_init_lock: CALLOUT_RETURNUNLOCKED with no lock"));
	KASSERT(lock == NULL || lock_initialized(lock),
	    ("callout_init_lock: the lock %p of callout %p is not initialised",
	    lock, c));
	KASSERT(lock == NULL || (LOCK_CLASS(lock)->lc_flags &
	    (LC_SPINLOCK | LC_SLEEPABLE)) == 0, ("callout_init_lock: lock "
	    "\"%s\": a spin or sleepable lock cannot be a callout's",
	    lock->lo_name));
	setup(c, lock, flags);
}
