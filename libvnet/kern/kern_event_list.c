/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: knlist(9): lists of notes, and knote().  FreeBSD's
 * kern/kern_event.c.
 * Fidelity: exact
 * Differs: a list that was not initialised, and one that is destroyed with
 * notes on it, panic by name of what to do.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/event.h>
#include <sys/selinfo.h>
#include <sys/eventvar.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/rwlock.h>

#include <lvk.h>
#include "kern_event.h"

/* The lock of lists that were given none. */
static struct mtx knlist_lock;
MTX_SYSINIT(lvk_knlist_lock, &knlist_lock, "knlist lock for lockless objects",
    MTX_DEF);

/* ---- locks */

static void
mtx_take(void *arg)
{
	mtx_lock((struct mtx *)arg);
}

static void
mtx_give(void *arg)
{
	mtx_unlock((struct mtx *)arg);
}

static void
mtx_check(void *arg, int what)
{
	if (what == LA_LOCKED)
		mtx_assert((struct mtx *)arg, MA_OWNED);
	else
		mtx_assert((struct mtx *)arg, MA_NOTOWNED);
}

static void
list_check(struct knlist *knl, int islocked)
{
	if (knl->kl_lock == NULL)
		panic("knlist %p was not initialised; call knlist_init(9)",
		    knl);
	knl->kl_assert_lock(knl->kl_lockarg, islocked != 0 ? LA_LOCKED :
	    LA_UNLOCKED);
}

static void
list_lock(struct knlist *knl, int islocked)
{
	list_check(knl, islocked);
	if (islocked == 0)
		knl->kl_lock(knl->kl_lockarg);
}

static void
list_unlock(struct knlist *knl, int islocked)
{
	if (islocked == 0)
		lvk_knlist_unlock(knl);
}

/* A list that was detached goes with its last note. */
void
lvk_knlist_unlock(struct knlist *knl)
{
	bool gone;

	if (knl == NULL)
		return;
	gone = knl->kl_autodestroy != 0 && KNLIST_EMPTY(knl);
	knl->kl_unlock(knl->kl_lockarg);
	if (gone) {
		knlist_destroy(knl);
		free(knl, M_KQUEUE);
	}
}

/* ---- lists */

void
knlist_init(struct knlist *knl, void *lock, void (*kl_lock)(void *),
    void (*kl_unlock)(void *), void (*kl_assert)(void *, int))
{
	knl->kl_lockarg = lock != NULL ? lock : &knlist_lock;
	knl->kl_lock = kl_lock != NULL ? kl_lock : mtx_take;
	knl->kl_unlock = kl_unlock != NULL ? kl_unlock : mtx_give;
	knl->kl_assert_lock = kl_assert != NULL ? kl_assert : mtx_check;
	knl->kl_autodestroy = 0;
	SLIST_INIT(&knl->kl_list);
}

void
knlist_init_mtx(struct knlist *knl, struct mtx *lock)
{
	knlist_init(knl, lock, NULL, NULL, NULL);
}

#if __FreeBSD_version < 1400000
static void
rw_take(void *arg)
{
	rw_rlock((struct rwlock *)arg);
}

static void
rw_give(void *arg)
{
	rw_runlock((struct rwlock *)arg);
}

static void
rw_check(void *arg, int what)
{
	if (what == LA_LOCKED)
		rw_assert((struct rwlock *)arg, RA_LOCKED);
	else
		rw_assert((struct rwlock *)arg, RA_UNLOCKED);
}

void
knlist_init_rw_reader(struct knlist *knl, struct rwlock *lock)
{
	knlist_init(knl, lock, rw_take, rw_give, rw_check);
}
#endif

struct knlist *
knlist_alloc(struct mtx *lock)
{
	struct knlist *knl;

	knl = malloc(sizeof(*knl), M_KQUEUE, M_WAITOK);
	knlist_init_mtx(knl, lock);
	return (knl);
}

void
knlist_destroy(struct knlist *knl)
{
	KASSERT(KNLIST_EMPTY(knl), ("destroying knlist %p with knotes on it; "
	    "call knlist_delete(9) or knlist_clear(9) first", knl));
}

/* Frees itself once the last note is gone. */
void
knlist_detach(struct knlist *knl)
{
	list_check(knl, 1);
	knl->kl_autodestroy = 1;
	if (!KNLIST_EMPTY(knl))
		return;
	knlist_destroy(knl);
	free(knl, M_KQUEUE);
}

int
knlist_empty(struct knlist *knl)
{
	list_check(knl, 1);
	return (KNLIST_EMPTY(knl));
}

void
knlist_add(struct knlist *knl, struct knote *kn, int islocked)
{
	KASSERT(kn->kn_influx > 0, ("knote %p not in flux", kn));
	KASSERT((kn->kn_status & KN_DETACHED) != 0,
	    ("knote %p was not detached", kn));
	list_lock(knl, islocked);
	SLIST_INSERT_HEAD(&knl->kl_list, kn, kn_selnext);
	list_unlock(knl, islocked);
	mtx_lock(&kn->kn_kq->kq_lock);
	kn->kn_knlist = knl;
	kn->kn_status &= ~KN_DETACHED;
	mtx_unlock(&kn->kn_kq->kq_lock);
}

/* With the lock of the list, and with the kqueue's or in flux. */
static void
take(struct knlist *knl, struct knote *kn)
{
	KASSERT((kn->kn_status & KN_DETACHED) == 0,
	    ("knote %p was already detached", kn));
	SLIST_REMOVE(&knl->kl_list, kn, knote, kn_selnext);
	kn->kn_knlist = NULL;
}

void
knlist_remove(struct knlist *knl, struct knote *kn, int islocked)
{
	KASSERT(kn->kn_influx > 0, ("knote %p not in flux", kn));
	list_lock(knl, islocked);
	take(knl, kn);
	list_unlock(knl, islocked);
	mtx_lock(&kn->kn_kq->kq_lock);
	kn->kn_status |= KN_DETACHED;
	mtx_unlock(&kn->kn_kq->kq_lock);
}

/* All that nobody is at now; the others are waited for, and true returned. */
static bool
clear(struct knlist *knl, struct thread *td, bool kill)
{
	struct knote *kn, *next;
	struct kqueue *kq;

	SLIST_FOREACH_SAFE(kn, &knl->kl_list, kn_selnext, next) {
		kq = kn->kn_kq;
		mtx_lock(&kq->kq_lock);
		if (kn->kn_influx > 0) {
			mtx_unlock(&kq->kq_lock);
			continue;
		}
		take(knl, kn);
		kn->kn_status |= KN_DETACHED;
		if (kill) {
			kn->kn_influx++;
			mtx_unlock(&kq->kq_lock);
			lvk_knote_free(kn, td);
		} else {
			kn->kn_flags |= EV_EOF | EV_ONESHOT;
			mtx_unlock(&kq->kq_lock);
		}
	}
	kn = SLIST_FIRST(&knl->kl_list);
	if (kn == NULL)
		return (false);
	kq = kn->kn_kq;
	mtx_lock(&kq->kq_lock);
	knl->kl_unlock(knl->kl_lockarg);
	kq->kq_state |= KQ_FLUXWAIT;
	msleep(kq, &kq->kq_lock, PSOCK | PDROP, "kqkclr", 0);
	knl->kl_lock(knl->kl_lockarg);
	return (true);
}

void
knlist_cleardel(struct knlist *knl, struct thread *td, int islocked,
    int killkn)
{
	KASSERT(knl->kl_autodestroy == 0, ("cleardel for autodestroy %p",
	    knl));
	list_lock(knl, islocked);
	while (clear(knl, td, killkn != 0))
		;
	list_unlock(knl, islocked);
}

/* ---- something has happened */

/* A note that a scan looks at is told all the same: the scan waits for us. */
static void
tell(struct knote *kn, long hint, bool nokqlock)
{
	struct kqueue *kq = kn->kn_kq;
	int happened;

	mtx_lock(&kq->kq_lock);
	if (kn->kn_influx > 0 && (kn->kn_status & KN_SCAN) == 0) {
		mtx_unlock(&kq->kq_lock);
		return;
	}
	if (nokqlock) {
		kn->kn_influx++;
		mtx_unlock(&kq->kq_lock);
	}
	happened = kn->kn_fop->f_event(kn, hint);
	if (nokqlock) {
		mtx_lock(&kq->kq_lock);
		kn->kn_influx--;
	}
	if (happened != 0)
		lvk_knote_activate(kn);
	if (nokqlock)
		lvk_kq_flux_done(kq);
	mtx_unlock(&kq->kq_lock);
}

void
knote(struct knlist *knl, long hint, int flags)
{
	struct knote *kn, *next;

	if (knl == NULL)
		return;
	list_lock(knl, flags & KNF_LISTLOCKED);
	SLIST_FOREACH_SAFE(kn, &knl->kl_list, kn_selnext, next)
		tell(kn, hint, (flags & KNF_NOKQLOCK) != 0);
	list_unlock(knl, flags & KNF_LISTLOCKED);
}
