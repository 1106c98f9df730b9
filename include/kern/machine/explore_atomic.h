/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * atomic(9)'s operations for an exploration that sees loads and stores but not
 * whether they are atomic: each is a call, by the names that a compiler's
 * thread sanitizer has for them.
 */
#ifndef _MACHINE_EXPLORE_ATOMIC_H_
#define _MACHINE_EXPLORE_ATOMIC_H_

#include <sys/types.h>

#define LVK_AT_DECLARE(bits, type)					\
type	__tsan_atomic##bits##_load(const volatile type *, int);		\
void	__tsan_atomic##bits##_store(volatile type *, type, int);	\
type	__tsan_atomic##bits##_exchange(volatile type *, type, int);	\
type	__tsan_atomic##bits##_fetch_add(volatile type *, type, int);	\
type	__tsan_atomic##bits##_fetch_sub(volatile type *, type, int);	\
type	__tsan_atomic##bits##_fetch_and(volatile type *, type, int);	\
type	__tsan_atomic##bits##_fetch_or(volatile type *, type, int);	\
int	__tsan_atomic##bits##_compare_exchange_strong(volatile type *,	\
	    type *, type, int, int);

LVK_AT_DECLARE(8, uint8_t)
LVK_AT_DECLARE(16, uint16_t)
LVK_AT_DECLARE(32, uint32_t)
LVK_AT_DECLARE(64, uint64_t)
void	__tsan_atomic_thread_fence(int);
void	__tsan_atomic_signal_fence(int);

/* One of four, by the size of *p; `cast' makes a pointer of the right type. */
#define LVK_AT(p, op, ...)						\
	__builtin_choose_expr(sizeof(*(p)) == 1,			\
	    __tsan_atomic8_##op((volatile uint8_t *)			\
	    (uintptr_t)(p), __VA_ARGS__),				\
	__builtin_choose_expr(sizeof(*(p)) == 2,			\
	    __tsan_atomic16_##op((volatile uint16_t *)			\
	    (uintptr_t)(p), __VA_ARGS__),				\
	__builtin_choose_expr(sizeof(*(p)) == 4,			\
	    __tsan_atomic32_##op((volatile uint32_t *)			\
	    (uintptr_t)(p), __VA_ARGS__),				\
	    __tsan_atomic64_##op((volatile uint64_t *)			\
	    (uintptr_t)(p), __VA_ARGS__))))

#define LVK_AT_VALUE(v) ((uint64_t)(uintptr_t)(v))

#define lvk_at_load(p, o)						\
	((__typeof(*(p) + 0))(uintptr_t)LVK_AT(p, load, (o)))
#define lvk_at_store(p, v, o)						\
	LVK_AT(p, store, LVK_AT_VALUE(v), (o))
#define lvk_at_exchange(p, v, o)					\
	((__typeof(*(p) + 0))LVK_AT(p, exchange, LVK_AT_VALUE(v), (o)))
#define lvk_at_fetch_add(p, v, o)					\
	((__typeof(*(p) + 0))LVK_AT(p, fetch_add, LVK_AT_VALUE(v), (o)))
#define lvk_at_fetch_sub(p, v, o)					\
	((__typeof(*(p) + 0))LVK_AT(p, fetch_sub, LVK_AT_VALUE(v), (o)))
#define lvk_at_fetch_and(p, v, o)					\
	((__typeof(*(p) + 0))LVK_AT(p, fetch_and, LVK_AT_VALUE(v), (o)))
#define lvk_at_fetch_or(p, v, o)					\
	((__typeof(*(p) + 0))LVK_AT(p, fetch_or, LVK_AT_VALUE(v), (o)))
#define lvk_at_compare_exchange(p, old, new, yes, no)			\
	LVK_AT(p, compare_exchange_strong, (void *)(uintptr_t)(old),	\
	    LVK_AT_VALUE(new), (yes), (no))
#define lvk_at_thread_fence(o) __tsan_atomic_thread_fence(o)
#define lvk_at_signal_fence(o) __tsan_atomic_signal_fence(o)

#endif /* _MACHINE_EXPLORE_ATOMIC_H_ */
