/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS_PROC_H_
#define _SYS_PROC_H_

#include <sys/param.h>
#include <sys/callout.h>
#include <sys/queue.h>
#include <sys/lock.h>
#include <sys/pcpu.h>
#include <sys/ucred.h>
#include <sys/_mutex.h>

struct proc {
	int p_pid;
	char p_comm[MAXCOMLEN + 1];
	struct ucred *p_ucred;
	struct mtx p_mtx;
};

/* Aligned so that a lock word can keep flag bits below its address. */
struct thread {
	struct mtx *volatile td_lock;
	struct proc *td_proc;
	lwpid_t td_tid;
	int td_flags;
	int td_pflags;
	short td_locks;			/* sleep locks held */
	short td_rw_rlocks;
	short td_sx_slocks;
	int td_pinned;
	struct ucred *td_realucred;
	struct ucred *td_ucred;
	char td_name[MAXCOMLEN + 1];
	u_int td_no_sleeping;
	volatile u_int td_critnest;
	struct vnet *td_vnet;
	const char *td_vnet_lpush;
	int td_oncpu;
} __aligned(64);

struct thread0_storage {
	struct thread t0st_thread;
};
extern struct thread0_storage thread0_st;
#define thread0 (thread0_st.t0st_thread)
extern struct proc proc0;

#define TD_LOCKS_INC(td) ((td)->td_locks++)
#define TD_LOCKS_DEC(td) ((td)->td_locks--)
#define THREAD_NO_SLEEPING() (curthread->td_no_sleeping++)
#define THREAD_SLEEPING_OK() (curthread->td_no_sleeping--)
#define THREAD_CAN_SLEEP() (curthread->td_no_sleeping == 0)

#endif /* _SYS_PROC_H_ */
