/* SPDX-License-Identifier: BSD-2-Clause */
/* Groups of both families, joined, left, and lost with their interface. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/errno.h>
#include <sys/socket.h>
#include <netinet/in.h>

#include <libvnet/test.h>
#include "transfer.h"

#define PORT 5000
#define GROUP4 "239.1.2.3"
#define GROUP6 "ff05::123"

struct member {
	struct vnet *v;
	int fd, family;
	unsigned index;
};

static unsigned
interface_index(struct vnet *v)
{
	struct libvnet_if i;

	for (unsigned n = 0; libvnet_if_nth(v, n, &i) == 0; n++)
		if (strncmp(i.name, "link", 4) == 0)
			return (i.index);
	fail_msg("no link");
	return (0);
}

static void
open_member(struct member *m, struct vnet *v, int family)
{
	m->v = v;
	m->family = family;
	m->index = interface_index(v);
	m->fd = libvnet_socket(v, family, LIBVNET_DGRAM, 0, NULL);
	assert_int_equal(libvnet_socket_bind(m->fd, family == 4 ? "0.0.0.0" :
	    "::", PORT, NULL), 0);
}

static int
group(struct member *m, bool join, const char *source)
{
	struct group_source_req r;
	struct sockaddr_in *g4 = (struct sockaddr_in *)&r.gsr_group;
	struct sockaddr_in6 *g6 = (struct sockaddr_in6 *)&r.gsr_group;
	struct sockaddr_in *s4 = (struct sockaddr_in *)&r.gsr_source;
	int kerr = 0;

	memset(&r, 0, sizeof(r));
	r.gsr_interface = m->index;
	if (m->family == 4) {
		g4->sin_len = sizeof(*g4);
		g4->sin_family = AF_INET;
		(void)inet_pton(AF_INET, GROUP4, &g4->sin_addr);
	} else {
		g6->sin6_len = sizeof(*g6);
		g6->sin6_family = AF_INET6;
		(void)inet_pton(AF_INET6, GROUP6, &g6->sin6_addr);
	}
	if (source != NULL) {
		s4->sin_len = sizeof(*s4);
		s4->sin_family = AF_INET;
		(void)inet_pton(AF_INET, source, &s4->sin_addr);
		(void)libvnet_socket_set(m->fd, IPPROTO_IP, join ?
		    MCAST_JOIN_SOURCE_GROUP : MCAST_LEAVE_SOURCE_GROUP, &r,
		    sizeof(r), &kerr);
	} else
		(void)libvnet_socket_set(m->fd, m->family == 4 ? IPPROTO_IP :
		    IPPROTO_IPV6, join ? MCAST_JOIN_GROUP : MCAST_LEAVE_GROUP,
		    &r, sizeof(struct group_req), &kerr);
	return (kerr);
}

/* From `from' to the group: does it arrive? */
static bool
arrives(struct member *from, struct member *to)
{
	int flags = MSG_DONTWAIT, kerr = 0;
	struct in_addr own;
	char got[8];

	if (from->family == 4) {
		(void)inet_pton(AF_INET, "10.0.0.1", &own);
		assert_int_equal(libvnet_socket_set(from->fd, IPPROTO_IP,
		    IP_MULTICAST_IF, &own, sizeof(own), NULL), 0);
	} else
		assert_int_equal(libvnet_socket_set_int(from->fd, IPPROTO_IPV6,
		    IPV6_MULTICAST_IF, (int)from->index, NULL), 0);
	assert_int_equal(libvnet_socket_sendto(from->fd, "hello", 6, 0,
	    from->family == 4 ? GROUP4 : GROUP6, PORT, NULL), 6);
	libvnet_run_until_idle();
	return (libvnet_socket_recvfrom(to->fd, got, sizeof(got), &flags, NULL,
	    &kerr) == 6);
}

static void
join_and_leave(struct vnet *a, struct vnet *b, int family)
{
	struct member from, to;

	(void)wire(a, b, NULL);
	open_member(&from, a, family);
	open_member(&to, b, family);
	/* Of IPv6 a socket that never joined one hears all that comes. */
	if (family == 4)
		assert_false(arrives(&from, &to));
	else
		(void)arrives(&from, &to);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(group(&to, true, NULL), 0);
		/* Reports are sent, and repeated. */
		assert_int_equal(libvnet_clock_advance_ns(20000 * MS), 0);
		assert_true(arrives(&from, &to));
		assert_int_equal(group(&to, true, NULL), family == 4 ?
		    EADDRINUSE : EINVAL);
		assert_int_equal(group(&to, false, NULL), 0);
		assert_int_equal(libvnet_clock_advance_ns(5000 * MS), 0);
		assert_false(arrives(&from, &to));
		assert_int_equal(group(&to, false, NULL), EADDRNOTAVAIL);
	}
	/* Closed with the group joined; its vnet goes with the other's. */
	assert_int_equal(group(&to, true, NULL), 0);
	assert_int_equal(group(&from, true, NULL), 0);
	(void)libvnet_socket_close(to.fd, NULL);
	(void)libvnet_socket_close(from.fd, NULL);
	assert_int_equal(libvnet_clock_advance_ns(1000 * MS), 0);
}

LIBVNET_TEST_VNETS(group_of_ipv4_is_joined_and_left, a, b)
{
	join_and_leave(a, b, 4);
}

LIBVNET_TEST_VNETS(group_of_ipv6_is_joined_and_left, a, b)
{
	join_and_leave(a, b, 6);
}

LIBVNET_TEST_VNETS(group_of_one_source_is_heard_from_it_only, a, b)
{
	struct member from, to;

	(void)wire(a, b, NULL);
	open_member(&from, a, 4);
	open_member(&to, b, 4);
	assert_int_equal(group(&to, true, "10.0.0.77"), 0);
	assert_int_equal(libvnet_clock_advance_ns(5000 * MS), 0);
	assert_false(arrives(&from, &to));
	assert_int_equal(group(&to, true, "10.0.0.1"), 0);
	assert_true(arrives(&from, &to));
	assert_int_equal(group(&to, false, "10.0.0.1"), 0);
	assert_false(arrives(&from, &to));
	(void)libvnet_socket_close(from.fd, NULL);
	(void)libvnet_socket_close(to.fd, NULL);
	assert_int_equal(libvnet_clock_advance_ns(5000 * MS), 0);
}

/* The interface goes while a socket is in a group on it. */
LIBVNET_TEST_VNETS(group_loses_its_interface, a, b)
{
	struct libvnet_link *link = wire(a, b, NULL);
	struct member m4, m6;

	open_member(&m4, b, 4);
	open_member(&m6, b, 6);
	assert_int_equal(group(&m4, true, NULL), 0);
	assert_int_equal(group(&m6, true, NULL), 0);
	assert_int_equal(libvnet_link_destroy(link), 0);
	assert_int_equal(libvnet_clock_advance_ns(5000 * MS), 0);
	(void)group(&m4, false, NULL);
	(void)group(&m6, false, NULL);
	(void)libvnet_socket_close(m4.fd, NULL);
	(void)libvnet_socket_close(m6.fd, NULL);
	assert_int_equal(libvnet_clock_advance_ns(5000 * MS), 0);
}
