/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: kqueue(9): notes, and how a kevent(2) makes and changes them.
 * FreeBSD's kern/kern_event.c.
 * Fidelity: exact
 * Differs: --
 *
 * A note that one thread is at, without the kqueue's lock, is in flux: others
 * wait for it (kn_influx).  One that is only looked at is so with KN_SCAN, and
 * what happens to its thing meanwhile is noted all the same.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/file.h>
#include <sys/filedesc.h>
#include <sys/kernel.h>
#include <sys/limits.h>
#include <sys/proc.h>

#include <lvk.h>
#include "kern_descrip.h"
#include "kern_event.h"

#define KN_HASH(ident, mask) \
	((u_long)((ident) ^ ((ident) >> 8)) & (mask))

/* ---- the queue of what has happened */

static void
enqueue(struct knote *kn)
{
	struct kqueue *kq = kn->kn_kq;

	KASSERT((kn->kn_status & KN_QUEUED) == 0, ("knote already queued"));
	TAILQ_INSERT_TAIL(&kq->kq_head, kn, kn_tqe);
	kn->kn_status |= KN_QUEUED;
	kq->kq_count++;
	lvk_kq_wakeup(kq);
}

static void
enqueue_if_due(struct knote *kn)
{
	if ((kn->kn_status & (KN_ACTIVE | KN_DISABLED | KN_QUEUED)) ==
	    KN_ACTIVE)
		enqueue(kn);
}

void
lvk_knote_activate(struct knote *kn)
{
	KQ_OWNED(kn->kn_kq);
	kn->kn_status |= KN_ACTIVE;
	enqueue_if_due(kn);
}

/* ---- going */

static struct klist *
klist_of(struct kqueue *kq, const struct knote *kn)
{
	if (kn->kn_fop->f_isfd)
		return (&kq->kq_knlist[kn->kn_id]);
	return (&kq->kq_knhash[KN_HASH(kn->kn_id, kq->kq_knhashmask)]);
}

void
lvk_knote_free(struct knote *kn, struct thread *td)
{
	struct kqueue *kq = kn->kn_kq;

	KASSERT((kn->kn_status & KN_DETACHED) != 0,
	    ("knote %p still attached", kn));
	KQ_LOCK(kq);
	KASSERT(kn->kn_influx == 1, ("knote %p is in use by %d", kn,
	    kn->kn_influx));
	SLIST_REMOVE(klist_of(kq, kn), kn, knote, kn_link);
	if ((kn->kn_status & KN_QUEUED) != 0) {
		TAILQ_REMOVE(&kq->kq_head, kn, kn_tqe);
		kq->kq_count--;
	}
	lvk_kq_flux_done(kq);
	KQ_UNLOCK(kq);
	if (kn->kn_fop->f_isfd)
		fdrop(kn->kn_fp, td);
	free(kn, M_KQUEUE);
}

void
lvk_knote_drop(struct knote *kn, struct thread *td)
{
	if ((kn->kn_status & KN_DETACHED) == 0)
		kn->kn_fop->f_detach(kn);
	lvk_knote_free(kn, td);
}

void
lvk_knotes_drop(struct kqueue *kq, struct klist *list, struct thread *td)
{
	struct knote *kn;

	KQ_OWNED(kq);
	while ((kn = SLIST_FIRST(list)) != NULL) {
		if (kn->kn_influx > 0) {
			lvk_kq_flux_wait(kq);
			continue;
		}
		kn->kn_influx++;
		KQ_UNLOCK(kq);
		lvk_knote_drop(kn, td);
		KQ_LOCK(kq);
	}
}

struct knlist *
lvk_knote_list_lock(struct knote *kn)
{
	struct knlist *knl = kn->kn_knlist;

	if (knl != NULL)
		knl->kl_lock(knl->kl_lockarg);
	return (knl);
}

/* ---- places for notes */

static int
grow_knlist(struct kqueue *kq, int fd, int mflag)
{
	int size = (fd / KQEXTENT + 1) * KQEXTENT;
	struct klist *list, *old;

	list = mallocarray((size_t)size, sizeof(*list), M_KQUEUE,
	    mflag | M_ZERO);
	if (list == NULL)
		return (ENOMEM);
	KQ_LOCK(kq);
	old = list;
	if (fd >= kq->kq_knlistsize) {
		if (kq->kq_knlist != NULL)
			memcpy(list, kq->kq_knlist,
			    (size_t)kq->kq_knlistsize * sizeof(*list));
		old = kq->kq_knlist;
		kq->kq_knlist = list;
		kq->kq_knlistsize = size;
	}
	KQ_UNLOCK(kq);
	free(old, M_KQUEUE);
	return (0);
}

static int
make_hash(struct kqueue *kq, int mflag)
{
	struct klist *hash;
	u_long mask;

	hash = hashinit_flags(KN_HASHSIZE, M_KQUEUE, &mask,
	    (mflag & M_WAITOK) != 0 ? HASH_WAITOK : HASH_NOWAIT);
	if (hash == NULL)
		return (ENOMEM);
	KQ_LOCK(kq);
	if (kq->kq_knhash == NULL) {
		kq->kq_knhash = hash;
		kq->kq_knhashmask = mask;
		hash = NULL;
	}
	KQ_UNLOCK(kq);
	if (hash != NULL)
		hashdestroy(hash, M_KQUEUE, mask);
	return (0);
}

static int
make_room(struct kqueue *kq, const LVK_FILTEROPS *fops, uintptr_t ident,
    int mflag)
{
	if (fops->f_isfd)
		return ((int)ident < kq->kq_knlistsize ? 0 :
		    grow_knlist(kq, (int)ident, mflag));
	return (kq->kq_knhash != NULL ? 0 : make_hash(kq, mflag));
}

/* With the lock: the note of this event, which nobody else is at, or NULL. */
static struct knote *
find(struct kqueue *kq, const LVK_FILTEROPS *fops, const struct kevent *kev)
{
	struct klist *list = NULL;
	struct knote *kn = NULL;

	for (;;) {
		if (!fops->f_isfd && kq->kq_knhash != NULL)
			list = &kq->kq_knhash[KN_HASH(kev->ident,
			    kq->kq_knhashmask)];
		else if (fops->f_isfd && kev->ident <
		    (uintptr_t)kq->kq_knlistsize)
			list = &kq->kq_knlist[kev->ident];
		if (list == NULL)
			return (NULL);
		SLIST_FOREACH(kn, list, kn_link)
			if (kn->kn_id == kev->ident &&
			    kn->kn_filter == kev->filter)
				break;
		if (kn == NULL || kn->kn_influx == 0)
			return (kn);
		lvk_kq_flux_wait(kq);
	}
}

/* ---- registering */

/* With the lock; in flux until it is evaluated. */
static void
note_set(struct knote *kn, struct kqueue *kq, LVK_FILTEROPS *fops,
    struct file *fp, const struct kevent *kev)
{
	kn->kn_fp = fp;
	kn->kn_kq = kq;
	kn->kn_fop = fops;
	kn->kn_sfflags = (int)kev->fflags;
	kn->kn_sdata = kev->data;
	kn->kn_kevent = *kev;
	kn->kn_fflags = 0;
	kn->kn_data = 0;
	kn->kn_flags &= (u_short)~(EV_ADD | EV_DELETE | EV_ENABLE |
	    EV_DISABLE | EV_FORCEONESHOT);
	kn->kn_status = KN_DETACHED;
	if ((kev->flags & EV_DISABLE) != 0)
		kn->kn_status |= KN_DISABLED;
	kn->kn_influx = 1;
	SLIST_INSERT_HEAD(klist_of(kq, kn), kn, kn_link);
}

/* In flux and without the lock: ask the filter, and let go of the note. */
static void
evaluate(struct kqueue *kq, struct knote *kn, struct knlist *knl)
{
	int event = 0;

	if ((kn->kn_status & KN_DISABLED) == 0)
		event = kn->kn_fop->f_event(kn, 0);
	KQ_LOCK(kq);
	if (event != 0)
		kn->kn_status |= KN_ACTIVE;
	enqueue_if_due(kn);
	kn->kn_status &= ~KN_SCAN;
	kn->kn_influx--;
	lvk_knlist_unlock(knl);
	lvk_kq_flux_done(kq);
	KQ_UNLOCK(kq);
}

/* With the lock, returns without. */
static void
modify(struct kqueue *kq, struct knote *kn, struct kevent *kev)
{
	struct knlist *knl;

	if ((kev->flags & EV_FORCEONESHOT) != 0) {
		kn->kn_flags |= EV_ONESHOT;
		lvk_knote_activate(kn);
	}
	if ((kev->flags & EV_ENABLE) != 0)
		kn->kn_status &= ~KN_DISABLED;
	else if ((kev->flags & EV_DISABLE) != 0)
		kn->kn_status |= KN_DISABLED;
	kn->kn_status |= KN_SCAN;
	kn->kn_influx++;
	KQ_UNLOCK(kq);
	knl = lvk_knote_list_lock(kn);
#ifdef EV_KEEPUDATA
	if ((kev->flags & EV_KEEPUDATA) == 0)
#endif
		kn->kn_kevent.udata = kev->udata;
	if (!kn->kn_fop->f_isfd && kn->kn_fop->f_touch != NULL)
		kn->kn_fop->f_touch(kn, kev, EVENT_REGISTER);
	else {
		kn->kn_sfflags = (int)kev->fflags;
		kn->kn_sdata = kev->data;
	}
	evaluate(kq, kn, knl);
}

/* With the lock, returns without.  Takes over the note and the file. */
static int
add(struct kqueue *kq, struct knote *kn, struct thread *td)
{
	int error;

	KQ_UNLOCK(kq);
	error = kn->kn_fop->f_attach(kn);
	if (error != 0) {
		lvk_knote_free(kn, td);
		return (error);
	}
	evaluate(kq, kn, lvk_knote_list_lock(kn));
	return (0);
}

static int
register_file(struct kqueue *kq, const struct kevent *kev, struct thread *td,
    struct file **fpp)
{
	int error;

	if (kev->ident > INT_MAX)
		return (EBADF);
	error = lvk_fget(td, (int)kev->ident, fpp);
	if (error == 0 && (*fpp)->f_type == DTYPE_KQUEUE &&
	    (*fpp)->f_data == kq)
		error = EINVAL;			/* waits for itself */
	return (error);
}

int
lvk_kq_register(struct kqueue *kq, struct kevent *kev, struct thread *td,
    int mflag)
{
	LVK_FILTEROPS *fops = lvk_filter_find(kev->filter);
	struct knote *kn, *new = NULL;
	struct file *fp = NULL;
	int error = 0;

	if (fops == NULL)
		return (EINVAL);
	if (fops->f_isfd)
		error = register_file(kq, kev, td, &fp);
	if (error == 0 && (kev->flags & EV_ADD) != 0) {
		new = malloc(sizeof(*new), M_KQUEUE, mflag | M_ZERO);
		error = new == NULL ? ENOMEM :
		    make_room(kq, fops, kev->ident, mflag);
	}
	if (error != 0)
		goto out;
	KQ_LOCK(kq);
	kn = find(kq, fops, kev);
	if (kn == NULL && new != NULL) {
		note_set(new, kq, fops, fp, kev);
		return (add(kq, new, td));
	}
	if (kn == NULL) {
		KQ_UNLOCK(kq);
		error = ENOENT;
	} else if ((kev->flags & EV_DELETE) != 0) {
		kn->kn_influx++;
		KQ_UNLOCK(kq);
		lvk_knote_drop(kn, td);
	} else
		modify(kq, kn, kev);
out:
	if (fp != NULL)
		fdrop(fp, td);
	free(new, M_KQUEUE);
	return (error);
}
