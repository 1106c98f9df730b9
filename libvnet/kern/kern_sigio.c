/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: who gets SIGIO: fsetown(9), fgetown(9), funsetown(9).  FreeBSD's
 * kern/kern_descrip.c.
 * Fidelity: modelled
 * Differs: there are no process groups and no sessions, so an owner is a
 * process.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/sigio.h>
#include <sys/signalvar.h>
#include <sys/ucred.h>

#include <lvk.h>

static MALLOC_DEFINE(M_SIGIO, "sigio", "sigio structures");

struct mtx sigio_lock;
MTX_SYSINIT(lvk_sigio_lock, &sigio_lock, "sigio lock", MTX_DEF);

/* With the lock. */
static struct sigio *
take(struct sigio **sigiop)
{
	struct sigio *sio = *sigiop;

	if (sio == NULL)
		return (NULL);
	*sigiop = NULL;
	SLIST_REMOVE(&sio->sio_proc->p_sigiolst, sio, sigio, sio_pgsigio);
	return (sio);
}

static void
release(struct sigio *sio)
{
	if (sio == NULL)
		return;
	crfree(sio->sio_ucred);
	free(sio, M_SIGIO);
}

void
funsetown(struct sigio **sigiop)
{
	struct sigio *sio;

	if (*sigiop == NULL)
		return;
	mtx_lock(&sigio_lock);
	sio = take(sigiop);
	mtx_unlock(&sigio_lock);
	release(sio);
}

void
funsetownlst(struct sigiolst *list)
{
	struct sigio *sio;

	for (;;) {
		mtx_lock(&sigio_lock);
		sio = SLIST_FIRST(list);
		if (sio != NULL)
			(void)take(sio->sio_myref);
		mtx_unlock(&sigio_lock);
		if (sio == NULL)
			return;
		release(sio);
	}
}

int
fsetown(pid_t pgid, struct sigio **sigiop)
{
	struct sigio *new, *old;
	struct proc *p;

	if (pgid == 0) {
		funsetown(sigiop);
		return (0);
	}
	p = pgid > 0 ? pfind(pgid) : NULL;
	if (p == NULL)
		return (ESRCH);
	PROC_UNLOCK(p);
	new = malloc(sizeof(*new), M_SIGIO, M_WAITOK | M_ZERO);
	new->sio_pgid = pgid;
	new->sio_ucred = crhold(curthread->td_ucred);
	new->sio_myref = sigiop;
	new->sio_proc = p;
	mtx_lock(&sigio_lock);
	old = take(sigiop);
	SLIST_INSERT_HEAD(&p->p_sigiolst, new, sio_pgsigio);
	*sigiop = new;
	mtx_unlock(&sigio_lock);
	release(old);
	return (0);
}

pid_t
fgetown(struct sigio **sigiop)
{
	pid_t pgid;

	mtx_lock(&sigio_lock);
	pgid = *sigiop != NULL ? (*sigiop)->sio_pgid : 0;
	mtx_unlock(&sigio_lock);
	return (pgid);
}

void
pgsigio(struct sigio **sigiop, int sig, int checkctty __unused)
{
	struct proc *p = NULL;

	mtx_lock(&sigio_lock);
	if (*sigiop != NULL) {
		p = (*sigiop)->sio_proc;
		PROC_LOCK(p);
		kern_psignal(p, sig);
		PROC_UNLOCK(p);
	}
	mtx_unlock(&sigio_lock);
}
