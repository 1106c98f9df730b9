/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: FreeBSD's kern/subr_sleepqueue.c: who sleeps on what, until when.
 * Fidelity: modelled
 * Differs: first in, first out, without priorities; the interface is ours,
 * sleepq_*(9) is not provided.  A timeout is no callout, but an event of the
 * clock like one; one at the same instant as a callout comes after it.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/errno.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/time.h>

#include "lvk_sched.h"

#define BUCKETS 256
#define BUCKET(chan) (&channels[((uintptr_t)(chan) >> 4 ^		\
	(uintptr_t)(chan) >> 12) % BUCKETS])

/* All under lvk_sched_lock.  Zero is no valid TAILQ: made at first use. */
static struct lvk_ctx_list channels[BUCKETS];
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

void
lvk_sleep_enter(struct lvk_ctx *c, const void *chan, const char *wmesg,
    sbintime_t deadline)
{
	struct thread *td = curthread;

	lvk_spin_lock(&lvk_sched_lock);
	if (BUCKET(chan)->tqh_last == NULL)
		TAILQ_INIT(BUCKET(chan));
	TAILQ_INSERT_TAIL(BUCKET(chan), c, lc_slpq);
	c->lc_chan = chan;
	c->lc_asleep = true;
	c->lc_error = 0;
	if (deadline != SBT_MAX) {
		c->lc_deadline = deadline;
		c->lc_seq = ++seq;
		c->lc_timed = true;
		RB_INSERT(timeouts, &timeouts, c);
	}
	td->td_wchan = __DECONST(void *, chan);
	td->td_wmesg = wmesg;
	TD_SET_SLEEPING(td);
	lvk_spin_unlock(&lvk_sched_lock);
}

/* With the lock held. */
static void
rouse(struct lvk_ctx *c, int error)
{
	TAILQ_REMOVE(BUCKET(c->lc_chan), c, lc_slpq);
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

int
lvk_sleep_wake(const void *chan, bool all)
{
	struct lvk_ctx_list *head = BUCKET(chan);
	struct lvk_ctx *c, *next;
	int n = 0;

	lvk_spin_lock(&lvk_sched_lock);
	for (c = TAILQ_FIRST(head); c != NULL; c = next) {
		next = TAILQ_NEXT(c, lc_slpq);
		if (c->lc_chan != chan)
			continue;
		rouse(c, 0);
		n++;
		if (!all)
			break;
	}
	lvk_spin_unlock(&lvk_sched_lock);
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
	return (self->lc_error);
}
