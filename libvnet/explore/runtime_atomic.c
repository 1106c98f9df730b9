/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * __tsan_atomic*: the atomics of instrumented code.  Under exploration one
 * thread runs at a time, so each is made in one piece once its turn has come.
 */
#include <stdint.h>

#include "xp.h"

#define PC ((uintptr_t)__builtin_return_address(0))
typedef unsigned __int128 u128;

static inline __attribute__((always_inline)) void
seen(const volatile void *p, unsigned size, bool store, uintptr_t pc)
{
	if (__builtin_expect(xp_on != 0, 0))
		xp_access((uintptr_t)p, size, XP_ATOMIC |
		    (store ? XP_WRITE : 0), pc);
}

/* What it tells one thread of another. */
static inline __attribute__((always_inline)) void
orders(const volatile void *p, bool load, bool store, int order)
{
	if (__builtin_expect(xp_on != 0 && x.races, 0))
		xp_race_atomic((uintptr_t)p, load, store, order);
}

#define RMW(bits, type, name, call)					\
type	__tsan_atomic##bits##_##name(volatile type *, type, int);	\
type									\
__tsan_atomic##bits##_##name(volatile type *p, type v, int order)	\
{									\
	type old;							\
									\
	seen(p, sizeof(*p), true, PC);					\
	old = call(p, v, __ATOMIC_SEQ_CST);				\
	orders(p, true, true, order);					\
	return (old);							\
}

#define CAS(bits, type, strength)					\
int	__tsan_atomic##bits##_compare_exchange_##strength(		\
	    volatile type *, type *, type, int, int);			\
int									\
__tsan_atomic##bits##_compare_exchange_##strength(volatile type *p,	\
    type *expected, type v, int order, int failure)			\
{									\
	bool done;							\
									\
	seen(p, sizeof(*p), true, PC);					\
	done = __atomic_compare_exchange_n(p, expected, v, 0,		\
	    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);			\
	orders(p, true, done, done ? order : failure);			\
	return (done);							\
}

#define ATOMIC(bits, type)						\
type	__tsan_atomic##bits##_load(const volatile type *, int);		\
type									\
__tsan_atomic##bits##_load(const volatile type *p, int order)		\
{									\
	seen(p, sizeof(*p), false, PC);					\
	orders(p, true, false, order);					\
	return (__atomic_load_n(p, __ATOMIC_SEQ_CST));			\
}									\
void	__tsan_atomic##bits##_store(volatile type *, type, int);	\
void									\
__tsan_atomic##bits##_store(volatile type *p, type v, int order)	\
{									\
	seen(p, sizeof(*p), true, PC);					\
	orders(p, false, true, order);					\
	__atomic_store_n(p, v, __ATOMIC_SEQ_CST);			\
}									\
RMW(bits, type, exchange, __atomic_exchange_n)				\
RMW(bits, type, fetch_add, __atomic_fetch_add)				\
RMW(bits, type, fetch_sub, __atomic_fetch_sub)				\
RMW(bits, type, fetch_and, __atomic_fetch_and)				\
RMW(bits, type, fetch_or, __atomic_fetch_or)				\
RMW(bits, type, fetch_xor, __atomic_fetch_xor)				\
RMW(bits, type, fetch_nand, __atomic_fetch_nand)			\
CAS(bits, type, strong)							\
CAS(bits, type, weak)							\
type	__tsan_atomic##bits##_compare_exchange_val(volatile type *,	\
	    type, type, int, int);					\
type									\
__tsan_atomic##bits##_compare_exchange_val(volatile type *p,		\
    type expected, type v, int order, int failure)			\
{									\
	(void)__tsan_atomic##bits##_compare_exchange_strong(p,		\
	    &expected, v, order, failure);				\
	return (expected);						\
}

ATOMIC(8, uint8_t)
ATOMIC(16, uint16_t)
ATOMIC(32, uint32_t)
ATOMIC(64, uint64_t)

/* No builtin for these without libatomic: made where one thread runs only. */
#define RMW16(name, result)						\
u128	__tsan_atomic128_##name(volatile u128 *, u128, int);		\
u128									\
__tsan_atomic128_##name(volatile u128 *p, u128 v, int order)		\
{									\
	u128 old;							\
									\
	seen(p, sizeof(*p), true, PC);					\
	old = *p;							\
	*p = (result);							\
	orders(p, true, true, order);					\
	return (old);							\
}
RMW16(exchange, v)
RMW16(fetch_add, old + v)
RMW16(fetch_sub, old - v)
RMW16(fetch_and, old & v)
RMW16(fetch_or, old | v)
RMW16(fetch_xor, old ^ v)
RMW16(fetch_nand, ~(old & v))

u128	__tsan_atomic128_load(const volatile u128 *, int);
void	__tsan_atomic128_store(volatile u128 *, u128, int);
u128	__tsan_atomic128_compare_exchange_val(volatile u128 *, u128, u128,
	    int, int);
int	__tsan_atomic128_compare_exchange_strong(volatile u128 *, u128 *,
	    u128, int, int);
int	__tsan_atomic128_compare_exchange_weak(volatile u128 *, u128 *,
	    u128, int, int);

u128
__tsan_atomic128_load(const volatile u128 *p, int order)
{
	seen(p, sizeof(*p), false, PC);
	orders(p, true, false, order);
	return (*p);
}

void
__tsan_atomic128_store(volatile u128 *p, u128 v, int order)
{
	seen(p, sizeof(*p), true, PC);
	orders(p, false, true, order);
	*p = v;
}

u128
__tsan_atomic128_compare_exchange_val(volatile u128 *p, u128 expected, u128 v,
    int order, int failure)
{
	u128 old;

	seen(p, sizeof(*p), true, PC);
	old = *p;
	if (old == expected)
		*p = v;
	orders(p, true, old == expected, old == expected ? order : failure);
	return (old);
}

int
__tsan_atomic128_compare_exchange_strong(volatile u128 *p, u128 *expected,
    u128 v, int order, int failure)
{
	u128 want = *expected;

	*expected = __tsan_atomic128_compare_exchange_val(p, want, v, order,
	    failure);
	return (*expected == want);
}

int
__tsan_atomic128_compare_exchange_weak(volatile u128 *p, u128 *expected,
    u128 v, int order, int failure)
{
	return (__tsan_atomic128_compare_exchange_strong(p, expected, v, order,
	    failure));
}

void	__tsan_atomic_thread_fence(int);
void	__tsan_atomic_signal_fence(int);

void
__tsan_atomic_thread_fence(int order)
{
	if (xp_on != 0 && x.races)
		xp_race_fence(order);
}

void
__tsan_atomic_signal_fence(int order)
{
	(void)order;
}
