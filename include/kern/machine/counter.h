/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * counter(9), the amd64 form: the increment is one operation on this CPU's
 * slot, so enter and exit are empty.
 */
#ifndef _MACHINE_COUNTER_H_
#define _MACHINE_COUNTER_H_

#include <sys/pcpu.h>
#include <sys/systm.h>
#ifdef INVARIANTS
#include <sys/proc.h>
#endif

/* Takes what is counted before counters can be allocated. */
extern uint64_t lvk_early_counter;
#define EARLY_COUNTER (&lvk_early_counter)

#define counter_enter() do { } while (0)
#define counter_exit() do { } while (0)

static __inline void
counter_u64_add(counter_u64_t c, int64_t inc)
{
	KASSERT(c != NULL, ("counter_u64_add: counter is NULL; allocate it with "
	    "counter_u64_alloc() before use"));
	KASSERT(IS_BSP() || c != EARLY_COUNTER,
	    ("EARLY_COUNTER used on CPU %u", PCPU_GET(cpuid)));
	*zpcpu_get(c) += (uint64_t)inc;
}
#define counter_u64_add_protected(c, i) counter_u64_add(c, i)

#ifdef IN_SUBR_COUNTER_C
#include <sys/smp.h>

static __inline uint64_t
counter_u64_fetch_inline(uint64_t *c)
{
	uint64_t sum = 0;
	int cpu;

	if (c == EARLY_COUNTER)
		return (*c);
	CPU_FOREACH(cpu)
		sum += *zpcpu_get_cpu(c, cpu);
	return (sum);
}

static void
counter_u64_zero_one_cpu(void *arg)
{
	uint64_t *c = arg;

	*zpcpu_get(c) = 0;
}

static __inline void
counter_u64_zero_inline(counter_u64_t c)
{
	smp_rendezvous(smp_no_rendezvous_barrier, counter_u64_zero_one_cpu,
	    smp_no_rendezvous_barrier, c);
}
#endif /* IN_SUBR_COUNTER_C */

#endif /* _MACHINE_COUNTER_H_ */
