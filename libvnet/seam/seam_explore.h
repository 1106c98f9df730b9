/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The seam's part about exploration: what kernel world tells of what it does,
 * and who goes on.  In force where kernel world was compiled with
 * LIBVNET_EXPLORE; elsewhere nobody calls any of this.
 *
 * While vnk_explorer_go() runs, threads run one at a time on CPUs that they
 * share, and host world chooses which wherever the scheduler would: a thread
 * that is ready may go on, and whether its CPU lets it is the explorer's to
 * know.  Threads have small numbers, from 0: the test's, then the one that
 * callouts, timeouts and epoch callbacks run on, then others as they come to
 * run.
 */
#ifndef LIBVNET_SEAM_EXPLORE_H
#define LIBVNET_SEAM_EXPLORE_H

#include "seam.h"

#define VNX_THREADS 64		/* most in one schedule */
#define VNX_HOME (-1)		/* the test's own stack */

/*
 * What ends in -ing or says "wants" is told before it happens, so that another
 * thread may go on first, the rest after it.
 */
enum vnh_event {
	VNH_EV_LOCK,		/* wants a lock; object: it */
	VNH_EV_LOCKED,		/* has it */
	VNH_EV_RLOCKED,		/* shared */
	VNH_EV_UNLOCK,		/* has given it back */
	VNH_EV_RUNLOCK,
	VNH_EV_SPIN,		/* as LOCK, LOCKED and UNLOCK, of a lock */
	VNH_EV_SPUN,		/* below all locks, in base */
	VNH_EV_UNSPIN,
	VNH_EV_EPOCH_ENTERING,	/* object: the epoch */
	VNH_EV_EPOCH_ENTER,
	VNH_EV_EPOCH_EXIT,
	VNH_EV_EPOCH_CALLING,	/* object: the context that will be queued */
	VNH_EV_EPOCH_CALLBACK,	/* object: the one whose callback begins */
	VNH_EV_EPOCH_WAITING,	/* object: the epoch */
	VNH_EV_EPOCH_WAITED,
	VNH_EV_SLEEPING,	/* object: the channel */
	VNH_EV_SLEEP,		/* is on the queue */
	VNH_EV_WOKEN,
	VNH_EV_WAKING,
	VNH_EV_CRITICAL_ENTER,	/* wants to, the outermost; object: the thread */
	VNH_EV_CRITICAL_EXIT,
	VNH_EV_INTR_ENTER,	/* wears an interrupt's thread; object: it */
	VNH_EV_INTR_EXIT,
	VNH_EV_CPU,		/* has come on a CPU; object: its pcpu */
	VNH_EV_RENDEZVOUS,	/* wants to act on a CPU; object: its pcpu */
	VNH_EV_IPI,		/* acts there, until IPI_END */
	VNH_EV_IPI_END,
	VNH_EV_CREATE,		/* has made a thread; object: it */
	VNH_EV_EXIT,		/* its last */
	VNH_EV_YIELD,		/* wants others to go first */
	VNH_EV_BEGIN,		/* the test's thread begins; object: it */
	VNH_EV_OVER,		/* what it does from here on is no matter */
	VNH_EV_INSN,		/* begins one instruction on its CPU's data: */
	VNH_EV_INSN_END,	/* who shares the CPU cannot divide it */
	VNH_EV_FREE,		/* wants to free an item; object: it */
	VNH_EV_ALLOC,		/* has got one */
	VNH_EV_POINT		/* wants to do something to `object' */
};
void	 vnh_explore_event(int event, const void *object);

/* 1 while somebody on that CPU is within one instruction. */
int	 vnh_explore_closed(int cpu);

/* Who goes on now that the caller cannot, or does not want to. */
int	 vnh_explore_choose(void);

struct vnx_thread {
	const char	*name;
	const void	*key;		/* struct thread */
	const char	*stack;
	vnh_size_t	 stack_size;
	int		 cpu;
};
/* `id' takes part from now on. */
void	 vnh_explore_thread(int id, const struct vnx_thread *t);
void	 vnh_explore_ready(int id);
/* `gone': for good. */
void	 vnh_explore_parked(int id, int gone);
/*
 * The caller cannot go on before something happens to `object', or anything
 * at all (NULL).  It gives way next.
 */
void	 vnh_explore_block(const void *object);

/* ---- host calls kernel */

struct vnk_explorer_thread {
	const char	*name;
	void		(*fn)(void *);
	void		*arg;
	int		 cpu;
};
/* So many stacks are there to be used again. */
void	 vnk_explorer_warm(int n);
/* Makes the test's threads and the one for events. */
void	 vnk_explorer_begin(const struct vnk_explorer_thread *threads, int n);
/* Home lets the chosen ones run, until it is chosen itself. */
void	 vnk_explorer_go(void);
void	 vnk_explorer_end(void);
/* The current thread stays ready and gives way. */
void	 vnk_explorer_switch(void);
/* Whether there is an event for the thread that they run on. */
int	 vnk_explorer_event_due(void);
/* Who waits for what, as a sentence, or nothing. */
void	 vnk_explorer_waiters(char *buf, vnh_size_t size);
/* Pinned, bound or in a critical section. */
int	 vnk_explorer_stays(int id);
void	 vnk_explorer_migrate(int id, int cpu);
int	 vnk_explorer_cpus(void);	/* the highest number, + 1 */
int	 vnk_explorer_cpu_absent(int cpu);
/* The name of the object of an event, or NULL. */
const char *vnk_explorer_name(int event, const void *object);
/* The CPU whose own data lies there, -1: nobody's. */
int	 vnk_explorer_percpu(const void *addr);
/* The master of a copy that a vnet or a CPU has, else `addr'. */
const void *vnk_explorer_master(const void *addr);
/* The item at `item', its bytes and copies, so far apart; 0: none. */
int	 vnk_explorer_item(const void *item, vnh_size_t *size, int *copies,
	    vnh_size_t *apart);
/* 1 where it lies in an item that was freed, and nobody may look any more. */
int	 vnk_explorer_freed(const void *addr);
/* What need not be looked at: the host thread's own, reads of struct pcpu. */
void	 vnk_explorer_own(const void **start, vnh_size_t *size);
void	 vnk_explorer_pcpus(const void **start, vnh_size_t *size);

#endif /* LIBVNET_SEAM_EXPLORE_H */
