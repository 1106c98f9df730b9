/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: sx(9), FreeBSD's kern/kern_sx.c.
 * Fidelity: exact
 * Differs: as kern_rwlock.c.  There are no signals, so the interruptible
 * calls always succeed.  Taking the lock where sleeping is forbidden panics
 * always, not only when the lock is held.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/callout.h>
#include <sys/lock.h>
#include <sys/proc.h>
#include <sys/sx.h>

#include <lvk.h>
#include "lvk_lock.h"

#define SX_CHECK(sx, what, file, line)					\
	LVK_LOCK_CHECK(&(sx)->lock_object, LVK_CLASS_SX,		\
	    (sx)->sx_lock == SX_LOCK_DESTROYED, (what), (file), (line))

#ifdef INVARIANTS
#define SLEEP_CHECK(sx, what, file, line)				\
	lvk_sleepable_check(&(sx)->lock_object, (what), (file), (line))
#else
#define SLEEP_CHECK(sx, what, file, line) do { } while (0)
#endif

static void lock_sx(struct lock_object *, uintptr_t);
static uintptr_t unlock_sx(struct lock_object *);
#ifdef CALLOUT_TRYLOCK
static int trylock_sx(struct lock_object *, uintptr_t);
#endif
static void assert_sx(const struct lock_object *, int);
static int owner_sx(const struct lock_object *, struct thread **);

struct lock_class lock_class_sx = {
	.lc_name = "sx",
	.lc_flags = LC_SLEEPLOCK | LC_SLEEPABLE | LC_RECURSABLE |
	    LC_UPGRADABLE,
	.lc_assert = assert_sx,
	.lc_lock = lock_sx,
	.lc_unlock = unlock_sx,
#ifdef CALLOUT_TRYLOCK
	.lc_trylock = trylock_sx,
#endif
	.lc_owner = owner_sx,
};

static __inline uintptr_t
word(const struct sx *sx)
{
	return (atomic_load_ptr(&sx->sx_lock));
}

static __inline struct thread *
holder_of(uintptr_t v)
{
	return ((v & SX_LOCK_SHARED) != 0 ? NULL :
	    (struct thread *)SX_OWNER(v));
}

/* ---- making and unmaking */

void
sx_init_flags(struct sx *sx, const char *name, int opts)
{
	int flags = LO_SLEEPABLE | LO_UPGRADABLE;

	KASSERT((opts & ~(SX_QUIET | SX_RECURSE | SX_NOWITNESS | SX_DUPOK |
	    SX_NOPROFILE | SX_NEW)) == 0,
	    ("sx_init: unknown option in 0x%x for \"%s\"", opts, name));
	if ((opts & SX_DUPOK) != 0)
		flags |= LO_DUPOK;
	if ((opts & SX_NOPROFILE) != 0)
		flags |= LO_NOPROFILE;
	if ((opts & SX_NOWITNESS) == 0)
		flags |= LO_WITNESS;
	if ((opts & SX_QUIET) != 0)
		flags |= LO_QUIET;
	if ((opts & SX_RECURSE) != 0)
		flags |= LO_RECURSABLE;
	if ((opts & SX_NEW) != 0)
		flags |= LO_NEW;
	lock_init(&sx->lock_object, &lock_class_sx, name, NULL, flags);
	atomic_store_ptr(&sx->sx_lock, SX_LOCK_UNLOCKED);
}

void
sx_destroy(struct sx *sx)
{
	SX_CHECK(sx, "sx_destroy", __FILE__, __LINE__);
	KASSERT(word(sx) == SX_LOCK_UNLOCKED,
	    ("sx_destroy: sx lock %s is still held",
	    sx->lock_object.lo_name));
	atomic_store_rel_ptr(&sx->sx_lock, SX_LOCK_DESTROYED);
	lock_destroy(&sx->lock_object);
}

void
sx_sysinit(void *arg)
{
	struct sx_args *sa = arg;

	sx_init_flags(sa->sa_sx, sa->sa_desc, sa->sa_flags);
}

/* ---- exclusive */

static void
recurse(struct sx *sx)
{
	sx->sx_recurse++;
	atomic_set_ptr(&sx->sx_lock, SX_LOCK_RECURSED);
}

static __noinline void
xlock_hard(struct sx *sx, const char *file, int line)
{
	struct lvk_turns turns = { 0 };
	uintptr_t v;

	if (holder_of(word(sx)) == curthread) {
		KASSERT((sx->lock_object.lo_flags & LO_RECURSABLE) != 0,
		    ("sx_xlock: recursed on non-recursive sx %s @ %s:%d",
		    sx->lock_object.lo_name, file, line));
		recurse(sx);
		return;
	}
	for (;;) {
		v = SX_LOCK_UNLOCKED;
		if (atomic_fcmpset_acq_ptr(&sx->sx_lock, &v,
		    (uintptr_t)curthread))
			return;
		lvk_contend(&sx->lock_object, &turns, file, line);
	}
}

int
_sx_xlock(struct sx *sx, int opts __unused, const char *file, int line)
{
	uintptr_t v = SX_LOCK_UNLOCKED;

	SX_CHECK(sx, "sx_xlock", file, line);
	SLEEP_CHECK(sx, "sx_xlock", file, line);
	LVK_EVENT(VNH_EV_LOCK, sx);
	if (__predict_false(!atomic_fcmpset_acq_ptr(&sx->sx_lock, &v,
	    (uintptr_t)curthread)))
		xlock_hard(sx, file, line);
	TD_LOCKS_INC(curthread);
	LVK_EVENT(VNH_EV_LOCKED, sx);
	return (0);
}

int
sx_try_xlock_(struct sx *sx, const char *file, int line)
{
	uintptr_t v = SX_LOCK_UNLOCKED;

	SX_CHECK(sx, "sx_try_xlock", file, line);
	LVK_EVENT(VNH_EV_LOCK, sx);
	if (!atomic_fcmpset_acq_ptr(&sx->sx_lock, &v, (uintptr_t)curthread)) {
		if (holder_of(v) != curthread ||
		    (sx->lock_object.lo_flags & LO_RECURSABLE) == 0)
			return (0);
		recurse(sx);
	}
	TD_LOCKS_INC(curthread);
	LVK_EVENT(VNH_EV_LOCKED, sx);
	return (1);
}

static __inline void
check_holder(const struct sx *sx, const char *file, int line)
{
	if (__predict_false(holder_of(word(sx)) != curthread))
		panic("Lock %s not exclusively locked @ %s:%d",
		    sx->lock_object.lo_name, file, line);
}

void
_sx_xunlock(struct sx *sx, const char *file, int line)
{
	SX_CHECK(sx, "sx_xunlock", file, line);
	check_holder(sx, file, line);
	TD_LOCKS_DEC(curthread);
	if (__predict_true(sx->sx_recurse == 0))
		atomic_store_rel_ptr(&sx->sx_lock, SX_LOCK_UNLOCKED);
	else if (--sx->sx_recurse == 0)
		atomic_clear_ptr(&sx->sx_lock, SX_LOCK_RECURSED);
	LVK_EVENT(VNH_EV_UNLOCK, sx);
	lvk_point();
}

/* ---- shared */

/* One more sharer, unless it is held exclusively: then false. */
static __inline bool
sharer_enter(struct sx *sx)
{
	uintptr_t v = word(sx);

	while ((v & SX_LOCK_SHARED) != 0)
		if (atomic_fcmpset_acq_ptr(&sx->sx_lock, &v,
		    v + SX_ONE_SHARER)) {
			curthread->td_sx_slocks++;
			TD_LOCKS_INC(curthread);
			LVK_EVENT(VNH_EV_RLOCKED, sx);
			return (true);
		}
	return (false);
}

static __noinline void
slock_hard(struct sx *sx, const char *file, int line)
{
	struct lvk_turns turns = { 0 };

	KASSERT(holder_of(word(sx)) != curthread,
	    ("sx_slock: xlock already held for %s @ %s:%d",
	    sx->lock_object.lo_name, file, line));
	for (;;) {
		if (sharer_enter(sx))
			return;
		lvk_contend(&sx->lock_object, &turns, file, line);
	}
}

int
_sx_slock(struct sx *sx, int opts __unused, const char *file, int line)
{
	SX_CHECK(sx, "sx_slock", file, line);
	SLEEP_CHECK(sx, "sx_slock", file, line);
	LVK_EVENT(VNH_EV_LOCK, sx);
	if (__predict_false(!sharer_enter(sx)))
		slock_hard(sx, file, line);
	return (0);
}

int
sx_try_slock_(struct sx *sx, const char *file, int line)
{
	SX_CHECK(sx, "sx_try_slock", file, line);
	LVK_EVENT(VNH_EV_LOCK, sx);
	return (sharer_enter(sx));
}

/* No lock knows its sharers, but each thread counts its shared locks. */
static __inline void
check_sharer(const struct sx *sx, uintptr_t v, const char *file, int line)
{
	if (__predict_false((v & SX_LOCK_SHARED) == 0 || SX_SHARERS(v) == 0))
		panic("Lock %s not share locked @ %s:%d",
		    sx->lock_object.lo_name, file, line);
	KASSERT(curthread->td_sx_slocks > 0,
	    ("Lock %s not share locked by this thread @ %s:%d",
	    sx->lock_object.lo_name, file, line));
}

void
_sx_sunlock(struct sx *sx, const char *file, int line)
{
	uintptr_t v = word(sx);

	SX_CHECK(sx, "sx_sunlock", file, line);
	check_sharer(sx, v, file, line);
	while (!atomic_fcmpset_rel_ptr(&sx->sx_lock, &v, v - SX_ONE_SHARER))
		;
	curthread->td_sx_slocks--;
	TD_LOCKS_DEC(curthread);
	LVK_EVENT(VNH_EV_RUNLOCK, sx);
	lvk_point();
}

/* ---- from one to the other */

int
sx_try_upgrade_(struct sx *sx, const char *file, int line)
{
	uintptr_t v = SX_SHARERS_LOCK(1);

	SX_CHECK(sx, "sx_try_upgrade", file, line);
	LVK_EVENT(VNH_EV_LOCK, sx);
	check_sharer(sx, word(sx), file, line);
	if (!atomic_fcmpset_acq_ptr(&sx->sx_lock, &v, (uintptr_t)curthread))
		return (0);
	curthread->td_sx_slocks--;
	LVK_EVENT(VNH_EV_RUNLOCK, sx);
	LVK_EVENT(VNH_EV_LOCKED, sx);
	return (1);
}

void
sx_downgrade_(struct sx *sx, const char *file, int line)
{
	SX_CHECK(sx, "sx_downgrade", file, line);
	check_holder(sx, file, line);
	if (sx->sx_recurse != 0)
		panic("Lock %s recursed: cannot be downgraded @ %s:%d",
		    sx->lock_object.lo_name, file, line);
	curthread->td_sx_slocks++;
	atomic_store_rel_ptr(&sx->sx_lock, SX_SHARERS_LOCK(1));
	LVK_EVENT(VNH_EV_UNLOCK, sx);
	LVK_EVENT(VNH_EV_RLOCKED, sx);
}

/* ---- assertions and the class */

static __inline void
assert_at(const struct sx *sx, int what, const char *file, int line)
{
	uintptr_t v = word(sx);
	enum lvk_held held = LVK_NOT_HELD;

	if (holder_of(v) == curthread)
		held = LVK_HELD_EXCLUSIVE;
	else if ((v & SX_LOCK_SHARED) != 0 && SX_SHARERS(v) > 0 &&
	    curthread->td_sx_slocks > 0 && what != LA_UNLOCKED)
		held = LVK_HELD_SHARED;	/* perhaps: it holds some */
	if (held == LVK_HELD_SHARED)
		what &= ~(LA_RECURSED | LA_NOTRECURSED);
	lvk_lock_assert(&sx->lock_object, what, held, sx->sx_recurse != 0,
	    file, line);
}

#if defined(INVARIANTS) || defined(INVARIANT_SUPPORT)
void
_sx_assert(const struct sx *sx, int what, const char *file, int line)
{
	assert_at(sx, what, file, line);
}
#endif

static void
assert_sx(const struct lock_object *lo, int what)
{
	assert_at(__containerof(lo, const struct sx, lock_object), what,
	    __FILE__, __LINE__);
}

static void
lock_sx(struct lock_object *lo, uintptr_t shared)
{
	struct sx *sx = __containerof(lo, struct sx, lock_object);

	if (shared != 0)
		sx_slock(sx);
	else
		sx_xlock(sx);
}

/* Returns whether it was held shared. */
static uintptr_t
unlock_sx(struct lock_object *lo)
{
	struct sx *sx = __containerof(lo, struct sx, lock_object);

	sx_assert(sx, LA_LOCKED | LA_NOTRECURSED);
	if ((word(sx) & SX_LOCK_SHARED) != 0) {
		sx_sunlock(sx);
		return (1);
	}
	sx_xunlock(sx);
	return (0);
}

#ifdef CALLOUT_TRYLOCK		/* from 15 on */
static int
trylock_sx(struct lock_object *lo, uintptr_t shared)
{
	struct sx *sx = __containerof(lo, struct sx, lock_object);

	return (shared != 0 ? sx_try_slock(sx) : sx_try_xlock(sx));
}
#endif

static int
owner_sx(const struct lock_object *lo, struct thread **owner)
{
	uintptr_t v = word(__containerof(lo, const struct sx, lock_object));

	*owner = holder_of(v);
	return ((v & SX_LOCK_SHARED) != 0 ? SX_SHARERS(v) != 0 :
	    *owner != NULL);
}
