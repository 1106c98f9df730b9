/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ipfw and IPv6: addresses with and without masks, types of ICMPv6, extension
 * headers, states, limits and answers.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/errno.h>
#include <sys/socket.h>
#include <net/if.h>
#include <net/vnet.h>
#include <netinet/in.h>
#include <netinet/icmp6.h>
#include <netinet/ip_fw.h>

#include <libvnet/test.h>
#include "ipfw_code.h"
#include "ipfw_rules.h"
#include "ping.h"
#include "transfer.h"

#define A "2001:db8::1"
#define B "2001:db8::2"

static int
ping_b(struct vnet *a)
{
	static int seq;
	int error = 0;

	LIBVNET_IN(a)
		error = ping(B, ++seq);
	return (error);
}

static void
add(struct vnet *v, uint32_t number, struct ipfw_code *c, uint8_t action,
    uint16_t arg)
{
	ipfw_code_act(c);
	ipfw_code(c, action, 0, arg, NULL, 0);
	assert_int_equal(ipfw_code_add(v, number, c), 0);
}

static uint64_t
packets(struct vnet *v, uint32_t number)
{
	uint64_t p, o;

	assert_int_equal(ipfw_rules_counters(v, number, &p, &o), 0);
	return (p);
}

static void
assert_denied(struct vnet *a, struct vnet *b, const char *from, const char *to)
{
	struct ipfw_code c = { .n = 0 };

	ipfw_code(&c, O_IP6, 0, 0, NULL, 0);
	ipfw_code(&c, O_PROTO, 0, IPPROTO_ICMPV6, NULL, 0);
	ipfw_code(&c, O_ICMP6TYPE, 0, 0,
	    (uint32_t[7]){ [ICMP6_ECHO_REQUEST / 32] =
	    1U << ICMP6_ECHO_REQUEST % 32 }, 28);
	if (from != NULL)
		ipfw_code_from(&c, from);
	if (to != NULL)
		ipfw_code_to(&c, to);
	add(b, 100, &c, O_DENY, 0);
	assert_int_equal(ping_b(a), EWOULDBLOCK);
	assert_int_equal(packets(b, 100), 1);
	assert_int_equal(ipfw_rules_delete(b, 100), 0);
	assert_int_equal(ping_b(a), 0);
}

LIBVNET_TEST_VNETS(addresses_of_ipv6_are_matched, a, b)
{
	(void)wire(a, b, NULL);
	assert_int_equal(ping_b(a), 0);
	assert_denied(a, b, A, NULL);
	assert_denied(a, b, NULL, B);
	assert_denied(a, b, "2001:db8::/33", NULL);
	assert_denied(a, b, NULL, "2001:db8::/120");
	assert_denied(a, b, NULL, "me6");
}

static void
datagram(struct vnet *a, struct vnet *b, size_t length, int want)
{
	static char out[5000], in[5000];
	int fd[2] = { libvnet_socket(a, 6, LIBVNET_DGRAM, 0, NULL),
	    libvnet_socket(b, 6, LIBVNET_DGRAM, 0, NULL) };
	int flags = MSG_DONTWAIT, kerr = 0;

	assert_int_equal(libvnet_socket_bind(fd[1], B, 53, NULL), 0);
	assert_int_equal(libvnet_socket_sendto(fd[0], out, length, 0, B, 53,
	    NULL), length);
	libvnet_run_until_idle();
	(void)libvnet_socket_recvfrom(fd[1], in, sizeof(in), &flags, NULL,
	    &kerr);
	assert_int_equal(kerr, want);
	(void)libvnet_socket_close(fd[0], NULL);
	(void)libvnet_socket_close(fd[1], NULL);
}

LIBVNET_TEST_VNETS(extension_headers_are_matched, a, b)
{
	struct ipfw_code c = { .n = 0 };

	(void)wire(a, b, NULL);
	ipfw_code(&c, O_EXT_HDR, 0, EXT_FRAGMENT, NULL, 0);
	add(b, 100, &c, O_DENY, 0);
	datagram(a, b, 100, 0);
	datagram(a, b, 5000, EAGAIN);
	assert_true(packets(b, 100) >= 4);
	assert_int_equal(ipfw_rules_delete(b, 100), 0);
	datagram(a, b, 5000, 0);
}

static bool
connects(struct vnet *a, const char *to, int *kerr)
{
	int fd = libvnet_socket(a, 6, LIBVNET_STREAM, 0, NULL);
	bool ok = libvnet_socket_connect(fd, to, 80, kerr) == 0;

	(void)libvnet_socket_close(fd, NULL);
	return (ok);
}

LIBVNET_TEST_VNETS(refused_senders_are_told, a, b)
{
	struct ipfw_code unreach = { .n = 0 }, reset = { .n = 0 };
	int kerr;

	(void)wire(a, b, NULL);
	assert_int_equal(ping_b(a), 0);
	ipfw_code(&unreach, O_PROTO, 0, IPPROTO_TCP, NULL, 0);
	add(b, 100, &unreach, O_UNREACH6, ICMP6_DST_UNREACH_ADMIN);
	assert_false(connects(a, B, &kerr));
	assert_int_equal(ipfw_rules_delete(b, 100), 0);
	ipfw_code(&reset, O_PROTO, 0, IPPROTO_TCP, NULL, 0);
	add(b, 100, &reset, O_UNREACH6, ICMP6_UNREACH_RST);
	assert_false(connects(a, B, &kerr));
	assert_int_equal(kerr, ECONNREFUSED);
}

LIBVNET_TEST_VNETS(states_of_ipv6_pass_a_stream, a, b)
{
	struct transfer t = { .from = a, .to = b, .family = 6, .address = B,
	    .bytes = 300000 };
	struct ipfw_code state = { .n = 0 }, deny = { .n = 0 };

	(void)wire(a, b, NULL);
	ipfw_code(&state, O_PROBE_STATE, 0, 0, NULL, 0);
	ipfw_code(&state, O_PROTO, 0, IPPROTO_TCP, NULL, 0);
	ipfw_code_from(&state, A);
	ipfw_code(&state, O_KEEP_STATE, 0, 0, NULL, 0);
	add(b, 100, &state, O_ACCEPT, 0);
	ipfw_code(&deny, O_PROTO, 0, IPPROTO_TCP, NULL, 0);
	add(b, 200, &deny, O_DENY, 0);
	if (!transfer_run(&t))
		fail_msg("%s", t.error);
	assert_int_equal(packets(b, 200), 0);
}

/* At most one connection from each address: the second is not let in. */
LIBVNET_TEST_VNETS(limits_of_ipv6_count_senders, a, b)
{
	struct ipfw_code c = { .n = 0 }, deny = { .n = 0 };
	int fd[2], listening, kerr = 0;

	(void)wire(a, b, NULL);
	ipfw_code(&c, O_PROBE_STATE, 0, 0, NULL, 0);
	ipfw_code(&c, O_PROTO, 0, IPPROTO_TCP, NULL, 0);
	ipfw_code_from(&c, A);
	ipfw_code(&c, O_LIMIT, 0, 0, (uint16_t[2]){ DYN_SRC_ADDR << 8, 1 }, 4);
	add(b, 100, &c, O_ACCEPT, 0);
	ipfw_code(&deny, O_PROTO, 0, IPPROTO_TCP, NULL, 0);
	ipfw_code_from(&deny, A);
	add(b, 200, &deny, O_UNREACH6, ICMP6_UNREACH_RST);
	listening = libvnet_socket(b, 6, LIBVNET_STREAM, 0, NULL);
	assert_int_equal(libvnet_socket_bind(listening, B, 80, NULL), 0);
	assert_int_equal(libvnet_socket_listen(listening, 5, NULL), 0);
	for (int i = 0; i < 2; i++) {
		fd[i] = libvnet_socket(a, 6, LIBVNET_STREAM, 0, NULL);
		(void)libvnet_socket_connect(fd[i], B, 80, &kerr);
		assert_int_equal(kerr != 0, i);
	}
	for (int i = 0; i < 2; i++)
		(void)libvnet_socket_close(fd[i], NULL);
	(void)libvnet_socket_close(listening, NULL);
}
