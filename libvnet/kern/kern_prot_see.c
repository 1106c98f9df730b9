/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: kern/kern_prot.c: who sees whom, groups, secure levels, and what
 * user land is told of a credential.
 * Fidelity: exact
 * Differs: MAC is left out; p_cansignal(9) knows no signal that all may send.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/jail.h>
#include <sys/priv.h>
#include <sys/proc.h>
#include <sys/sysctl.h>
#include <sys/ucred.h>
#ifndef LIBVNET_BASE
#include <sys/socket.h>
#include <sys/socketvar.h>
#endif

#include "lvk_cred.h"

static int see_other_uids = 1, see_other_gids = 1, see_jail_proc = 1;
SYSCTL_NODE(_security, OID_AUTO, bsd, CTLFLAG_RW | CTLFLAG_MPSAFE, 0,
    "BSD security policy");
SYSCTL_INT(_security_bsd, OID_AUTO, see_other_uids, CTLFLAG_RW,
    &see_other_uids, 0, "See subjects and objects of other users");
SYSCTL_INT(_security_bsd, OID_AUTO, see_other_gids, CTLFLAG_RW,
    &see_other_gids, 0, "See subjects and objects of other groups");
SYSCTL_INT(_security_bsd, OID_AUTO, see_jail_proc, CTLFLAG_RW,
    &see_jail_proc, 0, "See subjects and objects of other jails");

/* From 14 on there is cr_bsd_visible() for the three, and real groups count. */
#if __FreeBSD_version >= 1400000
#define OF_THREE static
#else
#define OF_THREE
static int cr_bsd_visible(struct ucred *, struct ucred *);
#endif

/* ---- groups and levels */

static bool
is_supplementary(gid_t gid, const struct ucred *cred)
{
	int low = 1, high = cred->cr_ngroups - 1, mid;

	while (low <= high) {
		mid = (low + high) / 2;
		if (cred->cr_groups[mid] == gid)
			return (true);
		if (cred->cr_groups[mid] < gid)
			low = mid + 1;
		else
			high = mid - 1;
	}
	return (false);
}

lvk_yes_t
groupmember(gid_t gid, LVK_CRED_CONST struct ucred *cred)
{
	return (cred->cr_groups[0] == gid || is_supplementary(gid, cred));
}

#if __FreeBSD_version >= 1400000
lvk_yes_t
realgroupmember(gid_t gid, LVK_CRED_CONST struct ucred *cred)
{
	return (cred->cr_rgid == gid || is_supplementary(gid, cred));
}
#endif

int
securelevel_gt(struct ucred *cr, int level)
{
	return (cr->cr_prison->pr_securelevel > level ? EPERM : 0);
}

int
securelevel_ge(struct ucred *cr, int level)
{
	return (cr->cr_prison->pr_securelevel >= level ? EPERM : 0);
}

/* ---- seeing */

OF_THREE int
cr_canseeotheruids(struct ucred *u1, struct ucred *u2)
{
	if (see_other_uids || u1->cr_ruid == u2->cr_ruid)
		return (0);
	return (priv_check_cred(u1, PRIV_SEEOTHERUIDS) != 0 ? ESRCH : 0);
}

#if __FreeBSD_version >= 1400000
static bool
shares_group(struct ucred *u1, struct ucred *u2)
{
	if (realgroupmember(u1->cr_rgid, u2))
		return (true);
	for (int i = 1; i < u1->cr_ngroups; i++)
		if (realgroupmember(u1->cr_groups[i], u2))
			return (true);
	return (false);
}
#else
static bool
shares_group(struct ucred *u1, struct ucred *u2)
{
	for (int i = 0; i < u1->cr_ngroups; i++)
		if (groupmember(u1->cr_groups[i], u2))
			return (true);
	return (false);
}
#endif

OF_THREE int
cr_canseeothergids(struct ucred *u1, struct ucred *u2)
{
	if (see_other_gids || shares_group(u1, u2))
		return (0);
	return (priv_check_cred(u1, PRIV_SEEOTHERGIDS) != 0 ? ESRCH : 0);
}

OF_THREE int
cr_canseejailproc(struct ucred *u1, struct ucred *u2)
{
	if (see_jail_proc || u1->cr_prison == u2->cr_prison)
		return (0);
#if __FreeBSD_version >= 1400000
	return (priv_check_cred(u1, PRIV_SEEJAILPROC) != 0 ? ESRCH : 0);
#else
	return (u1->cr_uid != 0 ? ESRCH : 0);
#endif
}

#if __FreeBSD_version < 1400000
static
#endif
int
cr_bsd_visible(struct ucred *u1, struct ucred *u2)
{
	int error = cr_canseeotheruids(u1, u2);

	if (error == 0)
		error = cr_canseeothergids(u1, u2);
	if (error == 0)
		error = cr_canseejailproc(u1, u2);
	return (error);
}

int
cr_cansee(struct ucred *u1, struct ucred *u2)
{
	int error = prison_check(u1, u2);

	return (error != 0 ? error : cr_bsd_visible(u1, u2));
}

#ifndef LIBVNET_BASE
int
cr_canseesocket(struct ucred *cred, struct socket *so)
{
	struct ucred *owner = so->so_cred;

	if (prison_check(cred, owner) != 0)
		return (ENOENT);
#if __FreeBSD_version >= 1400000
	return (cr_bsd_visible(cred, owner) != 0 ? ENOENT : 0);
#else
	return (cr_canseeotheruids(cred, owner) != 0 ||
	    cr_canseeothergids(cred, owner) != 0 ? ENOENT : 0);
#endif
}
#endif

int
p_cansee(struct thread *td, struct proc *p)
{
	KASSERT(td == curthread, ("p_cansee: td is not curthread"));
	PROC_LOCK_ASSERT(p, MA_OWNED);
	return (cr_cansee(td->td_ucred, p->p_ucred));
}

int
p_cansignal(struct thread *td, struct proc *p, int signum __unused)
{
	int error;

	KASSERT(td == curthread, ("p_cansignal: td is not curthread"));
	PROC_LOCK_ASSERT(p, MA_OWNED);
	if (td->td_proc == p)
		return (0);
	error = cr_cansee(td->td_ucred, p->p_ucred);
	if (error == 0 && td->td_ucred->cr_uid != p->p_ucred->cr_uid)
		error = priv_check_cred(td->td_ucred, PRIV_SIGNAL_DIFFCRED);
	return (error);
}

/* ---- for user land */

void
cru2x(struct ucred *cr, struct xucred *xcr)
{
	memset(xcr, 0, sizeof(*xcr));
	xcr->cr_version = XUCRED_VERSION;
	xcr->cr_uid = cr->cr_uid;
	xcr->cr_ngroups = (short)MIN(cr->cr_ngroups, XU_NGROUPS);
	memcpy(xcr->cr_groups, cr->cr_groups,
	    (size_t)xcr->cr_ngroups * sizeof(*xcr->cr_groups));
}

void
cru2xt(struct thread *td, struct xucred *xcr)
{
	cru2x(td->td_ucred, xcr);
	xcr->cr_pid = td->td_proc->p_pid;
}
