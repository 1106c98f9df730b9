/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: the CPUs: struct pcpu, DPCPU areas, and when they come up.
 * Fidelity: modelled
 * Differs: all are there from the beginning, but for those that the test wants
 * to come up late: at SI_SUB_SMP, after much has looked at mp_ncpus and
 * all_cpus.  mp_maxid is right from the beginning.  CPU 0 is always there, and
 * boots.
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
#include <seam_cpu.h>
#include "lvk_boot.h"

__thread struct pcpu *lvk_curpcpu;
uint64_t lvk_early_counter;

static struct pcpu cpus[MAXCPU];
struct cpuhead cpuhead = STAILQ_HEAD_INITIALIZER(cpuhead);
struct pcpu *cpuid_to_pcpu[MAXCPU];
uintptr_t dpcpu_off[MAXCPU];
int mp_ncpus;
int mp_ncores;
int mp_maxcpus = MAXCPU;
int smp_cpus;
int smp_threads_per_core = 1;
u_int mp_maxid;
volatile int smp_started;
cpuset_t all_cpus;
static vnh_u64 late_cpus;

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

static void
cpu_up(u_int id)
{
	struct pcpu *pc = &cpus[id];

	memset(pc, 0, sizeof(*pc));
	pc->pc_cpuid = id;
	pc->pc_zpcpu_offset = zpcpu_offset_cpu(id);
	cpuid_to_pcpu[id] = pc;
	STAILQ_INSERT_TAIL(&cpuhead, pc, pc_allcpu);
	dpcpu_make(pc);
	CPU_SET(id, &all_cpus);
	mp_ncpus++;
}

static void
cpus_up(vnh_u64 mask)
{
	for (u_int id = 0; id < 64; id++)
		if ((mask & 1ULL << id) != 0)
			cpu_up(id);
	mp_ncores = smp_cpus = mp_ncpus;
}

void
lvk_cpus_init(vnh_u64 mask, vnh_u64 late)
{
	CPU_ZERO(&all_cpus);
	while (mask >> mp_maxid >> 1 != 0)
		mp_maxid++;
	late_cpus = late;
	cpus_up(mask & ~late);
}

static void
smp_start(void *arg __unused)
{
	lvk_owner_none_enter();
	cpus_up(late_cpus);
	lvk_owner_none_exit();
	smp_started = 1;
}
SYSINIT(lvk_smp, SI_SUB_SMP, SI_ORDER_FIRST, smp_start, NULL);

struct pcpu *
pcpu_find(u_int cpuid)
{
	return (cpuid < MAXCPU ? cpuid_to_pcpu[cpuid] : NULL);
}

/* ---- for host world */

vnh_u64
vnk_cpus(void)
{
	vnh_u64 mask = 0;
	u_int cpu;

	CPU_FOREACH(cpu)
		if (cpu < 64)
			mask |= 1ULL << cpu;
	return (mask);
}

int
vnk_maxcpu(void)
{
	return (MIN(MAXCPU, 64));
}
