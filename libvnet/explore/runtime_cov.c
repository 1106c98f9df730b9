/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What code compiled with clang's -fsanitize-coverage=trace-pc-guard,
 * trace-loads,trace-stores calls, answered.  It tells loads and stores, and
 * not which are atomic: see include/kern/machine/explore_atomic.h.
 */
#include "xp.h"

#define PC ((uintptr_t)__builtin_return_address(0))

/* A sanitizer has weak ones of these: a strong reference brings ours. */
const int xp_coverage = 1;

void	__sanitizer_cov_trace_pc_guard(uint32_t *);
void	__sanitizer_cov_trace_pc_guard_init(uint32_t *, uint32_t *);

void
__sanitizer_cov_trace_pc_guard(uint32_t *guard)
{
	(void)guard;
}

void
__sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop)
{
	(void)start;
	(void)stop;
}

#define ACCESS(name, n, kind)						\
void	__sanitizer_cov_##name##n(void *);				\
void									\
__sanitizer_cov_##name##n(void *p)					\
{									\
	if (__builtin_expect(xp_on != 0, 0))				\
		xp_access((uintptr_t)p, n, kind, PC);			\
}

#define SIZE(n)								\
ACCESS(load, n, XP_READ)						\
ACCESS(store, n, XP_WRITE)

SIZE(1)
SIZE(2)
SIZE(4)
SIZE(8)
SIZE(16)
