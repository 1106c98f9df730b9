/* SPDX-License-Identifier: BSD-2-Clause */
/* The pings of bench_tree.c: one raw socket, as many round trips as asked. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/proc.h>
#include <sys/protosw.h>
#include <sys/socket.h>
#include <sys/socketvar.h>
#include <sys/uio.h>
#include <net/vnet.h>
#include <netinet/in.h>
#include <netinet/in_systm.h>
#include <netinet/ip.h>
#include <netinet/ip_icmp.h>

#include "bench_tree.h"

#define PAYLOAD 56

static u_short
checksum(const u_short *p, size_t len)
{
	u_int sum = 0;

	for (; len > 1; len -= 2)
		sum += *p++;
	sum = (sum >> 16) + (sum & 0xffff);
	return ((u_short)~(sum + (sum >> 16)));
}

static int
move(struct socket *so, struct sockaddr_in *to, void *data, size_t len)
{
	struct iovec iov = { data, len };
	struct uio uio = { .uio_iov = &iov, .uio_iovcnt = 1,
	    .uio_resid = (ssize_t)len, .uio_segflg = UIO_SYSSPACE,
	    .uio_rw = to != NULL ? UIO_WRITE : UIO_READ,
	    .uio_td = curthread };
	int flags = 0;

	if (to != NULL)
		return (sosend(so, (struct sockaddr *)to, &uio, NULL, NULL, 0,
		    curthread));
	return (soreceive(so, NULL, &uio, NULL, NULL, &flags));
}

int
bench_ping(unsigned to, int n)
{
	struct sockaddr_in sin = { .sin_len = sizeof(sin),
	    .sin_family = AF_INET, .sin_addr = { htonl(to) } };
	union {
		u_short words[(8 + PAYLOAD) / 2];
		struct icmp icmp;
	} packet;
	struct socket *so;
	u_char reply[256];
	int error = socreate(AF_INET, &so, SOCK_RAW, IPPROTO_ICMP,
	    curthread->td_ucred, curthread);

	if (error != 0)
		return (error);
	memset(&packet, 0, sizeof(packet));
	packet.icmp.icmp_type = ICMP_ECHO;
	packet.icmp.icmp_cksum = checksum(packet.words, sizeof(packet));
	for (int i = 0; i < n && error == 0; i++) {
		error = move(so, &sin, &packet, sizeof(packet));
		if (error == 0)
			error = move(so, NULL, reply, sizeof(reply));
		if (error == 0 && reply[20] != ICMP_ECHOREPLY)
			error = EBADMSG;
	}
	(void)soclose(so);
	return (error);
}

/* A checked stream from one vnet to another; see ../tree/transfer.h. */
const char *
bench_stream(struct vnet *from, struct vnet *to, int family, size_t bytes)
{
	static struct transfer t;

	t = (struct transfer){ .from = from, .to = to, .family = family,
	    .bytes = bytes,
	    .address = family == 4 ? "10.0.0.2" : "2001:db8::2" };
	return (transfer_run(&t) ? NULL : t.error);
}
