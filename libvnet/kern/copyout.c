/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: copyin(9), fetch(9), store(9) and casueword(9), a machine's
 * copyout.c.
 * Fidelity: exact
 * Differs: user memory is the test's own memory; see lvk_user.c for what
 * faults.
 */
#include <sys/param.h>
#include <sys/systm.h>

#include "lvk_user.h"

/* One request's most; the tunables that lower it are not there. */
size_t	iosize_max(void);
size_t	devfs_iosize_max(void);

size_t
iosize_max(void)
{
	return (~(size_t)0 >> 1);
}

size_t
devfs_iosize_max(void)
{
	return (~(size_t)0 >> 1);
}

#undef copyin
#undef copyout
#undef copyinstr

int
copyin(const void *u, void *k, size_t len)
{
	size_t n = lvk_user_reach("copyin", u, len, LVK_FETCH, LVK_PC);

	memcpy(k, u, n);
	lvk_user_fetched(u, n);
	return (n == len ? 0 : EFAULT);
}

int
copyout(const void *k, void *u, size_t len)
{
	size_t n = lvk_user_reach("copyout", u, len, LVK_STORE, LVK_PC);

	memcpy(u, k, n);
	return (n == len ? 0 : EFAULT);
}

int
copyinstr(const void *u, void *k, size_t len, size_t *done)
{
	const char *from = u;
	char *to = k;
	size_t n, reach;
	int error;

	/* Of the longest that it may be, to the first that is bad. */
	reach = lvk_user_reach("copyinstr", u, len, LVK_STRING, LVK_PC);
	error = reach == len ? ENAMETOOLONG : EFAULT;
	for (n = 0; n < reach && error != 0; n++) {
		to[n] = from[n];
		if (to[n] == '\0')
			error = 0;
	}
	lvk_user_string(u, n, LVK_PC);
	if (done != NULL)
		*done = n;
	return (error);
}

/* ---- one word: 0, or -1 where it cannot be reached */

static __always_inline int
fetch(const char *what, const volatile void *u, void *to, size_t size)
{
	if (lvk_user_reach(what, u, size, LVK_FETCH, LVK_PC) != size)
		return (-1);
	memcpy(to, (const void *)(uintptr_t)u, size);
	lvk_user_fetched(u, size);
	return (0);
}

static __always_inline int
store(const char *what, volatile void *u, const void *from, size_t size)
{
	if (lvk_user_reach(what, u, size, LVK_STORE, LVK_PC) != size)
		return (-1);
	memcpy((void *)(uintptr_t)u, from, size);
	return (0);
}

int
fubyte(const volatile void *u)
{
	uint8_t v;

	return (fetch("fubyte", u, &v, sizeof(v)) != 0 ? -1 : v);
}

int
fuword16(const volatile void *u)
{
	uint16_t v;

	return (fetch("fuword16", u, &v, sizeof(v)) != 0 ? -1 : v);
}

int
fueword32(const volatile void *u, int32_t *v)
{
	return (fetch("fueword32", u, v, sizeof(*v)));
}

int
fueword64(const volatile void *u, int64_t *v)
{
	return (fetch("fueword64", u, v, sizeof(*v)));
}

int
fueword(const volatile void *u, long *v)
{
	return (fetch("fueword", u, v, sizeof(*v)));
}

int
subyte(volatile void *u, int byte)
{
	uint8_t v = (uint8_t)byte;

	return (store("subyte", u, &v, sizeof(v)));
}

int
suword16(volatile void *u, int word)
{
	uint16_t v = (uint16_t)word;

	return (store("suword16", u, &v, sizeof(v)));
}

int
suword32(volatile void *u, int32_t v)
{
	return (store("suword32", u, &v, sizeof(v)));
}

int
suword64(volatile void *u, int64_t v)
{
	return (store("suword64", u, &v, sizeof(v)));
}

int
suword(volatile void *u, long v)
{
	return (store("suword", u, &v, sizeof(v)));
}

/* ---- compare and set: 0 done, 1 another value was there, -1 a fault */

int
casueword32(volatile uint32_t *u, uint32_t old, uint32_t *was, uint32_t new)
{
	if (lvk_user_reach("casueword32", u, sizeof(*u), LVK_STORE, LVK_PC) !=
	    sizeof(*u))
		return (-1);
	*was = old;
	return (__atomic_compare_exchange_n(u, was, new, 0, __ATOMIC_SEQ_CST,
	    __ATOMIC_SEQ_CST) ? 0 : 1);
}

int
casueword(volatile u_long *u, u_long old, u_long *was, u_long new)
{
	if (lvk_user_reach("casueword", u, sizeof(*u), LVK_STORE, LVK_PC) !=
	    sizeof(*u))
		return (-1);
	*was = old;
	return (__atomic_compare_exchange_n(u, was, new, 0, __ATOMIC_SEQ_CST,
	    __ATOMIC_SEQ_CST) ? 0 : 1);
}
