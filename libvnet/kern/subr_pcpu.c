/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: the CPUs: struct pcpu, DPCPU areas, smp_rendezvous(9).
 * Fidelity: modelled
 * Differs: one thread runs at a time, so a rendezvous visits each CPU in
 * turn on the caller.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/pcpu.h>
#include <sys/proc.h>
#include <sys/smp.h>

#include <lvk.h>
#include "lvk_boot.h"

__thread struct pcpu *lvk_curpcpu;
uint64_t lvk_early_counter;

static struct pcpu cpus[MAXCPU];
struct cpuhead cpuhead = STAILQ_HEAD_INITIALIZER(cpuhead);
struct pcpu *cpuid_to_pcpu[MAXCPU];
uintptr_t dpcpu_off[MAXCPU];
int mp_ncpus;
u_int mp_maxid;
volatile int smp_started;
cpuset_t all_cpus;

/*
 * The DPCPU copy keeps the master's offset within the page, so that every
 * alignment up to a page holds in the copy too.
 */
static void
dpcpu_make(struct pcpu *pc)
{
	uintptr_t skew;
	char *area;

	if (DPCPU_BYTES == 0)
		return;
	skew = DPCPU_START % PAGE_SIZE;
	area = lvk_block_alloc(DPCPU_BYTES + skew, PAGE_SIZE);
	vnh_copy(area + skew, (void *)DPCPU_START, DPCPU_BYTES);
	vnh_unpoison(area, DPCPU_BYTES + skew);
	pc->pc_dynamic = (uintptr_t)area + skew - DPCPU_START;
	dpcpu_off[pc->pc_cpuid] = pc->pc_dynamic;
}

void
lvk_cpus_init(int ncpus)
{
	CPU_ZERO(&all_cpus);
	mp_ncpus = ncpus;
	mp_maxid = (u_int)ncpus - 1;
	for (int i = 0; i < ncpus; i++) {
		struct pcpu *pc = &cpus[i];

		memset(pc, 0, sizeof(*pc));
		pc->pc_cpuid = (u_int)i;
		pc->pc_zpcpu_offset = zpcpu_offset_cpu(i);
		cpuid_to_pcpu[i] = pc;
		CPU_SET(i, &all_cpus);
		STAILQ_INSERT_TAIL(&cpuhead, pc, pc_allcpu);
		dpcpu_make(pc);
	}
	smp_started = 1;
}

struct pcpu *
pcpu_find(u_int cpuid)
{
	return (cpuid < MAXCPU ? cpuid_to_pcpu[cpuid] : NULL);
}

void
smp_no_rendezvous_barrier(void *dummy __unused)
{
}

void
smp_rendezvous(void (*setup)(void *), void (*action)(void *),
    void (*teardown)(void *), void *arg)
{
	void (*step[])(void *) = { setup, action, teardown };
	struct pcpu *self = lvk_curpcpu;
	u_int cpu;

	for (u_int i = 0; i < nitems(step); i++) {
		if (step[i] == NULL || step[i] == smp_no_rendezvous_barrier)
			continue;
		CPU_FOREACH(cpu) {
			lvk_curpcpu = cpuid_to_pcpu[cpu];
			step[i](arg);
		}
	}
	lvk_curpcpu = self;
}
