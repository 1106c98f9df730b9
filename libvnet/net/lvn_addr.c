/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: nothing of FreeBSD's; addresses of the seam and of the stack.
 * Fidelity: exact
 * Differs: --
 */
#include "opt_inet.h"
#include "opt_inet6.h"

#include <sys/param.h>
#include <sys/systm.h>
#include <sys/epoch.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/socket.h>
#include <net/if.h>
#include <net/if_dl.h>
#include <net/if_var.h>
#include <net/route.h>
#include <netinet/in.h>
#include <net/vnet.h>

#include "lvn.h"

CTASSERT(sizeof(union lvn_addr) >= sizeof(struct sockaddr_storage));

#ifdef INET
static void
in_fill(union lvn_addr *u, const unsigned char *bytes)
{
	struct sockaddr_in *sin = (struct sockaddr_in *)u;

	memset(u, 0, sizeof(*u));
	sin->sin_len = sizeof(*sin);
	sin->sin_family = AF_INET;
	memcpy(&sin->sin_addr, bytes, sizeof(sin->sin_addr));
}
#endif

#ifdef INET6
static void
in6_fill(union lvn_addr *u, const unsigned char *bytes)
{
	struct sockaddr_in6 *sin6 = (struct sockaddr_in6 *)u;

	memset(u, 0, sizeof(*u));
	sin6->sin6_len = sizeof(*sin6);
	sin6->sin6_family = AF_INET6;
	memcpy(&sin6->sin6_addr, bytes, sizeof(sin6->sin6_addr));
}
#endif

int
lvn_link(union lvn_addr *u, const char *ifname)
{
	struct sockaddr_dl *sdl = (struct sockaddr_dl *)u;
	struct ifnet *ifp = ifunit_ref(ifname);

	if (ifp == NULL)
		return (ENXIO);
	memset(u, 0, sizeof(*u));
	sdl->sdl_len = sizeof(*sdl);
	sdl->sdl_family = AF_LINK;
#if __FreeBSD_version >= 1400000
	sdl->sdl_index = (u_short)if_getindex(ifp);
#else
	sdl->sdl_index = ifp->if_index;
#endif
	if_rele(ifp);
	return (0);
}

void
lvn_link_lladdr(union lvn_addr *u, const struct vnk_lladdr *ll)
{
	struct sockaddr_dl *sdl = (struct sockaddr_dl *)u;

	sdl->sdl_alen = (u_char)ll->len;
	memcpy(LLADDR(sdl), ll->bytes, ll->len);
}

int
lvn_family(int family, int *af)
{
	switch (family) {
#ifdef INET
	case 4:
		*af = AF_INET;
		return (0);
#endif
#ifdef INET6
	case 6:
		*af = AF_INET6;
		return (0);
#endif
	default:
		return (EAFNOSUPPORT);
	}
}

void
lvn_ifname(u_int index, char name[VNK_IFNAME])
{
	struct epoch_tracker et;
	struct ifnet *ifp;

	name[0] = '\0';
	NET_EPOCH_ENTER(et);
	ifp = ifnet_byindex((u_short)index);
	if (ifp != NULL)
		strlcpy(name, if_name(ifp), VNK_IFNAME);
	NET_EPOCH_EXIT(et);
}

int
lvn_addr(union lvn_addr *u, const struct vnk_ip *ip)
{
#ifdef INET6
	union lvn_addr link;
	int error;
#endif

	switch (ip->family) {
#ifdef INET
	case 4:
		in_fill(u, ip->bytes);
		return (0);
#endif
#ifdef INET6
	case 6:
		in6_fill(u, ip->bytes);
		if (ip->zone[0] == '\0')
			return (0);
		error = lvn_link(&link, ip->zone);
		if (error == 0)
			((struct sockaddr_in6 *)u)->sin6_scope_id =
			    ((struct sockaddr_dl *)&link)->sdl_index;
		return (error);
#endif
	default:
		return (EAFNOSUPPORT);
	}
}

int
lvn_mask(union lvn_addr *u, const struct vnk_ip *ip)
{
	int bits = ip->family == 4 ? 32 : 128;
	unsigned char mask[16] = { 0 };

	if (ip->prefix >= 0)
		bits = MIN(bits, ip->prefix);
	for (int i = 0; i < bits; i++)
		mask[i / 8] |= (unsigned char)(0x80 >> i % 8);
	switch (ip->family) {
#ifdef INET
	case 4:
		in_fill(u, mask);
		return (0);
#endif
#ifdef INET6
	case 6:
		in6_fill(u, mask);
		return (0);
#endif
	default:
		return (EAFNOSUPPORT);
	}
}

/* A mask may be cut off behind its last byte that is not zero. */
static int
prefix_of(const struct sockaddr *mask, size_t offset, size_t bytes)
{
	const unsigned char *p = (const unsigned char *)mask;
	int bits = 0;

	for (size_t i = offset; i < offset + bytes && i < mask->sa_len; i++)
		for (int bit = 7; bit >= 0; bit--) {
			if ((p[i] >> bit & 1) == 0)
				return (bits);
			bits++;
		}
	return (bits);
}

#ifdef INET6
/* Inside the kernel the zone may stand in the address. */
static void
in6_zone(struct vnk_ip *ip, const struct sockaddr_in6 *sin6)
{
	u_int zone = sin6->sin6_scope_id;

	if (!IN6_IS_ADDR_LINKLOCAL(&sin6->sin6_addr) &&
	    !IN6_IS_ADDR_MC_LINKLOCAL(&sin6->sin6_addr))
		return;
	if (zone == 0)
		zone = (u_int)ip->bytes[2] << 8 | ip->bytes[3];
	ip->bytes[2] = ip->bytes[3] = 0;
	lvn_ifname(zone, ip->zone);
}
#endif

void
lvn_ip(struct vnk_ip *ip, const struct sockaddr *sa,
    const struct sockaddr *mask)
{
	size_t offset = 0, bytes = 0;

	memset(ip, 0, sizeof(*ip));
	ip->prefix = -1;
	if (sa == NULL)
		return;
	switch (sa->sa_family) {
#ifdef INET
	case AF_INET:
		ip->family = 4;
		offset = offsetof(struct sockaddr_in, sin_addr);
		bytes = 4;
		break;
#endif
#ifdef INET6
	case AF_INET6:
		ip->family = 6;
		offset = offsetof(struct sockaddr_in6, sin6_addr);
		bytes = 16;
		break;
#endif
	default:
		return;
	}
	memcpy(ip->bytes, (const char *)sa + offset, bytes);
	if (mask != NULL)
		ip->prefix = prefix_of(mask, offset, bytes);
#ifdef INET6
	if (ip->family == 6)
		in6_zone(ip, (const struct sockaddr_in6 *)sa);
#endif
}

void
lvn_lladdr(struct vnk_lladdr *ll, const struct sockaddr *sa)
{
	const struct sockaddr_dl *sdl = (const struct sockaddr_dl *)sa;

	memset(ll, 0, sizeof(*ll));
	if (sa == NULL || sa->sa_family != AF_LINK)
		return;
	ll->len = MIN(sdl->sdl_alen, sizeof(ll->bytes));
	memcpy(ll->bytes, LLADDR(sdl), ll->len);
}

void
lvn_addrs(struct lvn_addrs *as, const char *p, const char *end, int present)
{
	memset(as, 0, sizeof(*as));
	for (int i = 0; i < RTAX_MAX && p < end; i++) {
		if ((present & 1 << i) == 0)
			continue;
		as->a[i] = (const struct sockaddr *)p;
		p += SA_SIZE(as->a[i]);
	}
}
