/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS_SELINFO_H_
#define _SYS_SELINFO_H_

#include <sys/event.h>

struct mtx;
struct selfd;
struct thread;
TAILQ_HEAD(selfdlist, selfd);

/* Who waits for a thing in select(2), poll(2) or kevent(2). */
struct selinfo {
	struct selfdlist si_tdlist;
	struct knlist si_note;
	struct mtx *si_mtx;		/* of si_tdlist; NULL: never used */
};
#define SEL_WAITING(si) (!TAILQ_EMPTY(&(si)->si_tdlist))

#ifdef _KERNEL
void	seldrain(struct selinfo *);
void	selrecord(struct thread *, struct selinfo *);
void	selwakeup(struct selinfo *);
void	selwakeuppri(struct selinfo *, int pri);
void	seltdfini(struct thread *);
#endif

#endif /* _SYS_SELINFO_H_ */
