/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS_CPUSET_H_
#define _SYS_CPUSET_H_
#include <sys/_cpuset.h>
#define __CPU_BITS (8 * sizeof(u_long))
#define __CPU_WORD(n, p) ((p)->__bits[(n) / __CPU_BITS])
#define __CPU_MASK(n) (1UL << ((n) % __CPU_BITS))
#define CPU_SET(n, p) (__CPU_WORD(n, p) |= __CPU_MASK(n))
#define CPU_CLR(n, p) (__CPU_WORD(n, p) &= ~__CPU_MASK(n))
#define CPU_ISSET(n, p) ((__CPU_WORD(n, p) & __CPU_MASK(n)) != 0)
#define CPU_ZERO(p) memset((p), 0, sizeof(*(p)))
#define CPU_COPY(f, t) (*(t) = *(f))
#define CPU_SETOF(n, p) (CPU_ZERO(p), CPU_SET((n), (p)))
#define CPU_FILL(p) memset((p), 0xff, sizeof(*(p)))

static __inline int
__cpuset_count(const cpuset_t *p)
{
	int n = 0;

	for (u_int i = 0; i < CPU_SETSIZE; i++)
		n += CPU_ISSET(i, p);
	return (n);
}
#define CPU_COUNT(p) __cpuset_count(p)
#define CPU_EMPTY(p) (__cpuset_count(p) == 0)
#define CPU_CMP(p, c) (memcmp((p), (c), sizeof(*(p))) != 0)

/* What a thread may run on; by its td_tid. */
int	cpuset_setthread(lwpid_t, cpuset_t *);
int	cpuset_setithread(lwpid_t, int cpu);
#endif
