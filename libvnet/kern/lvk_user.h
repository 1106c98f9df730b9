/* SPDX-License-Identifier: BSD-2-Clause */
/* User memory: what stands between copyin(9) and it. */
#ifndef LVK_USER_H
#define LVK_USER_H

#include <lvk.h>

/*
 * How many of `len' bytes from `base' on can be reached, all of them or those
 * before a page fault that cannot be served.  Panics where a fault may not be
 * served at all.
 */
size_t	lvk_user_reach(const char *what, const volatile void *base, size_t len,
	    bool write);

#endif /* LVK_USER_H */
