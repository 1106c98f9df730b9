/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS__CALLOUT_H_
#define _SYS__CALLOUT_H_

#include <sys/types.h>
#include <sys/tree.h>

struct lock_object;
typedef void callout_func_t(void *);

struct callout {
	RB_ENTRY(callout) c_links;	/* pending, by time then by age */
#ifdef INVARIANTS
	RB_ENTRY(callout) c_where;	/* pending, by address */
#endif
	sbintime_t c_time;
	sbintime_t c_precision;
	void *c_arg;
	callout_func_t *c_func;
	struct lock_object *c_lock;
	uint64_t c_seq;
	short c_flags;
	short c_iflags;
	volatile int c_cpu;
};

#endif
