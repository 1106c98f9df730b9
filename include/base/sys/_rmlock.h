/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS__RMLOCK_H_
#define _SYS__RMLOCK_H_

#include <sys/_lock.h>
#include <sys/_mutex.h>
#include <sys/_sx.h>
#include <sys/queue.h>

LIST_HEAD(rmpriolist, rm_priotracker);

struct rm_queue {
	struct rm_queue *volatile rmq_next;
	struct rm_queue *volatile rmq_prev;
};

struct rmlock {
	struct lock_object lock_object;
	volatile u_int rm_writecpus[2];
	LIST_HEAD(, rm_priotracker) rm_activeReaders;
	union {
		struct lock_object _rm_wlock_object;
		struct mtx _rm_lock_mtx;
		struct sx _rm_lock_sx;
	} _rm_lock;
};
#define rm_wlock_object _rm_lock._rm_wlock_object
#define rm_lock_mtx _rm_lock._rm_lock_mtx
#define rm_lock_sx _rm_lock._rm_lock_sx

struct rm_priotracker {
	struct rm_queue rmp_cpuQueue;
	struct rmlock *rmp_rmlock;
	struct thread *rmp_thread;
	int rmp_flags;
	LIST_ENTRY(rm_priotracker) rmp_qentry;
};

struct rmslock {
	struct mtx mtx;
};

#endif
