/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: sleep(9): _sleep(), msleep_spin(), pause(9), wakeup(9), and yielding.
 * Fidelity: modelled
 * Differs: while the test's own thread sleeps, the rest of the machine runs:
 * other threads, events that are due, epoch callbacks, then the clock from
 * event to event.  Where nothing is left that could wake it, it panics instead
 * of hanging.  Priorities and signals are ignored; of several sleepers
 * wakeup_one() wakes the one that has slept longest.  msleep() does not notice
 * locks held beside the interlock: whoever needs them meanwhile waits, and
 * where that is for ever reports the deadlock.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/callout.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/sched.h>
#include <sys/time.h>

#include "lvk_held.h"
#include "lvk_sleep.h"

static const char pause_chan[1];

int
lvk_wait(lvk_ready_fn *ready, void *arg, sbintime_t deadline,
    const char *wmesg, const char *object)
{
	struct lvk_turns turns = { .lt_events = true };

	while (!(*ready)(arg)) {
		if (deadline != SBT_MAX && lvk_clock() >= deadline)
			return (EWOULDBLOCK);
		if (!lvk_relinquish(&turns))
			lvk_sleeps_for_ever(wmesg, object);
	}
	return (0);
}

void
wakeup(const void *chan)
{
	lvk_sleep_wake(chan, true);
}

void
wakeup_one(const void *chan)
{
	lvk_sleep_wake(chan, false);
}

/* ---- sleeping */

sbintime_t
lvk_sleep_deadline(sbintime_t sbt, int flags)
{
	sbintime_t now = lvk_clock();

	if (sbt == 0)
		return (SBT_MAX);
	if ((flags & C_ABSOLUTE) != 0)
		return (sbt);
	return (sbt < SBT_MAX - now ? now + sbt : SBT_MAX - 1);
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
sleep_check(const char *wmesg, const struct lock_object *lock)
{
	char what[64];

#ifdef INVARIANTS
	if (__predict_true(lvk_switch_may() &&
	    lvk_ctx_self()->lc_nheld == (lock != NULL)))
		return;
#else
	if (__predict_true(lvk_switch_may()))
		return;
#endif
	snprintf(what, sizeof(what), "sleep on \"%s\"", wmesg);
	lvk_switch_check(what);
	lvk_held_check(what, lock);
}

int
_sleep(const void *chan, struct lock_object *lock, int priority,
    const char *wmesg, sbintime_t sbt, sbintime_t pr __unused, int flags)
{
	struct lvk_ctx *self = lvk_ctx_self();
	struct lock_class *class = NULL;
	uintptr_t how = 0;
	u_int giant;
	int error;

	KASSERT(chan != NULL, ("_sleep: NULL channel"));
	KASSERT(sbt != 0 || lock != NULL || mtx_owned(&Giant),
	    ("sleeping on \"%s\" without a lock", wmesg));
	KASSERT((priority & PDROP) == 0 ||
	    (lock != NULL && lock != &Giant.lock_object),
	    ("PDROP requires a lock other than Giant, on \"%s\"", wmesg));
	sleep_check(wmesg, lock);

	/* On the queue before the lock is given up: no wakeup is missed. */
	lvk_sleep_enter(self, chan, wmesg, lvk_sleep_deadline(sbt, flags));
	giant = giant_drop();
	if (lock != NULL && lock != &Giant.lock_object) {
		class = LOCK_CLASS(lock);
		how = class->lc_unlock(lock);
	}
	error = lvk_sleep_wait(self, wmesg);
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

void
wakeup_any(const void *chan)
{
	lvk_sleep_wake(chan, false);
}

int
msleep_spin_sbt(const void *chan, struct mtx *mtx, const char *wmesg,
    sbintime_t sbt, sbintime_t pr __unused, int flags)
{
	struct lvk_ctx *self = lvk_ctx_self();
	u_int giant;
	int error;

	KASSERT(chan != NULL, ("msleep_spin_sbt: NULL channel"));
	mtx_assert(mtx, MA_OWNED | MA_NOTRECURSED);
	lvk_sleep_enter(self, chan, wmesg, lvk_sleep_deadline(sbt, flags));
	mtx_unlock_spin(mtx);
	sleep_check(wmesg, NULL);
	giant = giant_drop();
	error = lvk_sleep_wait(self, wmesg);
	giant_pickup(giant);
	mtx_lock_spin(mtx);
	return (error);
}

/* ---- yielding */

void
kern_yield(int prio __unused)
{
	u_int giant = giant_drop();

	sched_relinquish(curthread);
	giant_pickup(giant);
}

/* There is no time slice to use up. */
#if __FreeBSD_version < 1400000
int
#else
bool
#endif
should_yield(void)
{
	return (0);
}

void
maybe_yield(void)
{
	if (should_yield())
		kern_yield(PRI_USER);
}
