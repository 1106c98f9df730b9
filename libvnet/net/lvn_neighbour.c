/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: what arp(8) and ndp(8) ask of the kernel.
 * Fidelity: exact
 * Differs: --
 */
#include "opt_inet.h"
#include "opt_inet6.h"

#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <net/if.h>
#include <net/if_dl.h>
#include <net/if_var.h>
#include <net/route.h>
#include <net/vnet.h>

#include "lvn.h"
#include "lvn_rtsock.h"

/*
 * Behind which interface it is, where that is not told: as arp(8) finds out,
 * by the route there, which must not go by a gateway.
 */
static int
find_interface(const struct vnk_neighbour *n, char name[VNK_IFNAME])
{
	struct vnk_route r = { .dst = n->ip };
	int error;

	if (n->interface[0] != '\0' || n->ip.zone[0] != '\0') {
		strlcpy(name, n->interface[0] != '\0' ? n->interface :
		    n->ip.zone, VNK_IFNAME);
		return (0);
	}
	r.dst.prefix = -1;
	error = vnk_route(VNK_ROUTE_GET, &r);
	if (error == 0 && r.gateway.family != 0)
		error = EHOSTUNREACH;
	strlcpy(name, r.interface, VNK_IFNAME);
	return (error);
}

int
vnk_neighbour(enum vnk_route_op op, const struct vnk_neighbour *n)
{
	char name[VNK_IFNAME];
	struct lvn_message m;
	union lvn_addr dst, link;
	int error;

	error = find_interface(n, name);
	if (error == 0)
		error = lvn_addr(&dst, &n->ip);
	if (error == 0)
		error = lvn_link(&link, name);
	if (error != 0)
		return (error);
	lvn_link_lladdr(&link, &n->lladdr);
	lvn_message(&m, op == VNK_ROUTE_ADD ? RTM_ADD : RTM_DELETE,
	    RTF_HOST | RTF_STATIC | RTF_LLDATA);
	m.hdr.rtm_inits = RTV_EXPIRE;	/* 0: never */
	lvn_append(&m, RTAX_DST, &dst);
	lvn_append(&m, RTAX_GATEWAY, &link);
	return (lvn_send(&m, NULL));
}

/* Of IPv6 the time is told by the clock of the day. */
static vnh_i64
expires(const struct rt_msghdr *h, int family)
{
	vnh_i64 t = (vnh_i64)h->rtm_rmx.rmx_expire;

	if (family == 6 && t != 0)
		t -= (vnh_i64)(time_second - time_uptime);
	return (t);
}

static void
neighbour_of(struct vnk_neighbour *n, const struct rt_msghdr *h, int family)
{
	const char *p = (const char *)h;
	struct lvn_addrs as;
	struct vnk_route r;

	lvn_route_of(&r, h);
	lvn_addrs(&as, p + sizeof(*h), p + h->rtm_msglen, h->rtm_addrs);
	memset(n, 0, sizeof(*n));
	n->ip = r.dst;
	n->ip.prefix = -1;
	memcpy(n->interface, r.interface, sizeof(n->interface));
	lvn_lladdr(&n->lladdr, as.a[RTAX_GATEWAY]);
	n->expires_s = expires(h, family);
	n->permanent = n->expires_s == 0;
	n->own = (h->rtm_flags & RTF_PINNED) != 0;
	n->router = (h->rtm_flags & RTF_GATEWAY) != 0;
	n->state = family == 6 ? (int)h->rtm_rmx.rmx_state :
	    VNK_NEIGHBOUR_STATELESS;
}

int
vnk_neighbour_each(int family, void (*fn)(void *, const struct vnk_neighbour *),
    void *arg)
{
	const struct rt_msghdr *h;
	struct vnk_neighbour n;
	char *buf, *p;
	size_t len;
	int af, error;

	error = lvn_family(family, &af);
	if (error == 0)
		error = lvn_dump(af, NET_RT_FLAGS, RTF_LLINFO, &buf, &len);
	if (error != 0)
		return (error);
	for (p = buf; p < buf + len; p += h->rtm_msglen) {
		h = (const struct rt_msghdr *)p;
		if (h->rtm_msglen == 0)
			break;
		neighbour_of(&n, h, family);
		fn(arg, &n);
	}
	lvn_dump_free(buf);
	return (0);
}
