/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: priv(9), FreeBSD's kern/kern_priv.c.
 * Fidelity: exact
 * Differs: a test can take privileges away from a credential; MAC is left
 * out.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/jail.h>
#include <sys/priv.h>
#include <sys/proc.h>
#include <sys/ucred.h>

#include "lvk_cred.h"

static bool
root_grants(struct ucred *cred, int priv)
{
	if (!prison_allow(cred, PR_ALLOW_SUSER))
		return (false);
	switch (priv) {
	case PRIV_MAXFILES:
	case PRIV_MAXPROC:
	case PRIV_PROC_LIMIT:
		return (cred->cr_ruid == 0);
	}
	return (cred->cr_uid == 0);
}

/* Without any privilege, by default. */
static bool
all_may(struct ucred *cred, int priv)
{
	switch (priv) {
	case PRIV_VM_MLOCK:
	case PRIV_VM_MUNLOCK:
	case PRIV_MSGBUF:
	case PRIV_KMEM_READ:
		return (true);
	case PRIV_DEBUG_UNPRIV:
		return (prison_allow(cred, PR_ALLOW_UNPRIV_DEBUG));
	}
	return (false);
}

int
priv_check_cred(struct ucred *cred, int priv)
{
	int error;

	KASSERT(PRIV_VALID(priv), ("priv_check_cred: invalid privilege %d",
	    priv));
	error = lvk_cred_denied(cred, priv);
	if (error == 0)
		error = prison_priv_check(cred, priv);
	if (error != 0)
		return (error);
	return (all_may(cred, priv) || root_grants(cred, priv) ? 0 : EPERM);
}

int
priv_check(struct thread *td, int priv)
{
	KASSERT(td == curthread, ("priv_check: td is not curthread"));
	return (priv_check_cred(td->td_ucred, priv));
}
