/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: the upper nodes of the sysctl tree, FreeBSD's kern/kern_mib.c and
 * those that its network files make for net.
 * Fidelity: modelled
 * Differs: only the nodes that network code hangs its own under.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/socket.h>
#include <sys/sysctl.h>

/* The numbers of these nodes are part of FreeBSD's interface. */
#define CTL_KERN 1
#define CTL_VM 2
#define CTL_NET 4
#define CTL_DEBUG 5
#define KERN_IPC 46
#define PF_LINK AF_LINK

#define ROOT(number, name, descr) \
	SYSCTL_ROOT_NODE(number, name, CTLFLAG_RW | CTLFLAG_MPSAFE, NULL, descr)
#define UNDER(parent, number, name, descr) \
	SYSCTL_NODE(parent, number, name, CTLFLAG_RW | CTLFLAG_MPSAFE, NULL, \
	    descr)

ROOT(CTL_KERN, kern, "The kernel");
ROOT(CTL_VM, vm, "Memory");
ROOT(CTL_NET, net, "Networking");
ROOT(CTL_DEBUG, debug, "For debugging");
ROOT(OID_AUTO, security, "Security policies");

UNDER(_kern, OID_AUTO, features, "What this kernel can do");
UNDER(_kern, KERN_IPC, ipc, "Sockets and mbufs");
UNDER(_net, PF_INET, inet, "IPv4 and what runs over it");
UNDER(_net, PF_INET6, inet6, "IPv6 and what runs over it");
UNDER(_net, PF_LINK, link, "Link level");
