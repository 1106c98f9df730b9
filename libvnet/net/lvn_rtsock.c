/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: a program's use of a routing socket.
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

#include "lvn.h"
#include "lvn_rtsock.h"

void
lvn_message(struct lvn_message *m, u_char type, int flags)
{
	static u_int last;	/* the answer to a refused one may come later */

	memset(&m->hdr, 0, sizeof(m->hdr));
	m->hdr.rtm_msglen = sizeof(m->hdr);
	m->hdr.rtm_version = RTM_VERSION;
	m->hdr.rtm_type = type;
	m->hdr.rtm_seq = (int)atomic_fetchadd_int(&last, 1) + 1;
	m->hdr.rtm_flags = flags;
}

void
lvn_append(struct lvn_message *m, int number, const union lvn_addr *u)
{
	size_t size = SA_SIZE((const struct sockaddr *)u);

	memcpy((char *)m + m->hdr.rtm_msglen, u, size);
	m->hdr.rtm_msglen += (u_short)size;
	m->hdr.rtm_addrs |= 1 << number;
}

static int
send(struct socket *so, struct lvn_message *m)
{
	struct iovec iov = { m, m->hdr.rtm_msglen };
	struct uio uio = {
		.uio_iov = &iov, .uio_iovcnt = 1, .uio_resid = (ssize_t)iov.iov_len,
		.uio_segflg = UIO_SYSSPACE, .uio_rw = UIO_WRITE,
		.uio_td = curthread
	};

	return (sosend(so, NULL, &uio, NULL, NULL, 0, curthread));
}

void
lvn_route_of(struct vnk_route *r, const struct rt_msghdr *h)
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
	struct lvn_message m;
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
			lvn_route_of(r, &m.hdr);
			return (m.hdr.rtm_errno);
		}
	}
	return (error);
}

int
lvn_send(struct lvn_message *m, struct vnk_route *answer)
{
	struct socket *so;
	int error;

	error = socreate(PF_ROUTE, &so, SOCK_RAW, 0, curthread->td_ucred,
	    curthread);
	if (error != 0)
		return (error);
	error = send(so, m);
	if (error == 0 && answer != NULL)
		error = receive(so, m->hdr.rtm_seq, answer);
	(void)soclose(so);
	return (error);
}
