/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS__RWLOCK_H_
#define _SYS__RWLOCK_H_
#include <sys/_lock.h>
struct rwlock {
	struct lock_object lock_object;
	volatile uintptr_t rw_lock;
};
#endif
