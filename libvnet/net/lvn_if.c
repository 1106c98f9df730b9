/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: what ifconfig(8) asks of the kernel to change interfaces.
 * Fidelity: exact
 * Differs: an interface moves from any vnet to any other in one step; with
 * ifconfig it passes through the parent's.
 */
#include "opt_inet.h"
#include "opt_inet6.h"

#include <sys/param.h>
#include <sys/systm.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/jail.h>
#include <sys/proc.h>
#include <sys/socket.h>
#include <sys/sockio.h>
#include <sys/ucred.h>
#include <net/if.h>
#include <net/if_var.h>
#include <net/vnet.h>
#include <netinet/in.h>
#include <netinet/in_var.h>
#ifdef INET6
#include <netinet6/in6_var.h>
#include <netinet6/nd6.h>
#endif

#include <seam_show.h>
#include "lvn.h"

CTASSERT(IFNAMSIZ == VNK_IFNAME);
CTASSERT(IFF_PPROMISC == VNK_IF_PPROMISC);

/* A name that is cut off would be another interface's. */
static int
request(struct ifreq *ifr, const char *name)
{
	memset(ifr, 0, sizeof(*ifr));
	if (strlcpy(ifr->ifr_name, name, sizeof(ifr->ifr_name)) >=
	    sizeof(ifr->ifr_name))
		return (ENAMETOOLONG);
	return (0);
}

int
vnk_if_create(const char *cloner, char name[VNK_IFNAME])
{
	struct ifreq ifr;
	int error = request(&ifr, cloner);

	if (error == 0)
		error = lvn_ioctl(AF_UNSPEC, SIOCIFCREATE2, &ifr);
	if (error == 0)
		strlcpy(name, ifr.ifr_name, VNK_IFNAME);
	return (error);
}

int
vnk_if_destroy(const char *name)
{
	struct ifreq ifr;
	int error = request(&ifr, name);

	return (error != 0 ? error : lvn_ioctl(AF_UNSPEC, SIOCIFDESTROY, &ifr));
}

#ifdef VIMAGE
/*
 * To a jail's vnet it is lent, by who may see that jail: root outside.  Into
 * vnet0, which is nobody's jail, it is reclaimed.
 */
int
vnk_if_move(const char *name, struct vnet *to, char moved[VNK_IFNAME])
{
	struct vnet *from = curvnet;
	struct ifreq ifr;
	int error = request(&ifr, name);

	if (error != 0)
		return (error);
	if (to == vnet0) {
		ifr.ifr_jid = from->vnet_prison->pr_id;
		(void)vnk_vnet_switch(vnet0);
		error = lvn_ioctl(AF_UNSPEC, SIOCSIFRVNET, &ifr);
		(void)vnk_vnet_switch(from);
	} else {
		ifr.ifr_jid = to->vnet_prison->pr_id;
		error = lvn_ioctl_as(AF_UNSPEC, SIOCSIFVNET, &ifr,
		    vnet0->vnet_cred);
	}
	if (error == 0)
		strlcpy(moved, ifr.ifr_name, VNK_IFNAME);
	return (error);
}
#else
int
vnk_if_move(const char *name __unused, struct vnet *to __unused,
    char moved[VNK_IFNAME] __unused)
{
	return (ENOSYS);
}
#endif

int
vnk_if_flags(const char *name, unsigned set, unsigned clear)
{
	struct ifreq ifr;
	u_int flags;
	int error = request(&ifr, name);

	if (error == 0)
		error = lvn_ioctl(AF_UNSPEC, SIOCGIFFLAGS, &ifr);
	if (error != 0)
		return (error);
	flags = (u_short)ifr.ifr_flags | (u_int)(u_short)ifr.ifr_flagshigh << 16;
	flags = (flags | set) & ~clear;
	ifr.ifr_flags = (short)flags;
	ifr.ifr_flagshigh = (short)(flags >> 16);
	return (lvn_ioctl(AF_UNSPEC, SIOCSIFFLAGS, &ifr));
}

int
vnk_if_mtu(const char *name, int mtu)
{
	struct ifreq ifr;
	int error = request(&ifr, name);

	ifr.ifr_mtu = mtu;
	return (error != 0 ? error : lvn_ioctl(AF_UNSPEC, SIOCSIFMTU, &ifr));
}

#ifdef INET
static int
address4(const char *name, int add, const struct vnk_ip *ip,
    const struct vnk_ip *peer)
{
	union lvn_addr addr, mask, dst;
	struct in_aliasreq r = { .ifra_vhid = 0 };
	int error;

	error = lvn_addr(&addr, ip);
	if (error == 0)
		error = lvn_mask(&mask, ip);
	if (error == 0 && peer != NULL)
		error = lvn_addr(&dst, peer);
	if (error != 0)
		return (error);
	strlcpy(r.ifra_name, name, sizeof(r.ifra_name));
	memcpy(&r.ifra_addr, &addr, sizeof(r.ifra_addr));
	memcpy(&r.ifra_mask, &mask, sizeof(r.ifra_mask));
	if (peer != NULL)
		memcpy(&r.ifra_dstaddr, &dst, sizeof(r.ifra_dstaddr));
	return (lvn_ioctl(AF_INET, add ? SIOCAIFADDR : SIOCDIFADDR, &r));
}
#endif

#ifdef INET6
static int
address6_delete(const char *name, const union lvn_addr *addr)
{
	struct in6_ifreq r;

	memset(&r, 0, sizeof(r));
	strlcpy(r.ifr_name, name, sizeof(r.ifr_name));
	memcpy(&r.ifr_addr, addr, sizeof(r.ifr_addr));
	return (lvn_ioctl(AF_INET6, SIOCDIFADDR_IN6, &r));
}

static int
address6(const char *name, int add, const struct vnk_ip *ip,
    const struct vnk_ip *peer)
{
	union lvn_addr addr, mask, dst;
	struct in6_aliasreq r;
	int error;

	error = lvn_addr(&addr, ip);
	if (error == 0)
		error = lvn_mask(&mask, ip);
	if (error == 0 && peer != NULL)
		error = lvn_addr(&dst, peer);
	if (error != 0)
		return (error);
	if (!add)
		return (address6_delete(name, &addr));
	memset(&r, 0, sizeof(r));
	strlcpy(r.ifra_name, name, sizeof(r.ifra_name));
	memcpy(&r.ifra_addr, &addr, sizeof(r.ifra_addr));
	memcpy(&r.ifra_prefixmask, &mask, sizeof(r.ifra_prefixmask));
	if (peer != NULL)
		memcpy(&r.ifra_dstaddr, &dst, sizeof(r.ifra_dstaddr));
	r.ifra_lifetime.ia6t_vltime = ND6_INFINITE_LIFETIME;
	r.ifra_lifetime.ia6t_pltime = ND6_INFINITE_LIFETIME;
	return (lvn_ioctl(AF_INET6, SIOCAIFADDR_IN6, &r));
}
#endif

int
vnk_if_address(const char *name, int add, const struct vnk_ip *ip,
    const struct vnk_ip *peer)
{
	struct ifreq ifr;
	int error = request(&ifr, name);

	if (error != 0)
		return (error);
	switch (ip->family) {
#ifdef INET
	case 4:
		return (address4(name, add, ip, peer));
#endif
#ifdef INET6
	case 6:
		return (address6(name, add, ip, peer));
#endif
	default:
		return (EAFNOSUPPORT);
	}
}

#ifdef INET6
int
vnk_if_address6_flags(const char *name, const struct vnk_ip *ip,
    unsigned *flags)
{
	union lvn_addr addr;
	struct in6_ifreq r;
	int error;

	error = lvn_addr(&addr, ip);
	if (error != 0)
		return (error);
	memset(&r, 0, sizeof(r));
	strlcpy(r.ifr_name, name, sizeof(r.ifr_name));
	memcpy(&r.ifr_addr, &addr, sizeof(r.ifr_addr));
	error = lvn_ioctl(AF_INET6, SIOCGIFAFLAG_IN6, &r);
	*flags = error == 0 ? (u_int)r.ifr_ifru.ifru_flags6 : 0;
	return (error);
}
#else
int
vnk_if_address6_flags(const char *name __unused,
    const struct vnk_ip *ip __unused, unsigned *flags __unused)
{
	return (EAFNOSUPPORT);
}
#endif
