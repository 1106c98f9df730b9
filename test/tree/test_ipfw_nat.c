/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ipfw's address translation, which is libalias in the kernel: a vnet in the
 * middle hides its one neighbour from the other.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/errno.h>
#include <sys/socket.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/ip_fw.h>
#include <netinet/libalias/alias.h>

#include <libvnet/test.h>
#include "ipfw_code.h"
#include "ipfw_rules.h"
#include "leaks.h"
#include "ping.h"
#include "star.h"
#include "transfer.h"

#define BYTES 300000

/* What leaves for b as c's own, and what comes back to c. */
static void
translate(struct star *s, const struct ipfw_redirect *redirect)
{
	struct ipfw_code out = { .n = 0 }, in = { .n = 0 };

	assert_int_equal(libvnet_sysctl_set(s->c, "net.inet.ip.forwarding", 1,
	    NULL), 0);
	assert_int_equal(libvnet_route_add(s->a, "default", STAR_C_A, NULL),
	    0);
	assert_int_equal(ipfw_nat(s->c, 1, STAR_C_B, PKT_ALIAS_SAME_PORTS,
	    redirect), 0);
	ipfw_code_from(&out, "10.0.1.0/24");
	ipfw_code_to(&out, "10.0.2.0/24");
	ipfw_code(&out, O_IN, F_NOT, 0, NULL, 0);
	ipfw_code_act(&out);
	ipfw_code_nat(&out, 1);
	assert_int_equal(ipfw_code_add(s->c, 100, &out), 0);
	ipfw_code_to(&in, STAR_C_B);
	ipfw_code(&in, O_IN, 0, 0, NULL, 0);
	ipfw_code_act(&in);
	ipfw_code_nat(&in, 1);
	assert_int_equal(ipfw_code_add(s->c, 200, &in), 0);
}

static int
ping_b(struct star *s)
{
	int error = 0;

	LIBVNET_IN(s->a)
		error = ping(STAR_B, 1);
	return (error);
}

LIBVNET_TEST_VNETS(nat_hides_pings, a, b)
{
	struct star s;
	uint64_t packets, octets;

	star_begin(&s, a, b);
	translate(&s, NULL);
	for (int i = 0; i < 10; i++)
		assert_int_equal(ping_b(&s), 0);
	assert_int_equal(ipfw_rules_counters(s.c, 100, &packets, &octets), 0);
	assert_int_equal(packets, 10);
	assert_int_equal(ipfw_nat_destroy(s.c, 1), 0);
	assert_int_equal(ipfw_nat_destroy(s.c, 1), ESRCH);
	assert_int_not_equal(ping_b(&s), 0);
	star_end(&s);
}

LIBVNET_TEST_VNETS(nat_hides_tcp, a, b)
{
	struct transfer t = { .from = a, .to = b, .family = 4,
	    .address = STAR_B, .bytes = BYTES };
	struct star s;

	star_begin(&s, a, b);
	translate(&s, NULL);
	if (!transfer_run(&t))
		fail_msg("%s", t.error);
	star_end(&s);
}

/* The server binds its own address, the client knows the one in the middle. */
LIBVNET_TEST_VNETS(nat_redirects_a_port, a, b)
{
	static const struct ipfw_redirect to_a = {
		.to = STAR_A, .port = 53, .protocol = IPPROTO_UDP
	};
	struct libvnet_endpoint from;
	char got[16];
	struct star s;
	int at_a, at_b;

	star_begin(&s, a, b);
	translate(&s, &to_a);
	at_a = libvnet_socket(a, 4, LIBVNET_DGRAM, 0, NULL);
	at_b = libvnet_socket(b, 4, LIBVNET_DGRAM, 0, NULL);
	assert_int_equal(libvnet_socket_bind(at_a, STAR_A, 53, NULL), 0);
	for (int i = 0; i < 5; i++) {
		assert_int_equal(libvnet_socket_sendto(at_b, "hello", 6, 0,
		    STAR_C_B, 53, NULL), 6);
		assert_int_equal(libvnet_socket_recvfrom(at_a, got,
		    sizeof(got), NULL, &from, NULL), 6);
		assert_string_equal(from.address, STAR_B);
		assert_int_equal(libvnet_socket_sendto(at_a, "you", 4, 0,
		    from.address, from.port, NULL), 4);
		assert_int_equal(libvnet_socket_recvfrom(at_b, got,
		    sizeof(got), NULL, &from, NULL), 4);
		assert_string_equal(from.address, STAR_C_B);
	}
	(void)libvnet_socket_close(at_a, NULL);
	(void)libvnet_socket_close(at_b, NULL);
	star_end(&s);
}

LIBVNET_TEST(nat_dies_with_its_vnet)
{
	static const struct ipfw_redirect redirect = {
		.to = STAR_A, .port = 53, .protocol = IPPROTO_UDP
	};
	struct ipfw_code c = { .n = 0 };
	struct vnet *plain, *v;

	ipfw_code_nat(&c, 7);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(libvnet_create(&plain), 0);
		assert_int_equal(libvnet_create(&v), 0);
		assert_int_equal(ipfw_nat(v, 7, STAR_C_A, 0, &redirect), 0);
		assert_int_equal(ipfw_nat(v, 8, STAR_C_A, PKT_ALIAS_REVERSE,
		    NULL), 0);
		assert_int_equal(ipfw_code_add(v, 100, &c), 0);
		assert_true(leaks_alike(plain, v));
	}
}
