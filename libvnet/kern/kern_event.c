/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: kqueue(2) and kevent(2): the queue as a file.  FreeBSD's
 * kern/kern_event.c.
 * Fidelity: exact
 * Differs: a kqueue in a kqueue is told at once, not by a task, so that two
 * cannot be in each other.  Nothing counts the kqueues of a user.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/fcntl.h>
#include <sys/file.h>
#include <sys/filedesc.h>
#include <sys/filio.h>
#include <sys/kernel.h>
#include <sys/poll.h>
#include <sys/proc.h>
#include <sys/sigio.h>
#include <sys/signalvar.h>
#include <sys/stat.h>
#include <sys/sx.h>
#include <sys/syscallsubr.h>
#include <sys/ucred.h>

#include "kern_descrip.h"
#include "kern_event.h"

MALLOC_DEFINE(M_KQUEUE, "kqueue", "memory for kqueue system");

static LVK_FILEOPS kqueueops;

/* ---- waiting for each other */

void
lvk_kq_wakeup(struct kqueue *kq)
{
	KQ_OWNED(kq);
	if ((kq->kq_state & KQ_SLEEP) != 0) {
		kq->kq_state &= ~KQ_SLEEP;
		wakeup(kq);
	}
	if ((kq->kq_state & KQ_SEL) != 0) {
		selwakeuppri(&kq->kq_sel, PSOCK);
		if (!SEL_WAITING(&kq->kq_sel))
			kq->kq_state &= ~KQ_SEL;
	}
	if (!knlist_empty(&kq->kq_sel.si_note))
		KNOTE_LOCKED(&kq->kq_sel.si_note, 0);
	if ((kq->kq_state & KQ_ASYNC) != 0)
		pgsigio(&kq->kq_sigio, SIGIO, 0);
}

void
lvk_kq_flux_wait(struct kqueue *kq)
{
	kq->kq_state |= KQ_FLUXWAIT;
	msleep(kq, &kq->kq_lock, PSOCK, "kqflxwt", 0);
}

void
lvk_kq_flux_done(struct kqueue *kq)
{
	KQ_OWNED(kq);
	if ((kq->kq_state & KQ_FLUXWAIT) == 0)
		return;
	kq->kq_state &= ~KQ_FLUXWAIT;
	wakeup(kq);
}

/* ---- its life */

static struct kqueue *
kq_new(struct thread *td)
{
	struct kqueue *kq;

	kq = malloc(sizeof(*kq), M_KQUEUE, M_WAITOK | M_ZERO);
	mtx_init(&kq->kq_lock, "kqueue", NULL, MTX_DEF | MTX_DUPOK);
	TAILQ_INIT(&kq->kq_head);
	knlist_init_mtx(&kq->kq_sel.si_note, &kq->kq_lock);
	kq->kq_refcnt = 1;
	kq->kq_fdp = lvk_fdp(td);
	kq->kq_cred = crhold(td->td_ucred);
	return (kq);
}

int
kern_kqueue(struct thread *td, int flags, struct filecaps *fcaps)
{
	struct filedesc *fdp = lvk_fdp(td);
	struct kqueue *kq;
	struct file *fp;
	int error, fd;

	error = falloc_caps(td, &fp, &fd, flags, fcaps);
	if (error != 0)
		return (error);
	kq = kq_new(td);
	FILEDESC_XLOCK(fdp);
	TAILQ_INSERT_HEAD(&fdp->fd_kqlist, kq, kq_list);
	FILEDESC_XUNLOCK(fdp);
	finit(fp, FREAD | FWRITE, DTYPE_KQUEUE, kq, &kqueueops);
	fdrop(fp, td);
	td->td_retval[0] = fd;
	return (0);
}

static int
kqueue_close(struct file *fp, struct thread *td)
{
	struct kqueue *kq = fp->f_data;

	/* knote_fdclose() comes with that lock held. */
	FILEDESC_XLOCK(kq->kq_fdp);
	TAILQ_REMOVE(&kq->kq_fdp->fd_kqlist, kq, kq_list);
	FILEDESC_XUNLOCK(kq->kq_fdp);
	KQ_LOCK(kq);
	kq->kq_state |= KQ_CLOSING;
	for (int i = 0; i < kq->kq_knlistsize; i++)
		lvk_knotes_drop(kq, &kq->kq_knlist[i], td);
	for (u_long i = 0; kq->kq_knhashmask != 0 && i <= kq->kq_knhashmask;
	    i++)
		lvk_knotes_drop(kq, &kq->kq_knhash[i], td);
	KQ_UNLOCK(kq);
	seldrain(&kq->kq_sel);
	knlist_delete(&kq->kq_sel.si_note, td, 0);
	knlist_destroy(&kq->kq_sel.si_note);
	funsetown(&kq->kq_sigio);
	if (kq->kq_knhash != NULL)
		hashdestroy(kq->kq_knhash, M_KQUEUE, kq->kq_knhashmask);
	free(kq->kq_knlist, M_KQUEUE);
	mtx_destroy(&kq->kq_lock);
	crfree(kq->kq_cred);
	free(kq, M_KQUEUE);
	return (0);
}

/* The descriptor is closed: what waits for its file waits no longer. */
void
knote_fdclose(struct thread *td, int fd)
{
	struct filedesc *fdp = lvk_fdp(td);
	struct kqueue *kq;

	FILEDESC_XLOCK_ASSERT(fdp);
	TAILQ_FOREACH(kq, &fdp->fd_kqlist, kq_list) {
		KQ_LOCK(kq);
		if (fd < kq->kq_knlistsize)
			lvk_knotes_drop(kq, &kq->kq_knlist[fd], td);
		KQ_UNLOCK(kq);
	}
}

/* ---- as a file */

static int
kqueue_ioctl(struct file *fp, u_long cmd, void *data,
    struct ucred *cr __unused, struct thread *td __unused)
{
	struct kqueue *kq = fp->f_data;

	switch (cmd) {
	case FIOASYNC:
		KQ_LOCK(kq);
		if (*(int *)data != 0)
			kq->kq_state |= KQ_ASYNC;
		else
			kq->kq_state &= ~KQ_ASYNC;
		KQ_UNLOCK(kq);
		return (0);
	case FIOSETOWN:
		return (fsetown(*(int *)data, &kq->kq_sigio));
	case FIOGETOWN:
		*(int *)data = fgetown(&kq->kq_sigio);
		return (0);
	default:
		return (ENOTTY);
	}
}

static int
kqueue_poll(struct file *fp, int events, struct ucred *cr __unused,
    struct thread *td)
{
	struct kqueue *kq = fp->f_data;
	int revents = 0;

	if ((events & (POLLIN | POLLRDNORM)) == 0)
		return (0);
	KQ_LOCK(kq);
	if (kq->kq_count > 0)
		revents = events & (POLLIN | POLLRDNORM);
	else {
		selrecord(td, &kq->kq_sel);
		if (SEL_WAITING(&kq->kq_sel))
			kq->kq_state |= KQ_SEL;
	}
	KQ_UNLOCK(kq);
	return (revents);
}

static int
kqueue_kqfilter(struct file *fp, struct knote *kn)
{
	struct kqueue *kq = fp->f_data;

	if (kn->kn_filter != EVFILT_READ)
		return (EINVAL);
	kn->kn_status |= KN_KQUEUE;
	kn->kn_fop = &lvk_kqread_filtops;
	knlist_add(&kq->kq_sel.si_note, kn, 0);
	return (0);
}

static int
kqueue_stat(struct file *fp __unused, struct stat *sb,
    struct ucred *cr __unused
#if __FreeBSD_version < 1400000
    , struct thread *td __unused
#endif
    )
{
	memset(sb, 0, sizeof(*sb));
	sb->st_mode = S_IFIFO;
	return (0);
}

static LVK_FILEOPS kqueueops = {
	.fo_read = invfo_rdwr,
	.fo_write = invfo_rdwr,
	.fo_truncate = invfo_truncate,
	.fo_ioctl = kqueue_ioctl,
	.fo_poll = kqueue_poll,
	.fo_kqfilter = kqueue_kqfilter,
	.fo_stat = kqueue_stat,
	.fo_close = kqueue_close,
	.fo_chmod = invfo_chmod,
	.fo_chown = invfo_chown,
	.fo_sendfile = invfo_sendfile
};

int
lvk_kq_of(struct file *fp, struct kqueue **kqp)
{
	if (fp->f_type != DTYPE_KQUEUE)
		return (EBADF);
	*kqp = fp->f_data;
	return (0);
}

/* ---- kevent(2) */

/* One change; what is wrong with it becomes an event where there is room. */
static int
change(struct kqueue *kq, struct kevent *kev, int *nevents, int *nerrors,
    struct kevent_copyops *ops, struct thread *td)
{
	int error;

	if (kev->filter == 0)
		return (0);
	kev->flags &= (u_short)~EV_SYSFLAGS;
	error = lvk_kq_register(kq, kev, td, M_WAITOK);
	if (error == 0 && (kev->flags & EV_RECEIPT) == 0)
		return (0);
	if (*nevents == 0)
		return (error);
	kev->flags = EV_ERROR;
	kev->data = error;
	(void)ops->k_copyout(ops->arg, kev, 1);
	(*nevents)--;
	(*nerrors)++;
	return (0);
}

static int
kqueue_kevent(struct kqueue *kq, struct thread *td, int nchanges, int nevents,
    struct kevent_copyops *ops, const struct timespec *timeout)
{
	struct kevent kevs[KQ_NEVENTS];
	int error, n, nerrors = 0;

	for (; nchanges > 0; nchanges -= n) {
		n = MIN(nchanges, KQ_NEVENTS);
		error = ops->k_copyin(ops->arg, kevs, n);
		for (int i = 0; i < n && error == 0; i++)
			error = change(kq, &kevs[i], &nevents, &nerrors, ops,
			    td);
		if (error != 0)
			return (error);
	}
	if (nerrors > 0) {
		td->td_retval[0] = nerrors;
		return (0);
	}
	return (lvk_kq_scan(kq, nevents, ops, timeout, td));
}

int
kern_kevent(struct thread *td, int fd, int nchanges, int nevents,
    struct kevent_copyops *ops, const struct timespec *timeout)
{
	struct kqueue *kq;
	struct file *fp;
	int error;

	error = lvk_fget(td, fd, &fp);
	if (error != 0)
		return (error);
	error = lvk_kq_of(fp, &kq);
	if (error == 0)
		error = kqueue_kevent(kq, td, nchanges, nevents, ops, timeout);
	fdrop(fp, td);
	return (error);
}

/* For the kernel's own use: one change, to a kqueue of this process. */
int
kqfd_register(int fd, struct kevent *kev, struct thread *td, int mflag)
{
	struct kqueue *kq;
	struct file *fp;
	int error;

	error = lvk_fget(td, fd, &fp);
	if (error != 0)
		return (error);
	error = lvk_kq_of(fp, &kq);
	if (error == 0)
		error = lvk_kq_register(kq, kev, td, mflag);
	fdrop(fp, td);
	return (error);
}
