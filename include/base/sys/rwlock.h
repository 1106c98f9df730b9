/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS_RWLOCK_H_
#define _SYS_RWLOCK_H_

#include <sys/_lock.h>
#include <sys/_rwlock.h>
#include <sys/lock.h>
#include <sys/pcpu.h>
#include <machine/atomic.h>

/*
 * The lock word: with RW_LOCK_READ set the upper bits count readers, without
 * it they are the writing thread.
 */
#define RW_LOCK_READ 0x01
#define RW_LOCK_READ_WAITERS 0x02
#define RW_LOCK_WRITE_WAITERS 0x04
#define RW_LOCK_WRITE_SPINNER 0x08
#define RW_LOCK_WRITER_RECURSED 0x10
#define RW_LOCK_FLAGMASK						\
	(RW_LOCK_READ | RW_LOCK_READ_WAITERS | RW_LOCK_WRITE_WAITERS |	\
	    RW_LOCK_WRITE_SPINNER | RW_LOCK_WRITER_RECURSED)
#define RW_OWNER(x) ((x) & ~(uintptr_t)RW_LOCK_FLAGMASK)
#define RW_READERS_SHIFT 5
#define RW_READERS(x) (RW_OWNER((x)) >> RW_READERS_SHIFT)
#define RW_READERS_LOCK(x) ((uintptr_t)(x) << RW_READERS_SHIFT | RW_LOCK_READ)
#define RW_ONE_READER ((uintptr_t)1 << RW_READERS_SHIFT)
#define RW_UNLOCKED RW_READERS_LOCK(0)
#define RW_DESTROYED (RW_LOCK_READ_WAITERS | RW_LOCK_WRITE_WAITERS)
#define rw_recurse lock_object.lo_data
#define RW_READ_VALUE(x) atomic_load_ptr(&(x)->rw_lock)

#define RW_DUPOK 0x01
#define RW_NOPROFILE 0x02
#define RW_NOWITNESS 0x04
#define RW_QUIET 0x08
#define RW_RECURSE 0x10
#define RW_NEW 0x20

void	_rw_init_flags(volatile uintptr_t *, const char *, int);
void	_rw_destroy(volatile uintptr_t *);
void	rw_sysinit(void *);
int	_rw_wowned(const volatile uintptr_t *);
void	_rw_wlock_cookie(volatile uintptr_t *, const char *, int);
int	__rw_try_wlock(volatile uintptr_t *, const char *, int);
void	_rw_wunlock_cookie(volatile uintptr_t *, const char *, int);
void	__rw_rlock(volatile uintptr_t *, const char *, int);
int	__rw_try_rlock(volatile uintptr_t *, const char *, int);
void	_rw_runlock_cookie(volatile uintptr_t *, const char *, int);
int	__rw_try_upgrade(volatile uintptr_t *, const char *, int);
void	__rw_downgrade(volatile uintptr_t *, const char *, int);
void	__rw_assert(const volatile uintptr_t *, int, const char *, int);

#define rw_init(rw, n) _rw_init_flags(&(rw)->rw_lock, n, 0)
#define rw_init_flags(rw, n, o) _rw_init_flags(&(rw)->rw_lock, n, o)
#define rw_destroy(rw) _rw_destroy(&(rw)->rw_lock)
#define rw_wowned(rw) _rw_wowned(&(rw)->rw_lock)
#define rw_wlock(rw) _rw_wlock_cookie(&(rw)->rw_lock, LOCK_FILE, LOCK_LINE)
#define rw_wunlock(rw) _rw_wunlock_cookie(&(rw)->rw_lock, LOCK_FILE, LOCK_LINE)
#define rw_rlock(rw) __rw_rlock(&(rw)->rw_lock, LOCK_FILE, LOCK_LINE)
#define rw_runlock(rw) _rw_runlock_cookie(&(rw)->rw_lock, LOCK_FILE, LOCK_LINE)
#define rw_try_rlock(rw) __rw_try_rlock(&(rw)->rw_lock, LOCK_FILE, LOCK_LINE)
#define rw_try_wlock(rw) __rw_try_wlock(&(rw)->rw_lock, LOCK_FILE, LOCK_LINE)
#define rw_try_upgrade(rw) \
	__rw_try_upgrade(&(rw)->rw_lock, LOCK_FILE, LOCK_LINE)
#define rw_downgrade(rw) __rw_downgrade(&(rw)->rw_lock, LOCK_FILE, LOCK_LINE)
#define rw_unlock(rw) do {						\
	if (rw_wowned(rw))						\
		rw_wunlock(rw);						\
	else								\
		rw_runlock(rw);						\
} while (0)
#define rw_sleep(chan, rw, pri, wmesg, timo)				\
	_sleep((chan), &(rw)->lock_object, (pri), (wmesg),		\
	    tick_sbt * (timo), 0, 0)
#define rw_initialized(rw) lock_initialized(&(rw)->lock_object)

struct rw_args {
	void *ra_rw;
	const char *ra_desc;
	int ra_flags;
};
#define RW_SYSINIT_FLAGS(name, rw, desc, flags)				\
	static struct rw_args name##_args = { (rw), (desc), (flags) };	\
	SYSINIT(name##_rw_sysinit, SI_SUB_LOCK, SI_ORDER_MIDDLE,	\
	    rw_sysinit, &name##_args);					\
	SYSUNINIT(name##_rw_sysuninit, SI_SUB_LOCK, SI_ORDER_MIDDLE,	\
	    _rw_destroy, __DEVOLATILE(void *, &(rw)->rw_lock))
#define RW_SYSINIT(name, rw, desc) RW_SYSINIT_FLAGS(name, rw, desc, 0)

#define RA_LOCKED LA_LOCKED
#define RA_RLOCKED LA_SLOCKED
#define RA_WLOCKED LA_XLOCKED
#define RA_UNLOCKED LA_UNLOCKED
#define RA_RECURSED LA_RECURSED
#define RA_NOTRECURSED LA_NOTRECURSED
#ifdef INVARIANTS
#define rw_assert(rw, what) \
	__rw_assert(&(rw)->rw_lock, (what), LOCK_FILE, LOCK_LINE)
#else
#define rw_assert(rw, what) (void)0
#endif

#endif /* _SYS_RWLOCK_H_ */
