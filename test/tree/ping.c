/* SPDX-License-Identifier: BSD-2-Clause */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/lock.h>
#include <sys/mutex.h>
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
#include <netinet/icmp6.h>

#include <libvnet/test.h>

#include "ping.h"

#define PAYLOAD 56
#define HEADER 8

union address {
	struct sockaddr sa;
	struct sockaddr_in sin;
	struct sockaddr_in6 sin6;
};

static int
parse(const char *text, union address *a)
{
	memset(a, 0, sizeof(*a));
	if (inet_pton(AF_INET, text, &a->sin.sin_addr) == 1) {
		a->sin.sin_len = sizeof(a->sin);
		a->sin.sin_family = AF_INET;
		return (0);
	}
	if (inet_pton(AF_INET6, text, &a->sin6.sin6_addr) == 1) {
		a->sin6.sin6_len = sizeof(a->sin6);
		a->sin6.sin6_family = AF_INET6;
		return (0);
	}
	return (EINVAL);
}

static u_short
checksum(const void *data, size_t len)
{
	const u_short *p = data;
	u_int sum = 0;

	for (; len > 1; len -= 2)
		sum += *p++;
	while (sum >> 16 != 0)
		sum = (sum & 0xffff) + (sum >> 16);
	return ((u_short)~sum);
}

/* Of ICMPv6 the raw socket makes the checksum. */
static void
request(char packet[HEADER + PAYLOAD], bool six, int seq)
{
	struct icmp *icmp = (struct icmp *)packet;

	for (int i = 0; i < HEADER + PAYLOAD; i++)
		packet[i] = i < HEADER ? 0 : (char)i;
	icmp->icmp_type = six ? ICMP6_ECHO_REQUEST : ICMP_ECHO;
	icmp->icmp_id = htons(77);
	icmp->icmp_seq = htons((u_short)seq);
	if (!six)
		icmp->icmp_cksum = checksum(packet, HEADER + PAYLOAD);
}

static int
transfer(struct socket *so, union address *to, char *data, size_t *len)
{
	struct iovec iov = { data, *len };
	struct uio uio = {
		.uio_iov = &iov, .uio_iovcnt = 1, .uio_resid = (ssize_t)*len,
		.uio_segflg = UIO_SYSSPACE, .uio_td = curthread,
		.uio_rw = to != NULL ? UIO_WRITE : UIO_READ
	};
	int error, flags = 0;

	if (to != NULL)
		return (sosend(so, &to->sa, &uio, NULL, NULL, 0, curthread));
	error = soreceive(so, NULL, &uio, NULL, NULL, &flags);
	*len -= (size_t)uio.uio_resid;
	return (error);
}

static bool
is_reply(const char *data, size_t len, bool six, const char *sent)
{
	size_t head = six ? 0 : (size_t)(data[0] & 15) * 4;
	const struct icmp *icmp = (const struct icmp *)(data + head);

	return (len == head + HEADER + PAYLOAD &&
	    icmp->icmp_type == (six ? ICMP6_ECHO_REPLY : ICMP_ECHOREPLY) &&
	    memcmp(data + head + 4, sent + 4, HEADER - 4 + PAYLOAD) == 0);
}

static int
exchange(struct socket *so, union address *to, bool six, int seq)
{
	struct timeval patience = { .tv_sec = 1 };
	char sent[HEADER + PAYLOAD], got[256];
	size_t len = sizeof(sent);
	int error;

	request(sent, six, seq);
	error = so_setsockopt(so, SOL_SOCKET, SO_RCVTIMEO, &patience,
	    sizeof(patience));
	if (error == 0)
		error = transfer(so, to, sent, &len);
	while (error == 0) {
		len = sizeof(got);
		error = transfer(so, NULL, got, &len);
		if (error == 0 && is_reply(got, len, six, sent))
			return (0);
	}
	return (error);
}

int
ping(const char *to, int seq)
{
	struct socket *so;
	union address a;
	bool six;
	int error;

	error = parse(to, &a);
	if (error != 0)
		return (error);
	six = a.sa.sa_family == AF_INET6;
	error = socreate(a.sa.sa_family, &so, SOCK_RAW,
	    six ? IPPROTO_ICMPV6 : IPPROTO_ICMP, curthread->td_ucred,
	    curthread);
	if (error != 0)
		return (error);
	error = exchange(so, &a, six, seq);
	(void)soclose(so);
	return (error);
}

int
ping_from(struct vnet *v, const char *to)
{
	static int seq;
	int error = 0;

	LIBVNET_IN(v)
		error = ping(to, ++seq);
	return (error);
}
