/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: the scheduler's interface, as FreeBSD's kern/sched_ule.c has it.
 * Fidelity: modelled
 * Differs: priorities are kept and ignored; see lvk_sched.c.  A thread that is
 * bound to a CPU finds itself there at once.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/pcpu.h>
#include <sys/proc.h>
#include <sys/sched.h>
#include <sys/smp.h>

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
sched_class(struct thread *td __unused, int class __unused)
{
}

void
sched_relinquish(struct thread *td __unused)
{
	lvk_sleep_check("yield");
	lvk_sched_yield();
}

void
sched_bind(struct thread *td, int cpu)
{
	if (td != curthread)
		panic("sched_bind: can only bind curthread");
	if (cpu < 0 || cpu >= mp_ncpus)
		panic("sched_bind: there is no CPU %d", cpu);
	lvk_ctx_self()->lc_bound = true;
	lvk_curpcpu = cpuid_to_pcpu[cpu];
	lvk_curpcpu->pc_curthread = td;
	td->td_oncpu = cpu;
}

void
sched_unbind(struct thread *td)
{
	LVK_CTX(td)->lc_bound = false;
}

int
sched_is_bound(struct thread *td)
{
	return (LVK_CTX(td)->lc_bound);
}
