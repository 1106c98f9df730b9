/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: sleep(9): _sleep(), msleep_spin(), pause(9), wakeup(9).
 * Fidelity: modelled
 * Differs: a thread that sleeps runs the rest of the machine meanwhile:
 * events that are due, epoch callbacks, then the clock from event to event.
 * Where nothing is left that could wake it, it panics instead of hanging.
 * Priorities and signals are ignored; of several sleepers wakeup_one() wakes
 * the one that has slept longest.  msleep() does not notice locks held beside
 * the interlock: whoever needs them meanwhile reports the deadlock.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/callout.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/queue.h>
#include <sys/time.h>

#include <lvk.h>
#include "lvk_sleep.h"

/*
 * With FreeBSD's own callout wheel there always is a next event, if only to
 * look again.  After that much time without a wakeup none will come.
 */
#define FOREVER (SBT_1S * 86400)

/* On the sleeping thread's stack. */
struct sleeper {
	TAILQ_ENTRY(sleeper) s_link;
	const void *s_chan;
	bool s_queued;			/* until a wakeup takes it off */
};

static TAILQ_HEAD(, sleeper) sleepers = TAILQ_HEAD_INITIALIZER(sleepers);
static struct lvk_spin sleepers_lock;
static volatile u_int clock_driver;	/* a waiting thread moves the clock */
static const char pause_chan[1];

/* ---- waiting */

static bool
run_event(sbintime_t until)
{
	if (lvk_clock_step(lvk_clock()))
		return (true);
	if (lvk_epoch_pending() && lvk_epoch_run() > 0)
		return (true);
	/* Without a next event the clock would go to the end of time. */
	if (vnk_clock_next() < 0 && until == SBT_MAX)
		return (false);
	return (lvk_clock_step(until));
}

/* Of several waiting threads one at a time runs the machine. */
static bool
run_event_alone(sbintime_t until)
{
	bool ran;

	if (atomic_cmpset_acq_int(&clock_driver, 0, 1) == 0)
		return (false);
	ran = run_event(until);
	atomic_store_rel_int(&clock_driver, 0);
	return (ran);
}

static void
sleeps_for_ever(const char *wmesg, const char *object)
{
	panic("thread sleeps for ever on \"%s\" (%s): nothing is left that "
	    "could wake it", wmesg, object != NULL ? object :
	    curthread->td_name);
}

int
lvk_wait(lvk_ready_fn *ready, void *arg, sbintime_t deadline,
    const char *wmesg, const char *object)
{
	sbintime_t patience = lvk_clock() + FOREVER;
	bool alone;

	for (;;) {
		alone = vnh_threads() <= 1;	/* and was when we looked */
		if ((*ready)(arg))
			return (0);
		if (deadline != SBT_MAX && lvk_clock() >= deadline)
			return (EWOULDBLOCK);
		if (run_event_alone(deadline)) {
			if (deadline == SBT_MAX && lvk_clock() > patience)
				sleeps_for_ever(wmesg, object);
			continue;
		}
		if (deadline != SBT_MAX && lvk_clock() >= deadline)
			continue;
		if (alone)
			sleeps_for_ever(wmesg, object);
		vnh_yield();
	}
}

/* ---- channels */

static void
sleeper_enter(struct sleeper *s, const void *chan)
{
	s->s_chan = chan;
	s->s_queued = true;
	lvk_spin_lock(&sleepers_lock);
	TAILQ_INSERT_TAIL(&sleepers, s, s_link);
	lvk_spin_unlock(&sleepers_lock);
}

static void
sleeper_exit(struct sleeper *s)
{
	lvk_spin_lock(&sleepers_lock);
	if (s->s_queued)
		TAILQ_REMOVE(&sleepers, s, s_link);
	lvk_spin_unlock(&sleepers_lock);
}

static bool
sleeper_woken(void *arg)
{
	struct sleeper *s = arg;
	bool woken;

	lvk_spin_lock(&sleepers_lock);
	woken = !s->s_queued;
	lvk_spin_unlock(&sleepers_lock);
	return (woken);
}

static void
wake(const void *chan, bool all)
{
	struct sleeper *s, *next;

	lvk_spin_lock(&sleepers_lock);
	for (s = TAILQ_FIRST(&sleepers); s != NULL; s = next) {
		next = TAILQ_NEXT(s, s_link);
		if (s->s_chan != chan)
			continue;
		TAILQ_REMOVE(&sleepers, s, s_link);
		s->s_queued = false;
		if (!all)
			break;
	}
	lvk_spin_unlock(&sleepers_lock);
}

void
wakeup(const void *chan)
{
	wake(chan, true);
}

void
wakeup_one(const void *chan)
{
	wake(chan, false);
}

/* ---- sleeping */

static sbintime_t
deadline_of(sbintime_t sbt, int flags)
{
	sbintime_t now = lvk_clock();

	if (sbt == 0)
		return (SBT_MAX);
	if ((flags & C_ABSOLUTE) != 0)
		return (sbt);
	return (sbt < SBT_MAX - now ? now + sbt : SBT_MAX - 1);
}

/* Asleep on `s', with nothing held but what the caller should not hold. */
static int
sleep_on(struct sleeper *s, const char *wmesg, sbintime_t sbt, int flags)
{
	int error;

	error = lvk_wait(sleeper_woken, s, deadline_of(sbt, flags), wmesg,
	    NULL);
	sleeper_exit(s);
	/* A wakeup at the last moment counts. */
	if (error != 0 && !s->s_queued)
		error = 0;
	return (error);
}

static u_int
giant_drop(void)
{
	u_int n = 0;

	for (; mtx_owned(&Giant); n++)
		mtx_unlock(&Giant);
	return (n);
}

static void
giant_pickup(u_int n)
{
	while (n-- > 0)
		mtx_lock(&Giant);
}

static void
sleep_check(const char *wmesg)
{
	char what[64];

	snprintf(what, sizeof(what), "sleep on \"%s\"", wmesg);
	lvk_sleep_check(what);
}

int
_sleep(const void *chan, struct lock_object *lock, int priority,
    const char *wmesg, sbintime_t sbt, sbintime_t pr __unused, int flags)
{
	struct lock_class *class = NULL;
	struct sleeper s;
	uintptr_t how = 0;
	u_int giant;
	int error;

	KASSERT(chan != NULL, ("_sleep: NULL channel"));
	KASSERT(sbt != 0 || lock != NULL || mtx_owned(&Giant),
	    ("sleeping on \"%s\" without a lock", wmesg));
	KASSERT((priority & PDROP) == 0 ||
	    (lock != NULL && lock != &Giant.lock_object),
	    ("PDROP requires a lock other than Giant, on \"%s\"", wmesg));
	sleep_check(wmesg);

	/* On the queue before the lock is given up: no wakeup is missed. */
	sleeper_enter(&s, chan);
	giant = giant_drop();
	if (lock != NULL && lock != &Giant.lock_object) {
		class = LOCK_CLASS(lock);
		how = class->lc_unlock(lock);
	}
	error = sleep_on(&s, wmesg, sbt, flags);
	giant_pickup(giant);
	if (class != NULL && (priority & PDROP) == 0)
		class->lc_lock(lock, how);
	return (error);
}

/* A time of 0 means one tick. */
int
pause_sbt(const char *wmesg, sbintime_t sbt, sbintime_t pr, int flags)
{
	KASSERT(sbt >= 0, ("pause_sbt: negative time, on \"%s\"", wmesg));
	return (_sleep(pause_chan, NULL, 0, wmesg, sbt != 0 ? sbt : tick_sbt,
	    pr, flags));
}

#ifndef LIBVNET_BASE
void
wakeup_any(const void *chan)
{
	wake(chan, false);
}

int
msleep_spin_sbt(const void *chan, struct mtx *mtx, const char *wmesg,
    sbintime_t sbt, sbintime_t pr __unused, int flags)
{
	struct sleeper s;
	u_int giant;
	int error;

	KASSERT(chan != NULL, ("msleep_spin_sbt: NULL channel"));
	mtx_assert(mtx, MA_OWNED | MA_NOTRECURSED);
	sleeper_enter(&s, chan);
	mtx_unlock_spin(mtx);
	sleep_check(wmesg);
	giant = giant_drop();
	error = sleep_on(&s, wmesg, sbt, flags);
	giant_pickup(giant);
	mtx_lock_spin(mtx);
	return (error);
}
#endif
