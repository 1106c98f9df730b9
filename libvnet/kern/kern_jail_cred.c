/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: what kern/kern_jail.c answers about a credential: which prison
 * may see or use what, and who it says it is.
 * Fidelity: exact
 * Differs: mount points are left out.
 */
#include <sys/param.h>
#ifndef LIBVNET_BASE
#include "opt_inet.h"
#include "opt_inet6.h"
#endif
#include <sys/systm.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/jail.h>
#include <sys/priv.h>
#include <sys/proc.h>
#include <sys/socket.h>
#include <sys/ucred.h>
#include <netinet/in.h>
#include <net/vnet.h>

#include "lvk_cred.h"

lvk_yes_t
prison_flag(struct ucred *cred, unsigned flag)
{
	return ((cred->cr_prison->pr_flags & flag) != 0);
}

lvk_yes_t
prison_allow(struct ucred *cred, unsigned flag)
{
	return ((cred->cr_prison->pr_allow & flag) != 0);
}

void
prison_set_allow(struct ucred *cred, unsigned flag, int enable)
{
	struct prison *pr = cred->cr_prison;

	prison_lock(pr);
	if (enable)
		pr->pr_allow |= flag;
	else
		pr->pr_allow &= ~flag;
	prison_unlock(pr);
}

int
prison_check(struct ucred *cred1, struct ucred *cred2)
{
	return (cred1->cr_prison == cred2->cr_prison ||
	    prison_ischild(cred1->cr_prison, cred2->cr_prison) ? 0 : ESRCH);
}

lvk_yes_t
prison_owns_vnet(struct ucred *cred)
{
#ifdef VIMAGE
	return ((cred->cr_prison->pr_flags & PR_VNET) != 0);
#else
	return (0);
#endif
}

lvk_yes_t
jailed_without_vnet(struct ucred *cred)
{
	return (jailed(cred) && !prison_owns_vnet(cred));
}

#if __FreeBSD_version >= 1400000
#define IP_DENIED(pr, family) ((pr)->pr_addrs[family] == NULL)
#else
#define IP_DENIED(pr, family) ((pr)->family == NULL)
#define PR_INET pr_ip4
#define PR_INET6 pr_ip6
#endif

int
prison_check_af(struct ucred *cred, int af)
{
	struct prison *pr = cred->cr_prison;

	if (prison_owns_vnet(cred))
		return (0);
	switch (af) {
#ifdef INET
	case AF_INET:
		return ((pr->pr_flags & PR_IP4) != 0 &&
		    IP_DENIED(pr, PR_INET) ? EAFNOSUPPORT : 0);
#endif
#ifdef INET6
	case AF_INET6:
		return ((pr->pr_flags & PR_IP6) != 0 &&
		    IP_DENIED(pr, PR_INET6) ? EAFNOSUPPORT : 0);
#endif
	case AF_LOCAL:
	case AF_ROUTE:
		return (0);
	}
	return ((pr->pr_allow & PR_ALLOW_SOCKET_AF) != 0 ? 0 : EAFNOSUPPORT);
}

#if __FreeBSD_version >= 1400000 && (defined(INET) || defined(INET6))
/* Addresses are restricted in a shared vnet only, of which there is none. */
int	prison_ip_check(const struct prison *, const pr_family_t, const void *);
const void *prison_ip_get0(const struct prison *, const pr_family_t);
u_int	prison_ip_cnt(const struct prison *, const pr_family_t);

int
prison_ip_check(const struct prison *pr, const pr_family_t af,
    const void *addr __unused)
{
	return (pr->pr_addrs[af] == NULL ? EAFNOSUPPORT : EADDRNOTAVAIL);
}

const void *
prison_ip_get0(const struct prison *pr __unused, const pr_family_t af __unused)
{
	return (NULL);
}

u_int
prison_ip_cnt(const struct prison *pr __unused, const pr_family_t af __unused)
{
	return (0);
}
#endif

int
prison_if(struct ucred *cred, const struct sockaddr *sa)
{
	KASSERT(sa != NULL, ("prison_if: no address"));
	if (prison_owns_vnet(cred))
		return (0);
	switch (sa->sa_family) {
#if defined(INET) && !defined(LIBVNET_BASE)
	case AF_INET:
		return (prison_check_ip4(cred,
		    &((const struct sockaddr_in *)sa)->sin_addr));
#endif
#if defined(INET6) && !defined(LIBVNET_BASE)
	case AF_INET6:
		return (prison_check_ip6(cred,
		    &((const struct sockaddr_in6 *)sa)->sin6_addr));
#endif
	}
	return (prison_allow(cred, PR_ALLOW_SOCKET_AF) ? 0 : EAFNOSUPPORT);
}

/* ---- who it says it is */

static void
prison_copy(struct ucred *cred, const char *from, char *to, size_t size)
{
	prison_lock(cred->cr_prison);
	strlcpy(to, from, size);
	prison_unlock(cred->cr_prison);
}

void
getcredhostname(struct ucred *cred, char *buf, size_t size)
{
	/* FreeBSD takes NULL for whoever asks. */
	if (cred == NULL)
		cred = curthread->td_ucred;
	prison_copy(cred, cred->cr_prison->pr_hostname, buf, size);
}

void
getcreddomainname(struct ucred *cred, char *buf, size_t size)
{
	prison_copy(cred, cred->cr_prison->pr_domainname, buf, size);
}

void
getcredhostuuid(struct ucred *cred, char *buf, size_t size)
{
	prison_copy(cred, cred->cr_prison->pr_hostuuid, buf, size);
}

void
getcredhostid(struct ucred *cred, unsigned long *hostid)
{
	prison_lock(cred->cr_prison);
	*hostid = cred->cr_prison->pr_hostid;
	prison_unlock(cred->cr_prison);
}

void
getjailname(struct ucred *cred, char *name, size_t len)
{
	prison_copy(cred, cred->cr_prison->pr_name, name, len);
}

char *
prison_name(struct prison *pr1, struct prison *pr2)
{
	char *name = pr2->pr_name;

	if (pr1 == pr2)
		return (__DECONST(char *, "0"));
	for (; pr1 != &prison0; pr1 = pr1->pr_parent)
		name = strchr(name, '.') + 1;
	return (name);
}
