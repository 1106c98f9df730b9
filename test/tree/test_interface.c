/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The whole stack of a tree: interfaces, addresses, routes and pings between
 * vnets, in virtual time.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/errno.h>
#include <net/vnet.h>

#include <libvnet/test.h>
#include "ping.h"

#define SECOND 1000000000

#define OK(call) do {							\
	if ((call) != 0)						\
		fail_msg("%s", libvnet_error());			\
} while (0)

/* Which is what duplicate address detection takes, and more. */
static void
settle(void)
{
	assert_int_equal(libvnet_clock_advance_ns(4LL * SECOND), 0);
}

struct wire {
	char a[LIBVNET_IFNAME], b[LIBVNET_IFNAME];
};

static void
wire(struct wire *w, struct vnet *a, const char *a_address, struct vnet *b,
    const char *b_address)
{
	OK(libvnet_if_epair(a, b, w->a, w->b, NULL));
	OK(libvnet_if_address_add(a, w->a, a_address, NULL));
	OK(libvnet_if_address_add(b, w->b, b_address, NULL));
}

LIBVNET_TEST_VNETS(ping_over_an_epair, a, b)
{
	struct wire w;

	wire(&w, a, "10.0.0.1/24", b, "10.0.0.2/24");
	LIBVNET_IN(a)
		for (int i = 0; i < 100; i++)
			assert_int_equal(ping("10.0.0.2", i), 0);
	LIBVNET_IN(b) {
		assert_int_equal(ping("10.0.0.1", 1), 0);
		assert_int_equal(ping("10.0.0.3", 2), EWOULDBLOCK);
	}
}

LIBVNET_TEST_VNETS(ping6_after_duplicate_address_detection, a, b)
{
	struct wire w;

	wire(&w, a, "2001:db8::1/64", b, "2001:db8::2/64");
	settle();
	/* Later trees answer about a hundred a second, and time stands still. */
	LIBVNET_IN(a)
		for (int i = 0; i < 50; i++)
			assert_int_equal(ping("2001:db8::2", i), 0);
}

/* The answer to the first takes its way through a queue, too. */
LIBVNET_TEST_VNETS(a_route_is_found_after_one_that_is_not_there, a, b)
{
	struct libvnet_route r;
	struct wire w;
	int kerr;

	wire(&w, a, "10.0.0.1/24", b, "10.0.0.2/24");
	assert_int_equal(libvnet_route_get(a, "10.9.9.9", &r, &kerr),
	    LIBVNET_EKERNEL);
	assert_int_equal(kerr, ESRCH);
	OK(libvnet_route_get(a, "10.0.0.2", &r, NULL));
	assert_string_equal(r.name, w.a);
}

static bool
knows(struct vnet *v, int family, const char *address, const char *lladdr)
{
	struct libvnet_neighbour n;

	for (u_int i = 0; libvnet_neighbour_nth(v, family, i, &n) == 0; i++)
		if (strcmp(n.address, address) == 0)
			return (strcmp(n.lladdr, lladdr) == 0 && !n.permanent &&
			    n.expires_s > 0);
	return (false);
}

LIBVNET_TEST_VNETS(neighbours_are_learnt, a, b)
{
	struct libvnet_if bi;
	struct wire w;

	wire(&w, a, "10.0.0.1/24", b, "10.0.0.2/24");
	OK(libvnet_if_address_add(a, w.a, "2001:db8::1/64", NULL));
	OK(libvnet_if_address_add(b, w.b, "2001:db8::2/64", NULL));
	settle();
	OK(libvnet_if_get(b, w.b, &bi));
	assert_false(knows(a, 4, "10.0.0.2", bi.lladdr));
	assert_false(knows(a, 6, "2001:db8::2", bi.lladdr));
	LIBVNET_IN(a) {
		assert_int_equal(ping("10.0.0.2", 1), 0);
		assert_int_equal(ping("2001:db8::2", 1), 0);
	}
	assert_true(knows(a, 4, "10.0.0.2", bi.lladdr));
	assert_true(knows(a, 6, "2001:db8::2", bi.lladdr));
}

LIBVNET_TEST_VNETS(third_vnet_forwards, a, c)
{
	struct libvnet_route r;
	struct vnet *router;
	struct wire ar, rc;

	OK(libvnet_create(&router));
	wire(&ar, a, "10.0.1.1/24", router, "10.0.1.2/24");
	wire(&rc, router, "10.0.2.2/24", c, "10.0.2.3/24");
	OK(libvnet_route_add(a, "default", "10.0.1.2", NULL));
	OK(libvnet_route_add(c, "10.0.1.0/24", "10.0.2.2", NULL));
	OK(libvnet_route_get(a, "10.0.2.3", &r, NULL));
	assert_string_equal(r.dst, "default");
	assert_string_equal(r.gateway, "10.0.1.2");
	assert_string_equal(r.name, ar.a);
	LIBVNET_IN(a)
		assert_int_equal(ping("10.0.2.3", 1), EWOULDBLOCK);
	OK(libvnet_sysctl_set(router, "net.inet.ip.forwarding", 1, NULL));
	LIBVNET_IN(a)
		assert_int_equal(ping("10.0.2.3", 2), 0);
	OK(libvnet_route_delete(a, "default", NULL, NULL));
	LIBVNET_IN(a)
		assert_int_equal(ping("10.0.2.3", 3), ENETUNREACH);
	OK(libvnet_destroy(router));
}

/* Where 13 looks for cloners, too, and 14 does not. */
static bool
only_in_vnet0(const char *cloner, int kerr)
{
	return (__FreeBSD_version >= 1400000 && kerr == EINVAL &&
	    strcmp(cloner, "vxlan") == 0);
}

LIBVNET_TEST_VNET(cloners_create_and_destroy, v)
{
	static const char *const cloners[] = { "lo", "gif", "gre", "me", "stf",
	    "vlan", "bridge", "lagg", "vxlan", "disc", "edsc", "pflog",
	    "epair", "ipfw" };
	char name[LIBVNET_IFNAME];
	struct libvnet_if i;
	int kerr;

	/* A fault of the tree: the list's lock in an epoch section. */
	libvnet_expect("sleep", "if_bridge list");
	for (u_int n = 0; n < nitems(cloners); n++) {
		kerr = 0;
		if (libvnet_if_create(v, cloners[n], name, &kerr) != 0 &&
		    !only_in_vnet0(cloners[n], kerr))
			fail_msg("%s", libvnet_error());
		if (kerr != 0)
			continue;
		OK(libvnet_if_get(v, name, &i));
		assert_string_equal(i.name, name);
		OK(libvnet_if_destroy(v, name, NULL));
		assert_int_equal(libvnet_if_get(v, name, &i), LIBVNET_ENOENT);
	}
	assert_int_equal(libvnet_if_create(v, "nosuch", name, &kerr),
	    LIBVNET_EKERNEL);
	assert_int_equal(kerr, EINVAL);
	assert_non_null(strstr(libvnet_error(), "EINVAL"));
}

LIBVNET_TEST_VNETS(interface_settings_are_shown, a, b)
{
	char address[LIBVNET_ADDRESS];
	struct libvnet_if i;
	struct wire w;
	int kerr;

	wire(&w, a, "10.0.0.1/24", b, "10.0.0.2/24");
	OK(libvnet_if_get(a, w.a, &i));
	assert_true(i.flags & LIBVNET_IF_UP);
	assert_int_equal(i.mtu, 1500);
	assert_int_equal(i.link, 1);
	assert_int_equal(strlen(i.lladdr), 17);
	OK(libvnet_if_mtu(a, w.a, 1400, NULL));
	OK(libvnet_if_promisc(a, w.a, true, NULL));
	OK(libvnet_if_down(a, w.a, NULL));
	OK(libvnet_if_get(a, w.a, &i));
	assert_int_equal(i.mtu, 1400);
	assert_true(i.flags & LIBVNET_IF_PROMISC);
	assert_false(i.flags & LIBVNET_IF_UP);
	OK(libvnet_if_address(a, w.a, 0, address));
	assert_string_equal(address, "10.0.0.1/24");
	assert_int_equal(libvnet_if_address_add(a, w.a, "10.0.0.1/24", &kerr),
	    0);
	OK(libvnet_if_address_remove(a, w.a, "10.0.0.1", NULL));
	assert_int_equal(libvnet_if_address(a, w.a, 0, address),
	    LIBVNET_ENOENT);
	assert_int_equal(libvnet_if_address_remove(a, w.a, "10.0.0.1", &kerr),
	    LIBVNET_EKERNEL);
	assert_int_equal(kerr, EADDRNOTAVAIL);
}

LIBVNET_TEST_VNETS(wire_is_destroyed_where_it_was_made, a, b)
{
	struct vnet *vnet0 = libvnet_default();
	struct libvnet_if i;
	struct wire w;

	wire(&w, a, "10.0.0.1/24", b, "10.0.0.2/24");
	OK(libvnet_if_move(a, w.a, vnet0, NULL));
	OK(libvnet_if_destroy(vnet0, w.a, NULL));
	assert_int_equal(libvnet_if_get(b, w.b, &i), LIBVNET_ENOENT);
}

LIBVNET_TEST_VNETS(interface_moves_between_vnets, a, b)
{
	char name[LIBVNET_IFNAME];
	struct libvnet_if i;

	OK(libvnet_if_create(a, "epair", name, NULL));
	OK(libvnet_if_move(a, name, b, NULL));
	assert_int_equal(libvnet_if_get(a, name, &i), LIBVNET_ENOENT);
	OK(libvnet_if_get(b, name, &i));
	OK(libvnet_if_move(b, name, libvnet_default(), NULL));
	OK(libvnet_if_get(libvnet_default(), name, &i));
	OK(libvnet_if_move(libvnet_default(), name, a, NULL));
	OK(libvnet_if_destroy(a, name, NULL));
}

LIBVNET_TEST(fifty_vnets_live_at_once)
{
	struct vnet *v[50];

	for (u_int i = 0; i < nitems(v); i++)
		OK(libvnet_create(&v[i]));
	for (u_int i = 0; i < nitems(v); i++)
		OK(libvnet_destroy(v[i]));
}

/* What they leave is on the list of known faults. */
LIBVNET_TEST_VNETS(twenty_interfaces_are_no_new_leak, a, b)
{
	char address[LIBVNET_ADDRESS];
	struct wire w;

	for (int i = 0; i < 20; i++) {
		OK(libvnet_if_epair(a, b, w.a, w.b, NULL));
		snprintf(address, sizeof(address), "10.0.%d.1/24", i);
		OK(libvnet_if_address_add(a, w.a, address, NULL));
	}
}

LIBVNET_TEST(two_hundred_vnets_come_and_go)
{
	struct vnet *v;

	for (int i = 0; i < 200; i++) {
		OK(libvnet_create(&v));
		OK(libvnet_destroy(v));
	}
}

LIBVNET_TEST_VNET(bad_arguments_are_told, v)
{
	char name[LIBVNET_IFNAME];

	assert_int_equal(libvnet_if_create(v, "a name that is too long", name,
	    NULL), LIBVNET_EINVAL);
	assert_int_equal(libvnet_if_address_add(v, "lo0", "10.0.0.1/33", NULL),
	    LIBVNET_EINVAL);
	assert_int_equal(libvnet_if_address_add(v, "lo0", "hello", NULL),
	    LIBVNET_EINVAL);
	assert_int_equal(libvnet_if_up(NULL, NULL, NULL), LIBVNET_EINVAL);
	assert_int_equal(libvnet_route_add(v, "default", "2001:db8::1", NULL),
	    LIBVNET_EINVAL);
}
