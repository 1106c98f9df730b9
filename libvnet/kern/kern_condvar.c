/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: condvar(9), FreeBSD's kern/kern_condvar.c.
 * Fidelity: exact
 * Differs: there are no signals, so cv_wait_sig() and cv_timedwait_sig() are
 * cv_wait() and cv_timedwait().
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/condvar.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/proc.h>

#include "lvk_sched.h"

void
cv_init(struct cv *cv, const char *desc)
{
	cv->cv_description = desc;
	cv->cv_waiters = 0;
}

void
cv_destroy(struct cv *cv)
{
	KASSERT(cv->cv_waiters == 0, ("cv_destroy: \"%s\" has %d waiters",
	    cv->cv_description, cv->cv_waiters));
}

/* cv_waiters is protected by the lock that comes with every call. */
static int
wait(struct cv *cv, struct lock_object *lock, int pri, sbintime_t sbt,
    sbintime_t pr, int flags)
{
	int error;

	KASSERT(lock != NULL, ("cv_wait: no lock, on \"%s\"",
	    cv->cv_description));
	cv->cv_waiters++;
	error = _sleep(cv, lock, pri, cv->cv_description, sbt, pr, flags);
	if (error == EWOULDBLOCK && (pri & PDROP) == 0)
		cv->cv_waiters--;
	return (error);
}

void
_cv_wait(struct cv *cv, struct lock_object *lock)
{
	(void)wait(cv, lock, 0, 0, 0, 0);
}

void
_cv_wait_unlock(struct cv *cv, struct lock_object *lock)
{
	KASSERT(lock != &Giant.lock_object,
	    ("cv_wait_unlock cannot be used with Giant"));
	(void)wait(cv, lock, PDROP, 0, 0, 0);
}

int
_cv_wait_sig(struct cv *cv, struct lock_object *lock)
{
	return (wait(cv, lock, PCATCH, 0, 0, 0));
}

/* As in FreeBSD a time of 0 does not mean "for ever". */
int
_cv_timedwait_sbt(struct cv *cv, struct lock_object *lock, sbintime_t sbt,
    sbintime_t pr, int flags)
{
	return (wait(cv, lock, 0, sbt != 0 ? sbt : 1, pr, flags));
}

int
_cv_timedwait_sig_sbt(struct cv *cv, struct lock_object *lock, sbintime_t sbt,
    sbintime_t pr, int flags)
{
	return (_cv_timedwait_sbt(cv, lock, sbt, pr, flags));
}

void
cv_signal(struct cv *cv)
{
	if (cv->cv_waiters == 0)
		return;
	cv->cv_waiters -= lvk_sleep_wake(cv, false);
}

void
cv_broadcastpri(struct cv *cv, int pri __unused)
{
	if (cv->cv_waiters == 0)
		return;
	cv->cv_waiters -= lvk_sleep_wake(cv, true);
}
