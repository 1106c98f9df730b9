/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * atomic(9) over the compiler's __atomic builtins, so that sanitizers see
 * every access and no architecture is assumed.
 */
#ifndef _MACHINE_ATOMIC_H_
#define _MACHINE_ATOMIC_H_

#include <sys/types.h>

#if defined(LVK_INSTRUMENTED) && defined(LIBVNET_EXPLORE_COVERAGE)
#include <machine/explore_atomic.h>
#else
#define lvk_at_load(p, o) __atomic_load_n((p), (o))
#define lvk_at_store(p, v, o) __atomic_store_n((p), (v), (o))
#define lvk_at_exchange(p, v, o) __atomic_exchange_n((p), (v), (o))
#define lvk_at_fetch_add(p, v, o) __atomic_fetch_add((p), (v), (o))
#define lvk_at_fetch_sub(p, v, o) __atomic_fetch_sub((p), (v), (o))
#define lvk_at_fetch_and(p, v, o) __atomic_fetch_and((p), (v), (o))
#define lvk_at_fetch_or(p, v, o) __atomic_fetch_or((p), (v), (o))
#define lvk_at_compare_exchange(p, old, new, yes, no)			\
	__atomic_compare_exchange_n((p), (old), (new), 0, (yes), (no))
#define lvk_at_thread_fence(o) __atomic_thread_fence(o)
#define lvk_at_signal_fence(o) __atomic_signal_fence(o)
#endif

/* A tree's sys/atomic_common.h defines load and store again: not needed. */
#define _SYS_ATOMIC_COMMON_H_

static __inline void
atomic_thread_fence_acq(void)
{
	lvk_at_thread_fence(__ATOMIC_ACQUIRE);
}
static __inline void
atomic_thread_fence_rel(void)
{
	lvk_at_thread_fence(__ATOMIC_RELEASE);
}
static __inline void
atomic_thread_fence_acq_rel(void)
{
	lvk_at_thread_fence(__ATOMIC_ACQ_REL);
}
static __inline void
atomic_thread_fence_seq_cst(void)
{
	lvk_at_thread_fence(__ATOMIC_SEQ_CST);
}
static __inline void
atomic_interrupt_fence(void)
{
	lvk_at_signal_fence(__ATOMIC_SEQ_CST);
}
#define mb() atomic_thread_fence_seq_cst()
#define wmb() atomic_thread_fence_rel()
#define rmb() atomic_thread_fence_acq()

/* One read-modify-write in its plain, _acq_ and _rel_ spellings. */
#define LVK_RMW1(op, order, suffix, name, type, expr)			\
static __inline void							\
atomic_##op##order##name(volatile type *p, type v)			\
{									\
	(void)expr(p, suffix, v);					\
}
#define LVK_ADD(p, o, v) lvk_at_fetch_add((p), (v), o)
#define LVK_SUB(p, o, v) lvk_at_fetch_sub((p), (v), o)
#define LVK_OR(p, o, v) lvk_at_fetch_or((p), (v), o)
#define LVK_AND(p, o, v) lvk_at_fetch_and((p), (type_of_v(v))~(v), o)
#define type_of_v(v) __typeof(v)

#define LVK_RMW(op, name, type, expr)					\
	LVK_RMW1(op, _, __ATOMIC_RELAXED, name, type, expr)		\
	LVK_RMW1(op, _acq_, __ATOMIC_ACQUIRE, name, type, expr)		\
	LVK_RMW1(op, _rel_, __ATOMIC_RELEASE, name, type, expr)

#define LVK_CMPSET(order, succ, name, type)				\
static __inline int							\
atomic_cmpset##order##name(volatile type *p, type old, type new)	\
{									\
	return (lvk_at_compare_exchange(p, &old, new, succ,	\
	    __ATOMIC_RELAXED));						\
}									\
static __inline int							\
atomic_fcmpset##order##name(volatile type *p, type *old, type new)	\
{									\
	return (lvk_at_compare_exchange(p, old, new, succ,	\
	    __ATOMIC_RELAXED));						\
}

#define LVK_ATOMIC(name, type)						\
	LVK_RMW(add, name, type, LVK_ADD)				\
	LVK_RMW(subtract, name, type, LVK_SUB)				\
	LVK_RMW(set, name, type, LVK_OR)				\
	LVK_RMW(clear, name, type, LVK_AND)				\
	LVK_CMPSET(_, __ATOMIC_RELAXED, name, type)			\
	LVK_CMPSET(_acq_, __ATOMIC_ACQUIRE, name, type)			\
	LVK_CMPSET(_rel_, __ATOMIC_RELEASE, name, type)			\
static __inline type							\
atomic_load_acq_##name(const volatile type *p)				\
{									\
	return (lvk_at_load(p, __ATOMIC_ACQUIRE));			\
}									\
static __inline void							\
atomic_store_rel_##name(volatile type *p, type v)			\
{									\
	lvk_at_store(p, v, __ATOMIC_RELEASE);			\
}									\
static __inline type							\
atomic_fetchadd_##name(volatile type *p, type v)			\
{									\
	return (lvk_at_fetch_add(p, v, __ATOMIC_SEQ_CST));		\
}									\
static __inline type							\
atomic_readandclear_##name(volatile type *p)				\
{									\
	return (lvk_at_exchange(p, 0, __ATOMIC_SEQ_CST));		\
}									\
static __inline type							\
atomic_swap_##name(volatile type *p, type v)				\
{									\
	return (lvk_at_exchange(p, v, __ATOMIC_SEQ_CST));		\
}									\
static __inline int							\
atomic_testandset_##name(volatile type *p, u_int bit)			\
{									\
	type m = (type)1 << (bit % (sizeof(type) * 8));			\
									\
	return ((lvk_at_fetch_or(p, m, __ATOMIC_SEQ_CST) & m) != 0);	\
}									\
static __inline int							\
atomic_testandclear_##name(volatile type *p, u_int bit)			\
{									\
	type m = (type)1 << (bit % (sizeof(type) * 8));			\
									\
	return ((lvk_at_fetch_and(p, (type)~m, __ATOMIC_SEQ_CST) & m) != 0); \
}

LVK_ATOMIC(char, u_char)
LVK_ATOMIC(short, u_short)
LVK_ATOMIC(int, u_int)
LVK_ATOMIC(long, u_long)
LVK_ATOMIC(8, uint8_t)
LVK_ATOMIC(16, uint16_t)
LVK_ATOMIC(32, uint32_t)
LVK_ATOMIC(64, uint64_t)
LVK_ATOMIC(ptr, uintptr_t)

#undef LVK_ATOMIC
#undef LVK_CMPSET
#undef LVK_RMW
#undef LVK_RMW1
#undef LVK_ADD
#undef LVK_SUB
#undef LVK_OR
#undef LVK_AND
#undef type_of_v

/* Callers hand pointers to signed and bool objects too, so these are macros. */
#define LVK_LOAD(p) lvk_at_load((p), __ATOMIC_RELAXED)
#define LVK_STORE(p, v) lvk_at_store((p), (v), __ATOMIC_RELAXED)
#define atomic_load_bool(p) LVK_LOAD(p)
#define atomic_load_char(p) LVK_LOAD(p)
#define atomic_load_short(p) LVK_LOAD(p)
#define atomic_load_int(p) LVK_LOAD(p)
#define atomic_load_long(p) LVK_LOAD(p)
#define atomic_load_8(p) LVK_LOAD(p)
#define atomic_load_16(p) LVK_LOAD(p)
#define atomic_load_32(p) LVK_LOAD(p)
#define atomic_load_64(p) LVK_LOAD(p)
#define atomic_load_ptr(p) LVK_LOAD(p)
#define atomic_load_consume_ptr(p) lvk_at_load((p), __ATOMIC_ACQUIRE)
#define atomic_store_bool(p, v) LVK_STORE(p, v)
#define atomic_store_char(p, v) LVK_STORE(p, v)
#define atomic_store_short(p, v) LVK_STORE(p, v)
#define atomic_store_int(p, v) LVK_STORE(p, v)
#define atomic_store_long(p, v) LVK_STORE(p, v)
#define atomic_store_8(p, v) LVK_STORE(p, v)
#define atomic_store_16(p, v) LVK_STORE(p, v)
#define atomic_store_32(p, v) LVK_STORE(p, v)
#define atomic_store_64(p, v) LVK_STORE(p, v)
#define atomic_store_ptr(p, v) LVK_STORE(p, v)

#endif /* _MACHINE_ATOMIC_H_ */
