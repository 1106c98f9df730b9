/* SPDX-License-Identifier: BSD-2-Clause */
/* What the kqueue files of libvnet/kern share; see kern_event.c. */
#ifndef LVK_KERN_EVENT_H
#define LVK_KERN_EVENT_H

#include <sys/param.h>
#include <sys/event.h>
#include <sys/malloc.h>

struct kqueue;
struct thread;

MALLOC_DECLARE(M_KQUEUE);

/* const or not, as the headers in force have it. */
typedef __typeof(*((struct knote *)0)->kn_fop) LVK_FILTEROPS;

/* ---- kern_event.c */
/* With the kqueue's lock: it has happened, so it goes on the queue. */
void	lvk_knote_activate(struct knote *);
/* Of a note in flux that is on no knlist; without the kqueue's lock. */
void	lvk_knote_free(struct knote *, struct thread *);
/* With the kqueue's lock: wakes who waits for notes in flux. */
void	lvk_kq_flux_done(struct kqueue *);

/* ---- kern_event_list.c */
void	lvk_knlist_unlock(struct knlist *);

/* ---- kern_event_filter.c */
LVK_FILTEROPS *lvk_filter_find(int filter);

#endif /* LVK_KERN_EVENT_H */
