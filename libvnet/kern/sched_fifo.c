/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: the scheduler's interface, as FreeBSD's kern/sched_ule.c has it.
 * Fidelity: modelled
 * Differs: only priorities of interrupt threads matter; see lvk_sched.c.  A
 * thread that is given a set of CPUs gets the first of it.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/cpuset.h>
#include <sys/errno.h>
#include <sys/pcpu.h>
#include <sys/priority.h>
#include <sys/proc.h>
#include <sys/sched.h>
#include <sys/smp.h>

#include "lvk_cpu.h"
#include "lvk_handler.h"
#include "lvk_sched.h"

/* Comes with the thread's lock held, which it gives back unless told not to. */
void
sched_add(struct thread *td, int flags)
{
	struct lvk_ctx *c = LVK_CTX(td);

	if (c->lc_kind != LVK_FLOW || c->lc_state != LVK_NEW)
		panic("sched_add: thread \"%s\" was started before",
		    td->td_name);
	lvk_sched_start(c);
	if ((flags & SRQ_HOLDTD) == 0)
		thread_unlock(td);
}

void
sched_prio(struct thread *td, u_char prio)
{
	td->td_priority = prio;
}

void
sched_ithread_prio(struct thread *td, u_char prio)
{
	td->td_priority = prio;
}

void
sched_class(struct thread *td, int class)
{
	LVK_CTX(td)->lc_intr = PRI_BASE(class) == PRI_ITHD;
}

/* Of a thread that is idle in mi_switch(), or has never run. */
void
sched_wakeup(struct thread *td, int flags)
{
	struct mtx *old = td->td_lock;

	td->td_lock = &lvk_thread_mtx;
	lvk_sched_rouse(LVK_CTX(td));
	mtx_unlock_spin(old);
	if ((flags & SRQ_HOLDTD) != 0)
		thread_lock(td);
}

/* With nothing to do it should have nothing, but its own lock. */
static void
idle_check(struct thread *td)
{
#ifdef INVARIANTS
	struct handler_state clean = { .hs_critnest = 1 };
	const char *wrong = handler_exit(&clean, 0);

	if (wrong != NULL)
		panic("thread \"%s\" goes idle %s", td->td_name, wrong);
#endif
}

/*
 * Comes with the thread's lock held and returns without.  Threads sleep by
 * way of subr_sleepqueue.c, so that only the two ends of this are left.
 */
void
mi_switch(int flags)
{
	static const volatile int never;
	struct thread *td = curthread;

	if ((flags & SW_TYPE_MASK) == SWT_IWAIT) {
		idle_check(td);
		lvk_sched_idle(LVK_CTX(td), &never, td->td_lock);
		return;
	}
	thread_unlock(td);
	lvk_sched_yield();
}

void
sched_relinquish(struct thread *td __unused)
{
	lvk_switch_check("yield");
	lvk_sched_yield();
}

/*
 * Comes with the thread's lock held, as it goes: given up meanwhile, as
 * mi_switch() would.
 */
static void
go(struct thread *td, struct pcpu *to)
{
	mtx_unlock_spin(td->td_lock);
	if (lvk_curpcpu != to)
		lvk_sched_move(to);
	thread_lock(td);
}

void
sched_bind(struct thread *td, int cpu)
{
	struct lvk_ctx *c = LVK_CTX(td);

	if (td != curthread)
		panic("sched_bind: can only bind curthread");
	KASSERT(mtx_owned(td->td_lock), ("sched_bind: thread \"%s\" is not "
	    "locked: call thread_lock() first", td->td_name));
	KASSERT(td->td_critnest == 1, ("sched_bind: in a critical section"));
	if (cpu < 0 || cpu > (int)mp_maxid || CPU_ABSENT(cpu))
		panic("sched_bind: there is no CPU %d", cpu);
	if (c->lc_bound)
		sched_unbind(td);
	KASSERT(td->td_pinned == 0, ("sched_bind: thread \"%s\" is pinned to "
	    "CPU %u", td->td_name, curcpu));
	c->lc_bound = true;
	sched_pin();
	go(td, cpuid_to_pcpu[cpu]);
}

void
sched_unbind(struct thread *td)
{
	KASSERT(td == curthread, ("sched_unbind: can only unbind curthread"));
	KASSERT(mtx_owned(td->td_lock), ("sched_unbind: thread \"%s\" is not "
	    "locked: call thread_lock() first", td->td_name));
	if (!LVK_CTX(td)->lc_bound)
		return;
	LVK_CTX(td)->lc_bound = false;
	sched_unpin();
}

int
sched_is_bound(struct thread *td)
{
	return (LVK_CTX(td)->lc_bound);
}

/* ---- a thread changes its lock, FreeBSD's kern/kern_mutex.c */

void
thread_lock_set(struct thread *td, struct mtx *new)
{
	struct mtx *old = td->td_lock;

	mtx_assert(new, MA_OWNED);
	mtx_assert(old, MA_OWNED);
	td->td_lock = new;
	if (old != new)
		mtx_unlock_spin(old);
}

/* No thread is ever between two locks. */
void
thread_lock_block_wait(struct thread *td __unused)
{
}

/* ---- FreeBSD's kern/kern_cpuset.c, as far as threads go */

static struct lvk_ctx *
by_tid(lwpid_t id)
{
	struct lvk_ctx *c;

	if (id == -1)
		return (lvk_ctx_self());
	lvk_spin_lock(&lvk_sched_lock);
	TAILQ_FOREACH(c, &lvk_contexts, lc_link)
		if (c->lc_td->td_tid == id)
			break;
	lvk_spin_unlock(&lvk_sched_lock);
	return (c);
}

int
cpuset_setthread(lwpid_t id, cpuset_t *mask)
{
	struct lvk_ctx *c = by_tid(id);
	int cpu;

	if (c == NULL)
		return (ESRCH);
	CPU_FOREACH(cpu)
		if (CPU_ISSET(cpu, mask)) {
			lvk_sched_bind(c, cpu);
			return (0);
		}
	return (EINVAL);
}

/* NOCPU: any that there is. */
int
cpuset_setithread(lwpid_t id, int cpu)
{
	cpuset_t mask;

	if (cpu == NOCPU)
		CPU_COPY(&all_cpus, &mask);
	else
		CPU_SETOF(cpu, &mask);
	return (cpuset_setthread(id, &mask));
}

/* ---- for host world */

void
vnk_cpu_policy(int policy, vnh_u64 seed)
{
	lvk_spin_lock(&lvk_sched_lock);
	lvk_cpu_policy(policy, seed);
	lvk_spin_unlock(&lvk_sched_lock);
}
