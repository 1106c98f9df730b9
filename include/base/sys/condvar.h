/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS_CONDVAR_H_
#define _SYS_CONDVAR_H_

#include <sys/types.h>

struct lock_object;

/* cv_waiters is protected by the lock that each wait names. */
struct cv {
	const char *cv_description;
	int cv_waiters;
};

void	cv_init(struct cv *, const char *desc);
void	cv_destroy(struct cv *);
void	_cv_wait(struct cv *, struct lock_object *);
void	_cv_wait_unlock(struct cv *, struct lock_object *);
int	_cv_wait_sig(struct cv *, struct lock_object *);
int	_cv_timedwait_sbt(struct cv *, struct lock_object *, sbintime_t sbt,
	    sbintime_t pr, int flags);
int	_cv_timedwait_sig_sbt(struct cv *, struct lock_object *,
	    sbintime_t sbt, sbintime_t pr, int flags);
void	cv_signal(struct cv *);
void	cv_broadcastpri(struct cv *, int pri);

#define cv_wait(cv, lock) _cv_wait((cv), &(lock)->lock_object)
#define cv_wait_unlock(cv, lock) _cv_wait_unlock((cv), &(lock)->lock_object)
#define cv_wait_sig(cv, lock) _cv_wait_sig((cv), &(lock)->lock_object)
#define cv_timedwait(cv, lock, timo)					\
	_cv_timedwait_sbt((cv), &(lock)->lock_object,			\
	    tick_sbt * (timo), 0, C_HARDCLOCK)
#define cv_timedwait_sbt(cv, lock, sbt, pr, flags)			\
	_cv_timedwait_sbt((cv), &(lock)->lock_object, (sbt), (pr), (flags))
#define cv_timedwait_sig(cv, lock, timo)				\
	_cv_timedwait_sig_sbt((cv), &(lock)->lock_object,		\
	    tick_sbt * (timo), 0, C_HARDCLOCK)
#define cv_timedwait_sig_sbt(cv, lock, sbt, pr, flags)			\
	_cv_timedwait_sig_sbt((cv), &(lock)->lock_object, (sbt), (pr),	\
	    (flags))
#define cv_broadcast(cv) cv_broadcastpri((cv), 0)
#define cv_wmesg(cv) ((cv)->cv_description)

#endif /* _SYS_CONDVAR_H_ */
