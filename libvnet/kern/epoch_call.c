/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: epoch(9): epoch_call(), epoch_drain_callbacks().
 * Fidelity: modelled
 * Differs: callbacks never run inside epoch_call() but when the machine is
 * let run, each in an interrupt context with no vnet set, in the order of
 * their calls: when nothing else has to be done at that time, or as
 * epoch_when.c is told.  They may take what may sleep, and panic where they
 * would have to wait.  A context that is queued while it is queued panics.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/epoch.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/queue.h>

#include <lvk.h>
#include "epoch_int.h"
#include "lvk_explore.h"

static volatile u_int running;	/* a thread runs callbacks */

/*
 * With the epoch locked.  One batch of callbacks waits behind the mark; when
 * it is gone, those that came meanwhile are the next.
 */
static void
batch_next(struct epoch *e)
{
	if (!STAILQ_EMPTY(&e->e_waiting) || STAILQ_EMPTY(&e->e_new))
		return;
	STAILQ_CONCAT(&e->e_waiting, &e->e_new);
	e->e_marked = e->e_called;
	epoch_mark_set(e, &e->e_mark);
	epoch_plan(e);
}

void
epoch_call(epoch_t e, epoch_callback_t callback, epoch_context_t ctx)
{
	struct deferred *d = (struct deferred *)ctx;

	KASSERT(callback != NULL, ("epoch_call: no callback"));
	if (__predict_false(e == NULL)) {
		(*callback)(ctx);	/* before SI_SUB_EPOCH */
		return;
	}
	LVK_EVENT(VNH_EV_EPOCH_CALLING, ctx);
	d->d_callback = callback;
	lvk_spin_lock(&e->e_lock);
	STAILQ_INSERT_TAIL(&e->e_new, d, d_link);
	e->e_called++;
	batch_next(e);
	lvk_spin_unlock(&e->e_lock);
}

/* A context that is queued twice ties the list in a knot, or cuts it. */
static void
list_check(const struct epoch *e, const struct deferred_list *list,
    u_long expected)
{
#ifdef INVARIANTS
	struct deferred *d;
	u_long n = 0;

	STAILQ_FOREACH(d, list, d_link)
		if (n++ == expected)
			break;
	if (n != expected)
		panic("epoch \"%s\": a context was given to epoch_call() again "
		    "before its callback ran", e->e_name);
#endif
}

/* With the epoch locked; `now' SBT_MAX: whatever was planned. */
static bool
batch_ready(const struct epoch *e, sbintime_t now)
{
	return (!STAILQ_EMPTY(&e->e_waiting) && e->e_due <= now &&
	    epoch_period_passed(e, &e->e_mark));
}

/* Moves on to `ready' the callbacks whose period has passed. */
static void
callbacks_take(struct epoch *e, struct deferred_list *ready, sbintime_t now)
{
	struct deferred_list mine = STAILQ_HEAD_INITIALIZER(mine);
	u_long before;

	lvk_spin_lock(&e->e_lock);
	before = e->e_taken;
	while (batch_ready(e, now)) {
		TAILQ_REMOVE(&e->e_sections, &e->e_mark, et_link);
		e->e_taken = e->e_marked;
		STAILQ_CONCAT(&mine, &e->e_waiting);
		e->e_eager = false;
		batch_next(e);
	}
	list_check(e, &mine, e->e_taken - before);
	if (e->e_taken != before)
		LVK_EVENT(VNH_EV_EPOCH_WAITED, e);
	lvk_spin_unlock(&e->e_lock);
	STAILQ_CONCAT(ready, &mine);
}

/* Each in a context of its own, so that nothing of the last one is left. */
static u_long
callbacks_call(struct deferred_list *ready)
{
	struct deferred *d;
	struct thread *td;
	u_long n = 0;

	while ((d = STAILQ_FIRST(ready)) != NULL) {
		STAILQ_REMOVE_HEAD(ready, d_link);
		td = lvk_intr_enter();
		curthread->td_pflags &= ~TDP_ITHREAD;
		LVK_EVENT(VNH_EV_EPOCH_CALLBACK, d);
		(*d->d_callback)((epoch_context_t)d);
		lvk_intr_exit(td);
		n++;
	}
	return (n);
}

/* Of one epoch, or of all.  False: another thread is at it. */
static bool
callbacks_run(struct epoch *only, sbintime_t now, u_long *n)
{
	struct deferred_list ready = STAILQ_HEAD_INITIALIZER(ready);
	struct epoch *e;

	if (atomic_cmpset_acq_int(&running, 0, 1) == 0)
		return (false);
	lvk_spin_lock(&epochs_lock);
	TAILQ_FOREACH(e, &epochs, e_link)
		if (only == NULL || e == only)
			callbacks_take(e, &ready, now);
	lvk_spin_unlock(&epochs_lock);
	*n = callbacks_call(&ready);
	atomic_store_rel_int(&running, 0);
	return (true);
}

u_long
lvk_epoch_run(void)
{
	u_long n;

	return (callbacks_run(NULL, lvk_clock(), &n) ? n : 0);
}

/* Those that are to run before anything else, and what else is ready. */
u_long
lvk_epoch_run_wanted(void)
{
	if (atomic_readandclear_int(&lvk_epoch_wanted) == 0)
		return (0);
	return (lvk_epoch_run());
}

/* Until there are none, whatever was planned. */
void
lvk_epoch_flush(void)
{
	u_long n;

	while (callbacks_run(NULL, SBT_MAX, &n) && n > 0)
		;
}

/* A callback could run now. */
static bool
callbacks_ready(struct epoch *e)
{
	bool ready;

	lvk_spin_lock(&e->e_lock);
	ready = batch_ready(e, lvk_clock());
	lvk_spin_unlock(&e->e_lock);
	return (ready);
}

bool
lvk_epoch_pending(void)
{
	struct epoch *e;

	lvk_spin_lock(&epochs_lock);
	TAILQ_FOREACH(e, &epochs, e_link)
		if (callbacks_ready(e))
			break;
	lvk_spin_unlock(&epochs_lock);
	return (e != NULL);
}

/* Those queued before the call; what they queue themselves may remain. */
void
epoch_drain_callbacks(epoch_t e)
{
	struct lvk_turns turns = { 0 };
	u_long last, n, taken;

	if (__predict_false(e == NULL))
		return;
#ifdef INVARIANTS
	lvk_sleep_check("epoch_drain_callbacks");
#endif
	lvk_spin_lock(&e->e_lock);
	last = e->e_called;
	lvk_spin_unlock(&e->e_lock);
	for (;;) {
		n = 0;
		if (callbacks_run(e, SBT_MAX, &n)) {
			lvk_spin_lock(&e->e_lock);
			taken = e->e_taken;
			lvk_spin_unlock(&e->e_lock);
			if (taken >= last)
				return;
		}
		if (n == 0)
			epoch_yield(e, &turns, "epoch_drain_callbacks");
	}
}
