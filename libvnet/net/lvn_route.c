/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: what route(8) and netstat -r ask of the kernel.
 * Fidelity: exact
 * Differs: --
 */
#include "opt_inet.h"
#include "opt_inet6.h"

#include <sys/param.h>
#include <sys/systm.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/socket.h>
#include <net/if.h>
#include <net/if_dl.h>
#include <net/if_var.h>
#include <net/route.h>
#include <net/vnet.h>

#include "lvn.h"
#include "lvn_rtsock.h"

/* In the order of RTAX_*. */
static int
append_all(struct lvn_message *m, const struct vnk_route *r)
{
	bool host = r->dst.prefix < 0;
	union lvn_addr u;
	int error;

	error = lvn_addr(&u, &r->dst);
	if (error != 0)
		return (error);
	lvn_append(m, RTAX_DST, &u);
	if (r->gateway.family != 0) {
		m->hdr.rtm_flags |= RTF_GATEWAY;
		error = lvn_addr(&u, &r->gateway);
	} else if (r->interface[0] != '\0')
		error = lvn_link(&u, r->interface);
	if (error != 0)
		return (error);
	if (r->gateway.family != 0 || r->interface[0] != '\0')
		lvn_append(m, RTAX_GATEWAY, &u);
	if (host)
		m->hdr.rtm_flags |= RTF_HOST;
	else {
		error = lvn_mask(&u, &r->dst);
		lvn_append(m, RTAX_NETMASK, &u);
	}
	if (error == 0 && r->gateway.family != 0 && r->interface[0] != '\0') {
		error = lvn_link(&u, r->interface);
		lvn_append(m, RTAX_IFP, &u);
	}
	return (error);
}

static void
metrics(struct rt_msghdr *h, const struct vnk_route *r)
{
	if (r->mtu != 0) {
		h->rtm_inits |= RTV_MTU;
		h->rtm_rmx.rmx_mtu = r->mtu;
	}
#ifdef RTV_WEIGHT
	if (r->weight != 0) {
		h->rtm_inits |= RTV_WEIGHT;
		h->rtm_rmx.rmx_weight = r->weight;
	}
#endif
}

int
vnk_route(enum vnk_route_op op, struct vnk_route *r)
{
	static const u_char types[] = { RTM_ADD, RTM_CHANGE, RTM_DELETE,
	    RTM_GET };
	struct lvn_message m;
	union lvn_addr u;
	int error;

	lvn_message(&m, types[op], RTF_UP | RTF_STATIC | (int)r->flags);
	metrics(&m.hdr, r);
	error = append_all(&m, r);
	if (error != 0)
		return (error);
	if (op != VNK_ROUTE_GET)
		return (lvn_send(&m, NULL));
	memset(&u, 0, sizeof(u));
	((struct sockaddr_dl *)&u)->sdl_len = sizeof(struct sockaddr_dl);
	((struct sockaddr_dl *)&u)->sdl_family = AF_LINK;
	lvn_append(&m, RTAX_IFP, &u);
	return (lvn_send(&m, r));
}

int
vnk_route_each(int family, void (*fn)(void *, const struct vnk_route *),
    void *arg)
{
	const struct rt_msghdr *h;
	struct vnk_route r;
	char *buf, *p;
	size_t len;
	int af, error;

	error = lvn_family(family, &af);
	if (error == 0)
		error = lvn_dump(af, NET_RT_DUMP, 0, &buf, &len);
	if (error != 0)
		return (error);
	for (p = buf; p < buf + len; p += h->rtm_msglen) {
		h = (const struct rt_msghdr *)p;
		if (h->rtm_msglen == 0)
			break;
		lvn_route_of(&r, h);
		if (r.dst.family != 0)
			fn(arg, &r);
	}
	lvn_dump_free(buf);
	return (0);
}
