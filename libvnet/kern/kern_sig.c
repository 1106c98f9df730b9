/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: signals, FreeBSD's kern/kern_sig.c.
 * Fidelity: modelled
 * Differs: a signal is noted in the set of its process or thread, where a
 * test can look; nothing is interrupted, stopped or killed by it.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/signalvar.h>

#include <lvk.h>

static void
check(const char *who, struct proc *p, int sig)
{
	PROC_LOCK_ASSERT(p, MA_OWNED);
	KASSERT(_SIG_VALID(sig), ("%s: invalid signal %d", who, sig));
	(void)who;
	(void)p;
	(void)sig;
}

void
kern_psignal(struct proc *p, int sig)
{
	check("kern_psignal", p, sig);
	SIGADDSET(p->p_siglist, sig);
}

void
tdsignal(struct thread *td, int sig)
{
	check("tdsignal", td->td_proc, sig);
	SIGADDSET(td->td_siglist, sig);
}

#ifndef LIBVNET_BASE
int
tdsendsignal(struct proc *p, struct thread *td, int sig,
    ksiginfo_t *ksi __unused)
{
	check("tdsendsignal", p, sig);
	if (td != NULL)
		SIGADDSET(td->td_siglist, sig);
	else
		SIGADDSET(p->p_siglist, sig);
	return (0);
}

/* Nothing is ever queued. */
void
sigqueue_take(ksiginfo_t *ksi)
{
	ksi->ksi_sigq = NULL;
}

/* On success the process is locked. */
int
sigev_findtd(struct proc *p, struct sigevent *ev, struct thread **tdp)
{
	struct thread *td;

	*tdp = NULL;
	if (ev->sigev_notify != SIGEV_THREAD_ID) {
		PROC_LOCK(p);
		return (0);
	}
	td = tdfind(ev->sigev_notify_thread_id, p->p_pid);
	if (td == NULL)
		return (ESRCH);
	*tdp = td;
	return (0);
}
#endif
