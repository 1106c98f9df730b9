/* SPDX-License-Identifier: BSD-2-Clause */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/socket.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/in_systm.h>
#include <netinet/ip.h>
#include <netinet/ip6.h>

#include "target.h"

#define SECOND 1000000000LL

static void
listener(struct target *t, int family, int type, int protocol, u_int port)
{
	int fd = libvnet_socket(t->v, family, type, protocol, NULL);

	if (fd < 0)
		return;			/* SCTP may not be there */
	if (type != LIBVNET_RAW)
		assert_int_equal(libvnet_socket_bind(fd, family == 4 ?
		    "0.0.0.0" : "::", port, NULL), 0);
	if (type == LIBVNET_STREAM || type == LIBVNET_SEQPACKET)
		assert_int_equal(libvnet_socket_listen(fd, 5, NULL), 0);
	KASSERT(t->nfd < nitems(t->fd), ("too many sockets"));
	t->fd[t->nfd++] = fd;
}

static void
join(struct target *t)
{
	struct ip_mreq four;
	struct ipv6_mreq six;

	memset(&four, 0, sizeof(four));
	(void)inet_pton(AF_INET, "224.0.0.9", &four.imr_multiaddr);
	(void)inet_pton(AF_INET, TARGET_4, &four.imr_interface);
	assert_int_equal(libvnet_socket_set(t->fd[0], IPPROTO_IP,
	    IP_ADD_MEMBERSHIP, &four, sizeof(four), NULL), 0);
	memset(&six, 0, sizeof(six));
	(void)inet_pton(AF_INET6, "ff02::9", &six.ipv6mr_multiaddr);
	LIBVNET_IN(t->v) {
		struct libvnet_if i;

		assert_int_equal(libvnet_if_get(NULL, t->name, &i), 0);
		six.ipv6mr_interface = i.index;
	}
	assert_int_equal(libvnet_socket_set(t->fd[1], IPPROTO_IPV6,
	    IPV6_JOIN_GROUP, &six, sizeof(six), NULL), 0);
}

static void
hardware_address(struct target *t)
{
	struct libvnet_if i;

	assert_int_equal(libvnet_if_get(t->v, t->name, &i), 0);
	for (int n = 0; n < 6; n++)
		t->mac[n] = (uint8_t)strtoul(i.lladdr + 3 * n, NULL, 16);
}

void
target_begin(struct target *t, struct vnet *v)
{
	memset(t, 0, sizeof(*t));
	t->v = v;
	assert_int_equal(libvnet_link_create(v, NULL, NULL, 7, &t->link,
	    t->name, NULL, NULL), 0);
	assert_int_equal(libvnet_if_address_add(v, t->name, TARGET_4 "/24",
	    NULL), 0);
	assert_int_equal(libvnet_if_address_add(v, t->name, TARGET_6 "/64",
	    NULL), 0);
	assert_int_equal(libvnet_route_add(v, "default", TARGET_PEER_4, NULL),
	    0);
	assert_int_equal(libvnet_route_add(v, "default6", TARGET_PEER_6, NULL),
	    0);
	assert_int_equal(libvnet_sysctl_set(v, "net.inet.ip.forwarding", 1,
	    NULL), 0);
	assert_int_equal(libvnet_sysctl_set(v, "net.inet6.ip6.forwarding", 1,
	    NULL), 0);
	/* A query takes a sleepable lock in an epoch section; FINDINGS.md. */
	assert_int_equal(libvnet_sysctl_set(v, "net.inet6.icmp6.nodeinfo", 0,
	    NULL), 0);
	hardware_address(t);
	listener(t, 4, LIBVNET_DGRAM, 0, 53);
	listener(t, 6, LIBVNET_DGRAM, 0, 53);
	listener(t, 4, LIBVNET_STREAM, 0, 179);
	listener(t, 6, LIBVNET_STREAM, 0, 179);
	listener(t, 4, LIBVNET_RAW, IPPROTO_ICMP, 0);
	listener(t, 6, LIBVNET_RAW, IPPROTO_ICMPV6, 0);
	listener(t, 6, LIBVNET_SEQPACKET, IPPROTO_SCTP, 2905);
	join(t);
	assert_int_equal(libvnet_clock_advance_ns(4 * SECOND), 0);
}

void
target_end(struct target *t)
{
	for (unsigned i = 0; i < t->nfd; i++)
		(void)libvnet_socket_close(t->fd[i], NULL);
	assert_int_equal(libvnet_clock_advance_ns(120 * SECOND), 0);
	assert_int_equal(libvnet_link_destroy(t->link), 0);
}

static void
drain(struct target *t)
{
	while (libvnet_port_receive(t->link, LIBVNET_LINK_B, NULL, 0, NULL) >=
	    0)
		;
}

void
target_send(struct target *t, const void *frame, uint32_t length)
{
	assert_int_equal(libvnet_port_send(t->link, LIBVNET_LINK_B, frame,
	    length, NULL), 0);
	libvnet_run_until_idle();
	drain(t);
}

/* ---- a neighbour that pings */

static uint16_t
sum(const void *data, uint32_t length)
{
	const uint8_t *p = data;
	uint32_t s = 0;

	for (uint32_t i = 0; i < length; i++)
		s += i % 2 == 0 ? (uint32_t)p[i] << 8 : p[i];
	while (s >> 16 != 0)
		s = (s & 0xffff) + (s >> 16);
	return ((uint16_t)~s);
}

static void
put16(uint8_t *at, uint32_t x)
{
	at[0] = (uint8_t)(x >> 8);
	at[1] = (uint8_t)x;
}

void
target_assert_alive(struct target *t)
{
	static const uint8_t peer[6] = { 2, 0, 0, 0, 0, 2 };
	uint8_t ask[42] = { [12] = 8, [13] = 6, [15] = 1, [16] = 8, [18] = 6,
	    [19] = 4, [21] = 2, [28] = 10, [31] = 2, [38] = 10, [41] = 1 };
	uint8_t ping[42] = { [12] = 8, [14] = 0x45, [17] = 28, [22] = 64,
	    [23] = IPPROTO_ICMP, [26] = 10, [29] = 2, [30] = 10, [33] = 1,
	    [34] = 8 };
	uint8_t got[100];
	bool answered = false;

	memcpy(ask, t->mac, 6);
	memcpy(ask + 6, peer, 6);
	memcpy(ask + 22, peer, 6);
	memcpy(ask + 32, t->mac, 6);
	memcpy(ping, t->mac, 6);
	memcpy(ping + 6, peer, 6);
	put16(ping + 24, sum(ping + 14, 20));
	put16(ping + 36, sum(ping + 34, 8));
	target_send(t, ask, sizeof(ask));
	assert_int_equal(libvnet_port_send(t->link, LIBVNET_LINK_B, ping,
	    sizeof(ping), NULL), 0);
	libvnet_run_until_idle();
	while (libvnet_port_receive(t->link, LIBVNET_LINK_B, got, sizeof(got),
	    NULL) >= 0)
		if (got[12] == 8 && got[13] == 0 && got[23] == IPPROTO_ICMP &&
		    got[34] == 0)
			answered = true;
	assert_true(answered);
}

/* ---- frames of others */

/* RFC 1624: what a checksum becomes when these octets are changed. */
static void
change(uint8_t *check, const uint8_t *was, const uint8_t *is, uint32_t length)
{
	uint32_t s = (uint16_t)~(check[0] << 8 | check[1]);

	for (uint32_t i = 0; i < length; i += 2) {
		s += (uint16_t)~(was[i] << 8 | was[i + 1]);
		s += (uint32_t)(is[i] << 8 | is[i + 1]);
	}
	while (s >> 16 != 0)
		s = (s & 0xffff) + (s >> 16);
	put16(check, ~s);
}

static void
change_upper(uint8_t protocol, uint8_t *upper, uint32_t length,
    const uint8_t *was, const uint8_t *is, uint32_t n)
{
	uint32_t at = protocol == IPPROTO_TCP ? 16 : protocol == IPPROTO_UDP ?
	    6 : protocol == IPPROTO_ICMPV6 ? 2 : ~0U;

	if (at != ~0U && length >= at + 2)
		change(upper + at, was, is, n);
}

bool
target_redirect(const struct target *t, uint8_t *frame, uint32_t length)
{
	uint8_t *ip = frame + 14, own[16], *dst;
	uint32_t head = 0, left = length - 14;
	int family = 0;

	if (length >= 34 && frame[12] == 8 && frame[13] == 0) {
		family = AF_INET;
		(void)inet_pton(AF_INET, TARGET_4, own);
		head = (uint32_t)(ip[0] & 15) * 4;
		dst = ip + 16;
		change(ip + 10, dst, own, 4);
	} else if (length >= 54 && frame[12] == 0x86 && frame[13] == 0xdd) {
		family = AF_INET6;
		(void)inet_pton(AF_INET6, TARGET_6, own);
		head = 40;
		dst = ip + 24;
	} else
		return (false);
	memcpy(frame, t->mac, 6);
	if (left > head)
		change_upper(family == AF_INET ? ip[9] : ip[6], ip + head,
		    left - head, dst, own, family == AF_INET ? 4 : 16);
	memcpy(dst, own, family == AF_INET ? 4 : 16);
	return (true);
}
