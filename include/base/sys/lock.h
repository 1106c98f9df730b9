/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS_LOCK_H_
#define _SYS_LOCK_H_

#include <sys/queue.h>
#include <sys/_lock.h>

struct thread;

/*
 * What all locks of one kind have in common.  Code that is handed a lock of
 * any kind (sleep(9), callouts) gives it back and takes it again through
 * these: what lc_unlock() returns tells lc_lock() how the lock was held.
 */
struct lock_class {
	const char *lc_name;
	u_int lc_flags;
	void (*lc_assert)(const struct lock_object *lock, int what);
	void (*lc_ddb_show)(const struct lock_object *lock);
	void (*lc_lock)(struct lock_object *lock, uintptr_t how);
	int (*lc_owner)(const struct lock_object *lock, struct thread **owner);
	uintptr_t (*lc_unlock)(struct lock_object *lock);
};

#define LC_SLEEPLOCK 0x00000001
#define LC_SPINLOCK 0x00000002
#define LC_SLEEPABLE 0x00000004		/* may be held across a sleep */
#define LC_RECURSABLE 0x00000008
#define LC_UPGRADABLE 0x00000010

/* lo_flags; those of LO_CLASSMASK are the index into lock_classes[] */
#define LO_CLASSFLAGS 0x0000ffff
#define LO_INITIALIZED 0x00010000
#define LO_WITNESS 0x00020000
#define LO_QUIET 0x00040000
#define LO_RECURSABLE 0x00080000
#define LO_SLEEPABLE 0x00100000
#define LO_UPGRADABLE 0x00200000
#define LO_DUPOK 0x00400000
#define LO_CLASSMASK 0x0f000000
#define LO_NOPROFILE 0x10000000
#define LO_NEW 0x20000000

#define LO_CLASSSHIFT 24
#define LO_CLASSINDEX(lock) (((lock)->lo_flags & LO_CLASSMASK) >> LO_CLASSSHIFT)
#define LOCK_CLASS(lock) (lock_classes[LO_CLASSINDEX((lock))])
#define LOCK_CLASS_MAX (LO_CLASSMASK >> LO_CLASSSHIFT)

#define LI_RECURSEMASK 0x0000ffff
#define LI_EXCLUSIVE 0x00010000
#define LI_NORELEASE 0x00020000

#define LOP_NEWORDER 0x00000001
#define LOP_QUIET 0x00000002
#define LOP_TRYLOCK 0x00000004
#define LOP_EXCLUSIVE 0x00000008
#define LOP_DUPOK 0x00000010
#define LOP_NOSLEEP 0x00000020

#define LA_MASKASSERT 0x000000ff
#define LA_UNLOCKED 0x00000000
#define LA_LOCKED 0x00000001
#define LA_SLOCKED 0x00000002
#define LA_XLOCKED 0x00000004
#define LA_RECURSED 0x00000008
#define LA_NOTRECURSED 0x00000010

#define lock_initialized(lo) ((lo)->lo_flags & LO_INITIALIZED)

extern struct lock_class lock_class_mtx_sleep;
extern struct lock_class lock_class_mtx_spin;
extern struct lock_class lock_class_sx;
extern struct lock_class lock_class_rw;
extern struct lock_class lock_class_rm;
extern struct lock_class lock_class_rm_sleepable;
extern struct lock_class *lock_classes[];

void	lock_init(struct lock_object *, struct lock_class *, const char *,
	    const char *, int);
void	lock_destroy(struct lock_object *);

/* WITNESS is an option this stand-in does not have. */
#define WITNESS_WARN(flags, lock, fmt, ...) (void)0
#define WARN_GIANTOK 0x01
#define WARN_PANIC 0x02
#define WARN_SLEEPOK 0x04

#endif
