/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS__MUTEX_H_
#define _SYS__MUTEX_H_
#include <sys/_lock.h>
struct mtx {
	struct lock_object lock_object;
	volatile uintptr_t mtx_lock;	/* owner thread and flag bits */
};
#endif
