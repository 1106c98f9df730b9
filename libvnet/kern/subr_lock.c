/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: what all locks share: lock classes, lock_init(), lock_destroy().
 * Fidelity: exact
 * Differs: no lock profiling, no lockmgr(9).  A lock that was never
 * initialised is told from one of another class and from a destroyed one.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/lock.h>

#include "lvk_lock.h"

struct lock_class *lock_classes[LOCK_CLASS_MAX + 1] = {
	[LVK_CLASS_SPIN] = &lock_class_mtx_spin,
	[LVK_CLASS_MTX] = &lock_class_mtx_sleep,
	[LVK_CLASS_SX] = &lock_class_sx,
	[LVK_CLASS_RM] = &lock_class_rm,
	[LVK_CLASS_RM_SLEEPABLE] = &lock_class_rm_sleepable,
	[LVK_CLASS_RW] = &lock_class_rw,
};

/* `type' is WITNESS's. */
void
lock_init(struct lock_object *lo, struct lock_class *class, const char *name,
    const char *type __unused, int flags)
{
	u_int i = 0;

	KASSERT((flags & LO_NEW) != 0 || !lock_initialized(lo),
	    ("lock \"%s\" %p already initialized", name, lo));
	while (lock_classes[i] != class)
		if (i++ == LOCK_CLASS_MAX)
			panic("lock_init: unknown lock class %p", class);
	lo->lo_name = name;
	lo->lo_flags = (u_int)flags | i << LO_CLASSSHIFT | LO_INITIALIZED;
	lo->lo_data = 0;
}

void
lock_destroy(struct lock_object *lo)
{
	KASSERT(lock_initialized(lo), ("lock %p is not initialized", lo));
	lo->lo_flags &= ~LO_INITIALIZED;
}

#ifdef INVARIANTS
/*
 * The name is left out where the lock is not one: it may be any bytes.
 */
void
lvk_lock_fault(const struct lock_object *lo, enum lvk_class class,
    bool destroyed, const char *what, const char *file, int line)
{
	const char *kind = lock_classes[class]->lc_name;

	if (!lock_initialized(lo))
		panic("%s() of %s %s %p @ %s:%d", what,
		    destroyed ? "destroyed" : "uninitialized", kind, lo, file,
		    line);
	panic("%s() of %s \"%s\", which is no %s @ %s:%d", what,
	    LOCK_CLASS(lo) != NULL ? LOCK_CLASS(lo)->lc_name : "unknown lock",
	    lo->lo_name, kind, file, line);
}
#endif

void
lvk_lock_assert(const struct lock_object *lo, int what, enum lvk_held held,
    bool recursed, const char *file, int line)
{
	const char *name = lo->lo_name;
	const char *shared = LOCK_CLASS(lo) == &lock_class_sx ? "share" :
	    "read";

	switch (what & ~(LA_RECURSED | LA_NOTRECURSED)) {
	case LA_UNLOCKED:
		if (held != LVK_NOT_HELD)
			panic("Lock %s %s locked @ %s:%d", name,
			    held == LVK_HELD_SHARED ? shared : "exclusively",
			    file, line);
		return;
	case LA_LOCKED:
		if (held == LVK_NOT_HELD)
			panic("Lock %s not locked @ %s:%d", name, file, line);
		break;
	case LA_SLOCKED:
		if (held != LVK_HELD_SHARED)
			panic("Lock %s not %s locked @ %s:%d", name, shared,
			    file, line);
		break;
	case LA_XLOCKED:
		if (held != LVK_HELD_EXCLUSIVE)
			panic("Lock %s not exclusively locked @ %s:%d", name,
			    file, line);
		break;
	default:
		panic("Unknown lock assertion 0x%x on %s @ %s:%d", what, name,
		    file, line);
	}
	if (recursed && (what & LA_NOTRECURSED) != 0)
		panic("Lock %s recursed @ %s:%d", name, file, line);
	if (!recursed && (what & LA_RECURSED) != 0)
		panic("Lock %s not recursed @ %s:%d", name, file, line);
}
