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
#include <sys/sigio.h>
#include <sys/signal.h>

struct thread;
struct pcb;
struct plimit;
struct sx;

struct proc {
	LIST_ENTRY(proc) p_list;
	TAILQ_HEAD(, thread) p_threads;
	struct plimit *p_limit;
	enum p_states {
		PRS_NEW = 0,
		PRS_NORMAL,
		PRS_ZOMBIE
	} p_state;
	u_int p_lock;			/* holds */
	int p_flag;
	int p_numthreads;
	int p_pid;
	char p_comm[MAXCOMLEN + 1];
	struct ucred *p_ucred;
	struct filedesc *p_fd;		/* open files */
	struct sigiolst p_sigiolst;	/* who sends it SIGIO */
	sigset_t p_siglist;		/* signals that came */
	struct mtx p_mtx;
};

#define P_KPROC 0x00000004
#define P_SYSTEM 0x00000200
#define P_WEXIT 0x00002000
#define PID_MAX 99999

LIST_HEAD(proclist, proc);
extern struct proclist allproc;
extern struct sx allproc_lock;
extern struct sx proctree_lock;
extern struct proc *initproc;
extern int pid_max;
#define curproc (curthread->td_proc)
#define FOREACH_PROC_IN_SYSTEM(p) LIST_FOREACH((p), &allproc, p_list)

#define PGET_HOLD 0x00001
#define PGET_CANSEE 0x00002
#define PGET_CANDEBUG 0x00004
#define PGET_ISCURRENT 0x00008
#define PGET_NOTWEXIT 0x00010
#define PGET_NOTINEXEC 0x00020
#define PGET_NOTID 0x00040

struct socket;
int	cr_bsd_visible(struct ucred *, struct ucred *);
int	cr_cansee(struct ucred *, struct ucred *);
int	p_cansee(struct thread *, struct proc *);
int	p_cansignal(struct thread *, struct proc *, int);
struct proc *pfind(pid_t);
struct proc *pfind_any(pid_t);
int	pget(pid_t, int, struct proc **);
int	securelevel_ge(struct ucred *, int);
int	securelevel_gt(struct ucred *, int);
struct thread *tdfind(lwpid_t, pid_t);

#define PROC_LOCK(p) mtx_lock(&(p)->p_mtx)
#define PROC_TRYLOCK(p) mtx_trylock(&(p)->p_mtx)
#define PROC_UNLOCK(p) mtx_unlock(&(p)->p_mtx)
#define PROC_LOCKED(p) mtx_owned(&(p)->p_mtx)
#define PROC_LOCK_ASSERT(p, what) mtx_assert(&(p)->p_mtx, (what))
#define FOREACH_THREAD_IN_PROC(p, td) \
	TAILQ_FOREACH((td), &(p)->p_threads, td_plist)
#define FIRST_THREAD_IN_PROC(p) TAILQ_FIRST(&(p)->p_threads)

/* Aligned so that a lock word can keep flag bits below its address. */
struct thread {
	struct mtx *volatile td_lock;
	struct proc *td_proc;
	TAILQ_ENTRY(thread) td_plist;	/* of the process */
	struct seltd *td_sel;		/* of select(2) and poll(2) */
	lwpid_t td_tid;
	sigset_t td_siglist;
	int td_flags;
	int td_inhibitors;
	int td_pflags;
	const void *td_wchan;		/* slept on, and why */
	const char *td_wmesg;
	short td_locks;			/* sleep locks held */
	short td_rw_rlocks;
	short td_sx_slocks;
	int td_pinned;
	struct ucred *td_realucred;
	struct ucred *td_ucred;
	struct plimit *td_limit;
	char td_name[MAXCOMLEN + 1];
	struct file *td_fpop;		/* whose device method runs */
	u_int td_no_sleeping;
	int td_intr_nesting_level;
	u_char td_priority;
	enum td_states {
		TDS_INACTIVE = 0x0,
		TDS_INHIBITED,
		TDS_CAN_RUN,
		TDS_RUNQ,
		TDS_RUNNING
	} td_state;
	struct pcb *td_pcb;
	volatile u_int td_critnest;
	register_t td_retval[2];	/* of system calls */
	struct vnet *td_vnet;
	const char *td_vnet_lpush;
	int td_oncpu;
	struct mdthread {
		int md_spinlock_count;	/* interrupts are off */
	} td_md;
} __aligned(64);

struct thread0_storage {
	struct thread t0st_thread;
};
extern struct thread0_storage thread0_st;
#define thread0 (thread0_st.t0st_thread)
extern struct proc proc0;

#define TDF_KTH_SUSP 0x00000100		/* td_flags: suspended kthread */
#define TDP_NOFAULTING 0x00000100	/* td_pflags: a page fault fails */
#define TDP_RESETSPUR 0x00000200
#define TDP_ITHREAD 0x00000400		/* td_pflags: interrupt context */
#define TDP_KTHREAD 0x00200000		/* and: made by kthread_add() */

#define TDI_SLEEPING 0x0002
#define TDI_IWAIT 0x0010		/* an interrupt thread, idle */
#define TD_AWAITING_INTR(td) ((td)->td_inhibitors & TDI_IWAIT)
#define TD_IS_SLEEPING(td) ((td)->td_inhibitors & TDI_SLEEPING)
#define TD_IS_RUNNING(td) ((td)->td_state == TDS_RUNNING)
#define TD_ON_RUNQ(td) ((td)->td_state == TDS_RUNQ)
#define TD_CAN_RUN(td) ((td)->td_state == TDS_CAN_RUN)
#define TD_IS_INHIBITED(td) ((td)->td_state == TDS_INHIBITED)
#define TD_SET_RUNNING(td) (td)->td_state = TDS_RUNNING
#define TD_SET_RUNQ(td) (td)->td_state = TDS_RUNQ
#define TD_SET_CAN_RUN(td) (td)->td_state = TDS_CAN_RUN
#define TD_SET_INHIB(td, inhib) do {					\
	(td)->td_state = TDS_INHIBITED;					\
	(td)->td_inhibitors |= (inhib);					\
} while (0)
#define TD_CLR_INHIB(td, inhib) do {					\
	(td)->td_inhibitors &= ~(inhib);				\
	if ((td)->td_inhibitors == 0)					\
		(td)->td_state = TDS_CAN_RUN;				\
} while (0)
#define TD_SET_SLEEPING(td) TD_SET_INHIB((td), TDI_SLEEPING)
#define TD_CLR_SLEEPING(td) TD_CLR_INHIB((td), TDI_SLEEPING)
#define TD_SET_IWAIT(td) TD_SET_INHIB((td), TDI_IWAIT)
#define TD_CLR_IWAIT(td) TD_CLR_INHIB((td), TDI_IWAIT)

#define TD_LOCKS_INC(td) ((td)->td_locks++)
#define TD_LOCKS_DEC(td) ((td)->td_locks--)
#define THREAD_NO_SLEEPING() (curthread->td_no_sleeping++)
#define THREAD_SLEEPING_OK() (curthread->td_no_sleeping--)
#define THREAD_CAN_SLEEP() (curthread->td_no_sleeping == 0)


extern int maxproc;
extern int maxprocperuid;

void	mi_switch(int);
#define SW_TYPE_MASK 0xff		/* mi_switch(): why, and */
#define SWT_IWAIT 7
#define SW_VOL 0x0100			/* of its own will */
#define SW_INVOL 0x0200
void	kern_yield(int);
void	maybe_yield(void);
bool	should_yield(void);
#define NOCPU (-1)

#endif /* _SYS_PROC_H_ */
