/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: rwlock(9), FreeBSD's kern/kern_rwlock.c.
 * Fidelity: exact
 * Differs: no turnstiles, see kern_mutex.c: the waiter bits of the lock word
 * are never set, so a reader never stands behind a waiting writer.  A thread
 * that gives back a read lock without holding any is found out, as with
 * WITNESS.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/callout.h>
#include <sys/lock.h>
#include <sys/proc.h>
#include <sys/rwlock.h>

#include <lvk.h>
#include "lvk_held.h"
#include "lvk_lock.h"

#define rw_of(c) __containerof(c, struct rwlock, rw_lock)

#define RW_CHECK(rw, what, file, line)					\
	LVK_LOCK_CHECK(&(rw)->lock_object, LVK_CLASS_RW,		\
	    (rw)->rw_lock == RW_DESTROYED, (what), (file), (line))

static void lock_rw(struct lock_object *, uintptr_t);
static uintptr_t unlock_rw(struct lock_object *);
#ifdef CALLOUT_TRYLOCK
static int trylock_rw(struct lock_object *, uintptr_t);
#endif
static void assert_rw(const struct lock_object *, int);
static int owner_rw(const struct lock_object *, struct thread **);

struct lock_class lock_class_rw = {
	.lc_name = "rwlock",
	.lc_flags = LC_SLEEPLOCK | LC_RECURSABLE | LC_UPGRADABLE,
	.lc_assert = assert_rw,
	.lc_lock = lock_rw,
	.lc_unlock = unlock_rw,
#ifdef CALLOUT_TRYLOCK
	.lc_trylock = trylock_rw,
#endif
	.lc_owner = owner_rw,
};

static __inline uintptr_t
word(const struct rwlock *rw)
{
	return (atomic_load_ptr(&rw->rw_lock));
}

static __inline struct thread *
writer_of(uintptr_t v)
{
	return ((v & RW_LOCK_READ) != 0 ? NULL :
	    (struct thread *)RW_OWNER(v));
}

/* ---- making and unmaking */

void
_rw_init_flags(volatile uintptr_t *c, const char *name, int opts)
{
	struct rwlock *rw = rw_of(c);
	int flags = LO_UPGRADABLE;

	KASSERT((opts & ~(RW_DUPOK | RW_NOPROFILE | RW_NOWITNESS | RW_QUIET |
	    RW_RECURSE | RW_NEW)) == 0,
	    ("rw_init: unknown option in 0x%x for \"%s\"", opts, name));
	if ((opts & RW_DUPOK) != 0)
		flags |= LO_DUPOK;
	if ((opts & RW_NOPROFILE) != 0)
		flags |= LO_NOPROFILE;
	if ((opts & RW_NOWITNESS) == 0)
		flags |= LO_WITNESS;
	if ((opts & RW_QUIET) != 0)
		flags |= LO_QUIET;
	if ((opts & RW_RECURSE) != 0)
		flags |= LO_RECURSABLE;
	if ((opts & RW_NEW) != 0)
		flags |= LO_NEW;
	lock_init(&rw->lock_object, &lock_class_rw, name, NULL, flags);
	atomic_store_ptr(&rw->rw_lock, RW_UNLOCKED);
}

void
_rw_destroy(volatile uintptr_t *c)
{
	struct rwlock *rw = rw_of(c);

	RW_CHECK(rw, "rw_destroy", __FILE__, __LINE__);
	KASSERT(word(rw) == RW_UNLOCKED,
	    ("rw_destroy: rwlock %s is not unlocked",
	    rw->lock_object.lo_name));
	atomic_store_rel_ptr(&rw->rw_lock, RW_DESTROYED);
	lock_destroy(&rw->lock_object);
}

void
rw_sysinit(void *arg)
{
	struct rw_args *ra = arg;

	rw_init_flags((struct rwlock *)ra->ra_rw, ra->ra_desc, ra->ra_flags);
}

/* ---- writing */

int
_rw_wowned(const volatile uintptr_t *c)
{
	return (writer_of(word(rw_of(c))) == curthread);
}

static void
recurse(struct rwlock *rw)
{
	rw->rw_recurse++;
	atomic_set_ptr(&rw->rw_lock, RW_LOCK_WRITER_RECURSED);
}

static __noinline void
wlock_hard(struct rwlock *rw, const char *file, int line)
{
	struct lvk_turns turns = { 0 };
	uintptr_t v;

	if (writer_of(word(rw)) == curthread) {
		KASSERT((rw->lock_object.lo_flags & LO_RECURSABLE) != 0,
		    ("rw_wlock: recursing but non-recursive rw %s @ %s:%d",
		    rw->lock_object.lo_name, file, line));
		recurse(rw);
		return;
	}
	for (;;) {
		v = RW_UNLOCKED;
		if (atomic_fcmpset_acq_ptr(&rw->rw_lock, &v,
		    (uintptr_t)curthread))
			return;
		lvk_contend(&rw->lock_object, &turns, file, line);
	}
}

void
_rw_wlock_cookie(volatile uintptr_t *c, const char *file, int line)
{
	struct rwlock *rw = rw_of(c);
	uintptr_t v = RW_UNLOCKED;

	RW_CHECK(rw, "rw_wlock", file, line);
	LVK_EVENT(VNH_EV_LOCK, rw);
	if (__predict_false(!atomic_fcmpset_acq_ptr(&rw->rw_lock, &v,
	    (uintptr_t)curthread)))
		wlock_hard(rw, file, line);
	TD_LOCKS_INC(curthread);
	lvk_held_add(&rw->lock_object, file, line);
	LVK_EVENT(VNH_EV_LOCKED, rw);
}

int
__rw_try_wlock(volatile uintptr_t *c, const char *file, int line)
{
	struct rwlock *rw = rw_of(c);
	uintptr_t v = RW_UNLOCKED;

	RW_CHECK(rw, "rw_try_wlock", file, line);
	LVK_EVENT(VNH_EV_LOCK, rw);
	if (!atomic_fcmpset_acq_ptr(&rw->rw_lock, &v, (uintptr_t)curthread)) {
		if (writer_of(v) != curthread ||
		    (rw->lock_object.lo_flags & LO_RECURSABLE) == 0)
			return (0);
		recurse(rw);
	}
	TD_LOCKS_INC(curthread);
	lvk_held_add(&rw->lock_object, file, line);
	LVK_EVENT(VNH_EV_LOCKED, rw);
	return (1);
}

static __inline void
check_writer(const struct rwlock *rw, const char *file, int line)
{
	if (__predict_false(writer_of(word(rw)) != curthread))
		panic("Lock %s not exclusively locked @ %s:%d",
		    rw->lock_object.lo_name, file, line);
}

void
_rw_wunlock_cookie(volatile uintptr_t *c, const char *file, int line)
{
	struct rwlock *rw = rw_of(c);

	RW_CHECK(rw, "rw_wunlock", file, line);
	check_writer(rw, file, line);
	TD_LOCKS_DEC(curthread);
	lvk_held_del(&rw->lock_object);
	if (__predict_true(rw->rw_recurse == 0))
		atomic_store_rel_ptr(&rw->rw_lock, RW_UNLOCKED);
	else if (--rw->rw_recurse == 0)
		atomic_clear_ptr(&rw->rw_lock, RW_LOCK_WRITER_RECURSED);
	LVK_EVENT(VNH_EV_UNLOCK, rw);
	lvk_point();
}

/* ---- reading */

/* One more reader, unless a writer is in: then false. */
static __inline bool
reader_enter(struct rwlock *rw, const char *file, int line)
{
	uintptr_t v = word(rw);

	while ((v & RW_LOCK_READ) != 0)
		if (atomic_fcmpset_acq_ptr(&rw->rw_lock, &v,
		    v + RW_ONE_READER)) {
			curthread->td_rw_rlocks++;
			TD_LOCKS_INC(curthread);
			lvk_held_add(&rw->lock_object, file, line);
			LVK_EVENT(VNH_EV_RLOCKED, rw);
			return (true);
		}
	return (false);
}

static __noinline void
rlock_hard(struct rwlock *rw, const char *file, int line)
{
	struct lvk_turns turns = { 0 };

	KASSERT(writer_of(word(rw)) != curthread,
	    ("rw_rlock: wlock already held for %s @ %s:%d",
	    rw->lock_object.lo_name, file, line));
	for (;;) {
		if (reader_enter(rw, file, line))
			return;
		lvk_contend(&rw->lock_object, &turns, file, line);
	}
}

void
__rw_rlock(volatile uintptr_t *c, const char *file, int line)
{
	struct rwlock *rw = rw_of(c);

	RW_CHECK(rw, "rw_rlock", file, line);
	LVK_EVENT(VNH_EV_LOCK, rw);
	if (__predict_false(!reader_enter(rw, file, line)))
		rlock_hard(rw, file, line);
}

int
__rw_try_rlock(volatile uintptr_t *c, const char *file, int line)
{
	struct rwlock *rw = rw_of(c);

	RW_CHECK(rw, "rw_try_rlock", file, line);
	LVK_EVENT(VNH_EV_LOCK, rw);
	return (reader_enter(rw, file, line));
}

/* No lock knows its readers, but each thread counts its read locks. */
static __inline void
check_reader(const struct rwlock *rw, uintptr_t v, const char *file, int line)
{
	if (__predict_false((v & RW_LOCK_READ) == 0 || RW_READERS(v) == 0))
		panic("Lock %s not read locked @ %s:%d",
		    rw->lock_object.lo_name, file, line);
	KASSERT(curthread->td_rw_rlocks > 0,
	    ("Lock %s not read locked by this thread @ %s:%d",
	    rw->lock_object.lo_name, file, line));
}

void
_rw_runlock_cookie(volatile uintptr_t *c, const char *file, int line)
{
	struct rwlock *rw = rw_of(c);
	uintptr_t v = word(rw);

	RW_CHECK(rw, "rw_runlock", file, line);
	check_reader(rw, v, file, line);
	while (!atomic_fcmpset_rel_ptr(&rw->rw_lock, &v, v - RW_ONE_READER))
		;
	curthread->td_rw_rlocks--;
	TD_LOCKS_DEC(curthread);
	lvk_held_del(&rw->lock_object);
	LVK_EVENT(VNH_EV_RUNLOCK, rw);
	lvk_point();
}

/* ---- from one to the other */

int
__rw_try_upgrade(volatile uintptr_t *c, const char *file, int line)
{
	struct rwlock *rw = rw_of(c);
	uintptr_t v = RW_READERS_LOCK(1);

	RW_CHECK(rw, "rw_try_upgrade", file, line);
	LVK_EVENT(VNH_EV_LOCK, rw);
	check_reader(rw, word(rw), file, line);
	if (!atomic_fcmpset_acq_ptr(&rw->rw_lock, &v, (uintptr_t)curthread))
		return (0);
	curthread->td_rw_rlocks--;
	LVK_EVENT(VNH_EV_RUNLOCK, rw);
	LVK_EVENT(VNH_EV_LOCKED, rw);
	return (1);
}

void
__rw_downgrade(volatile uintptr_t *c, const char *file, int line)
{
	struct rwlock *rw = rw_of(c);

	RW_CHECK(rw, "rw_downgrade", file, line);
	check_writer(rw, file, line);
	if (rw->rw_recurse != 0)
		panic("Lock %s recursed: cannot be downgraded @ %s:%d",
		    rw->lock_object.lo_name, file, line);
	curthread->td_rw_rlocks++;
	atomic_store_rel_ptr(&rw->rw_lock, RW_READERS_LOCK(1));
	LVK_EVENT(VNH_EV_UNLOCK, rw);
	LVK_EVENT(VNH_EV_RLOCKED, rw);
}

/* ---- assertions and the class */

static __inline void
assert_at(const struct rwlock *rw, int what, const char *file, int line)
{
	uintptr_t v = word(rw);
	enum lvk_held held = LVK_NOT_HELD;

	if (writer_of(v) == curthread)
		held = LVK_HELD_EXCLUSIVE;
	else if ((v & RW_LOCK_READ) != 0 && RW_READERS(v) > 0 &&
	    curthread->td_rw_rlocks > 0 && what != LA_UNLOCKED)
		held = LVK_HELD_SHARED;	/* perhaps: it holds some */
	if (held == LVK_HELD_SHARED)
		what &= ~(LA_RECURSED | LA_NOTRECURSED);
	lvk_lock_assert(&rw->lock_object, what, held, rw->rw_recurse != 0,
	    file, line);
}

#if defined(INVARIANTS) || defined(INVARIANT_SUPPORT)
void
__rw_assert(const volatile uintptr_t *c, int what, const char *file, int line)
{
	assert_at(rw_of(c), what, file, line);
}
#endif

static void
assert_rw(const struct lock_object *lo, int what)
{
	assert_at(__containerof(lo, const struct rwlock, lock_object), what,
	    __FILE__, __LINE__);
}

static void
lock_rw(struct lock_object *lo, uintptr_t shared)
{
	struct rwlock *rw = __containerof(lo, struct rwlock, lock_object);

	if (shared != 0)
		rw_rlock(rw);
	else
		rw_wlock(rw);
}

/* Returns whether it was held shared. */
static uintptr_t
unlock_rw(struct lock_object *lo)
{
	struct rwlock *rw = __containerof(lo, struct rwlock, lock_object);

	rw_assert(rw, LA_LOCKED | LA_NOTRECURSED);
	if ((word(rw) & RW_LOCK_READ) != 0) {
		rw_runlock(rw);
		return (1);
	}
	rw_wunlock(rw);
	return (0);
}

#ifdef CALLOUT_TRYLOCK		/* from 15 on */
static int
trylock_rw(struct lock_object *lo, uintptr_t shared)
{
	struct rwlock *rw = __containerof(lo, struct rwlock, lock_object);

	return (shared != 0 ? rw_try_rlock(rw) : rw_try_wlock(rw));
}
#endif

static int
owner_rw(const struct lock_object *lo, struct thread **owner)
{
	uintptr_t v = word(__containerof(lo, const struct rwlock,
	    lock_object));

	*owner = writer_of(v);
	return ((v & RW_LOCK_READ) != 0 ? RW_READERS(v) != 0 :
	    *owner != NULL);
}
