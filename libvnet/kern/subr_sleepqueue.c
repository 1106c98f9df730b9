/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: sleepqueue(9), FreeBSD's kern/subr_sleepqueue.c: who sleeps on what,
 * until when.
 * Fidelity: modelled
 * Differs: first in, first out, without priorities; a channel has one queue,
 * whatever number is given.  A timeout is no callout, but an event of the
 * clock like one; one at the same instant as a callout comes after it.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/errno.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/sleepqueue.h>
#include <sys/time.h>

#include "lvk_explore.h"
#include "lvk_sched.h"

#define BUCKETS 256
#define BUCKET(chan) (&channels[((uintptr_t)(chan) >> 4 ^		\
	(uintptr_t)(chan) >> 12) % BUCKETS])

/*
 * Lists are under lvk_sched_lock.  Zero is no valid TAILQ, and no mutex: both
 * are made at first use.  The mutex is for sleepq_lock(), and others take it
 * only while somebody has it.
 */
static struct channel {
	struct lvk_ctx_list ch_list;
	struct mtx ch_mtx;
	volatile u_int ch_locked;
} channels[BUCKETS];
static uint64_t seq;

static int
by_deadline(const struct lvk_ctx *a, const struct lvk_ctx *b)
{
	if (a->lc_deadline != b->lc_deadline)
		return (a->lc_deadline < b->lc_deadline ? -1 : 1);
	return (a->lc_seq < b->lc_seq ? -1 : a->lc_seq > b->lc_seq);
}
RB_HEAD(timeouts, lvk_ctx);
static struct timeouts timeouts = RB_INITIALIZER(timeouts);
RB_GENERATE_STATIC(timeouts, lvk_ctx, lc_timeout, by_deadline)

/* With the lock held. */
static void
set_timeout(struct lvk_ctx *c, sbintime_t deadline)
{
	if (deadline == SBT_MAX)
		return;
	c->lc_deadline = deadline;
	c->lc_seq = ++seq;
	c->lc_timed = true;
	RB_INSERT(timeouts, &timeouts, c);
}

void
lvk_sleep_enter(struct lvk_ctx *c, const void *chan, const char *wmesg,
    sbintime_t deadline)
{
	struct thread *td = curthread;

	LVK_EVENT(VNH_EV_SLEEPING, chan);
	lvk_spin_lock(&lvk_sched_lock);
	if (BUCKET(chan)->ch_list.tqh_last == NULL)
		TAILQ_INIT(&BUCKET(chan)->ch_list);
	TAILQ_INSERT_TAIL(&BUCKET(chan)->ch_list, c, lc_slpq);
	c->lc_chan = chan;
	c->lc_asleep = true;
	c->lc_error = 0;
	set_timeout(c, deadline);
	td->td_wchan = __DECONST(void *, chan);
	td->td_wmesg = wmesg;
	TD_SET_SLEEPING(td);
	lvk_spin_unlock(&lvk_sched_lock);
	LVK_EVENT(VNH_EV_SLEEP, chan);
}

/* With the lock held. */
static void
rouse(struct lvk_ctx *c, int error)
{
	TAILQ_REMOVE(&BUCKET(c->lc_chan)->ch_list, c, lc_slpq);
	if (c->lc_timed)
		RB_REMOVE(timeouts, &timeouts, c);
	c->lc_timed = false;
	c->lc_asleep = false;
	c->lc_error = error;
	c->lc_td->td_wchan = NULL;
	c->lc_td->td_wmesg = NULL;
	TD_CLR_SLEEPING(c->lc_td);
	lvk_sched_ready(c);
}

/* With the lock held. */
static int
wake(const void *chan, bool all)
{
	struct lvk_ctx *c, *next;
	int n = 0;

	for (c = TAILQ_FIRST(&BUCKET(chan)->ch_list); c != NULL; c = next) {
		next = TAILQ_NEXT(c, lc_slpq);
		if (c->lc_chan != chan)
			continue;
		rouse(c, 0);
		n++;
		if (!all)
			break;
	}
	return (n);
}

int
lvk_sleep_wake(const void *chan, bool all)
{
	struct channel *ch = BUCKET(chan);
	bool locked;
	int n = 0;

	LVK_EVENT(VNH_EV_WAKING, chan);
	lvk_spin_lock(&lvk_sched_lock);
	locked = ch->ch_locked != 0;
	if (!locked)
		n = wake(chan, all);
	lvk_spin_unlock(&lvk_sched_lock);
	if (locked) {
		sleepq_lock(chan);
		lvk_spin_lock(&lvk_sched_lock);
		n = wake(chan, all);
		lvk_spin_unlock(&lvk_sched_lock);
		sleepq_release(chan);
	}
	return (n);
}

/* ---- time */

sbintime_t
lvk_sleep_next(void)
{
	struct lvk_ctx *c;
	sbintime_t t;

	lvk_spin_lock(&lvk_sched_lock);
	c = RB_MIN(timeouts, &timeouts);
	t = c != NULL ? c->lc_deadline : SBT_MAX;
	lvk_spin_unlock(&lvk_sched_lock);
	return (t);
}

/* For who has the lock, or runs alone. */
bool
lvk_sleep_pending(void)
{
	return (!RB_EMPTY(&timeouts));
}

void
lvk_sleep_expire(sbintime_t now)
{
	struct lvk_ctx *c;

	lvk_spin_lock(&lvk_sched_lock);
	while ((c = RB_MIN(timeouts, &timeouts)) != NULL &&
	    c->lc_deadline <= now)
		rouse(c, EWOULDBLOCK);
	lvk_spin_unlock(&lvk_sched_lock);
}

/* ---- waiting */

void
lvk_sleeps_for_ever(const char *wmesg, const char *object)
{
	char who[256];

	lvk_waiters(who, sizeof(who));
	panic("thread sleeps for ever on \"%s\" (%s): nothing is left that "
	    "could wake it%s", wmesg, object != NULL ? object :
	    curthread->td_name, who);
}

static bool
asleep(const struct lvk_ctx *c)
{
	bool is;

	lvk_spin_lock(&lvk_sched_lock);
	is = c->lc_asleep;
	lvk_spin_unlock(&lvk_sched_lock);
	return (is);
}

/* Home drives the machine while it sleeps, and so do attached threads. */
static void
drive(struct lvk_ctx *self, const char *wmesg)
{
	sbintime_t patience = lvk_clock() + LVK_FOREVER;
	bool timed = self->lc_timed;

	while (asleep(self)) {
		if (lvk_others())
			continue;
		if (lvk_event(SBT_MAX) > 0) {
			if (!timed && lvk_clock() > patience)
				lvk_sleeps_for_ever(wmesg, NULL);
			continue;
		}
		if (vnh_threads() > 1)
			vnh_yield();
		else if (asleep(self))
			lvk_sleeps_for_ever(wmesg, NULL);
	}
}

int
lvk_sleep_wait(struct lvk_ctx *self, const char *wmesg)
{
	if (self->lc_kind != LVK_FLOW)
		drive(self, wmesg);
	else
		while (asleep(self))
			lvk_sched_park(self);
	LVK_EVENT(VNH_EV_WOKEN, self->lc_chan);
	return (self->lc_error);
}

/* ---- sleepqueue(9) */

void
sleepq_lock(const void *wchan)
{
	struct channel *ch = BUCKET(wchan);

	lvk_spin_lock(&lvk_sched_lock);
	if (ch->ch_mtx.lock_object.lo_flags == 0)
		mtx_init(&ch->ch_mtx, "sleepq chain", NULL,
		    MTX_SPIN | MTX_RECURSE);
	ch->ch_locked++;
	lvk_spin_unlock(&lvk_sched_lock);
	mtx_lock_spin(&ch->ch_mtx);
}

void
sleepq_release(const void *wchan)
{
	struct channel *ch = BUCKET(wchan);

	mtx_unlock_spin(&ch->ch_mtx);
	lvk_spin_lock(&lvk_sched_lock);
	ch->ch_locked--;
	lvk_spin_unlock(&lvk_sched_lock);
}

void
sleepq_add(const void *wchan, struct lock_object *lock __unused,
    const char *wmesg, int flags __unused, int queue __unused)
{
	mtx_assert(&BUCKET(wchan)->ch_mtx, MA_OWNED);
	KASSERT(curthread->td_critnest == 1, ("sleepq_add: sleep on \"%s\" in a "
	    "critical section", wmesg));
	KASSERT(THREAD_CAN_SLEEP(), ("sleepq_add: sleep on \"%s\" where "
	    "sleeping is prohibited (in an epoch section?)", wmesg));
	lvk_sleep_enter(lvk_ctx_self(), wchan, wmesg, SBT_MAX);
}

void
sleepq_set_timeout_sbt(const void *wchan, sbintime_t sbt,
    sbintime_t pr __unused, int flags)
{
	struct lvk_ctx *self = lvk_ctx_self();
	sbintime_t when = lvk_sleep_deadline(sbt, flags);

	mtx_assert(&BUCKET(wchan)->ch_mtx, MA_OWNED);
	lvk_spin_lock(&lvk_sched_lock);
	if (self->lc_asleep && !self->lc_timed)
		set_timeout(self, when);
	lvk_spin_unlock(&lvk_sched_lock);
}

static int
wait_on(const void *wchan)
{
	const char *wmesg = curthread->td_wmesg;

	sleepq_release(wchan);
	return (lvk_sleep_wait(lvk_ctx_self(), wmesg));
}

void
sleepq_wait(const void *wchan, int pri __unused)
{
	(void)wait_on(wchan);
}

int
sleepq_wait_sig(const void *wchan, int pri __unused)
{
	return (wait_on(wchan));
}

int
sleepq_timedwait(const void *wchan, int pri __unused)
{
	return (wait_on(wchan));
}

int
sleepq_timedwait_sig(const void *wchan, int pri __unused)
{
	return (wait_on(wchan));
}

static void
wake_locked(const void *wchan, bool all)
{
	mtx_assert(&BUCKET(wchan)->ch_mtx, MA_OWNED);
	lvk_spin_lock(&lvk_sched_lock);
	(void)wake(wchan, all);
	lvk_spin_unlock(&lvk_sched_lock);
}

/* Whether the swapper must run: nothing is ever swapped out. */
#if __FreeBSD_version < 1500000
#define SLEEPQ_SWAPS int
#define SLEEPQ_NO_SWAP() return (0)
#else
#define SLEEPQ_SWAPS void
#define SLEEPQ_NO_SWAP()
#endif

SLEEPQ_SWAPS
sleepq_signal(const void *wchan, int flags __unused, int pri __unused,
    int queue __unused)
{
	wake_locked(wchan, false);
	SLEEPQ_NO_SWAP();
}

SLEEPQ_SWAPS
sleepq_broadcast(const void *wchan, int flags __unused, int pri __unused,
    int queue __unused)
{
	wake_locked(wchan, true);
	SLEEPQ_NO_SWAP();
}

u_int
sleepq_sleepcnt(const void *wchan, int queue __unused)
{
	struct lvk_ctx *c;
	u_int n = 0;

	lvk_spin_lock(&lvk_sched_lock);
	TAILQ_FOREACH(c, &BUCKET(wchan)->ch_list, lc_slpq)
		n += c->lc_chan == wchan;
	lvk_spin_unlock(&lvk_sched_lock);
	return (n);
}

/* Not to be looked into, only compared with NULL. */
struct sleepqueue *
sleepq_lookup(const void *wchan)
{
	return (sleepq_sleepcnt(wchan, 0) != 0 ?
	    (struct sleepqueue *)(void *)BUCKET(wchan) : NULL);
}

void
sleepq_remove(struct thread *td, const void *wchan)
{
	struct lvk_ctx *c = LVK_CTX(td);

	sleepq_lock(wchan);
	lvk_spin_lock(&lvk_sched_lock);
	if (c->lc_asleep && c->lc_chan == wchan)
		rouse(c, 0);
	lvk_spin_unlock(&lvk_sched_lock);
	sleepq_release(wchan);
}
