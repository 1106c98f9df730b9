/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS__CPUSET_H_
#define _SYS__CPUSET_H_
#include <sys/types.h>
#include <machine/param.h>
#define CPU_SETSIZE MAXCPU
typedef struct _cpuset {
	u_long __bits[(CPU_SETSIZE + 8 * sizeof(u_long) - 1) /
	    (8 * sizeof(u_long))];
} cpuset_t;
#endif
