/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: thread0, proc0, the threads of interrupt contexts, and those of
 * host threads that attach.
 * Fidelity: modelled
 * Differs: an interrupt context is a second struct thread that the caller
 * wears for a while.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/counter.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/selinfo.h>
#include <sys/smp.h>
#include <sys/ucred.h>
#include <sys/jail.h>
#include <net/vnet.h>

#include "lvk_boot.h"
#include "lvk_cpu.h"
#include "lvk_cred.h"
#include "lvk_explore.h"
#include "lvk_sched.h"

#define ATTACH_MAX 64		/* host threads attached at one time */
#define INTR_MAX (ATTACH_MAX + 8)	/* interrupts at one time */

__thread struct thread *lvk_curthread;

struct thread0_storage thread0_st __aligned(64);
struct proc proc0;
struct mtx Giant;

/*
 * The word of a lock keeps its owner's address and, below that, flags: five
 * bits of them in a tree's, more than a struct thread alone is aligned to.
 */
struct thread_slot {
	struct thread ts_td;		/* first */
} __aligned(64);

static struct thread_slot intr[INTR_MAX];
static volatile u_int intr_used[INTR_MAX];
static struct thread_slot attached[ATTACH_MAX];
static struct lvk_ctx attached_ctx[ATTACH_MAX];
static volatile u_int attached_used[ATTACH_MAX];
struct mtx lvk_thread_mtx;
static volatile u_int next_tid = 100000;

int
lvk_tid_new(void)
{
	return ((int)atomic_fetchadd_int(&next_tid, 1));
}

void
lvk_thread_setup(struct thread *td, const char *name)
{
	memset(td, 0, sizeof(*td));
	td->td_proc = &proc0;
	td->td_tid = lvk_tid_new();
	lvk_thread_inherit(td);
	td->td_lock = &lvk_thread_mtx;
	strlcpy(td->td_name, name, sizeof(td->td_name));
}

void
lvk_threads_init(int carrier)
{
	lvk_thread_setup(&thread0, "kernel");
	strlcpy(proc0.p_comm, "kernel", sizeof(proc0.p_comm));
	TAILQ_INIT(&proc0.p_threads);
	TAILQ_INSERT_TAIL(&proc0.p_threads, &thread0, td_plist);
	proc0.p_numthreads = 1;
	proc0.p_flag = P_SYSTEM | P_KPROC;
	lvk_sched_init((enum vnh_carrier)carrier);
	lvk_curthread = &thread0;
	lvk_curpcpu = cpuid_to_pcpu[0];
	lvk_curpcpu->pc_curthread = &thread0;
	TD_SET_RUNNING(&thread0);
}

static void
proc0_init(void *arg __unused)
{
	mtx_init(&proc0.p_mtx, "process lock", NULL, MTX_DEF | MTX_DUPOK);
}
SYSINIT(lvk_proc0, SI_SUB_LOCK, SI_ORDER_SECOND, proc0_init, NULL);

/* ---- interrupts */

struct thread *
lvk_intr_enter(void)
{
	struct thread *self = curthread, *td;
	int i = 0;

	if (lvk_in_intr())
		panic("interrupt context entered from an interrupt context");
	while (atomic_cmpset_acq_int(&intr_used[i], 0, 1) == 0)
		if (++i == INTR_MAX)
			panic("more than %d interrupts at one time", INTR_MAX);
	td = &intr[i].ts_td;
	if (td->td_tid == 0)
		lvk_thread_setup(td, "intr");
	td->td_pflags |= TDP_ITHREAD;
	lvk_thread_inherit(td);
	td->td_vnet = NULL;
	td->td_pcb = self->td_pcb;
	td->td_pinned = 1;		/* the handler stays on its CPU */
	lvk_curthread = td;
	LVK_EVENT(VNH_EV_INTR_ENTER, td);
	return (self);
}

void
lvk_intr_exit(struct thread *self)
{
	struct thread *td = curthread;

	KASSERT(td->td_locks == 0 && td->td_critnest == 0,
	    ("interrupt handler returned with a lock held or in a critical "
	    "section"));
	LVK_EVENT(VNH_EV_INTR_EXIT, td);
	lvk_curthread = self;
	atomic_store_rel_int(&intr_used[(struct thread_slot *)td - intr], 0);
}

bool
lvk_in_intr(void)
{
	return (lvk_ctx_self()->lc_td != curthread);
}

/* ---- host threads beside the one that booted */

/* One for itself, or else one that others have too. */
static void
attach_cpu(struct lvk_ctx *c, u_int n)
{
	struct pcpu *pc;

	lvk_spin_lock(&lvk_sched_lock);
	pc = lvk_solo ? NULL : lvk_cpu_spare();
	if (pc != NULL) {
		c->lc_pcpu = pc;
		c->lc_fixed = true;
		(void)lvk_cpu_take(c);
	} else {
		pc = STAILQ_FIRST(&cpuhead);
		for (n = (n + 1) % (u_int)mp_ncpus; n > 0; n--)
			pc = STAILQ_NEXT(pc, pc_allcpu);
	}
	lvk_spin_unlock(&lvk_sched_lock);
	lvk_curpcpu = pc;
}

void
vnk_thread_attach(void)
{
	static const char name[] = "attached";
	struct lvk_ctx *c;

	for (int i = 0; i < ATTACH_MAX; i++) {
		if (atomic_cmpset_acq_int(&attached_used[i], 0, 1) == 0)
			continue;
		lvk_thread_setup(&attached[i].ts_td, name);
		c = &attached_ctx[i];
		memset(c, 0, sizeof(*c));
		lvk_ctx_setup(c, LVK_ATTACHED, &attached[i].ts_td);
		c->lc_state = LVK_RUNNING;
		lvk_curthread = &attached[i].ts_td;
		attach_cpu(c, (u_int)i);
		return;
	}
	panic("more than %d host threads attached", ATTACH_MAX);
}

void
vnk_thread_detach(void)
{
	struct thread_slot *ts = (struct thread_slot *)curthread;

	KASSERT(ts >= attached && ts < attached + ATTACH_MAX,
	    ("detach of a thread that was not attached"));
	seltdfini(curthread);
	if (LVK_CTX(curthread)->lc_oncpu)
		lvk_sched_leave(LVK_CTX(curthread));
	lvk_ctx_gone(LVK_CTX(curthread));
	lvk_curthread = NULL;
	lvk_curpcpu = NULL;
	atomic_store_rel_int(&attached_used[ts - attached], 0);
}

#ifndef __has_feature
#define __has_feature(x) 0
#endif
/* It looks at what another thread may change any moment. */
#if __has_feature(thread_sanitizer)
__attribute__((__no_sanitize__("thread")))
#elif defined(__SANITIZE_THREAD__)
__attribute__((__no_sanitize_thread__))
#endif
int
vnk_vnet_entered(const struct vnet *v __unused)
{
	bool entered = false;

#ifdef VIMAGE
	struct lvk_ctx *c;

	lvk_spin_lock(&lvk_sched_lock);
	TAILQ_FOREACH(c, &lvk_contexts, lc_link)
		if (c->lc_kind == LVK_ATTACHED && c->lc_td != curthread &&
		    c->lc_td->td_vnet == v)
			entered = true;
	lvk_spin_unlock(&lvk_sched_lock);
#endif
	return (entered);
}

int
vnk_thread_attached(void)
{
	return (lvk_curthread != NULL);
}

int
vnk_thread_main(void)
{
	return (curthread == &thread0);
}

int
vnk_thread_locks(void)
{
	return (curthread->td_locks);
}

int
vnk_thread_sections(void)
{
	int n = (int)curthread->td_critnest + (int)curthread->td_no_sleeping;

#ifdef INVARIANTS
	if (curthread->td_critnest == 0)	/* else counted there */
		n += lvk_counter_depth;
#endif
	return (n);
}

void
vnk_forget(void)
{
	lvk_curthread = NULL;
	lvk_curpcpu = NULL;
	lvk_owner_none_set(0);
#ifdef INVARIANTS
	lvk_counter_depth = 0;
#endif
}
