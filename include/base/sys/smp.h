/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS_SMP_H_
#define _SYS_SMP_H_

#include <sys/cpuset.h>

extern int mp_ncpus;
extern int mp_ncores;
extern int mp_maxcpus;
extern int smp_cpus;
extern int smp_threads_per_core;
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

extern struct mtx smp_ipi_mtx;

void	smp_no_rendezvous_barrier(void *);
void	smp_rendezvous(void (*)(void *), void (*)(void *), void (*)(void *),
	    void *);
void	smp_rendezvous_cpus(cpuset_t, void (*)(void *), void (*)(void *),
	    void (*)(void *), void *);
void	smp_rendezvous_cpu(u_int, void (*)(void *), void (*)(void *),
	    void (*)(void *), void *);

struct smp_rendezvous_cpus_retry_arg {
	cpuset_t cpus;
};
void	smp_rendezvous_cpus_retry(cpuset_t, void (*)(void *), void (*)(void *),
	    void (*)(void *), void (*)(void *, int),
	    struct smp_rendezvous_cpus_retry_arg *);
void	smp_rendezvous_cpus_done(struct smp_rendezvous_cpus_retry_arg *);

int	quiesce_cpus(cpuset_t, const char *, int);
int	quiesce_all_cpus(const char *, int);
void	quiesce_all_critical(void);
void	cpus_fence_seq_cst(void);

#endif
