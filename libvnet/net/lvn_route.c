/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: what route(8), netstat -r and arp(8), ndp(8) ask of the kernel.
 * Fidelity: exact
 * Differs: --
 */
#include "opt_inet.h"
#include "opt_inet6.h"

#include <sys/param.h>
#include <sys/systm.h>
#include <sys/lock.h>
#include <sys/mbuf.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/socket.h>
#include <sys/socketvar.h>
#include <sys/uio.h>
#include <net/if.h>
#include <net/if_dl.h>
#include <net/if_var.h>
#include <net/route.h>
#include <net/vnet.h>
#include <netinet/in.h>

#include "lvn.h"

struct message {
	struct rt_msghdr hdr;		/* first */
	char addrs[6 * sizeof(union lvn_addr)];
};

static int
bsd_family(int family)
{
	switch (family) {
#ifdef INET
	case 4:
		return (AF_INET);
#endif
#ifdef INET6
	case 6:
		return (AF_INET6);
#endif
	default:
		return (AF_UNSPEC);
	}
}

/* ---- a request */

static void
append(struct message *m, int number, const union lvn_addr *u)
{
	size_t size = SA_SIZE((const struct sockaddr *)u);

	memcpy((char *)m + m->hdr.rtm_msglen, u, size);
	m->hdr.rtm_msglen += (u_short)size;
	m->hdr.rtm_addrs |= 1 << number;
}

/* In the order of RTAX_*. */
static int
append_all(struct message *m, const struct vnk_route *r)
{
	bool host = r->dst.prefix < 0;
	union lvn_addr u;
	int error;

	error = lvn_addr(&u, &r->dst);
	if (error != 0)
		return (error);
	append(m, RTAX_DST, &u);
	if (r->gateway.family != 0) {
		m->hdr.rtm_flags |= RTF_GATEWAY;
		error = lvn_addr(&u, &r->gateway);
	} else if (r->interface[0] != '\0')
		error = lvn_link(&u, r->interface);
	if (error != 0)
		return (error);
	if (r->gateway.family != 0 || r->interface[0] != '\0')
		append(m, RTAX_GATEWAY, &u);
	if (host)
		m->hdr.rtm_flags |= RTF_HOST;
	else {
		error = lvn_mask(&u, &r->dst);
		append(m, RTAX_NETMASK, &u);
	}
	if (error == 0 && r->gateway.family != 0 && r->interface[0] != '\0') {
		error = lvn_link(&u, r->interface);
		append(m, RTAX_IFP, &u);
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

static int
send(struct socket *so, struct message *m)
{
	struct iovec iov = { m, m->hdr.rtm_msglen };
	struct uio uio = {
		.uio_iov = &iov, .uio_iovcnt = 1, .uio_resid = (ssize_t)iov.iov_len,
		.uio_segflg = UIO_SYSSPACE, .uio_rw = UIO_WRITE,
		.uio_td = curthread
	};

	return (sosend(so, NULL, &uio, NULL, NULL, 0, curthread));
}

/* ---- what comes back */

static void
route_of(struct vnk_route *r, const struct rt_msghdr *h)
{
	const char *msg = (const char *)h;
	struct lvn_addrs as;

	memset(r, 0, sizeof(*r));
	lvn_addrs(&as, msg + sizeof(*h), msg + h->rtm_msglen, h->rtm_addrs);
	lvn_ip(&r->dst, as.a[RTAX_DST], as.a[RTAX_NETMASK]);
	lvn_ip(&r->gateway, as.a[RTAX_GATEWAY], NULL);
	/* The mask of everything may have no bytes at all. */
	if ((h->rtm_flags & RTF_HOST) == 0 && r->dst.prefix < 0)
		r->dst.prefix = 0;
	r->flags = (u_int)h->rtm_flags;
	r->mtu = (u_int)h->rtm_rmx.rmx_mtu;
#ifdef RTV_WEIGHT
	r->weight = (u_int)h->rtm_rmx.rmx_weight;
#endif
	lvn_ifname(h->rtm_index, r->interface);
}

/*
 * An answer takes its way through a queue.  Every routing socket hears every
 * message: ours has our number.
 */
static int
receive(struct socket *so, int seq, struct vnk_route *r)
{
	struct timeval patience = { .tv_sec = 1 };
	struct message m;
	int error, flags;

	error = so_setsockopt(so, SOL_SOCKET, SO_RCVTIMEO, &patience,
	    sizeof(patience));
	while (error == 0) {
		struct iovec iov = { &m, sizeof(m) };
		struct uio uio = {
			.uio_iov = &iov, .uio_iovcnt = 1,
			.uio_resid = sizeof(m), .uio_segflg = UIO_SYSSPACE,
			.uio_rw = UIO_READ, .uio_td = curthread
		};

		flags = 0;
		error = soreceive(so, NULL, &uio, NULL, NULL, &flags);
		if (error == 0 && m.hdr.rtm_type == RTM_GET &&
		    m.hdr.rtm_seq == seq) {
			route_of(r, &m.hdr);
			return (m.hdr.rtm_errno);
		}
	}
	return (error);
}

int
vnk_route(enum vnk_route_op op, struct vnk_route *r)
{
	static const u_char types[] = { RTM_ADD, RTM_CHANGE, RTM_DELETE,
	    RTM_GET };
	struct message m = { .hdr = {
		.rtm_msglen = sizeof(m.hdr), .rtm_version = RTM_VERSION,
		.rtm_type = types[op], .rtm_seq = 1,
		.rtm_flags = RTF_UP | RTF_STATIC | (int)r->flags,
	} };
	union lvn_addr u;
	struct socket *so;
	int error;

	metrics(&m.hdr, r);
	error = append_all(&m, r);
	if (error == 0 && op == VNK_ROUTE_GET) {
		memset(&u, 0, sizeof(u));
		((struct sockaddr_dl *)&u)->sdl_len = sizeof(struct sockaddr_dl);
		((struct sockaddr_dl *)&u)->sdl_family = AF_LINK;
		append(&m, RTAX_IFP, &u);
	}
	if (error == 0)
		error = socreate(PF_ROUTE, &so, SOCK_RAW, 0,
		    curthread->td_ucred, curthread);
	if (error != 0)
		return (error);
	error = send(so, &m);
	if (error == 0 && op == VNK_ROUTE_GET)
		error = receive(so, m.hdr.rtm_seq, r);
	(void)soclose(so);
	return (error);
}

/* ---- tables */

int
vnk_route_each(int family, void (*fn)(void *, const struct vnk_route *),
    void *arg)
{
	const struct rt_msghdr *h;
	struct vnk_route r;
	char *buf, *p;
	size_t len;
	int error;

	error = lvn_dump(bsd_family(family), NET_RT_DUMP, 0, &buf, &len);
	if (error != 0)
		return (error);
	for (p = buf; p < buf + len; p += h->rtm_msglen) {
		h = (const struct rt_msghdr *)p;
		if (h->rtm_msglen == 0)
			break;
		route_of(&r, h);
		if (r.dst.family != 0)
			fn(arg, &r);
	}
	lvn_dump_free(buf);
	return (0);
}

int
vnk_neighbour_each(int family, void (*fn)(void *, const struct vnk_neighbour *),
    void *arg)
{
	const struct rt_msghdr *h;
	struct vnk_neighbour n;
	struct lvn_addrs as;
	struct vnk_route r;
	char *buf, *p;
	size_t len;
	int error;

	error = lvn_dump(bsd_family(family), NET_RT_FLAGS, RTF_LLINFO, &buf,
	    &len);
	if (error != 0)
		return (error);
	for (p = buf; p < buf + len; p += h->rtm_msglen) {
		h = (const struct rt_msghdr *)p;
		if (h->rtm_msglen == 0)
			break;
		route_of(&r, h);
		lvn_addrs(&as, p + sizeof(*h), p + h->rtm_msglen, h->rtm_addrs);
		memset(&n, 0, sizeof(n));
		n.ip = r.dst;
		n.ip.prefix = -1;
		memcpy(n.interface, r.interface, sizeof(n.interface));
		lvn_lladdr(&n.lladdr, as.a[RTAX_GATEWAY]);
		n.expires_s = (vnh_i64)h->rtm_rmx.rmx_expire;
		n.permanent = n.expires_s == 0;
		fn(arg, &n);
	}
	lvn_dump_free(buf);
	return (0);
}
