/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: thread0, proc0, and the threads of interrupt contexts.
 * Fidelity: modelled
 * Differs: the thread that calls is the kernel thread; an interrupt context
 * is a second struct thread that the caller wears for a while.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/smp.h>
#include <sys/ucred.h>
#include <sys/jail.h>
#include <net/vnet.h>

#include <lvk.h>
#include "lvk_boot.h"

#define ATTACH_MAX 64		/* host threads attached at one time */

__thread struct thread *lvk_curthread;

struct thread0_storage thread0_st __aligned(64);
struct proc proc0;
struct mtx Giant;

static struct thread intr_thread;
static struct thread attached[ATTACH_MAX];
static volatile u_int attached_used[ATTACH_MAX];
static struct mtx sched_lock;
static volatile u_int next_tid = 100000;

void
lvk_thread_setup(struct thread *td, const char *name)
{
	memset(td, 0, sizeof(*td));
	td->td_proc = &proc0;
	td->td_tid = (lwpid_t)atomic_fetchadd_int(&next_tid, 1);
	td->td_ucred = td->td_realucred = proc0.p_ucred;
	td->td_lock = &sched_lock;
	strlcpy(td->td_name, name, sizeof(td->td_name));
}

void
lvk_threads_init(void)
{
	lvk_thread_setup(&thread0, "kernel");
	lvk_thread_setup(&intr_thread, "intr");
	strlcpy(proc0.p_comm, "kernel", sizeof(proc0.p_comm));
	lvk_curthread = &thread0;
	lvk_curpcpu = cpuid_to_pcpu[0];
	lvk_curpcpu->pc_curthread = &thread0;
}

struct thread *
lvk_intr_enter(void)
{
	struct thread *self = curthread;

	if (self == &intr_thread)
		panic("interrupt context entered from an interrupt context");
	intr_thread.td_ucred = proc0.p_ucred;
	intr_thread.td_vnet = NULL;
	lvk_curthread = &intr_thread;
	return (self);
}

void
lvk_intr_exit(struct thread *self)
{
	KASSERT(intr_thread.td_locks == 0 && intr_thread.td_critnest == 0,
	    ("interrupt handler returned with a lock held or in a critical "
	    "section"));
	lvk_curthread = self;
}

bool
lvk_in_intr(void)
{
	return (curthread == &intr_thread);
}

/* ---- host threads beside the one that booted */

void
vnk_thread_attach(void)
{
	static const char name[] = "attached";

	for (int i = 0; i < ATTACH_MAX; i++) {
		if (atomic_cmpset_acq_int(&attached_used[i], 0, 1) == 0)
			continue;
		lvk_thread_setup(&attached[i], name);
		lvk_curthread = &attached[i];
		lvk_curpcpu = cpuid_to_pcpu[(u_int)(i + 1) % (u_int)mp_ncpus];
		return;
	}
	panic("more than %d host threads attached", ATTACH_MAX);
}

void
vnk_thread_detach(void)
{
	struct thread *td = curthread;

	KASSERT(td >= attached && td < attached + ATTACH_MAX,
	    ("detach of a thread that was not attached"));
	lvk_curthread = NULL;
	lvk_curpcpu = NULL;
	atomic_store_rel_int(&attached_used[td - attached], 0);
}

int
vnk_thread_attached(void)
{
	return (lvk_curthread != NULL);
}

int
vnk_thread_locks(void)
{
	return (curthread->td_locks);
}

int
vnk_thread_sections(void)
{
	return ((int)curthread->td_critnest + (int)curthread->td_no_sleeping);
}

void
vnk_forget(void)
{
	lvk_curthread = NULL;
	lvk_curpcpu = NULL;
	lvk_owner_none_set(0);
}
