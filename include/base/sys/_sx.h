/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS__SX_H_
#define _SYS__SX_H_
#include <sys/_lock.h>
struct sx {
	struct lock_object lock_object;
	volatile uintptr_t sx_lock;
};
#endif
