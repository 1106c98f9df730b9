/* SPDX-License-Identifier: BSD-2-Clause */
/* What the lock files of libvnet/kern share; see subr_lock.c. */
#ifndef LVK_LOCK_H
#define LVK_LOCK_H

#include <sys/param.h>
#include <sys/lock.h>

#include <lvk.h>
#include "lvk_explore.h"
#include "lvk_point.h"

/* Places in lock_classes[].  Zero is a class too: see LO_INITIALIZED first. */
enum lvk_class {
	LVK_CLASS_SPIN,
	LVK_CLASS_MTX,
	LVK_CLASS_SX,
	LVK_CLASS_RM,
	LVK_CLASS_RM_SLEEPABLE,
	LVK_CLASS_RW
};

/*
 * Panics unless `lo' is an initialised lock of the class; `what' names the
 * operation.  `destroyed' tells a destroyed lock from one never made.
 */
#ifdef INVARIANTS
void	lvk_lock_fault(const struct lock_object *lo, enum lvk_class class,
	    bool destroyed, const char *what, const char *file, int line)
	    __dead2;
#define LVK_LOCK_CHECK(lo, class, destroyed, what, file, line) do {	\
	if (__predict_false(((lo)->lo_flags &				\
	    (LO_INITIALIZED | LO_CLASSMASK)) !=				\
	    (LO_INITIALIZED | (u_int)(class) << LO_CLASSSHIFT)))	\
		lvk_lock_fault((lo), (class), (destroyed), (what),	\
		    (file), (line));					\
} while (0)
#else
#define LVK_LOCK_CHECK(lo, class, destroyed, what, file, line)		\
	((void)(file), (void)(line))
#endif

/* How the current thread holds a lock that can be shared. */
enum lvk_held { LVK_NOT_HELD, LVK_HELD_SHARED, LVK_HELD_EXCLUSIVE };

/* rw_assert(9) and its kin: `what' is made of LA_*. */
void	lvk_lock_assert(const struct lock_object *lo, int what,
	    enum lvk_held held, bool recursed, const char *file, int line);

#endif /* LVK_LOCK_H */
