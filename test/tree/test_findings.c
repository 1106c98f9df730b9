/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The smallest test for each fault of FreeBSD 13.0 that FINDINGS.md tells of
 * and that no other test here shows.  Where a sanitizer sees it, the test
 * expects its report in a build that has it, and only walks the path in others.
 */
#include "opt_inet.h"

#include <sys/param.h>
#include <sys/systm.h>
#include <sys/callout.h>
#include <sys/errno.h>
#include <sys/socket.h>
#include <net/if.h>
#include <net/vnet.h>
#include <netinet/in.h>
#include <netinet/in_systm.h>
#include <netinet/ip.h>
#include <netinet/icmp6.h>
#include <netinet/ip_fw.h>

#include <libvnet/test.h>
#include "ipfw_code.h"
#include "ipfw_rules.h"
#include "pf_lines.h"
#include "pf_rules.h"
#include "target.h"
#include "transfer.h"

#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if __has_feature(address_sanitizer) || defined(__SANITIZE_ADDRESS__)
#define UBSAN 1			/* comes with it */
#else
#define UBSAN 0
#endif

#define SECOND 1000000000LL
#define OF_13 (__FreeBSD_version < 1400000)

static void
undefined(const char *regex)
{
	if (UBSAN && OF_13)
		libvnet_expect("undefined", regex);
}

static void
uninitialised(void)
{
	if (__has_feature(memory_sanitizer))
		libvnet_expect("uninitialised", "decides");
}

/* ---- undefined behaviour */

static void
nothing(void *arg __unused)
{
}

/* tcp_hpts has asked for it when the machine has booted: C_PREL(120). */
LIBVNET_TEST(precision_of_a_callout_is_a_shift)
{
	static struct callout c;

	callout_init(&c, 1);
	undefined("shift by more bits");
	callout_reset_sbt(&c, SBT_1S, 0, nothing, NULL, C_PREL(120));
	(void)callout_drain(&c);
}

LIBVNET_TEST_VNET(routing_message_is_not_aligned, v)
{
	char name[LIBVNET_IFNAME];

	assert_int_equal(libvnet_if_create(v, "lo", name, NULL), 0);
	assert_int_equal(libvnet_if_address_add(v, name, "10.1.0.1/24", NULL),
	    0);
	undefined("'struct rt_msghdr'");
	undefined("'u_short'");
	assert_int_equal(libvnet_route_add(v, "10.2.0.0/16", "10.1.0.2", NULL),
	    0);
}

/* An action at an odd word of its rule. */
LIBVNET_TEST_VNET(nat_takes_other_actions_for_its_own, v)
{
	struct ipfw_code c = { .n = 0 };

	ipfw_code(&c, O_PROTO, 0, IPPROTO_UDP, NULL, 0);
	ipfw_code_act(&c);
	ipfw_code(&c, O_ACCEPT, 0, 0, NULL, 0);
	assert_int_equal(ipfw_code_add(v, 100, &c), 0);
	assert_int_equal(ipfw_nat(v, 1, "10.0.0.1", 0, NULL), 0);
	for (int i = 0; i < 3; i++)
		undefined("octets behind an alignment of 8");
	assert_int_equal(ipfw_nat_destroy(v, 1), 0);
}

/* ---- uninitialised values */

#if OF_13
/* nd6_prefix_offlink() hands on an address that it never sets. */
LIBVNET_TEST_VNETS(prefix_goes_off_link_without_its_address, a, b)
{
	char an[LIBVNET_IFNAME], bn[LIBVNET_IFNAME];

	assert_int_equal(libvnet_if_epair(a, b, an, bn, NULL), 0);
	assert_int_equal(libvnet_if_address_add(a, an, "2001:db8::1/64", NULL),
	    0);
	assert_int_equal(libvnet_clock_advance_ns(3 * SECOND), 0);
	uninitialised();
	assert_int_equal(libvnet_if_address_remove(a, an, "2001:db8::1", NULL),
	    0);
}
#endif

#ifdef TCPHPTS
static void
stack(struct vnet *a, struct vnet *b, const char *name)
{
	struct transfer t = { .from = a, .to = b, .family = 4,
	    .address = "10.0.0.2", .bytes = 400000, .stack = name };
	struct libvnet_wire w = { .delay_ns = 5 * MS, .reorder_ppm = 300000,
	    .reorder_ns = 10 * MS };

	/* MSan's report is known, and comes with an old acknowledgement only. */
	(void)wire(a, b, &w);
	if (!transfer_run(&t))
		fail_msg("%s", t.error);
}

/* An old acknowledgement; to_nsacks is set where there are options only. */
LIBVNET_TEST_VNETS(rack_looks_at_options_that_are_not_there, a, b)
{
	stack(a, b, "rack");
}

LIBVNET_TEST_VNETS(bbr_looks_at_options_that_are_not_there, a, b)
{
	stack(a, b, "bbr");
}
#endif

/* Four octets of pf_send_icmp()'s heap leave in an ICMPv6 message. */
LIBVNET_TEST_VNETS(pf_answers_with_memory_that_nobody_wrote, a, b)
{
	static const struct pf_line answer[] = {
		{ .action = PF_DROP, .direction = PF_IN, .family = AF_INET6,
		    .protocol = IPPROTO_UDP, .flag = PFRULE_RETURNICMP,
		    .icmp6 = ICMP6_DST_UNREACH << 8 |
		    ICMP6_DST_UNREACH_NOPORT }
	};
	struct libvnet_device *pf;
	int fd, kerr;

	(void)wire(a, b, NULL);
	pf = pf_rules_open(b);
	assert_int_equal(pf_rules_start(pf), 0);
	assert_int_equal(pf_lines_load(pf, PF_RULESET_FILTER, "", answer, 1),
	    0);
	uninitialised();
	fd = libvnet_socket(a, 6, LIBVNET_DGRAM, 0, NULL);
	assert_int_equal(libvnet_socket_connect(fd, "2001:db8::2", 80, NULL),
	    0);
	assert_int_equal(libvnet_socket_send(fd, "x", 1, 0, NULL), 1);
	libvnet_run_until_idle();
	(void)libvnet_socket_recv(fd, &(char){ 0 }, 1, &kerr);
	assert_int_equal(kerr, ECONNREFUSED);
	(void)libvnet_socket_close(fd, NULL);
	pf_rules_close(pf);
}

/* ---- leaks; the others are shown by any vnet's end */

#if OF_13
/* shutdown_pf() empties the main rule set and looks into no anchor. */
LIBVNET_TEST(pf_anchor_outlives_its_vnet)
{
	static const struct pf_line anchored = { .action = PF_PASS,
	    .anchor = "x" }, inner = { .action = PF_DROP, .from = "<t>" };
	static const char *const left[] = { "\"temp\"", "\"pf_rule\"",
	    "\"pf_table\"", "\"routetbl\"", "\"routetbl\"" };
	struct libvnet_device *pf;
	struct vnet *v;

	assert_int_equal(libvnet_create(&v), 0);
	pf = pf_rules_open(v);
	assert_int_equal(pf_lines_load(pf, PF_RULESET_FILTER, "", &anchored,
	    1), 0);
	assert_int_equal(pf_lines_load(pf, PF_RULESET_FILTER, "x", &inner, 1),
	    0);
	pf_rules_close(pf);
	for (u_int i = 0; i < nitems(left); i++)
		libvnet_expect("leak", left[i]);
	assert_int_equal(libvnet_destroy(v), 0);
}
#endif

/* ---- sleeping where that is prohibited */

#ifdef INVARIANTS
/* A node information query: all prisons are looked through, with their lock. */
LIBVNET_TEST_VNET(node_information_takes_a_sleepable_lock, v)
{
	uint8_t frame[14 + 40 + 16] = { [12] = 0x86, [13] = 0xdd, [14] = 0x60,
	    [19] = 16, [20] = IPPROTO_ICMPV6, [21] = 255, [54] = 139, [55] = 0,
	    [56] = 0, [57] = 0 };
	struct target t;
	uint32_t sum;

	target_begin(&t, v);
	assert_int_equal(libvnet_sysctl_set(v, "net.inet6.icmp6.nodeinfo", 3,
	    NULL), 0);
	memcpy(frame, t.mac, 6);
	(void)inet_pton(AF_INET6, TARGET_PEER_6, frame + 22);
	(void)inet_pton(AF_INET6, TARGET_6, frame + 38);
	sum = 16 + IPPROTO_ICMPV6;
	for (int i = 22; i < 70; i += 2)
		sum += (uint32_t)(frame[i] << 8 | frame[i + 1]);
	sum = (sum & 0xffff) + (sum >> 16);
	sum = ~((sum & 0xffff) + (sum >> 16));
	frame[56] = (uint8_t)(sum >> 8);
	frame[57] = (uint8_t)sum;
	libvnet_expect("sleep", "\"allprison\"");
	target_send(&t, frame, sizeof(frame));
	target_end(&t);
}

/* More states than rows: dyn_tick() grows the table, and waits for memory. */
LIBVNET_TEST_VNETS(states_grow_in_a_callout, a, b)
{
	struct ipfw_code c = { .n = 0 };
	int fd;

	(void)wire(a, b, NULL);
	ipfw_code(&c, O_PROBE_STATE, 0, 0, NULL, 0);
	ipfw_code(&c, O_PROTO, 0, IPPROTO_UDP, NULL, 0);
	ipfw_code(&c, O_KEEP_STATE, 0, 0, NULL, 0);
	ipfw_code_act(&c);
	ipfw_code(&c, O_ACCEPT, 0, 0, NULL, 0);
	assert_int_equal(ipfw_code_add(a, 100, &c), 0);
	assert_int_equal(libvnet_sysctl_set(a, "net.inet.ip.fw.dyn_buckets",
	    4096, NULL), 0);
	fd = libvnet_socket(a, 4, LIBVNET_DGRAM, 0, NULL);
	for (u_int port = 1; port <= 600; port++)
		assert_int_equal(libvnet_socket_sendto(fd, "x", 1, 0,
		    "10.0.0.2", port, NULL), 1);
	(void)libvnet_socket_close(fd, NULL);
	libvnet_expect_panic("malloc.M_WAITOK.: may sleep");
	libvnet_clock_advance_ns(2 * SECOND);
}
#endif
