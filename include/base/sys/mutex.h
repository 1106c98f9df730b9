/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS_MUTEX_H_
#define _SYS_MUTEX_H_

#include <sys/queue.h>
#include <sys/lock.h>
#include <sys/_mutex.h>
#include <sys/pcpu.h>
#include <machine/atomic.h>

#define MTX_DEF 0x00000000
#define MTX_SPIN 0x00000001
#define MTX_RECURSE 0x00000004
#define MTX_NOWITNESS 0x00000008
#define MTX_NOPROFILE 0x00000020
#define MTX_NEW 0x00000040
#define MTX_QUIET LOP_QUIET
#define MTX_DUPOK LOP_DUPOK

/* The lock word: 0 free, else the owner's address with these bits. */
#define MTX_UNOWNED 0x00000000
#define MTX_RECURSED 0x00000001
#define MTX_CONTESTED 0x00000002
#define MTX_DESTROYED 0x00000004
#define MTX_FLAGMASK (MTX_RECURSED | MTX_CONTESTED | MTX_DESTROYED)

#define mtx_recurse lock_object.lo_data

void	_mtx_init(volatile uintptr_t *, const char *, const char *, int);
void	_mtx_destroy(volatile uintptr_t *);
void	mtx_sysinit(void *);
int	_mtx_trylock_flags_(volatile uintptr_t *, int, const char *, int);
void	__mtx_lock_flags(volatile uintptr_t *, int, const char *, int);
void	__mtx_unlock_flags(volatile uintptr_t *, int, const char *, int);
void	__mtx_lock_spin_flags(volatile uintptr_t *, int, const char *, int);
int	__mtx_trylock_spin_flags(volatile uintptr_t *, int, const char *, int);
void	__mtx_unlock_spin_flags(volatile uintptr_t *, int, const char *, int);
void	__mtx_assert(const volatile uintptr_t *, int, const char *, int);

#define mtx_init(m, n, t, o) _mtx_init(&(m)->mtx_lock, n, t, o)
#define mtx_destroy(m) _mtx_destroy(&(m)->mtx_lock)
#define mtx_lock_flags(m, o) \
	__mtx_lock_flags(&(m)->mtx_lock, (o), LOCK_FILE, LOCK_LINE)
#define mtx_unlock_flags(m, o) \
	__mtx_unlock_flags(&(m)->mtx_lock, (o), LOCK_FILE, LOCK_LINE)
#define mtx_trylock_flags(m, o) \
	_mtx_trylock_flags_(&(m)->mtx_lock, (o), LOCK_FILE, LOCK_LINE)
#define mtx_lock_spin_flags(m, o) \
	__mtx_lock_spin_flags(&(m)->mtx_lock, (o), LOCK_FILE, LOCK_LINE)
#define mtx_trylock_spin_flags(m, o) \
	__mtx_trylock_spin_flags(&(m)->mtx_lock, (o), LOCK_FILE, LOCK_LINE)
#define mtx_unlock_spin_flags(m, o) \
	__mtx_unlock_spin_flags(&(m)->mtx_lock, (o), LOCK_FILE, LOCK_LINE)
#define mtx_lock(m) mtx_lock_flags((m), 0)
#define mtx_unlock(m) mtx_unlock_flags((m), 0)
#define mtx_trylock(m) mtx_trylock_flags((m), 0)
#define mtx_lock_spin(m) mtx_lock_spin_flags((m), 0)
#define mtx_trylock_spin(m) mtx_trylock_spin_flags((m), 0)
#define mtx_unlock_spin(m) mtx_unlock_spin_flags((m), 0)

#define mtx_sleep(chan, mtx, pri, wmesg, timo)				\
	_sleep((chan), &(mtx)->lock_object, (pri), (wmesg),		\
	    tick_sbt * (timo), 0, 0)

void	_thread_lock(struct thread *, int, const char *, int);
void	thread_lock_flags_(struct thread *, int, const char *, int);
void	thread_lock_set(struct thread *, struct mtx *);
void	thread_lock_block_wait(struct thread *);
#define thread_lock(td) _thread_lock((td), 0, __FILE__, __LINE__)
#define thread_lock_flags(td, opts) \
	thread_lock_flags_((td), (opts), __FILE__, __LINE__)
#define thread_unlock(td) mtx_unlock_spin((td)->td_lock)

#define mtx_initialized(m) lock_initialized(&(m)->lock_object)
#define mtx_name(m) ((m)->lock_object.lo_name)
/* Atomic, as another thread may change the word meanwhile. */
#define MTX_READ_VALUE(m) atomic_load_ptr(&(m)->mtx_lock)
#define lv_mtx_owner(v) ((struct thread *)((v) & ~(uintptr_t)MTX_FLAGMASK))
#define mtx_owner(m) lv_mtx_owner(MTX_READ_VALUE(m))
#define mtx_owned(m) (mtx_owner(m) == curthread)
#define mtx_recursed(m) ((m)->mtx_recurse != 0)
#define mtx_unowned(m) (MTX_READ_VALUE(m) == MTX_UNOWNED)
#define mtx_destroyed(m) (MTX_READ_VALUE(m) == MTX_DESTROYED)

extern struct mtx Giant;
#define GIANT_REQUIRED do { } while (0)
#define NET_ASSERT_GIANT() do { } while (0)

#define MA_OWNED LA_XLOCKED
#define MA_NOTOWNED LA_UNLOCKED
#define MA_RECURSED LA_RECURSED
#define MA_NOTRECURSED LA_NOTRECURSED
#ifdef INVARIANTS
#define mtx_assert_(m, what, file, line) \
	__mtx_assert(&(m)->mtx_lock, (what), (file), (line))
#else
#define mtx_assert_(m, what, file, line) (void)0
#endif
#define mtx_assert(m, what) mtx_assert_((m), (what), __FILE__, __LINE__)

struct mtx_args {
	void *ma_mtx;
	const char *ma_desc;
	int ma_opts;
};
#define MTX_SYSINIT(name, mtx, desc, opts)				\
	static struct mtx_args name##_args = { (mtx), (desc), (opts) };	\
	SYSINIT(name##_mtx_sysinit, SI_SUB_LOCK, SI_ORDER_MIDDLE,	\
	    mtx_sysinit, &name##_args);					\
	SYSUNINIT(name##_mtx_sysuninit, SI_SUB_LOCK, SI_ORDER_MIDDLE,	\
	    _mtx_destroy,						\
	    __DEVOLATILE(void *, &(mtx)->mtx_lock))

#endif /* _SYS_MUTEX_H_ */
