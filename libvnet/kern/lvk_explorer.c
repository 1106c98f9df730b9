/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: nothing of FreeBSD's; kernel threads under an explorer's orders.
 * Fidelity: exact
 * Differs: --
 *
 * CPUs change hands at every switch here, and many threads may be on one: so
 * nobody holds any (lvk_solo), and who is in a critical section on which CPU
 * is known to the explorer by the events.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kthread.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/pcpu.h>
#include <sys/proc.h>
#include <sys/smp.h>
#include <sys/unistd.h>
#include <net/vnet.h>

#include <machine/explore.h>

#include "epoch_int.h"
#include "lvk_cpu.h"
#include "lvk_explore.h"
#include "lvk_sched.h"

#ifdef LIBVNET_EXPLORE

bool lvk_explored;

static struct lvk_ctx *ctxs[VNX_THREADS];
static int nctxs;
static struct vnk_explorer_thread jobs[VNX_THREADS];
static bool ending, solo;

/* ---- numbers */

static int
id_of(struct lvk_ctx *c)
{
	struct vnx_thread t;

	if (c->lc_xid != 0)
		return (c->lc_xid - 1);
	if (nctxs == VNX_THREADS)
		panic("more than %d kernel threads run in one schedule",
		    VNX_THREADS);
	ctxs[nctxs++] = c;
	c->lc_xid = nctxs;
	t.name = c->lc_td->td_name;
	t.key = c->lc_td;
	t.stack = c->lc_co.co_stack;
	t.stack_size = c->lc_co.co_size;
	t.cpu = (int)c->lc_pcpu->pc_cpuid;
	vnh_explore_thread(nctxs - 1, &t);
	return (nctxs - 1);
}

struct lvk_ctx *
lvk_explorer_pick(void)
{
	int id = vnh_explore_choose();

	return (id == VNX_HOME ? &lvk_home : ctxs[id]);
}

void
lvk_explorer_ready(struct lvk_ctx *c)
{
	if (c->lc_kind == LVK_FLOW)
		vnh_explore_ready(id_of(c));
}

void
lvk_explorer_parked(struct lvk_ctx *c, bool gone)
{
	if (c->lc_kind == LVK_FLOW)
		vnh_explore_parked(id_of(c), gone);
}

void
lvk_explorer_block(const void *object)
{
	if (!lvk_explored)
		return;
	vnh_explore_block(object);
	lvk_sched_give_way();
}

/* ---- the test's threads */

static void
body(void *arg)
{
	struct vnk_explorer_thread *job = arg;

	LVK_EVENT(VNH_EV_BEGIN, curthread);
	job->fn(job->arg);
	LVK_EVENT(VNH_EV_OVER, curthread);
	kthread_exit();
}

/* Time passes when this one runs, and only then. */
static void
events(void *arg __unused)
{
	while (!ending) {
		(void)lvk_event(SBT_MAX);
		lvk_explorer_block(curthread);
	}
	kthread_exit();
}

static void
add(struct vnk_explorer_thread *job, void (*fn)(void *))
{
	struct thread *td;
	struct lvk_ctx *c;

	(void)kthread_add(fn, job, NULL, &td, RFSTOPPED, 0, "%s", job->name);
	c = LVK_CTX(td);
	c->lc_pcpu = cpuid_to_pcpu[job->cpu];
	lvk_sched_start(c);
	(void)id_of(c);
}

static void
nothing(void *arg __unused)
{
	kthread_exit();
}

void
vnk_explorer_warm(int n)
{
	struct thread *td;

	while (n-- > 0)
		(void)kthread_add(nothing, NULL, NULL, &td, 0, 0, "warm");
	while (lvk_others())
		;
}

void
vnk_explorer_begin(const struct vnk_explorer_thread *threads, int n)
{
	struct lvk_ctx *c;

	nctxs = 0;
	ending = false;
	solo = lvk_solo;
	lvk_cpu_give(&lvk_home);
	lvk_solo = true;
	TAILQ_FOREACH(c, &lvk_contexts, lc_link)
		c->lc_xid = 0;
	for (int i = 0; i < n; i++) {
		jobs[i] = threads[i];
		add(&jobs[i], body);
	}
	jobs[n] = (struct vnk_explorer_thread){ .name = "events" };
	add(&jobs[n], events);
	TAILQ_FOREACH(c, &lvk_contexts, lc_link)
		if (c->lc_kind == LVK_FLOW && c->lc_state == LVK_READY)
			lvk_explorer_ready(c);
}

void
vnk_explorer_go(void)
{
	lvk_explored = true;
	(void)lvk_others();
	lvk_explored = false;
}

void
vnk_explorer_end(void)
{
	ending = true;
	while (lvk_others())
		;
	lvk_solo = solo;
	(void)lvk_cpu_take(&lvk_home);
}

void
vnk_explorer_switch(void)
{
	lvk_sched_give_way();
}

int
vnk_explorer_event_due(void)
{
	return (lvk_clock_pending() || lvk_epoch_pending());
}

/* ---- what is to be known of them */

int
vnk_explorer_stays(int id)
{
	const struct lvk_ctx *c = ctxs[id];
	const struct thread *td = c == lvk_ctx_self() ? curthread : c->lc_worn;

	return (td->td_critnest > 0 || td->td_pinned > 0 || c->lc_bound);
}

void
vnk_explorer_migrate(int id, int cpu)
{
	struct lvk_ctx *c = ctxs[id];

	c->lc_pcpu = cpuid_to_pcpu[cpu];
	if (c == lvk_ctx_self()) {
		lvk_curpcpu = c->lc_pcpu;
		lvk_curpcpu->pc_curthread = curthread;
		curthread->td_oncpu = cpu;
	}
}

bool
lvk_explorer_closed(const struct pcpu *pc)
{
	for (int i = 0; i < nctxs; i++)
		if (ctxs[i]->lc_pcpu == pc && ctxs[i] != lvk_ctx_self() &&
		    ctxs[i]->lc_worn->td_md.md_spinlock_count != 0)
			return (true);
	return (vnh_explore_closed((int)pc->pc_cpuid) != 0);
}

int
vnk_explorer_cpus(void)
{
	return ((int)mp_maxid + 1);
}

int
vnk_explorer_cpu_absent(int cpu)
{
	return (CPU_ABSENT(cpu));
}

const char *
vnk_explorer_name(int event, const void *object)
{
	switch (event) {
	case VNH_EV_LOCK:
	case VNH_EV_LOCKED:
	case VNH_EV_RLOCKED:
	case VNH_EV_UNLOCK:
	case VNH_EV_RUNLOCK:
		return (((const struct lock_object *)object)->lo_name);
	case VNH_EV_EPOCH_ENTERING:
	case VNH_EV_EPOCH_ENTER:
	case VNH_EV_EPOCH_EXIT:
	case VNH_EV_EPOCH_WAITING:
	case VNH_EV_EPOCH_WAITED:
		return (((const struct epoch *)object)->e_name);
	case VNH_EV_CREATE:
		return (((const struct thread *)object)->td_name);
	}
	return (NULL);
}

int
vnk_explorer_percpu(const void *addr)
{
	uintptr_t a = (uintptr_t)addr;
	u_int cpu;

	CPU_FOREACH(cpu)
		if (a - DPCPU_START - dpcpu_off[cpu] < DPCPU_BYTES ||
		    a - (uintptr_t)cpuid_to_pcpu[cpu] < sizeof(struct pcpu))
			return ((int)cpu);
	return (lvk_percpu_item(addr));
}

/* Of a V_ variable or one of a CPU, the one that has a name. */
const void *
vnk_explorer_master(const void *addr)
{
	uintptr_t a = (uintptr_t)addr;
	u_int cpu;
#ifdef VIMAGE
	struct vnet *v;

	VNET_FOREACH(v)
		if (a - VNET_START - v->vnet_data_base < VNET_STOP - VNET_START)
			return ((const void *)(a - v->vnet_data_base));
#endif
	CPU_FOREACH(cpu)
		if (a - DPCPU_START - dpcpu_off[cpu] < DPCPU_BYTES)
			return ((const void *)(a - dpcpu_off[cpu]));
	return (addr);
}

void
vnk_explorer_own(const void **start, vnh_size_t *size)
{
	uintptr_t a = (uintptr_t)&lvk_curthread, b = (uintptr_t)&lvk_curpcpu;

	*start = (const void *)MIN(a, b);
	*size = MAX(a, b) - MIN(a, b) + sizeof(void *);
}

void
vnk_explorer_pcpus(const void **start, vnh_size_t *size)
{
	const char *first = NULL, *last = NULL;
	u_int cpu;

	CPU_FOREACH(cpu) {
		const char *pc = (const char *)cpuid_to_pcpu[cpu];

		if (first == NULL || pc < first)
			first = pc;
		if (last == NULL || pc > last)
			last = pc;
	}
	*start = first;
	*size = (vnh_size_t)(last - first) + sizeof(struct pcpu);
}

/* ---- include/kern/machine/explore.h */

void
lvk_insn_begin(void)
{
	LVK_EVENT(VNH_EV_INSN, lvk_curpcpu);
}

void
lvk_insn_end(void)
{
	LVK_EVENT(VNH_EV_INSN_END, lvk_curpcpu);
}

void
vnk_explorer_waiters(char *buf, vnh_size_t size)
{
	const struct thread *td;
	size_t n;

	lvk_waiters(buf, size);
	for (int i = 0; i < nctxs; i++) {
		n = strlen(buf);
		td = ctxs[i]->lc_worn;
		if (!ctxs[i]->lc_asleep || n + 1 >= size)
			continue;
		snprintf(buf + n, size - n, "; thread \"%s\" sleeps on \"%s\"",
		    td->td_name, td->td_wmesg);
	}
}

#endif /* LIBVNET_EXPLORE */
