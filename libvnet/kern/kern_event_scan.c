/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: kevent(2): waiting for events, and giving them out.  FreeBSD's
 * kern/kern_event.c.
 * Fidelity: exact
 * Differs: a time ends to the instant: nothing is rounded to ticks.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/file.h>
#include <sys/kernel.h>
#include <sys/limits.h>
#include <sys/proc.h>
#include <sys/time.h>

#include <lvk.h>
#include "kern_event.h"

struct scan {
	struct kqueue *kq;
	struct thread *td;
	struct kevent_copyops *ops;
	struct knote marker;		/* how far the queue was at the start */
	struct kevent kevs[KQ_NEVENTS];	/* not yet copied out */
	int nkev;
	int left;			/* room that the caller has */
	bool found;
};

static int
scan_deadline(const struct timespec *tsp, sbintime_t *deadline)
{
	*deadline = SBT_MAX;
	if (tsp == NULL)
		return (0);
	if (tsp->tv_sec < 0 || tsp->tv_nsec < 0 || tsp->tv_nsec >= 1000000000)
		return (EINVAL);
	if (tsp->tv_sec <= INT32_MAX)
		*deadline = lvk_clock() + (sbintime_t)tsp->tv_sec * SBT_1S +
		    nstosbt(tsp->tv_nsec);
	return (0);
}

/* With the lock. */
static int
wait(struct kqueue *kq, sbintime_t deadline)
{
	if (deadline <= lvk_clock())
		return (EWOULDBLOCK);
	kq->kq_state |= KQ_SLEEP;
	if (deadline == SBT_MAX)
		return (msleep(kq, &kq->kq_lock, PSOCK | PCATCH, "kqread", 0));
	return (msleep_sbt(kq, &kq->kq_lock, PSOCK | PCATCH, "kqread",
	    deadline, 0, C_ABSOLUTE));
}

/* With the lock, dropped meanwhile where much has come together. */
static int
give(struct scan *s, const struct kevent *kev)
{
	int error;

	s->kevs[s->nkev++] = *kev;
	s->left--;
	s->found = true;
	if (s->nkev < KQ_NEVENTS)
		return (0);
	lvk_kq_flux_done(s->kq);
	KQ_UNLOCK(s->kq);
	error = s->ops->k_copyout(s->ops->arg, s->kevs, s->nkev);
	s->nkev = 0;
	KQ_LOCK(s->kq);
	return (error);
}

static void
unqueued(struct kqueue *kq, struct knote *kn, int status)
{
	kn->kn_status &= ~(KN_QUEUED | status);
	kq->kq_count--;
}

/* It goes as it is given out, or without being. */
static int
drop(struct scan *s, struct knote *kn, bool report)
{
	struct kevent kev = kn->kn_kevent;

	unqueued(s->kq, kn, 0);
	kn->kn_influx++;
	KQ_UNLOCK(s->kq);
	lvk_knote_drop(kn, s->td);
	KQ_LOCK(s->kq);
	return (report ? give(s, &kev) : 0);
}

/* With the lock: what becomes of a note that is given out. */
static void
given(struct kqueue *kq, struct knote *kn, bool touched)
{
	if ((kn->kn_flags & (EV_CLEAR | EV_DISPATCH)) == 0) {
		TAILQ_INSERT_TAIL(&kq->kq_head, kn, kn_tqe);
		return;
	}
	if (!touched && (kn->kn_flags & EV_CLEAR) != 0) {
		kn->kn_data = 0;
		kn->kn_fflags = 0;
	}
	if ((kn->kn_flags & EV_DISPATCH) != 0)
		kn->kn_status |= KN_DISABLED;
	unqueued(kq, kn, KN_ACTIVE);
}

/* It is asked again: what was true when it was queued need not be now. */
static int
look(struct scan *s, struct knote *kn)
{
	struct kqueue *kq = s->kq;
	bool touch = !kn->kn_fop->f_isfd && kn->kn_fop->f_touch != NULL;
	struct knlist *knl;
	struct kevent kev;
	int happened;

	kn->kn_status |= KN_SCAN;
	kn->kn_influx++;
	KQ_UNLOCK(kq);
	knl = lvk_knote_list_lock(kn);
	happened = kn->kn_fop->f_event(kn, 0);
	if (happened != 0 && touch)
		kn->kn_fop->f_touch(kn, &kev, EVENT_PROCESS);
	else
		kev = kn->kn_kevent;
	KQ_LOCK(kq);
	if (happened != 0)
		given(kq, kn, touch);
	else
		unqueued(kq, kn, KN_ACTIVE);
	kn->kn_status &= ~KN_SCAN;
	kn->kn_influx--;
	lvk_knlist_unlock(knl);
	lvk_kq_flux_done(kq);
	return (happened != 0 ? give(s, &kev) : 0);
}

static int
one(struct scan *s, struct knote *kn)
{
	if ((kn->kn_status & KN_DISABLED) != 0) {
		unqueued(s->kq, kn, 0);
		return (0);
	}
	if ((kn->kn_flags & EV_DROP) != 0)
		return (drop(s, kn, false));
	if ((kn->kn_flags & EV_ONESHOT) != 0)
		return (drop(s, kn, true));
	return (look(s, kn));
}

/* Once through what is queued now.  With the lock. */
static int
pass(struct scan *s)
{
	struct kqueue *kq = s->kq;
	struct knote *kn;
	int error = 0;

	TAILQ_INSERT_TAIL(&kq->kq_head, &s->marker, kn_tqe);
	while (s->left > 0 && error == 0) {
		kn = TAILQ_FIRST(&kq->kq_head);
		if (kn == &s->marker)
			break;
		if (kn->kn_status == KN_MARKER || kn->kn_influx > 0) {
			lvk_kq_flux_wait(kq);
			continue;
		}
		TAILQ_REMOVE(&kq->kq_head, kn, kn_tqe);
		error = one(s, kn);
	}
	TAILQ_REMOVE(&kq->kq_head, &s->marker, kn_tqe);
	lvk_kq_flux_done(kq);
	return (error);
}

int
lvk_kq_scan(struct kqueue *kq, int nevents, struct kevent_copyops *ops,
    const struct timespec *tsp, struct thread *td)
{
	struct scan s = {
		.kq = kq, .td = td, .ops = ops, .left = nevents,
		.marker = { .kn_status = KN_MARKER }
	};
	sbintime_t deadline;
	int error;

	td->td_retval[0] = 0;
	error = scan_deadline(tsp, &deadline);
	if (error != 0 || nevents == 0)
		return (error);
	KQ_LOCK(kq);
	while (error == 0 && !s.found) {
		if (kq->kq_count > 0)
			error = pass(&s);
		else
			error = wait(kq, deadline);
	}
	KQ_UNLOCK(kq);
	if (error == EWOULDBLOCK)
		error = 0;
	else if (error == ERESTART)
		error = EINTR;
	if (s.nkev > 0 && error == 0)
		error = ops->k_copyout(ops->arg, s.kevs, s.nkev);
	td->td_retval[0] = nevents - s.left;
	return (error);
}
