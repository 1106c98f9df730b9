/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS_RMLOCK_H_
#define _SYS_RMLOCK_H_

#include <sys/mutex.h>
#include <sys/sx.h>
#include <sys/_lock.h>
#include <sys/_rmlock.h>

#define RM_NOWITNESS 0x00000001
#define RM_RECURSE 0x00000002
#define RM_SLEEPABLE 0x00000004
#define RM_NEW 0x00000008
#define RM_DUPOK 0x00000010

void	rm_init(struct rmlock *, const char *);
void	rm_init_flags(struct rmlock *, const char *, int);
void	rm_destroy(struct rmlock *);
int	rm_wowned(const struct rmlock *);
void	rm_sysinit(void *);
void	_rm_wlock_debug(struct rmlock *, const char *, int);
void	_rm_wunlock_debug(struct rmlock *, const char *, int);
int	_rm_rlock_debug(struct rmlock *, struct rm_priotracker *, int,
	    const char *, int);
void	_rm_runlock_debug(struct rmlock *, struct rm_priotracker *,
	    const char *, int);
void	_rm_assert(const struct rmlock *, int, const char *, int);

#define rm_wlock(rm) _rm_wlock_debug((rm), LOCK_FILE, LOCK_LINE)
#define rm_wunlock(rm) _rm_wunlock_debug((rm), LOCK_FILE, LOCK_LINE)
#define rm_rlock(rm, tr) \
	((void)_rm_rlock_debug((rm), (tr), 0, LOCK_FILE, LOCK_LINE))
#define rm_try_rlock(rm, tr) \
	_rm_rlock_debug((rm), (tr), 1, LOCK_FILE, LOCK_LINE)
#define rm_runlock(rm, tr) \
	_rm_runlock_debug((rm), (tr), LOCK_FILE, LOCK_LINE)
#define rm_sleep(chan, rm, pri, wmesg, timo)				\
	_sleep((chan), &(rm)->lock_object, (pri), (wmesg),		\
	    tick_sbt * (timo), 0, 0)

struct rm_args {
	struct rmlock *ra_rm;
	const char *ra_desc;
	int ra_flags;
};
#define RM_SYSINIT_FLAGS(name, rm, desc, flags)				\
	static struct rm_args name##_args = { (rm), (desc), (flags) };	\
	SYSINIT(name##_rm_sysinit, SI_SUB_LOCK, SI_ORDER_MIDDLE,	\
	    rm_sysinit, &name##_args);					\
	SYSUNINIT(name##_rm_sysuninit, SI_SUB_LOCK, SI_ORDER_MIDDLE,	\
	    rm_destroy, (rm))
#define RM_SYSINIT(name, rm, desc) RM_SYSINIT_FLAGS(name, rm, desc, 0)

#define RA_LOCKED LA_LOCKED
#define RA_RLOCKED LA_SLOCKED
#define RA_WLOCKED LA_XLOCKED
#define RA_UNLOCKED LA_UNLOCKED
#define RA_RECURSED LA_RECURSED
#define RA_NOTRECURSED LA_NOTRECURSED
#ifdef INVARIANTS
#define rm_assert(rm, what) _rm_assert((rm), (what), LOCK_FILE, LOCK_LINE)
#else
#define rm_assert(rm, what) (void)0
#endif

#endif
