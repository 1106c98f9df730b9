/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ipfw of a tree's stack: rules given to one vnet act there, count there and
 * are gone with it; other vnets have their own.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/errno.h>
#include <sys/malloc.h>
#include <sys/socket.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/ip_fw.h>

#include <libvnet/test.h>
#include "ipfw_rules.h"
#include "leaks.h"
#include "star.h"

#define SECOND 1000000000LL
#define PING 84			/* octets of ping()'s packets, with IP's header */

static const struct ipfw_terms deny_icmp = {
	.number = 100, .action = O_DENY, .protocol = IPPROTO_ICMP
};
static const struct ipfw_terms allow_icmp = {
	.number = 100, .action = O_ACCEPT, .protocol = IPPROTO_ICMP
};

/* Outwards the sender is told, inwards nobody. */
static void
assert_a_closed(struct star *s)
{
	assert_int_equal(star_a_to_c(s), EACCES);
	assert_int_equal(star_c_to_a(s), EWOULDBLOCK);
	assert_int_equal(star_b_to_c(s), 0);
	assert_int_equal(star_c_to_b(s), 0);
}

static void
assert_counted(struct vnet *v, uint32_t number, uint64_t packets,
    uint64_t octets)
{
	uint64_t p, o;

	assert_int_equal(ipfw_rules_counters(v, number, &p, &o), 0);
	assert_int_equal(p, packets);
	assert_int_equal(o, octets);
}

static int64_t
sysctl(struct vnet *v, const char *name)
{
	int64_t value = -1;

	assert_int_equal(libvnet_sysctl_get(v, name, &value, NULL), 0);
	return (value);
}

LIBVNET_TEST_VNETS(denied_packets_are_dropped_in_that_vnet_only, a, b)
{
	struct star s;

	star_begin(&s, a, b);
	assert_int_equal(ipfw_rules_add(a, &deny_icmp), 0);
	assert_a_closed(&s);
	assert_int_equal(sysctl(a, "net.inet.ip.fw.static_count"), 2);
	assert_int_equal(sysctl(b, "net.inet.ip.fw.static_count"), 1);
	assert_int_equal(ipfw_rules_delete(a, deny_icmp.number), 0);
	star_assert_open(&s);

	assert_int_equal(ipfw_rules_add(a, &deny_icmp), 0);
	assert_int_equal(ipfw_rules_add(b, &deny_icmp), 0);
	assert_int_equal(star_c_to_b(&s), EWOULDBLOCK);
	assert_int_equal(ipfw_rules_flush(b), 0);
	assert_a_closed(&s);
	assert_int_equal(ipfw_rules_flush(a), 0);
	star_assert_open(&s);
	star_end(&s);
}

LIBVNET_TEST_VNETS(counters_are_the_packets_of_their_vnet, a, b)
{
	uint64_t packets, octets;
	struct star s;

	star_begin(&s, a, b);
	assert_int_equal(ipfw_rules_add(a, &allow_icmp), 0);
	assert_int_equal(ipfw_rules_add(b, &allow_icmp), 0);
	assert_counted(a, 100, 0, 0);
	for (int i = 0; i < 10; i++)
		assert_int_equal(star_a_to_c(&s), 0);
	for (int i = 0; i < 3; i++)
		assert_int_equal(star_c_to_b(&s), 0);
	assert_counted(a, 100, 20, 20 * PING);
	assert_counted(b, 100, 6, 6 * PING);
	assert_int_equal(ipfw_rules_counters(s.c, 100, &packets, &octets),
	    ESRCH);
	assert_int_equal(ipfw_rules_zero(a), 0);
	assert_counted(a, 100, 0, 0);
	assert_counted(b, 100, 6, 6 * PING);
	star_end(&s);
}

LIBVNET_TEST_VNETS(rules_are_tried_in_order_of_number, a, b)
{
	static const struct ipfw_terms count = {
		.number = 50, .action = O_COUNT, .way = IPFW_OUT
	}, deny_in = {
		.number = 100, .action = O_DENY, .protocol = IPPROTO_ICMP,
		.way = IPFW_IN
	}, allow = {
		.number = 200, .action = O_ACCEPT
	};
	struct star s;

	star_begin(&s, a, b);
	assert_int_equal(ipfw_rules_add(a, &allow), 0);
	assert_int_equal(ipfw_rules_add(a, &deny_in), 0);
	assert_int_equal(ipfw_rules_add(a, &count), 0);
	assert_int_equal(star_a_to_c(&s), EWOULDBLOCK);
	assert_counted(a, 50, 1, PING);
	assert_counted(a, 100, 1, PING);
	assert_counted(a, 200, 1, PING);
	assert_counted(a, IPFW_DEFAULT_RULE, 4, 4 * PING);
	star_end(&s);
}

LIBVNET_TEST_VNETS(each_vnet_switches_its_own_firewall, a, b)
{
	struct star s;

	star_begin(&s, a, b);
	assert_int_equal(ipfw_rules_add(a, &deny_icmp), 0);
	assert_int_equal(ipfw_rules_add(b, &deny_icmp), 0);
	assert_int_equal(libvnet_sysctl_set(b, "net.inet.ip.fw.enable", 0,
	    NULL), 0);
	assert_int_equal(sysctl(a, "net.inet.ip.fw.enable"), 1);
	assert_a_closed(&s);
	assert_int_equal(libvnet_sysctl_set(b, "net.inet.ip.fw.enable", 1,
	    NULL), 0);
	assert_int_equal(libvnet_sysctl_set(a, "net.inet.ip.fw.enable", 0,
	    NULL), 0);
	assert_int_equal(star_a_to_c(&s), 0);
	assert_int_equal(star_b_to_c(&s), EACCES);
	star_end(&s);
}

/* ---- states */

static int
udp(struct vnet *v, const char *address, u_int port)
{
	int fd = libvnet_socket(v, 4, LIBVNET_DGRAM, 0, NULL);

	assert_true(fd >= 0);
	assert_int_equal(libvnet_socket_bind(fd, address, port, NULL), 0);
	return (fd);
}

/* 0 arrived, EAGAIN dropped on the way, or what the sender was told. */
static int
datagram(int from, int to, const char *address, u_int port)
{
	char text[] = "hello", got[16];
	int kerr = 0;

	(void)libvnet_socket_sendto(from, text, sizeof(text), 0, address, port,
	    &kerr);
	libvnet_run_until_idle();
	if (kerr == 0)
		(void)libvnet_socket_recvfrom(to, got, sizeof(got),
		    &(int){ MSG_DONTWAIT }, NULL, &kerr);
	return (kerr);
}

LIBVNET_TEST_VNETS(state_lets_answers_in_until_it_expires, a, b)
{
	static const struct ipfw_terms terms[] = {
		{ .number = 100, .action = O_CHECK_STATE },
		{ .number = 200, .action = O_ACCEPT, .protocol = IPPROTO_UDP,
		    .way = IPFW_OUT, .keep_state = true },
		{ .number = 300, .action = O_DENY, .protocol = IPPROTO_UDP }
	};
	struct star s;
	int at_a, at_c;

	star_begin(&s, a, b);
	for (u_int i = 0; i < nitems(terms); i++)
		assert_int_equal(ipfw_rules_add(a, &terms[i]), 0);
	at_a = udp(a, STAR_A, 1000);
	at_c = udp(s.c, STAR_C_A, 2000);

	assert_int_equal(datagram(at_c, at_a, STAR_A, 1000), EAGAIN);
	assert_int_equal(sysctl(a, "net.inet.ip.fw.dyn_count"), 0);
	assert_int_equal(datagram(at_a, at_c, STAR_C_A, 2000), 0);
	assert_int_equal(datagram(at_c, at_a, STAR_A, 1000), 0);
	assert_int_equal(sysctl(a, "net.inet.ip.fw.dyn_count"), 1);
	assert_int_equal(sysctl(b, "net.inet.ip.fw.dyn_count"), 0);

	/* It lives for net.inet.ip.fw.dyn_udp_lifetime after a packet. */
	assert_int_equal(libvnet_clock_advance_ns(9 * SECOND), 0);
	assert_int_equal(datagram(at_c, at_a, STAR_A, 1000), 0);
	assert_int_equal(libvnet_clock_advance_ns(12 * SECOND), 0);
	assert_int_equal(datagram(at_c, at_a, STAR_A, 1000), EAGAIN);
	assert_int_equal(sysctl(a, "net.inet.ip.fw.dyn_count"), 0);

	(void)libvnet_socket_close(at_a, NULL);
	(void)libvnet_socket_close(at_c, NULL);
	star_end(&s);
}

/* ---- tables */

LIBVNET_TEST_VNETS(table_is_of_its_vnet, a, b)
{
	static const struct ipfw_terms deny = {
		.number = 100, .action = O_DENY, .way = IPFW_IN,
		.from_table = "bad"
	};
	struct star s;

	star_begin(&s, a, b);
	assert_int_equal(ipfw_rules_table_create(a, "bad"), 0);
	assert_int_equal(ipfw_rules_table_create(a, "bad"), EEXIST);
	assert_int_equal(ipfw_rules_add(a, &deny), 0);
	assert_int_equal(ipfw_rules_table_add(a, "bad", "10.9.9.9"), 0);
	star_assert_open(&s);

	assert_int_equal(ipfw_rules_table_find(a, "bad", STAR_C_A), ENOENT);
	assert_int_equal(ipfw_rules_table_add(a, "bad", STAR_C_A), 0);
	assert_int_equal(ipfw_rules_table_find(a, "bad", STAR_C_A), 0);
	assert_int_equal(star_c_to_a(&s), EWOULDBLOCK);

	assert_int_equal(ipfw_rules_table_find(b, "bad", STAR_C_A), ESRCH);
	assert_int_equal(ipfw_rules_table_create(b, "bad"), 0);
	assert_int_equal(ipfw_rules_table_find(b, "bad", STAR_C_A), ENOENT);
	assert_int_equal(ipfw_rules_add(b, &deny), 0);
	assert_int_equal(star_c_to_b(&s), 0);
	star_end(&s);
}

/* With and without rules in force when it goes. */
LIBVNET_TEST(rules_die_with_their_vnet)
{
	struct vnet *plain, *v;

	for (int i = 0; i < 5; i++) {
		assert_int_equal(libvnet_create(&plain), 0);
		assert_int_equal(libvnet_create(&v), 0);
		assert_int_equal(sysctl(v, "net.inet.ip.fw.static_count"), 1);
		assert_int_equal(ipfw_rules_table_create(v, "t"), 0);
		assert_int_equal(ipfw_rules_table_add(v, "t", STAR_A), 0);
		assert_int_equal(ipfw_rules_add(v, &deny_icmp), 0);
		assert_true(leaks_alike(plain, v));
	}
}

LIBVNET_TEST(what_stays_behind_is_seen)
{
	struct vnet *plain, *v;

	assert_int_equal(libvnet_create(&plain), 0);
	assert_int_equal(libvnet_create(&v), 0);
	LIBVNET_IN(v)
		(void)malloc(40, M_TEMP, M_WAITOK);
	libvnet_expect("leak", "\"temp\"");
	assert_false(leaks_alike(plain, v));
}

LIBVNET_TEST_VNET(malformed_rules_are_refused, v)
{
	static const struct ipfw_terms last = {
		.number = IPFW_DEFAULT_RULE, .action = O_ACCEPT
	}, no_action = { .number = 100, .action = O_IN };

	assert_int_equal(ipfw_rules_add(v, &last), EINVAL);
	assert_int_equal(ipfw_rules_add(v, &no_action), EINVAL);
	assert_int_equal(ipfw_rules_delete(v, 100), 0);
	assert_int_equal(sysctl(v, "net.inet.ip.fw.static_count"), 1);
}
