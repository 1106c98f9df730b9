/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS_RESOURCE_H_
#define _SYS_RESOURCE_H_

#include <sys/types.h>
#include <sys/time.h>

struct rusage {
	struct timeval ru_utime;
	struct timeval ru_stime;
	long ru_maxrss;
	long ru_minflt;
	long ru_majflt;
	long ru_inblock;
	long ru_oublock;
	long ru_msgsnd;
	long ru_msgrcv;
	long ru_nvcsw;
	long ru_nivcsw;
};

#define RLIM_INFINITY ((rlim_t)(((__uint64_t)1 << 63) - 1))
#define RLIMIT_CPU 0
#define RLIMIT_FSIZE 1
#define RLIMIT_DATA 2
#define RLIMIT_STACK 3
#define RLIMIT_MEMLOCK 6
#define RLIMIT_NPROC 7
#define RLIMIT_NOFILE 8
#define RLIMIT_SBSIZE 9
#define RLIMIT_KQUEUES 13
#define RLIM_NLIMITS 15

struct rlimit {
	rlim_t rlim_cur;
	rlim_t rlim_max;
};

#endif
