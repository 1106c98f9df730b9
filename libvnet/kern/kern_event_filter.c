/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: the filters of kqueue(9): files, timers, EVFILT_USER, and those
 * that modules add.  FreeBSD's kern/kern_event.c.
 * Fidelity: exact
 * Differs: there are no filters for processes, signals and file systems.
 * Nothing limits the number of timers.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/callout.h>
#include <sys/file.h>
#include <sys/kernel.h>
#include <sys/proc.h>
#include <sys/time.h>

#include <lvk.h>
#include "kern_event.h"

/* ---- files: what happens to one, it knows itself */

static int
file_attach(struct knote *kn)
{
	return (fo_kqfilter(kn->kn_fp, kn));
}

static LVK_FILTEROPS file_filtops = {
	.f_isfd = 1,
	.f_attach = file_attach
};

/* ---- a kqueue in a kqueue */

static void
kq_detach(struct knote *kn)
{
	struct kqueue *kq = kn->kn_fp->f_data;

	knlist_remove(&kq->kq_sel.si_note, kn, 0);
}

static int
kq_event(struct knote *kn, long hint __unused)
{
	struct kqueue *kq = kn->kn_fp->f_data;

	kn->kn_data = kq->kq_count;
	return (kn->kn_data > 0);
}

LVK_FILTEROPS lvk_kqread_filtops = {
	.f_isfd = 1,
	.f_detach = kq_detach,
	.f_event = kq_event
};

/* ---- timers */

struct timer {
	struct callout t_callout;
	sbintime_t t_next;
	sbintime_t t_period;		/* 0: fires once */
};
#define TIMER(kn) ((struct timer *)(kn)->kn_ptr.p_v)
#define NOTE_UNITS \
	(NOTE_SECONDS | NOTE_MSECONDS | NOTE_USECONDS | NOTE_NSECONDS)

static sbintime_t
timer_time(int64_t data, int flags)
{
	switch (flags & NOTE_UNITS) {
	case NOTE_SECONDS:
		return (data > SBT_MAX / SBT_1S ? SBT_MAX : data * SBT_1S);
	case NOTE_USECONDS:
		return (data / 1000000 > SBT_MAX / SBT_1S ? SBT_MAX :
		    ustosbt(data));
	case NOTE_NSECONDS:
		return (nstosbt(data));
	case 0:
	case NOTE_MSECONDS:
		return (data / 1000 > SBT_MAX / SBT_1S ? SBT_MAX :
		    mstosbt(data));
	default:
		return (-1);
	}
}

/* Uptime 0, as the wall clock has it. */
static sbintime_t
boot_time(void)
{
	struct timespec wall;

	nanotime(&wall);
	return ((sbintime_t)wall.tv_sec * SBT_1S + nstosbt(wall.tv_nsec) -
	    lvk_clock());
}

static int
timer_check(struct knote *kn, sbintime_t *to)
{
	if (kn->kn_sdata < 0 ||
	    (kn->kn_sfflags & ~(NOTE_UNITS | NOTE_ABSTIME)) != 0)
		return (EINVAL);
	if (kn->kn_sdata == 0 && (kn->kn_flags & EV_ONESHOT) == 0)
		kn->kn_sdata = 1;
	*to = timer_time(kn->kn_sdata, kn->kn_sfflags);
	if (*to < 0)
		return (EINVAL);
	if ((kn->kn_sfflags & NOTE_ABSTIME) != 0)
		*to -= boot_time();
#if __FreeBSD_version >= 1400000
	*to = MAX(*to, 0);
#endif
	return (*to < 0 ? EINVAL : 0);
}

static void
timer_expire(void *arg)
{
	struct knote *kn = arg;
	struct timer *t = TIMER(kn);

	KQ_LOCK(kn->kn_kq);
	kn->kn_data++;
	lvk_knote_activate(kn);
	KQ_UNLOCK(kn->kn_kq);
	if ((kn->kn_flags & EV_ONESHOT) != 0 || t->t_period == 0)
		return;
	t->t_next += t->t_period;
	callout_reset_sbt_on(&t->t_callout, t->t_next, 0, timer_expire, kn,
	    (int)curcpu, C_ABSOLUTE);
}

static void
timer_start(struct knote *kn, sbintime_t to)
{
	struct timer *t = TIMER(kn);

	if ((kn->kn_sfflags & NOTE_ABSTIME) != 0) {
		t->t_next = to;
		t->t_period = 0;
	} else {
		t->t_next = to < SBT_MAX - lvk_clock() ? lvk_clock() + to :
		    SBT_MAX - 1;
		t->t_period = to;
	}
	callout_reset_sbt_on(&t->t_callout, t->t_next, 0, timer_expire, kn,
	    (int)curcpu, C_ABSOLUTE);
}

static int
timer_attach(struct knote *kn)
{
	struct timer *t;
	sbintime_t to;
	int error;

	error = timer_check(kn, &to);
	if (error != 0)
		return (error);
	if ((kn->kn_sfflags & NOTE_ABSTIME) == 0)
		kn->kn_flags |= EV_CLEAR;
	kn->kn_status &= ~KN_DETACHED;
	t = malloc(sizeof(*t), M_KQUEUE, M_WAITOK | M_ZERO);
	callout_init(&t->t_callout, 1);
	kn->kn_ptr.p_v = t;
	timer_start(kn, to);
	return (0);
}

static void
timer_detach(struct knote *kn)
{
	callout_drain(&TIMER(kn)->t_callout);
	free(TIMER(kn), M_KQUEUE);
	kn->kn_ptr.p_v = NULL;
	kn->kn_status |= KN_DETACHED;
}

static int
timer_event(struct knote *kn, long hint __unused)
{
	return (kn->kn_data != 0);
}

/* A timer that is added again starts anew, and what it counted is lost. */
static void
timer_restart(struct knote *kn, struct kevent *kev)
{
	struct kqueue *kq = kn->kn_kq;
	sbintime_t to;
	int error;

	if ((kev->flags & EV_ADD) == 0)
		return;
	callout_drain(&TIMER(kn)->t_callout);
	KQ_LOCK(kq);
	if ((kn->kn_status & KN_QUEUED) != 0) {
		TAILQ_REMOVE(&kq->kq_head, kn, kn_tqe);
		kn->kn_status &= ~KN_QUEUED;
		kq->kq_count--;
	}
	kn->kn_status &= ~KN_ACTIVE;
	kn->kn_data = 0;
	KQ_UNLOCK(kq);
	kn->kn_sfflags = (int)kev->fflags;
	kn->kn_sdata = kev->data;
	error = timer_check(kn, &to);
	if (error == 0)
		timer_start(kn, to);
	else {
		kn->kn_flags |= EV_ERROR;
		kn->kn_data = error;
	}
}

static void
timer_touch(struct knote *kn, struct kevent *kev, u_long type)
{
	if (type == EVENT_REGISTER) {
		timer_restart(kn, kev);
		return;
	}
	*kev = kn->kn_kevent;
	if ((kn->kn_flags & EV_CLEAR) != 0) {
		kn->kn_data = 0;
		kn->kn_fflags = 0;
	}
}

static LVK_FILTEROPS timer_filtops = {
	.f_attach = timer_attach,
	.f_detach = timer_detach,
	.f_event = timer_event,
	.f_touch = timer_touch
};

/* ---- EVFILT_USER: kevent(2) itself makes it happen; kn_hookid: it did */

static int
user_attach(struct knote *kn)
{
	kn->kn_hook = NULL;
	kn->kn_hookid = (kn->kn_fflags & NOTE_TRIGGER) != 0;
	return (0);
}

static void
user_detach(struct knote *kn __unused)
{
}

static int
user_event(struct knote *kn, long hint __unused)
{
	return (kn->kn_hookid);
}

static void
user_register(struct knote *kn, struct kevent *kev)
{
	u_int how = kev->fflags & NOTE_FFCTRLMASK;

	if ((kev->fflags & NOTE_TRIGGER) != 0)
		kn->kn_hookid = 1;
	kev->fflags &= NOTE_FFLAGSMASK;
	if (how == NOTE_FFAND)
		kn->kn_sfflags &= (int)kev->fflags;
	else if (how == NOTE_FFOR)
		kn->kn_sfflags |= (int)kev->fflags;
	else if (how == NOTE_FFCOPY)
		kn->kn_sfflags = (int)kev->fflags;
	kn->kn_sdata = kev->data;
}

static void
user_touch(struct knote *kn, struct kevent *kev, u_long type)
{
	if (type == EVENT_REGISTER) {
		user_register(kn, kev);
		if ((kev->flags & EV_CLEAR) == 0)
			return;
	} else {
		*kev = kn->kn_kevent;
		kev->fflags = (u_int)kn->kn_sfflags;
		kev->data = kn->kn_sdata;
		if ((kn->kn_flags & EV_CLEAR) == 0)
			return;
	}
	kn->kn_hookid = 0;
	kn->kn_data = 0;
	kn->kn_fflags = 0;
}

static LVK_FILTEROPS user_filtops = {
	.f_attach = user_attach,
	.f_detach = user_detach,
	.f_event = user_event,
	.f_touch = user_touch
};

/* ---- by number */

static struct mtx filter_lock;
MTX_SYSINIT(lvk_filter_lock, &filter_lock, "filter list", MTX_DEF);

static LVK_FILTEROPS *filters[EVFILT_SYSCOUNT] = {
	[~EVFILT_READ] = &file_filtops,
	[~EVFILT_WRITE] = &file_filtops,
	[~EVFILT_VNODE] = &file_filtops,
	[~EVFILT_PROCDESC] = &file_filtops,
	[~EVFILT_EMPTY] = &file_filtops,
	[~EVFILT_TIMER] = &timer_filtops,
	[~EVFILT_USER] = &user_filtops
};

LVK_FILTEROPS *
lvk_filter_find(int filter)
{
	LVK_FILTEROPS *fops;

	if (filter >= 0 || ~filter >= EVFILT_SYSCOUNT)
		return (NULL);
	mtx_lock(&filter_lock);
	fops = filters[~filter];
	mtx_unlock(&filter_lock);
	return (fops);
}

int
kqueue_add_filteropts(int filt, LVK_FILTEROPS *fops)
{
	int error = 0;

	if (filt >= 0 || ~filt >= EVFILT_SYSCOUNT)
		return (EINVAL);
	mtx_lock(&filter_lock);
	if (filters[~filt] != NULL)
		error = EEXIST;
	else
		filters[~filt] = fops;
	mtx_unlock(&filter_lock);
	return (error);
}

int
kqueue_del_filteropts(int filt)
{
	int error = 0;

	if (filt >= 0 || ~filt >= EVFILT_SYSCOUNT)
		return (EINVAL);
	mtx_lock(&filter_lock);
	if (filters[~filt] == NULL || filters[~filt] == &file_filtops ||
	    filters[~filt] == &timer_filtops || filters[~filt] == &user_filtops)
		error = EINVAL;
	else
		filters[~filt] = NULL;
	mtx_unlock(&filter_lock);
	return (error);
}
