/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: mutex(9), FreeBSD's kern/kern_mutex.c.
 * Fidelity: exact
 * Differs: no turnstiles: a thread that cannot have the lock lets the others
 * run until it can, and where no other thread runs that is a deadlock and
 * panics.  So MTX_CONTESTED is never set.  Unlocking a mutex of another
 * thread panics with and without INVARIANTS.  lock_spin() panics as in
 * FreeBSD: no sleep(9) and no callout takes a spin mutex.
 *
 * The lock word is the header's: the owner's address, MTX_RECURSED beside it
 * when a sleep mutex is held more than once.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/callout.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/proc.h>

#include <lvk.h>
#include "lvk_held.h"
#include "lvk_lock.h"

#define mtx_of(c) __containerof(c, struct mtx, mtx_lock)

#define MTX_CHECK(m, class, what, file, line)				\
	LVK_LOCK_CHECK(&(m)->lock_object, (class),			\
	    (m)->mtx_lock == MTX_DESTROYED, (what), (file), (line))

static void lock_mtx(struct lock_object *, uintptr_t);
static uintptr_t unlock_mtx(struct lock_object *);
#ifdef CALLOUT_TRYLOCK
static int trylock_mtx(struct lock_object *, uintptr_t);
#endif
static void lock_spin(struct lock_object *, uintptr_t);
static uintptr_t unlock_spin(struct lock_object *);
static void assert_mtx(const struct lock_object *, int);
static int owner_mtx(const struct lock_object *, struct thread **);

struct lock_class lock_class_mtx_sleep = {
	.lc_name = "sleep mutex",
	.lc_flags = LC_SLEEPLOCK | LC_RECURSABLE,
	.lc_assert = assert_mtx,
	.lc_lock = lock_mtx,
	.lc_unlock = unlock_mtx,
#ifdef CALLOUT_TRYLOCK
	.lc_trylock = trylock_mtx,
#endif
	.lc_owner = owner_mtx,
};

struct lock_class lock_class_mtx_spin = {
	.lc_name = "spin mutex",
	.lc_flags = LC_SPINLOCK | LC_RECURSABLE,
	.lc_assert = assert_mtx,
	.lc_lock = lock_spin,
	.lc_unlock = unlock_spin,
	.lc_owner = owner_mtx,
};

static __inline struct thread *
owner_of(const struct mtx *m)
{
	return ((struct thread *)(atomic_load_ptr(&m->mtx_lock) &
	    ~(uintptr_t)MTX_FLAGMASK));
}

/* ---- making and unmaking */

void
_mtx_init(volatile uintptr_t *c, const char *name, const char *type, int opts)
{
	struct mtx *m = mtx_of(c);
	int flags = 0;

	KASSERT((opts & ~(MTX_SPIN | MTX_QUIET | MTX_RECURSE | MTX_NOWITNESS |
	    MTX_DUPOK | MTX_NOPROFILE | MTX_NEW)) == 0,
	    ("mtx_init: unknown option in 0x%x for \"%s\"", opts, name));
	if ((opts & MTX_QUIET) != 0)
		flags |= LO_QUIET;
	if ((opts & MTX_RECURSE) != 0)
		flags |= LO_RECURSABLE;
	if ((opts & MTX_NOWITNESS) == 0)
		flags |= LO_WITNESS;
	if ((opts & MTX_DUPOK) != 0)
		flags |= LO_DUPOK;
	if ((opts & MTX_NOPROFILE) != 0)
		flags |= LO_NOPROFILE;
	if ((opts & MTX_NEW) != 0)
		flags |= LO_NEW;
	lock_init(&m->lock_object, (opts & MTX_SPIN) != 0 ?
	    &lock_class_mtx_spin : &lock_class_mtx_sleep, name, type, flags);
	atomic_store_ptr(&m->mtx_lock, MTX_UNOWNED);
}

/* A mutex may be destroyed by its owner, who then no longer holds it. */
void
_mtx_destroy(volatile uintptr_t *c)
{
	struct mtx *m = mtx_of(c);
	struct thread *owner;

	KASSERT(lock_initialized(&m->lock_object),
	    ("mtx_destroy() of a mutex %p that is %s", m,
	    m->mtx_lock == MTX_DESTROYED ? "destroyed" : "not initialized"));
	owner = owner_of(m);
	if (owner == curthread) {
		KASSERT(m->mtx_recurse == 0,
		    ("mtx_destroy: mutex %s is recursed",
		    m->lock_object.lo_name));
		if (LOCK_CLASS(&m->lock_object) == &lock_class_mtx_spin)
			spinlock_exit();
		else {
			TD_LOCKS_DEC(curthread);
			lvk_held_del(&m->lock_object);
		}
	} else
		KASSERT(owner == NULL,
		    ("mtx_destroy: mutex %s is held by thread \"%s\"",
		    m->lock_object.lo_name, owner->td_name));
	atomic_store_rel_ptr(&m->mtx_lock, MTX_DESTROYED);
	lock_destroy(&m->lock_object);
}

void
mtx_sysinit(void *arg)
{
	struct mtx_args *ma = arg;

	mtx_init((struct mtx *)ma->ma_mtx, ma->ma_desc, NULL, ma->ma_opts);
}

/* Locks that exist before there is anyone to make them. */
static void
mutex_init_early(void *arg __unused)
{
	struct mtx *sched = thread0.td_lock;

	if (!mtx_initialized(&Giant))
		mtx_init(&Giant, "Giant", NULL, MTX_DEF | MTX_RECURSE);
	if (sched != NULL && !mtx_initialized(sched))
		mtx_init(sched, "sched lock", NULL, MTX_SPIN);
}
SYSINIT(lvk_mutex, SI_SUB_LOCK, SI_ORDER_FIRST, mutex_init_early, NULL);

/* ---- sleep mutexes */

static void
recurse(struct mtx *m, int opts, const char *what, const char *file, int line)
{
	KASSERT((m->lock_object.lo_flags & LO_RECURSABLE) != 0 ||
	    (opts & MTX_RECURSE) != 0,
	    ("%s: recursed on non-recursive mutex %s @ %s:%d", what,
	    m->lock_object.lo_name, file, line));
	m->mtx_recurse++;
}

static void
wait_for(struct mtx *m, const char *file, int line)
{
	struct lvk_turns turns = { 0 };
	uintptr_t v;

	for (;;) {
		v = MTX_UNOWNED;
		if (atomic_fcmpset_acq_ptr(&m->mtx_lock, &v,
		    (uintptr_t)curthread))
			return;
		lvk_contend(&m->lock_object, &turns, file, line);
	}
}

static __noinline void
lock_hard(struct mtx *m, int opts, const char *file, int line)
{
	if (owner_of(m) != curthread) {
		wait_for(m, file, line);
		return;
	}
	recurse(m, opts, "_mtx_lock_sleep", file, line);
	atomic_set_ptr(&m->mtx_lock, MTX_RECURSED);
}

void
__mtx_lock_flags(volatile uintptr_t *c, int opts, const char *file, int line)
{
	struct mtx *m = mtx_of(c);
	uintptr_t v = MTX_UNOWNED;

	MTX_CHECK(m, LVK_CLASS_MTX, "mtx_lock", file, line);
	LVK_EVENT(VNH_EV_LOCK, m);
	if (__predict_false(!atomic_fcmpset_acq_ptr(&m->mtx_lock, &v,
	    (uintptr_t)curthread)))
		lock_hard(m, opts, file, line);
	TD_LOCKS_INC(curthread);
	lvk_held_add(&m->lock_object, file, line);
	LVK_EVENT(VNH_EV_LOCKED, m);
}

int
_mtx_trylock_flags_(volatile uintptr_t *c, int opts, const char *file,
    int line)
{
	struct mtx *m = mtx_of(c);
	uintptr_t v = MTX_UNOWNED;

	MTX_CHECK(m, LVK_CLASS_MTX, "mtx_trylock", file, line);
	LVK_EVENT(VNH_EV_LOCK, m);
	if (!atomic_fcmpset_acq_ptr(&m->mtx_lock, &v, (uintptr_t)curthread)) {
		if (owner_of(m) != curthread ||
		    ((m->lock_object.lo_flags & LO_RECURSABLE) == 0 &&
		    (opts & MTX_RECURSE) == 0))
			return (0);
		m->mtx_recurse++;
		atomic_set_ptr(&m->mtx_lock, MTX_RECURSED);
	}
	TD_LOCKS_INC(curthread);
	lvk_held_add(&m->lock_object, file, line);
	LVK_EVENT(VNH_EV_LOCKED, m);
	return (1);
}

static __inline void
check_owned(const struct mtx *m, const char *file, int line)
{
	if (__predict_false(owner_of(m) != curthread))
		panic("mutex %s not owned at %s:%d", m->lock_object.lo_name,
		    file, line);
}

void
__mtx_unlock_flags(volatile uintptr_t *c, int opts __unused, const char *file,
    int line)
{
	struct mtx *m = mtx_of(c);

	MTX_CHECK(m, LVK_CLASS_MTX, "mtx_unlock", file, line);
	check_owned(m, file, line);
	TD_LOCKS_DEC(curthread);
	lvk_held_del(&m->lock_object);
	if (__predict_true(m->mtx_recurse == 0))
		atomic_store_rel_ptr(&m->mtx_lock, MTX_UNOWNED);
	else if (--m->mtx_recurse == 0)
		atomic_clear_ptr(&m->mtx_lock, MTX_RECURSED);
	LVK_EVENT(VNH_EV_UNLOCK, m);
	lvk_point();
}

/* ---- spin mutexes: held in a critical section */

/* As it waits, interrupts can come. */
static __noinline void
lock_spin_hard(struct mtx *m, int opts, const char *file, int line)
{
	struct lvk_turns turns = { 0 };
	uintptr_t v = MTX_UNOWNED;

	if (owner_of(m) == curthread) {
		recurse(m, opts, "mtx_lock_spin", file, line);
		return;
	}
	while (!atomic_fcmpset_acq_ptr(&m->mtx_lock, &v,
	    (uintptr_t)curthread)) {
		spinlock_exit();
		lvk_contend(&m->lock_object, &turns, file, line);
		spinlock_enter();
		v = MTX_UNOWNED;
	}
}

void
__mtx_lock_spin_flags(volatile uintptr_t *c, int opts, const char *file,
    int line)
{
	struct mtx *m = mtx_of(c);
	uintptr_t v = MTX_UNOWNED;

	MTX_CHECK(m, LVK_CLASS_SPIN, "mtx_lock_spin", file, line);
	LVK_EVENT(VNH_EV_LOCK, m);
	spinlock_enter();
	if (__predict_false(!atomic_fcmpset_acq_ptr(&m->mtx_lock, &v,
	    (uintptr_t)curthread)))
		lock_spin_hard(m, opts, file, line);
	LVK_EVENT(VNH_EV_LOCKED, m);
}

/* Fails on a mutex that the caller holds, too. */
int
__mtx_trylock_spin_flags(volatile uintptr_t *c, int opts, const char *file,
    int line)
{
	struct mtx *m = mtx_of(c);
	uintptr_t v = MTX_UNOWNED;

	MTX_CHECK(m, LVK_CLASS_SPIN, "mtx_trylock_spin", file, line);
	LVK_EVENT(VNH_EV_LOCK, m);
	KASSERT((opts & MTX_RECURSE) == 0,
	    ("mtx_trylock_spin: option MTX_RECURSE on mutex %s @ %s:%d",
	    m->lock_object.lo_name, file, line));
	spinlock_enter();
	if (atomic_fcmpset_acq_ptr(&m->mtx_lock, &v, (uintptr_t)curthread)) {
		LVK_EVENT(VNH_EV_LOCKED, m);
		return (1);
	}
	spinlock_exit();
	return (0);
}

void
__mtx_unlock_spin_flags(volatile uintptr_t *c, int opts __unused,
    const char *file, int line)
{
	struct mtx *m = mtx_of(c);

	MTX_CHECK(m, LVK_CLASS_SPIN, "mtx_unlock_spin", file, line);
	check_owned(m, file, line);
	if (m->mtx_recurse != 0)
		m->mtx_recurse--;
	else
		atomic_store_rel_ptr(&m->mtx_lock, MTX_UNOWNED);
	LVK_EVENT(VNH_EV_UNLOCK, m);
	spinlock_exit();
}

/* The thread may change its lock until we hold the one it has. */
void
thread_lock_flags_(struct thread *td, int opts, const char *file, int line)
{
	struct mtx *m;

	for (;;) {
		m = td->td_lock;
		__mtx_lock_spin_flags(&m->mtx_lock, opts, file, line);
		if (m == td->td_lock)
			return;
		__mtx_unlock_spin_flags(&m->mtx_lock, opts, file, line);
	}
}

void
_thread_lock(struct thread *td, int opts, const char *file, int line)
{
	thread_lock_flags_(td, opts, file, line);
}

/* ---- assertions and the class */

#if defined(INVARIANTS) || defined(INVARIANT_SUPPORT)
void
__mtx_assert(const volatile uintptr_t *c, int what, const char *file, int line)
{
	const struct mtx *m = mtx_of(c);
	const char *name = m->lock_object.lo_name;
	bool owned = owner_of(m) == curthread;

	switch (what) {
	case MA_OWNED:
	case MA_OWNED | MA_RECURSED:
	case MA_OWNED | MA_NOTRECURSED:
		if (!owned)
			panic("mutex %s not owned at %s:%d", name, file, line);
		if (m->mtx_recurse != 0 && (what & MA_NOTRECURSED) != 0)
			panic("mutex %s recursed at %s:%d", name, file, line);
		if (m->mtx_recurse == 0 && (what & MA_RECURSED) != 0)
			panic("mutex %s unrecursed at %s:%d", name, file, line);
		return;
	case MA_NOTOWNED:
		if (owned)
			panic("mutex %s owned at %s:%d", name, file, line);
		return;
	}
	panic("unknown mtx_assert 0x%x at %s:%d", what, file, line);
}
#endif

static void
assert_mtx(const struct lock_object *lo, int what)
{
	mtx_assert(__containerof(lo, const struct mtx, lock_object), what);
}

static void
lock_mtx(struct lock_object *lo, uintptr_t how __unused)
{
	mtx_lock(__containerof(lo, struct mtx, lock_object));
}

static uintptr_t
unlock_mtx(struct lock_object *lo)
{
	struct mtx *m = __containerof(lo, struct mtx, lock_object);

	mtx_assert(m, MA_OWNED | MA_NOTRECURSED);
	mtx_unlock(m);
	return (0);
}

#ifdef CALLOUT_TRYLOCK		/* from 15 on */
static int
trylock_mtx(struct lock_object *lo, uintptr_t how __unused)
{
	return (mtx_trylock(__containerof(lo, struct mtx, lock_object)));
}
#endif

static void
lock_spin(struct lock_object *lo, uintptr_t how __unused)
{
	panic("spin mutex %s can only be slept on with msleep_spin",
	    lo->lo_name);
}

static uintptr_t
unlock_spin(struct lock_object *lo)
{
	panic("spin mutex %s can only be slept on with msleep_spin",
	    lo->lo_name);
}

static int
owner_mtx(const struct lock_object *lo, struct thread **owner)
{
	*owner = owner_of(__containerof(lo, const struct mtx, lock_object));
	return (*owner != NULL);
}
