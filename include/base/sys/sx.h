/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS_SX_H_
#define _SYS_SX_H_

#include <sys/_lock.h>
#include <sys/_sx.h>
#include <sys/lock.h>
#include <sys/pcpu.h>
#include <machine/atomic.h>

/* The lock word, as for rwlock but with its own bits. */
#define SX_LOCK_SHARED 0x01
#define SX_LOCK_SHARED_WAITERS 0x02
#define SX_LOCK_EXCLUSIVE_WAITERS 0x04
#define SX_LOCK_WRITE_SPINNER 0x08
#define SX_LOCK_RECURSED 0x10
#define SX_LOCK_FLAGMASK						\
	(SX_LOCK_SHARED | SX_LOCK_SHARED_WAITERS |			\
	    SX_LOCK_EXCLUSIVE_WAITERS | SX_LOCK_RECURSED |		\
	    SX_LOCK_WRITE_SPINNER)
#define SX_OWNER(x) ((x) & ~(uintptr_t)SX_LOCK_FLAGMASK)
#define SX_SHARERS_SHIFT 5
#define SX_SHARERS(x) (SX_OWNER(x) >> SX_SHARERS_SHIFT)
#define SX_SHARERS_LOCK(x) ((uintptr_t)(x) << SX_SHARERS_SHIFT | SX_LOCK_SHARED)
#define SX_ONE_SHARER ((uintptr_t)1 << SX_SHARERS_SHIFT)
#define SX_LOCK_UNLOCKED SX_SHARERS_LOCK(0)
#define SX_LOCK_DESTROYED (SX_LOCK_SHARED_WAITERS | SX_LOCK_EXCLUSIVE_WAITERS)
#define sx_recurse lock_object.lo_data
#define SX_READ_VALUE(sx) atomic_load_ptr(&(sx)->sx_lock)
#define lv_sx_owner(v) \
	(((v) & SX_LOCK_SHARED) != 0 ? NULL : (struct thread *)SX_OWNER(v))
static __inline struct thread *
sx_xholder(const struct sx *sx)
{
	uintptr_t v = SX_READ_VALUE(sx);

	return (lv_sx_owner(v));
}

#define SX_DUPOK 0x01
#define SX_NOPROFILE 0x02
#define SX_NOWITNESS 0x04
#define SX_QUIET 0x08
#define SX_RECURSE 0x20
#define SX_NEW 0x40
#define SX_INTERRUPTIBLE 0x40

void	sx_sysinit(void *);
void	sx_init_flags(struct sx *, const char *, int);
void	sx_destroy(struct sx *);
int	_sx_slock(struct sx *, int, const char *, int);
int	_sx_xlock(struct sx *, int, const char *, int);
void	_sx_sunlock(struct sx *, const char *, int);
void	_sx_xunlock(struct sx *, const char *, int);
int	sx_try_slock_(struct sx *, const char *, int);
int	sx_try_xlock_(struct sx *, const char *, int);
int	sx_try_upgrade_(struct sx *, const char *, int);
void	sx_downgrade_(struct sx *, const char *, int);
void	_sx_assert(const struct sx *, int, const char *, int);

#define sx_init(sx, desc) sx_init_flags((sx), (desc), 0)
#define sx_slock(sx) ((void)_sx_slock((sx), 0, LOCK_FILE, LOCK_LINE))
#define sx_xlock(sx) ((void)_sx_xlock((sx), 0, LOCK_FILE, LOCK_LINE))
#define sx_slock_sig(sx) \
	_sx_slock((sx), SX_INTERRUPTIBLE, LOCK_FILE, LOCK_LINE)
#define sx_xlock_sig(sx) \
	_sx_xlock((sx), SX_INTERRUPTIBLE, LOCK_FILE, LOCK_LINE)
#define sx_sunlock(sx) _sx_sunlock((sx), LOCK_FILE, LOCK_LINE)
#define sx_xunlock(sx) _sx_xunlock((sx), LOCK_FILE, LOCK_LINE)
#define sx_try_slock(sx) sx_try_slock_((sx), LOCK_FILE, LOCK_LINE)
#define sx_try_xlock(sx) sx_try_xlock_((sx), LOCK_FILE, LOCK_LINE)
#define sx_try_upgrade(sx) sx_try_upgrade_((sx), LOCK_FILE, LOCK_LINE)
#define sx_downgrade(sx) sx_downgrade_((sx), LOCK_FILE, LOCK_LINE)
#define sx_xlocked(sx)							\
	((SX_READ_VALUE(sx) & ~(uintptr_t)(SX_LOCK_FLAGMASK &		\
	    ~SX_LOCK_SHARED)) == (uintptr_t)curthread)
#define sx_unlock(sx) do {						\
	if (sx_xlocked(sx))						\
		sx_xunlock(sx);						\
	else								\
		sx_sunlock(sx);						\
} while (0)
#define sx_initialized(sx) lock_initialized(&(sx)->lock_object)
#define sx_sleep(chan, sx, pri, wmesg, timo)				\
	_sleep((chan), &(sx)->lock_object, (pri), (wmesg),		\
	    tick_sbt * (timo), 0, 0)

struct sx_args {
	struct sx *sa_sx;
	const char *sa_desc;
	int sa_flags;
};
#define SX_SYSINIT_FLAGS(name, sxa, desc, flags)			\
	static struct sx_args name##_args = { (sxa), (desc), (flags) };	\
	SYSINIT(name##_sx_sysinit, SI_SUB_LOCK, SI_ORDER_MIDDLE,	\
	    sx_sysinit, &name##_args);					\
	SYSUNINIT(name##_sx_sysuninit, SI_SUB_LOCK, SI_ORDER_MIDDLE,	\
	    sx_destroy, (sxa))
#define SX_SYSINIT(name, sxa, desc) SX_SYSINIT_FLAGS(name, sxa, desc, 0)

#define SA_LOCKED LA_LOCKED
#define SA_SLOCKED LA_SLOCKED
#define SA_XLOCKED LA_XLOCKED
#define SA_UNLOCKED LA_UNLOCKED
#define SA_RECURSED LA_RECURSED
#define SA_NOTRECURSED LA_NOTRECURSED
#define SX_LOCKED LA_LOCKED
#define SX_SLOCKED LA_SLOCKED
#define SX_XLOCKED LA_XLOCKED
#define SX_UNLOCKED LA_UNLOCKED
#ifdef INVARIANTS
#define sx_assert(sx, what) _sx_assert((sx), (what), LOCK_FILE, LOCK_LINE)
#else
#define sx_assert(sx, what) (void)0
#endif

#endif /* _SYS_SX_H_ */
