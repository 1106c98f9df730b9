/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The whole scenario in one process and one run: two hosts in two networks, a
 * router between them, a bystander; links that delay and lose; ICMP, UDP with
 * fragments, TCP with each congestion control and stack, SCTP; firewalls.
 * Everything there is to tell goes to standard output, with a digest of every
 * frame and its time, for repeat.sh to compare two runs by.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/counter.h>
#include <sys/errno.h>
#include <sys/malloc.h>
#include <sys/poll.h>
#include <sys/socket.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/ip_fw.h>
#include <netpfil/pf/pf.h>

#include <libvnet/test.h>

#include "ipfw_rules.h"
#include "lacks.h"
#include "pf_rules.h"
#include "ping.h"
#include "transfer.h"

#define PORT 5002
#ifndef BYTES
#define BYTES (100UL << 20)
#endif

#define OK(call) do {							\
	if ((call) != 0)						\
		fail_msg("%s", libvnet_error());			\
} while (0)

struct cable {
	struct libvnet_link *link;
	uint64_t digest[2];
	const char *name;
};

struct net {
	struct vnet *left, *right, *router, *aside;
	struct cable l, r;
};

static const struct libvnet_wire lossy = {
	.delay_ns = 5 * MS, .rate_bps = 100000000, .queue_bytes = 256000,
	.loss_ppm = 2500, .duplicate_ppm = 500,
	.reorder_ppm = 1000, .reorder_ns = 2 * MS
};

/* FNV-1a. */
static uint64_t
digest(uint64_t d, const void *data, size_t len)
{
	const u_char *p = data;

	while (len-- > 0)
		d = (d ^ *p++) * 0x100000001b3;
	return (d);
}

static bool
seen(void *arg, const uint8_t *frame, uint32_t length)
{
	uint64_t *d = arg;
	int64_t now = libvnet_clock_ns();

	*d = digest(digest(*d, &now, sizeof(now)), frame, length);
	return (false);
}

static void
cable(struct cable *c, const char *name, uint64_t seed, struct vnet *host,
    const char *const address[2], struct vnet *router,
    const char *const gateway[2])
{
	char hn[LIBVNET_IFNAME], rn[LIBVNET_IFNAME];

	c->name = name;
	OK(libvnet_link_create(host, router, &lossy, seed, &c->link, hn, rn,
	    NULL));
	for (int i = 0; i < 2; i++) {
		c->digest[i] = 0xcbf29ce484222325;
		OK(libvnet_link_filter(c->link, (enum libvnet_link_end)i, seen,
		    &c->digest[i]));
		OK(libvnet_if_address_add(host, hn, address[i], NULL));
		OK(libvnet_if_address_add(router, rn, gateway[i], NULL));
	}
}

static void
build(struct net *n)
{
	static const char *const l[] = { "10.1.0.1/24", "2001:db8:1::1/64" };
	static const char *const lr[] = { "10.1.0.2/24", "2001:db8:1::2/64" };
	static const char *const r[] = { "10.2.0.1/24", "2001:db8:2::1/64" };
	static const char *const rr[] = { "10.2.0.2/24", "2001:db8:2::2/64" };
	char an[LIBVNET_IFNAME], bn[LIBVNET_IFNAME];

	OK(libvnet_create(&n->router));
	OK(libvnet_create(&n->aside));
	cable(&n->l, "left", 1, n->left, l, n->router, lr);
	cable(&n->r, "right", 2, n->right, r, n->router, rr);
	OK(libvnet_if_epair(n->left, n->aside, an, bn, NULL));
	OK(libvnet_if_address_add(n->left, an, "10.3.0.1/24", NULL));
	OK(libvnet_if_address_add(n->aside, bn, "10.3.0.2/24", NULL));
	OK(libvnet_route_add(n->left, "default", "10.1.0.2", NULL));
	OK(libvnet_route_add(n->left, "default6", "2001:db8:1::2", NULL));
	OK(libvnet_route_add(n->right, "default", "10.2.0.2", NULL));
	OK(libvnet_route_add(n->right, "default6", "2001:db8:2::2", NULL));
	libvnet_clock_advance_ns(3000 * MS);	/* addresses are not tentative */
}

/* One of five may be lost on the way. */
static int
reach(struct vnet *from, const char *to)
{
	static int seq;
	int error = 0;

	for (int i = 0; i < 5; i++) {
		LIBVNET_IN(from)
			error = ping(to, ++seq);
		if (error == 0)
			break;
	}
	printf("ping %s: %s\n", to, libvnet_kerr_text(error));
	return (error);
}

static void
neighbours(struct vnet *v, const char *who)
{
	struct libvnet_neighbour n;

	for (int family = 4; family <= 6; family += 2)
		for (u_int i = 0; libvnet_neighbour_nth(v, family, i, &n) == 0;
		    i++)
			printf("%s: %s at %s on %s\n", who, n.address,
			    n.lladdr, n.name);
}

static void
forward(struct net *n)
{
	assert_int_not_equal(reach(n->left, "10.2.0.1"), 0);
	assert_int_not_equal(reach(n->left, "2001:db8:2::1"), 0);
	OK(libvnet_sysctl_set(n->router, "net.inet.ip.forwarding", 1, NULL));
	OK(libvnet_sysctl_set(n->router, "net.inet6.ip6.forwarding", 1, NULL));
	assert_int_equal(reach(n->left, "10.2.0.1"), 0);
	assert_int_equal(reach(n->left, "2001:db8:2::1"), 0);
	assert_int_equal(reach(n->left, "10.3.0.2"), 0);
	neighbours(n->left, "left");
	neighbours(n->router, "router");
}

/* A message of 9,000 octets there and back, again until both are through. */
static void
converse(struct net *n, int family, int type, int protocol)
{
	const char *mine = family == 4 ? "10.1.0.1" : "2001:db8:1::1";
	const char *yours = family == 4 ? "10.2.0.1" : "2001:db8:2::1";
	static char out[9000], in[9001];
	int tries = 0, fd[2] = {
		libvnet_socket(n->left, family, type, protocol, NULL),
		libvnet_socket(n->right, family, type, protocol, NULL)
	};
	struct libvnet_poll p;

	for (size_t i = 0; i < sizeof(out); i++)
		out[i] = (char)(i * 7 + i / 256);
	for (int i = 0; i < 2; i++) {
		OK(libvnet_socket_bind(fd[i], i == 0 ? mine : yours, PORT,
		    NULL));
		if (protocol == IPPROTO_SCTP)
			OK(libvnet_socket_listen(fd[i], 1, NULL));
	}
	for (int i = 0; i < 2; i++) {
		p = (struct libvnet_poll){ .fd = fd[!i], .events = POLLIN };
		do {
			assert_true(++tries < 20);
			assert_int_equal(libvnet_socket_sendto(fd[i], out,
			    sizeof(out), 0, i == 0 ? yours : mine, PORT, NULL),
			    sizeof(out));
		} while (libvnet_socket_poll(&p, 1, 5000 * MS, NULL) == 0);
		memset(in, 0, sizeof(in));
		assert_int_equal(libvnet_socket_recv(fd[!i], in, sizeof(in),
		    NULL), sizeof(out));
		assert_memory_equal(in, out, sizeof(out));
	}
	for (int i = 0; i < 2; i++)
		OK(libvnet_socket_close(fd[i], NULL));
	libvnet_clock_advance_ns(100000 * MS);
	printf("%s%d: 9000 octets there and back, %d messages sent\n",
	    protocol == IPPROTO_SCTP ? "sctp" : "udp", family, tries);
}

static void
stream(struct net *n, int family, const char *congestion, const char *stack)
{
	struct transfer t = {
		.from = n->left, .to = n->right, .family = family,
		.bytes = BYTES, .congestion = congestion, .stack = stack,
		.address = family == 4 ? "10.2.0.1" : "2001:db8:2::1"
	};

	if (!transfer_run(&t))
		fail_msg("%s", t.error);
	printf("tcp%d %s: %zu octets in %lld us\n", family,
	    stack != NULL ? stack : congestion, t.received,
	    (long long)(t.elapsed_ns / 1000));
}

/* A rule in one vnet is none of the others'. */
static void
firewalls(struct net *n)
{
	static const struct ipfw_terms deny = {
		.number = 100, .action = O_DENY, .protocol = IPPROTO_ICMP
	};
	static const struct pf_terms block = {
		.action = PF_DROP, .direction = PF_IN, .protocol = IPPROTO_ICMP
	};
	struct libvnet_device *pf = pf_rules_open(n->right);
	uint64_t packets, octets;

	assert_int_equal(ipfw_rules_add(n->router, &deny), 0);
	assert_int_not_equal(reach(n->left, "10.2.0.1"), 0);
	assert_int_equal(reach(n->left, "2001:db8:2::1"), 0);
	assert_int_equal(reach(n->left, "10.3.0.2"), 0);
	assert_int_equal(ipfw_rules_counters(n->router, 100, &packets,
	    &octets), 0);
	printf("ipfw: %llu packets denied\n", (unsigned long long)packets);
	assert_true(packets > 0);
	assert_int_equal(ipfw_rules_delete(n->router, 100), 0);

	assert_int_equal(pf_rules_load(pf, &block, 1), 0);
	assert_int_equal(pf_rules_start(pf), 0);
	assert_int_not_equal(reach(n->left, "10.2.0.1"), 0);
	assert_int_equal(reach(n->left, "10.1.0.2"), 0);
	assert_int_equal(pf_rules_counters(pf, 0, &packets, &octets), 0);
	printf("pf: %llu packets blocked\n", (unsigned long long)packets);
	assert_true(packets > 0);
	assert_int_equal(pf_rules_stop(pf), 0);
	assert_int_equal(reach(n->left, "10.2.0.1"), 0);
	pf_rules_close(pf);
}

static void
told(const struct cable *c)
{
	struct libvnet_wire_stats s;

	for (int i = 0; i < 2; i++) {
		OK(libvnet_link_stats(c->link, (enum libvnet_link_end)i, &s));
		printf("%s %s: %llu frames, %llu lost, %llu doubled, "
		    "digest %016llx\n", c->name, i == 0 ? "out" : "in",
		    (unsigned long long)s.sent, (unsigned long long)s.lost,
		    (unsigned long long)s.duplicated,
		    (unsigned long long)c->digest[i]);
		assert_true(s.lost > 0);
	}
}

LIBVNET_TEST_VNETS(the_whole_scenario, a, b)
{
	static struct net n;	/* taps look at it until the links are gone */

	n.left = a;
	n.right = b;
	build(&n);
	forward(&n);
	converse(&n, 4, LIBVNET_DGRAM, 0);
	converse(&n, 6, LIBVNET_DGRAM, 0);
	converse(&n, 4, LIBVNET_SEQPACKET, IPPROTO_SCTP);
	if (!lacks_sctp6())
		converse(&n, 6, LIBVNET_SEQPACKET, IPPROTO_SCTP);
	stream(&n, 4, "newreno", NULL);
	stream(&n, 6, "cubic", NULL);
	if (!lacks_stack(a, "rack"))
		stream(&n, 4, NULL, "rack");
	if (!lacks_stack(a, "bbr"))
		stream(&n, 6, NULL, "bbr");
	firewalls(&n);
	told(&n.l);
	told(&n.r);
	OK(libvnet_destroy(n.router));
	OK(libvnet_destroy(n.aside));
	printf("%lld us of virtual time\n",
	    (long long)(libvnet_clock_ns() / 1000));
}
