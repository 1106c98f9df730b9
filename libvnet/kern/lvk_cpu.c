/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: nothing of FreeBSD's; which context is on which CPU.
 * Fidelity: exact
 * Differs: --
 *
 * A context runs only while it holds a CPU, and a CPU is held by one at a
 * time.  So code in a critical section, which is not switched away from, has
 * the data of its CPU to itself, in every mode: the lock under which a CPU
 * changes hands orders what one holder wrote before what the next one reads.
 *
 * Host threads that attach are the exception: they run whatever their program
 * runs, so they keep one CPU while they are attached, and share one where none
 * can be spared.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/pcpu.h>
#include <sys/proc.h>
#include <sys/smp.h>

#include "lvk_boot.h"
#include "lvk_cpu.h"

bool lvk_solo;

static struct lvk_ctx *holders[MAXCPU];
static struct lvk_ctx claimed;		/* in place of a holder */
static enum vnk_cpu_policy policy;
static uint64_t random_state;
static u_int last;			/* where somebody chose to go */

void
lvk_cpu_policy(int p, uint64_t seed)
{
	policy = (enum vnk_cpu_policy)p;
	random_state = seed;
}

struct lvk_ctx *
lvk_cpu_holder(const struct pcpu *pc)
{
	return (holders[pc->pc_cpuid]);
}

/* Pinned, bound, or on its way to where it is to be. */
static bool
stays(const struct lvk_ctx *c)
{
	return (c->lc_fixed || c->lc_bound || c->lc_worn->td_pinned > 0);
}

bool
lvk_cpu_suits(const struct lvk_ctx *c, const struct pcpu *pc)
{
	return (pc == c->lc_pcpu || !stays(c));
}

static bool
idle(u_int cpu)
{
	return (!CPU_ABSENT(cpu) && holders[cpu] == NULL);
}

/* The first idle CPU from that one on, or -1. */
static int
idle_from(u_int cpu)
{
	for (u_int n = 0; n <= mp_maxid; n++, cpu++) {
		if (cpu > mp_maxid)
			cpu = 0;
		if (idle(cpu))
			return ((int)cpu);
	}
	return (-1);
}

/* Any idle CPU will do. */
static int
choose(const struct lvk_ctx *c)
{
	switch (policy) {
	case VNK_CPU_FIRST:
		return (idle_from(0));
	case VNK_CPU_ROTATE:
		return (idle_from(last + 1));
	case VNK_CPU_RANDOM:
		random_state = random_state * 6364136223846793005ULL +
		    1442695040888963407ULL;
		return (idle_from((u_int)(random_state >> 33) %
		    (mp_maxid + 1)));
	case VNK_CPU_STAY:
		break;
	}
	return (idle_from(c->lc_pcpu->pc_cpuid));
}

bool
lvk_cpu_find(struct lvk_ctx *c)
{
	int cpu;

	if (!stays(c))
		cpu = choose(c);
	else
		cpu = idle(c->lc_pcpu->pc_cpuid) ?
		    (int)c->lc_pcpu->pc_cpuid : -1;
	if (cpu < 0)
		return (false);
	last = (u_int)cpu;
	holders[cpu] = c;
	c->lc_pcpu = cpuid_to_pcpu[cpu];
	c->lc_oncpu = true;
	return (true);
}

void
lvk_cpu_leave(struct lvk_ctx *c)
{
	holders[c->lc_pcpu->pc_cpuid] = NULL;
	c->lc_oncpu = false;
	if (c->lc_next_pcpu != NULL)
		c->lc_pcpu = c->lc_next_pcpu;
	c->lc_next_pcpu = NULL;
}

bool
lvk_cpu_claim(struct pcpu *pc)
{
	if (holders[pc->pc_cpuid] != NULL)
		return (false);
	holders[pc->pc_cpuid] = &claimed;
	return (true);
}

void
lvk_cpu_unclaim(struct pcpu *pc)
{
	holders[pc->pc_cpuid] = NULL;
}

/* The highest that is idle, but not the last one. */
struct pcpu *
lvk_cpu_spare(void)
{
	struct pcpu *spare = NULL;
	int others = 0;
	u_int cpu;

	CPU_FOREACH(cpu) {
		if (holders[cpu] == NULL)
			spare = cpuid_to_pcpu[cpu];
		if (holders[cpu] == NULL || holders[cpu] == &lvk_home ||
		    holders[cpu]->lc_kind == LVK_FLOW)
			others++;
	}
	return (others > 1 ? spare : NULL);
}
