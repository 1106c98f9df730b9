/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS_SMP_H_
#define _SYS_SMP_H_

#include <sys/cpuset.h>

extern int mp_ncpus;
extern u_int mp_maxid;
extern volatile int smp_started;
extern cpuset_t all_cpus;

#define CPU_ABSENT(id) (!CPU_ISSET((id), &all_cpus))
#define CPU_FOREACH(i)							\
	for ((i) = 0; (i) <= mp_maxid; (i)++)				\
		if (!CPU_ABSENT((i)))
static __inline u_int
cpu_next(u_int i)
{
	do {
		i = i >= mp_maxid ? 0 : i + 1;
	} while (CPU_ABSENT(i));
	return (i);
}
#define CPU_FIRST() (CPU_ABSENT(0) ? cpu_next(0) : 0)
#define CPU_NEXT(i) cpu_next((i))

void	smp_no_rendezvous_barrier(void *);
void	smp_rendezvous(void (*)(void *), void (*)(void *), void (*)(void *),
	    void *);

#endif
