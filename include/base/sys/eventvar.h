/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS_EVENTVAR_H_
#define _SYS_EVENTVAR_H_

#include <sys/event.h>
#include <sys/selinfo.h>
#include <sys/_lock.h>
#include <sys/_mutex.h>

#define KQ_NEVENTS 8
#define KQEXTENT 256

struct kqueue {
	struct mtx kq_lock;
	int kq_refcnt;
	TAILQ_ENTRY(kqueue) kq_list;	/* of the file table */
	TAILQ_HEAD(, knote) kq_head;	/* what has happened */
	int kq_count;
	struct selinfo kq_sel;
	struct sigio *kq_sigio;
	struct filedesc *kq_fdp;
	int kq_state;
	int kq_knlistsize;
	struct klist *kq_knlist;	/* by descriptor */
	u_long kq_knhashmask;
	struct klist *kq_knhash;	/* the others */
	struct ucred *kq_cred;
};
#define KQ_SEL 0x01
#define KQ_SLEEP 0x02
#define KQ_FLUXWAIT 0x04
#define KQ_ASYNC 0x08
#define KQ_CLOSING 0x10

#endif /* _SYS_EVENTVAR_H_ */
