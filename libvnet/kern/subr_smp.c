/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: smp_rendezvous(9) and quiescing CPUs, FreeBSD's kern/subr_smp.c.
 * Fidelity: modelled
 * Differs: the three steps are always apart: one is over on all CPUs before
 * the next begins, where FreeBSD can be asked not to wait.  With one thread
 * at a time the caller itself acts in the name of each CPU, on top of whatever
 * is in the middle of something there, as an interrupt would; with host
 * threads the one that holds the CPU does it, at its next lock, section or
 * yield.  No CPUs are stopped, suspended or probed for their topology.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/pcpu.h>
#include <sys/proc.h>
#include <sys/smp.h>

#include "lvk_cpu.h"
#include "lvk_explore.h"
#include "lvk_point.h"
#include "lvk_sched.h"

struct mtx smp_ipi_mtx;
MTX_SYSINIT(smp_ipi_mtx, &smp_ipi_mtx, "smp rendezvous", MTX_SPIN);

void	smp_rendezvous_cpu(u_int, void (*)(void *), void (*)(void *),
	    void (*)(void *), void *);

enum ipi { IPI_NONE, IPI_SENT, IPI_TAKEN };

/* Of the rendezvous that is on; smp_ipi_mtx. */
static void (*ipi_fn)(void *);
static void *ipi_arg;
static volatile u_int ipi[MAXCPU];

static volatile uint64_t calls, actions;

void
vnk_rendezvous(vnh_u64 *c, vnh_u64 *a)
{
	*c = atomic_load_64(&calls);
	*a = atomic_load_64(&actions);
}

/* On this CPU, or in the name of an idle one. */
static void
act(struct pcpu *pc, void (*fn)(void *), void *arg)
{
	struct pcpu *self = lvk_curpcpu;

	lvk_curpcpu = pc;
	curthread->td_critnest++;
	LVK_EVENT(VNH_EV_IPI, pc);
	(*fn)(arg);
	LVK_EVENT(VNH_EV_IPI_END, pc);
	curthread->td_critnest--;
	lvk_curpcpu = self;
	atomic_add_64(&actions, 1);
}

/* ---- one thread at a time */

/* Whoever is on that CPU has interrupts off. */
static bool
closed(const struct pcpu *pc)
{
	struct lvk_ctx *c;

	if (lvk_explored)
		return (lvk_explorer_closed(pc));
	if (lvk_solo || pc == lvk_curpcpu)
		return (false);
	c = lvk_cpu_holder(pc);
	return (c != NULL && c->lc_worn != NULL &&
	    c->lc_worn->td_md.md_spinlock_count != 0);
}

static void
step_serial(const cpuset_t *map, void (*fn)(void *), void *arg)
{
	u_int cpu;

	CPU_FOREACH(cpu) {
		struct lvk_turns turns = { 0 };

		if (!CPU_ISSET(cpu, map))
			continue;
		LVK_EVENT(VNH_EV_RENDEZVOUS, cpuid_to_pcpu[cpu]);
		while (closed(cpuid_to_pcpu[cpu]))
			if (!lvk_relinquish(&turns))
				panic("deadlock: smp_rendezvous waits for a "
				    "spin lock section on CPU %u", cpu);
		act(cpuid_to_pcpu[cpu], fn, arg);
	}
}

/* ---- VNH_HOST */

/* A host thread of the program does not look for interrupts, and home does
 * not where the program waits for one. */
static bool
deaf(const struct lvk_ctx *c)
{
	if (c->lc_kind == LVK_HOME)
		return (lvk_ctx_self()->lc_kind == LVK_ATTACHED);
	return (c->lc_kind == LVK_ATTACHED);
}

/* Until somebody has done it; an idle CPU's part falls to the caller. */
static void
wait_for(struct pcpu *pc)
{
	volatile u_int *word = &ipi[pc->pc_cpuid];
	struct lvk_ctx *holder;
	bool claimed, mine;

	while (atomic_load_acq_int(word) != IPI_NONE) {
		lvk_spin_lock(&lvk_sched_lock);
		holder = lvk_cpu_holder(pc);
		claimed = lvk_cpu_claim(pc);
		lvk_spin_unlock(&lvk_sched_lock);
		mine = (claimed || deaf(holder)) &&
		    atomic_cmpset_acq_int(word, IPI_SENT, IPI_TAKEN) != 0;
		if (mine)
			act(pc, ipi_fn, ipi_arg);
		if (claimed)
			lvk_sched_unclaim(pc);
		if (mine)
			atomic_store_rel_int(word, IPI_NONE);
		else
			vnh_yield();
	}
}

static void
step_host(const cpuset_t *map, void (*fn)(void *), void *arg)
{
	u_int cpu, here = curcpu;

	ipi_fn = fn;
	ipi_arg = arg;
	CPU_FOREACH(cpu)
		if (CPU_ISSET(cpu, map) && cpu != here)
			atomic_store_rel_int(&ipi[cpu], IPI_SENT);
	lvk_watch_set(LVK_WATCH_IPI, true);
	if (CPU_ISSET(here, map))
		act(lvk_curpcpu, fn, arg);
	CPU_FOREACH(cpu)
		if (CPU_ISSET(cpu, map) && cpu != here)
			wait_for(cpuid_to_pcpu[cpu]);
	lvk_watch_set(LVK_WATCH_IPI, false);
}

void
lvk_cpu_attend(void)
{
	volatile u_int *word = &ipi[curcpu];

	if (atomic_load_acq_int(word) != IPI_SENT ||
	    curthread->td_md.md_spinlock_count != 0)
		return;
	if (atomic_cmpset_acq_int(word, IPI_SENT, IPI_TAKEN) == 0)
		return;
	act(lvk_curpcpu, ipi_fn, ipi_arg);
	atomic_store_rel_int(word, IPI_NONE);
}

/* ---- rendezvous */

void
smp_no_rendezvous_barrier(void *dummy __unused)
{
}

static void
rendezvous(const cpuset_t *map, void (*const *step)(void *), void *arg)
{
	mtx_lock_spin(&smp_ipi_mtx);
	for (u_int i = 0; i < 3; i++) {
		if (step[i] == NULL || step[i] == smp_no_rendezvous_barrier)
			continue;
		if (lvk_carrier == VNH_HOST)
			step_host(map, step[i], arg);
		else
			step_serial(map, step[i], arg);
	}
	mtx_unlock_spin(&smp_ipi_mtx);
}

void
smp_rendezvous_cpus(cpuset_t map, void (*setup)(void *),
    void (*action)(void *), void (*teardown)(void *), void *arg)
{
	void (*step[])(void *) = { setup, action, teardown };
	bool any = false;
	u_int cpu;

	atomic_add_64(&calls, 1);
	if (smp_started == 0) {
		CPU_SETOF(curcpu, &map);
		rendezvous(&map, step, arg);
		return;
	}
	KASSERT(curthread->td_md.md_spinlock_count == 0,
	    ("smp_rendezvous: with a spin lock held: a CPU that waits for it "
	    "would never come"));
	CPU_FOREACH(cpu)
		any |= CPU_ISSET(cpu, &map);
	if (!any)
		panic("smp_rendezvous_cpus: no CPU of the map exists");
	rendezvous(&map, step, arg);
}

void
smp_rendezvous(void (*setup)(void *), void (*action)(void *),
    void (*teardown)(void *), void *arg)
{
	smp_rendezvous_cpus(all_cpus, setup, action, teardown, arg);
}

void
smp_rendezvous_cpu(u_int cpu, void (*setup)(void *), void (*action)(void *),
    void (*teardown)(void *), void *arg)
{
	cpuset_t map;

	CPU_SETOF(cpu, &map);
	smp_rendezvous_cpus(map, setup, action, teardown, arg);
}

static void
retry_done(void *arg)
{
	struct smp_rendezvous_cpus_retry_arg *ra = arg;

	CPU_CLR(curcpu, &ra->cpus);
}

void
smp_rendezvous_cpus_done(struct smp_rendezvous_cpus_retry_arg *arg)
{
	retry_done(arg);
}

/* Until the action has said of each CPU that it is done there. */
void
smp_rendezvous_cpus_retry(cpuset_t map, void (*setup)(void *),
    void (*action)(void *), void (*teardown)(void *),
    void (*wait)(void *, int), struct smp_rendezvous_cpus_retry_arg *arg)
{
	u_int cpu;

	CPU_COPY(&map, &arg->cpus);
	for (;;) {
		smp_rendezvous_cpus(arg->cpus, setup, action, teardown, arg);
		if (CPU_EMPTY(&arg->cpus))
			break;
		CPU_FOREACH(cpu)
			if (CPU_ISSET(cpu, &arg->cpus))
				(*wait)(arg, (int)cpu);
	}
}

/* ---- quiescing: whoever was on the CPU has left it */

int
quiesce_cpus(cpuset_t map, const char *wmesg __unused, int prio __unused)
{
	struct pcpu *here = lvk_curpcpu;
	u_int cpu;

	lvk_switch_check("quiesce_cpus");
	CPU_FOREACH(cpu)
		if (CPU_ISSET(cpu, &map))
			lvk_sched_move(cpuid_to_pcpu[cpu]);
	lvk_sched_move(here);
	return (0);
}

int
quiesce_all_cpus(const char *wmesg, int prio)
{
	return (quiesce_cpus(all_cpus, wmesg, prio));
}

void
quiesce_all_critical(void)
{
	MPASS(curthread->td_critnest == 0);
	(void)quiesce_cpus(all_cpus, "critical", 0);
}

static void
fence(void *arg __unused)
{
	atomic_thread_fence_seq_cst();
}

void
cpus_fence_seq_cst(void)
{
	smp_rendezvous(smp_no_rendezvous_barrier, fence,
	    smp_no_rendezvous_barrier, NULL);
}
