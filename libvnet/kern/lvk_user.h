/* SPDX-License-Identifier: BSD-2-Clause */
/* User memory: what stands between copyin(9) and it. */
#ifndef LVK_USER_H
#define LVK_USER_H

#include <lvk.h>

/* Of a string nobody knows beforehand how much is fetched. */
enum lvk_access { LVK_FETCH, LVK_STRING, LVK_STORE, LVK_WIRE };

/*
 * How many of `len' bytes from `base' on can be reached, all of them or those
 * before a page fault that cannot be served.  Panics where a fault may not be
 * served at all.  `pc' is the caller of the kernel's function.
 */
size_t	lvk_user_reach(const char *what, const volatile void *base, size_t len,
	    enum lvk_access, vnh_uptr pc);
/* A fetch of that, or of a string, is over. */
void	lvk_user_fetched(const volatile void *base, size_t len);
void	lvk_user_string(const void *base, size_t len, vnh_uptr pc);

/* ---- lvk_fetch.c: what was fetched before */
void	lvk_fetch_note(const char *what, uintptr_t at, size_t len,
	    vnh_uptr pc);
void	lvk_fetch_forget(uintptr_t at, size_t len);

#endif /* LVK_USER_H */
