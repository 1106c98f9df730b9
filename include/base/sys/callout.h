/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS_CALLOUT_H_
#define _SYS_CALLOUT_H_

#include <sys/_callout.h>

#define CALLOUT_LOCAL_ALLOC 0x0001
#define CALLOUT_ACTIVE 0x0002		/* c_flags, the user's */
#define CALLOUT_PENDING 0x0004		/* c_iflags, ours */
#define CALLOUT_MPSAFE 0x0008
#define CALLOUT_RETURNUNLOCKED 0x0010
#define CALLOUT_SHAREDLOCK 0x0020
#define CALLOUT_INITIALIZED 0x0040
#define CALLOUT_DIRECT 0x0100

#define C_DIRECT_EXEC 0x0001
#define C_PRELBITS 7
#define C_PRELRANGE ((1 << C_PRELBITS) - 1)
#define C_PREL(x) (((x) + 1) << 1)
#define C_HARDCLOCK 0x0100
#define C_ABSOLUTE 0x0200
#define C_PRECALC 0x0400
#define C_CATCH 0x0800

/* _callout_stop_safe() flags */
#define CS_DRAIN 0x0001
#define CS_EXECUTING 0x0002

void	callout_init(struct callout *, int);
void	_callout_init_lock(struct callout *, struct lock_object *, int);
#define callout_init_mtx(c, mtx, flags)					\
	_callout_init_lock((c),						\
	    ((mtx) != NULL) ? &(mtx)->lock_object : NULL, (flags))
#define callout_init_rw(c, rw, flags)					\
	_callout_init_lock((c),						\
	    ((rw) != NULL) ? &(rw)->lock_object : NULL, (flags))
#define callout_init_rm(c, rm, flags)					\
	_callout_init_lock((c),						\
	    ((rm) != NULL) ? &(rm)->lock_object : NULL, (flags))
int	callout_reset_sbt_on(struct callout *, sbintime_t, sbintime_t,
	    callout_func_t *, void *, int, int);
#define callout_reset_sbt(c, sbt, pr, fn, arg, flags) \
	callout_reset_sbt_on((c), (sbt), (pr), (fn), (arg), -1, (flags))
#define callout_reset_on(c, ticks_, fn, arg, cpu)			\
	callout_reset_sbt_on((c), tick_sbt * (ticks_), 0, (fn), (arg),	\
	    (cpu), C_HARDCLOCK)
#define callout_reset(c, ticks_, fn, arg) \
	callout_reset_on((c), (ticks_), (fn), (arg), -1)
#define callout_reset_curcpu(c, ticks_, fn, arg) \
	callout_reset_on((c), (ticks_), (fn), (arg), (int)curcpu)
#define callout_reset_sbt_curcpu(c, sbt, pr, fn, arg, flags) \
	callout_reset_sbt_on((c), (sbt), (pr), (fn), (arg), (int)curcpu, \
	    (flags))
#define callout_schedule_sbt_on(c, sbt, pr, cpu, flags)			\
	callout_reset_sbt_on((c), (sbt), (pr), (c)->c_func, (c)->c_arg,	\
	    (cpu), (flags))
#define callout_schedule_sbt(c, sbt, pr, flags) \
	callout_schedule_sbt_on((c), (sbt), (pr), -1, (flags))
int	callout_schedule(struct callout *, int);
int	callout_schedule_on(struct callout *, int, int);
#define callout_schedule_curcpu(c, ticks_) \
	callout_schedule_on((c), (ticks_), (int)curcpu)
int	_callout_stop_safe(struct callout *, int);
#define callout_stop(c) _callout_stop_safe((c), 0)
#define callout_drain(c) _callout_stop_safe((c), CS_DRAIN)
#define callout_active(c) ((c)->c_flags & CALLOUT_ACTIVE)
#define callout_deactivate(c) ((c)->c_flags &= ~CALLOUT_ACTIVE)
#define callout_pending(c) ((c)->c_iflags & CALLOUT_PENDING)

/* When a relative time is due; the answers go with C_PRECALC. */
void	callout_when(sbintime_t, sbintime_t, int, sbintime_t *, sbintime_t *);
/* The clock's (kern_tc.c): run what is due on this CPU. */
void	callout_process(sbintime_t);

#endif
