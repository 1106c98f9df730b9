/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: rmlock(9), FreeBSD's kern/kern_rmlock.c.
 * Fidelity: modelled
 * Differs: FreeBSD keeps the trackers of readers in a queue of each CPU and
 * fetches them from there when a writer comes.  Here each lock has the list
 * of its own, always, so that what a thread holds is known exactly and a
 * reader costs a little more.  rms locks are not provided.
 *
 * A writer takes the mutex (or sx lock) inside and then waits for the list
 * to run empty.  A reader enters the list only while nobody holds the inner
 * lock.  The list's own lock makes one of the two see the other: the reader
 * looks at the inner lock with it held, the writer at the list, after taking
 * the inner lock.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/rmlock.h>
#include <sys/sx.h>

#include <lvk.h>
#include "lvk_held.h"
#include "lvk_lock.h"

/* FreeBSD's mask of CPUs whose readers wait has no use here: room for it. */
#define READERS_LOCK(rm) \
	((struct lvk_spin *)(uintptr_t)&(rm)->rm_writecpus)
CTASSERT(sizeof(((struct rmlock *)0)->rm_writecpus) >=
    sizeof(struct lvk_spin));

#define RM_CHECK(rm, what, file, line)					\
	LVK_LOCK_CHECK(&(rm)->lock_object,				\
	    sleepable(rm) ? LVK_CLASS_RM_SLEEPABLE : LVK_CLASS_RM,	\
	    (rm)->lock_object.lo_name != NULL, (what), (file), (line))

static void lock_rm(struct lock_object *, uintptr_t);
static uintptr_t unlock_rm(struct lock_object *);
static void assert_rm(const struct lock_object *, int);
static int owner_rm(const struct lock_object *, struct thread **);

struct lock_class lock_class_rm = {
	.lc_name = "rm",
	.lc_flags = LC_SLEEPLOCK | LC_RECURSABLE,
	.lc_assert = assert_rm,
	.lc_lock = lock_rm,
	.lc_unlock = unlock_rm,
	.lc_owner = owner_rm,
};

struct lock_class lock_class_rm_sleepable = {
	.lc_name = "sleepable rm",
	.lc_flags = LC_SLEEPLOCK | LC_SLEEPABLE | LC_RECURSABLE,
	.lc_assert = assert_rm,
	.lc_lock = lock_rm,
	.lc_unlock = unlock_rm,
	.lc_owner = owner_rm,
};

static __inline bool
sleepable(const struct rmlock *rm)
{
	return ((rm->lock_object.lo_flags & LO_SLEEPABLE) != 0);
}

/*
 * Somebody writes, or is about to.  Where nobody does, the reader sees what
 * the last one wrote: its release of the inner lock is acquired here.
 */
static __inline bool
writer_present(const struct rmlock *rm)
{
	if (sleepable(rm))
		return (atomic_load_acq_ptr(&rm->rm_lock_sx.sx_lock) !=
		    SX_LOCK_UNLOCKED);
	return (atomic_load_acq_ptr(&rm->rm_lock_mtx.mtx_lock) !=
	    MTX_UNOWNED);
}

/* A tracker of the current thread; with the list locked. */
static struct rm_priotracker *
tracker_first(const struct rmlock *rm)
{
	struct rm_priotracker *t;

	LIST_FOREACH(t, &rm->rm_activeReaders, rmp_qentry)
		if (t->rmp_thread == curthread)
			return (t);
	return (NULL);
}

/* The read locks that the current thread has of `rm'. */
static u_int
read_depth(const struct rmlock *rm)
{
	struct rm_priotracker *t;
	u_int n = 0;

	lvk_spin_lock(READERS_LOCK(rm));
	LIST_FOREACH(t, &rm->rm_activeReaders, rmp_qentry)
		if (t->rmp_thread == curthread)
			n++;
	lvk_spin_unlock(READERS_LOCK(rm));
	return (n);
}

static __inline void
assert_at(const struct rmlock *rm, int what, const char *file, int line)
{
	u_int depth = rm_wowned(rm) ? 0 : read_depth(rm);

	lvk_lock_assert(&rm->lock_object, what, rm_wowned(rm) ?
	    LVK_HELD_EXCLUSIVE : depth > 0 ? LVK_HELD_SHARED : LVK_NOT_HELD,
	    depth > 1, file, line);
}

/* ---- making and unmaking */

void
rm_init_flags(struct rmlock *rm, const char *name, int opts)
{
	int flags = 0;

	if ((opts & RM_NOWITNESS) == 0)
		flags |= LO_WITNESS;
	if ((opts & RM_RECURSE) != 0)
		flags |= LO_RECURSABLE;
	if ((opts & RM_NEW) != 0)
		flags |= LO_NEW;
#ifdef RM_DUPOK
	if ((opts & RM_DUPOK) != 0)
		flags |= LO_DUPOK;
#endif
	if ((opts & RM_SLEEPABLE) != 0)
		flags |= LO_SLEEPABLE;
	lock_init(&rm->lock_object, (opts & RM_SLEEPABLE) != 0 ?
	    &lock_class_rm_sleepable : &lock_class_rm, name, NULL, flags);
	memset(READERS_LOCK(rm), 0, sizeof(struct lvk_spin));
	LIST_INIT(&rm->rm_activeReaders);
	if (sleepable(rm))
		sx_init_flags(&rm->rm_lock_sx, name, SX_NEW | SX_NOWITNESS);
	else
		mtx_init(&rm->rm_lock_mtx, name, NULL,
		    MTX_DEF | MTX_NEW | MTX_NOWITNESS);
}

void
rm_init(struct rmlock *rm, const char *name)
{
	rm_init_flags(rm, name, 0);
}

void
rm_destroy(struct rmlock *rm)
{
	RM_CHECK(rm, "rm_destroy", __FILE__, __LINE__);
	rm_assert(rm, LA_UNLOCKED);
	KASSERT(LIST_EMPTY(&rm->rm_activeReaders),
	    ("rm_destroy: rm lock %s has readers", rm->lock_object.lo_name));
	if (sleepable(rm))
		sx_destroy(&rm->rm_lock_sx);
	else
		mtx_destroy(&rm->rm_lock_mtx);
	lock_destroy(&rm->lock_object);
}

void
rm_sysinit(void *arg)
{
	struct rm_args *ra = arg;

	rm_init_flags(ra->ra_rm, ra->ra_desc, ra->ra_flags);
}

/* ---- writing */

int
rm_wowned(const struct rmlock *rm)
{
	if (sleepable(rm))
		return (sx_xlocked(&rm->rm_lock_sx));
	return (mtx_owned(&rm->rm_lock_mtx));
}

static void
readers_wait(struct rmlock *rm, const char *file, int line)
{
	struct lvk_turns turns = { 0 };
	bool empty;

	for (;;) {
		lvk_spin_lock(READERS_LOCK(rm));
		empty = LIST_EMPTY(&rm->rm_activeReaders);
		lvk_spin_unlock(READERS_LOCK(rm));
		if (empty)
			return;
		lvk_contend(&rm->lock_object, &turns, file, line);
	}
}

/* The inner lock counts as the one lock that the thread holds. */
void
_rm_wlock_debug(struct rmlock *rm, const char *file, int line)
{
	RM_CHECK(rm, "rm_wlock", file, line);
#ifdef INVARIANTS
	if (sleepable(rm))
		lvk_sleep_check("rm_wlock");
	assert_at(rm, LA_UNLOCKED, file, line);
#endif
	LVK_EVENT(VNH_EV_LOCK, rm);
	if (sleepable(rm))
		_sx_xlock(&rm->rm_lock_sx, 0, file, line);
	else
		__mtx_lock_flags(&rm->rm_lock_mtx.mtx_lock, 0, file, line);
	readers_wait(rm, file, line);
	LVK_EVENT(VNH_EV_LOCKED, rm);
}

void
_rm_wunlock_debug(struct rmlock *rm, const char *file, int line)
{
	RM_CHECK(rm, "rm_wunlock", file, line);
	if (!rm_wowned(rm))
		panic("Lock %s not exclusively locked @ %s:%d",
		    rm->lock_object.lo_name, file, line);
	if (sleepable(rm))
		_sx_xunlock(&rm->rm_lock_sx, file, line);
	else
		__mtx_unlock_flags(&rm->rm_lock_mtx.mtx_lock, 0, file, line);
	LVK_EVENT(VNH_EV_UNLOCK, rm);
}

/* ---- reading */

enum entry { ENTERED, WRITER_IN, ENTERED_BEFORE };

/* Enters the list of readers, unless a writer is in or it is forbidden. */
static enum entry
reader_enter(struct rmlock *rm, struct rm_priotracker *tracker, bool recurse)
{
	enum entry result = ENTERED;

	tracker->rmp_rmlock = rm;
	tracker->rmp_thread = curthread;
	tracker->rmp_flags = 0;
	lvk_spin_lock(READERS_LOCK(rm));
	if (tracker_first(rm) != NULL)
		result = recurse ? ENTERED : ENTERED_BEFORE;
	else if (writer_present(rm))
		result = WRITER_IN;
	if (result == ENTERED)
		LIST_INSERT_HEAD(&rm->rm_activeReaders, tracker, rmp_qentry);
	lvk_spin_unlock(READERS_LOCK(rm));
	return (result);
}

/* May this thread recurse, or does nobody look? */
static __inline bool
recursable(const struct rmlock *rm, int try)
{
#ifdef INVARIANTS
	return (try != 0 || (rm->lock_object.lo_flags & LO_RECURSABLE) != 0);
#else
	return (true);
#endif
}

static void
wait_for_writer(struct rmlock *rm, struct lvk_turns *turns, const char *file,
    int line)
{
	KASSERT(!rm_wowned(rm), ("rm_rlock: wlock already held for %s @ %s:%d",
	    rm->lock_object.lo_name, file, line));
	lvk_contend(&rm->lock_object, turns, file, line);
}

int
_rm_rlock_debug(struct rmlock *rm, struct rm_priotracker *tracker, int try,
    const char *file, int line)
{
	struct lvk_turns turns = { 0 };
	enum entry result;

	RM_CHECK(rm, "rm_rlock", file, line);
#ifdef INVARIANTS
	if (sleepable(rm) && try == 0 && read_depth(rm) == 0)
		lvk_sleep_check("rm_rlock");
#endif
	LVK_EVENT(VNH_EV_LOCK, rm);
	for (;;) {
		result = reader_enter(rm, tracker, recursable(rm, try));
		if (result == ENTERED)
			break;
		if (result == ENTERED_BEFORE)
			panic("rm_rlock: recursed on non-recursive rmlock %s "
			    "@ %s:%d", rm->lock_object.lo_name, file, line);
		if (try != 0)
			return (0);
		wait_for_writer(rm, &turns, file, line);
	}
	if (sleepable(rm))
		curthread->td_no_sleeping++;
	curthread->td_pinned++;
	TD_LOCKS_INC(curthread);
	if (!sleepable(rm))
		lvk_held_add(&rm->lock_object, file, line);
	LVK_EVENT(VNH_EV_RLOCKED, rm);
	return (1);
}

/* Takes the tracker off the list; false when it is not there as it should. */
static bool
reader_exit(struct rmlock *rm, struct rm_priotracker *tracker)
{
	struct rm_priotracker *t;

	lvk_spin_lock(READERS_LOCK(rm));
	LIST_FOREACH(t, &rm->rm_activeReaders, rmp_qentry)
		if (t == tracker && t->rmp_thread == curthread) {
			LIST_REMOVE(t, rmp_qentry);
			break;
		}
	lvk_spin_unlock(READERS_LOCK(rm));
	return (t != NULL);
}

void
_rm_runlock_debug(struct rmlock *rm, struct rm_priotracker *tracker,
    const char *file, int line)
{
	RM_CHECK(rm, "rm_runlock", file, line);
	if (!reader_exit(rm, tracker))
		panic("Lock %s not read locked by this thread with tracker %p "
		    "@ %s:%d", rm->lock_object.lo_name, tracker, file, line);
	if (sleepable(rm))
		curthread->td_no_sleeping--;
	curthread->td_pinned--;
	TD_LOCKS_DEC(curthread);
	if (!sleepable(rm))
		lvk_held_del(&rm->lock_object);
	LVK_EVENT(VNH_EV_RUNLOCK, rm);
	lvk_point();
}

/* ---- assertions and the class */

#if defined(INVARIANTS) || defined(INVARIANT_SUPPORT)
void
_rm_assert(const struct rmlock *rm, int what, const char *file, int line)
{
	assert_at(rm, what, file, line);
}
#endif

static void
assert_rm(const struct lock_object *lo, int what)
{
	assert_at(__containerof(lo, const struct rmlock, lock_object), what,
	    __FILE__, __LINE__);
}

/* `how' is the tracker of a reader, which must outlive the lock. */
static void
lock_rm(struct lock_object *lo, uintptr_t how)
{
	struct rmlock *rm = __containerof(lo, struct rmlock, lock_object);

	if (how == 0)
		rm_wlock(rm);
	else
		rm_rlock(rm, (struct rm_priotracker *)how);
}

static uintptr_t
unlock_rm(struct lock_object *lo)
{
	struct rmlock *rm = __containerof(lo, struct rmlock, lock_object);
	struct rm_priotracker *tracker;

	rm_assert(rm, LA_LOCKED | LA_NOTRECURSED);
	if (rm_wowned(rm)) {
		rm_wunlock(rm);
		return (0);
	}
	lvk_spin_lock(READERS_LOCK(rm));
	tracker = tracker_first(rm);
	lvk_spin_unlock(READERS_LOCK(rm));
	if (tracker == NULL)
		panic("Lock %s not locked", lo->lo_name);
	rm_runlock(rm, tracker);
	return ((uintptr_t)tracker);
}

static int
owner_rm(const struct lock_object *lo, struct thread **owner)
{
	const struct rmlock *rm = __containerof(lo, const struct rmlock,
	    lock_object);

	return (LOCK_CLASS(&rm->rm_wlock_object)->lc_owner(
	    &rm->rm_wlock_object, owner));
}
