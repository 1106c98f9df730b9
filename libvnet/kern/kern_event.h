/* SPDX-License-Identifier: BSD-2-Clause */
/* What the kqueue files of libvnet/kern share; see kern_event.c. */
#ifndef LVK_KERN_EVENT_H
#define LVK_KERN_EVENT_H

#include <sys/param.h>
#include <sys/systm.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/selinfo.h>
#include <sys/event.h>
#include <sys/eventvar.h>
#include <sys/malloc.h>

struct file;
struct thread;

MALLOC_DECLARE(M_KQUEUE);

/* const or not, as the headers in force have it. */
typedef __typeof(*((struct knote *)0)->kn_fop) LVK_FILTEROPS;

#define KQ_LOCK(kq) mtx_lock(&(kq)->kq_lock)
#define KQ_UNLOCK(kq) mtx_unlock(&(kq)->kq_lock)
#define KQ_OWNED(kq) mtx_assert(&(kq)->kq_lock, MA_OWNED)
#define KN_HASHSIZE 64

/* ---- kern_event.c */
/* The kqueue of a file with a reference, or EBADF. */
int	lvk_kq_of(struct file *, struct kqueue **);
/* With the lock: something is on the queue. */
void	lvk_kq_wakeup(struct kqueue *);
/* With the lock: waits for a note that another thread is at. */
void	lvk_kq_flux_wait(struct kqueue *);
/* With the lock: wakes who waits for notes in flux. */
void	lvk_kq_flux_done(struct kqueue *);

/* ---- kern_event_note.c */
int	lvk_kq_register(struct kqueue *, struct kevent *, struct thread *,
	    int mflag);
/* With the kqueue's lock: it has happened, so it goes on the queue. */
void	lvk_knote_activate(struct knote *);
/* Of a note in flux; without the kqueue's lock. */
void	lvk_knote_drop(struct knote *, struct thread *);
/* The same of one that is on no knlist any more. */
void	lvk_knote_free(struct knote *, struct thread *);
/* The lock of the knlist that it is on, if it is on one. */
struct knlist *lvk_knote_list_lock(struct knote *);
/* With the kqueue's lock, dropped meanwhile: all notes of this list. */
void	lvk_knotes_drop(struct kqueue *, struct klist *, struct thread *);

/* ---- kern_event_list.c */
void	lvk_knlist_unlock(struct knlist *);	/* NULL: nothing */

/* ---- kern_event_scan.c */
int	lvk_kq_scan(struct kqueue *, int nevents, struct kevent_copyops *,
	    const struct timespec *, struct thread *);

/* ---- kern_event_filter.c */
LVK_FILTEROPS *lvk_filter_find(int filter);	/* NULL: there is none */
extern LVK_FILTEROPS lvk_kqread_filtops;

#endif /* LVK_KERN_EVENT_H */
