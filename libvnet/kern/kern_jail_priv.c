/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: prison_priv_check(), of FreeBSD's kern/kern_jail.c: what root of a
 * jail may do.
 * Fidelity: exact
 * Differs: privileges for file systems, mounts and processes, which nothing
 * here asks for, are refused.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/jail.h>
#include <sys/priv.h>
#include <sys/ucred.h>

#include "lvk_cred.h"

/* Root of a jail with a network stack of its own administers it. */
static bool
vnet_grants(int priv)
{
	switch (priv) {
	/* Each vnet's interfaces; not descriptors of 802.11 hardware. */
	case PRIV_NET_BRIDGE ... PRIV_NET_GRE:
	case PRIV_NET_BPF ... PRIV_NET_DELIFADDR:
	case PRIV_NET_LAGG ... PRIV_NET_SETIFFIB:
	case PRIV_NET_SETLANPCP:
	case PRIV_NETGRAPH_CONTROL:
	case PRIV_NETINET_IPFW ... PRIV_NETINET_RAW:
	case PRIV_NETINET_ADDRCTRL6 ... PRIV_NETINET_IPSEC:
	case PRIV_NETINET_BINDANY:
		return (true);
	}
	return (false);
}

/* What every jail's root may do. */
static bool
jail_grants(int priv)
{
	switch (priv) {
	case PRIV_SEEOTHERGIDS:
	case PRIV_SEEOTHERUIDS:
#ifdef PRIV_SEEJAILPROC
	case PRIV_SEEJAILPROC:
#endif
	case PRIV_DEBUG_UNPRIV:
	case PRIV_PROC_LIMIT:
	case PRIV_PROC_SETRLIMIT:
	case PRIV_SCHED_CPUSET:
	case PRIV_SIGNAL_DIFFCRED:
	case PRIV_SYSCTL_WRITEJAIL:
	case PRIV_KMEM_READ:
	case PRIV_NETINET_REUSEPORT:
	case PRIV_NETINET_SETHDROPTS:
	case PRIV_NETINET_GETCRED:
		return (true);
	}
	return (false);
}

int
prison_priv_check(struct ucred *cred, int priv)
{
	struct prison *pr = cred->cr_prison;
	unsigned allow = 0;

	if (!jailed(cred))
		return (0);
	if ((prison_owns_vnet(cred) && vnet_grants(priv)) || jail_grants(priv))
		return (0);
	switch (priv) {
	case PRIV_VM_MLOCK:
	case PRIV_VM_MUNLOCK:
		allow = PR_ALLOW_MLOCK;
		break;
	case PRIV_NETINET_RESERVEDPORT:
		allow = PR_ALLOW_RESERVED_PORTS;
		break;
	case PRIV_NETINET_RAW:
		allow = PR_ALLOW_RAW_SOCKETS;
		break;
	case PRIV_MSGBUF:
		allow = PR_ALLOW_READ_MSGBUF;
		break;
	}
	return ((pr->pr_allow & allow) != 0 ? 0 : EPERM);
}
