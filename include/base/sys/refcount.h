/* SPDX-License-Identifier: BSD-2-Clause */
/* refcount(9): a count that saturates instead of wrapping. */
#ifndef _SYS_REFCOUNT_H_
#define _SYS_REFCOUNT_H_

#include <sys/types.h>
#include <sys/systm.h>
#include <machine/atomic.h>

#define REFCOUNT_SATURATED(val) (((val) & (1U << 31)) != 0)
#define REFCOUNT_SATURATION_VALUE (3U << 30)
#define REFCOUNT_COUNT(x) (x)

static __inline void
_refcount_update_saturated(volatile u_int *count)
{
#ifdef INVARIANTS
	panic("refcount %p wraparound", __DEVOLATILE(u_int *, count));
#else
	atomic_store_int(count, REFCOUNT_SATURATION_VALUE);
#endif
}

static __inline void
refcount_init(volatile u_int *count, u_int value)
{
	KASSERT(!REFCOUNT_SATURATED(value), ("invalid initial refcount value"));
	atomic_store_int(count, value);
}

static __inline u_int
refcount_load(volatile u_int *count)
{
	return (atomic_load_int(count));
}

static __inline u_int
refcount_acquiren(volatile u_int *count, u_int n)
{
	u_int old;

	old = atomic_fetchadd_int(count, n);
	if (__predict_false(REFCOUNT_SATURATED(old)))
		_refcount_update_saturated(count);
	return (old);
}
#define refcount_acquire(count) refcount_acquiren((count), 1)

static __inline bool
refcount_acquire_if_gt(volatile u_int *count, u_int n)
{
	u_int old;

	old = refcount_load(count);
	for (;;) {
		if (old <= n)
			return (false);
		if (__predict_false(REFCOUNT_SATURATED(old)))
			return (true);
		if (atomic_fcmpset_int(count, &old, old + 1))
			return (true);
	}
}
#define refcount_acquire_if_not_zero(count) refcount_acquire_if_gt((count), 0)

static __inline bool
refcount_releasen(volatile u_int *count, u_int n)
{
	u_int old;

	atomic_thread_fence_rel();
	old = atomic_fetchadd_int(count, -n);
	if (__predict_false(old < n || REFCOUNT_SATURATED(old))) {
		_refcount_update_saturated(count);
		return (false);
	}
	if (old > n)
		return (false);
	atomic_thread_fence_acq();
	return (true);
}
#define refcount_release(count) refcount_releasen((count), 1)

static __inline bool
refcount_release_if_gt(volatile u_int *count, u_int n)
{
	u_int old;

	old = refcount_load(count);
	for (;;) {
		if (old <= n)
			return (false);
		if (__predict_false(REFCOUNT_SATURATED(old)))
			return (true);
		if (atomic_fcmpset_int(count, &old, old - 1)) {
			atomic_thread_fence_acq();
			return (true);
		}
	}
}
#define refcount_release_if_last(count) \
	(refcount_load(count) == 1 && refcount_release_if_gt((count), 0))
#define refcount_release_if_not_last(count) refcount_release_if_gt((count), 1)

#endif
