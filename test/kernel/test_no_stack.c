/* SPDX-License-Identifier: BSD-2-Clause */
/* Without a tree's stack each call that needs one says what to do. */
#include <sys/param.h>
#include <sys/systm.h>

#include <libvnet/test.h>

static void
told(long answer, const char *name)
{
	if (answer != LIBVNET_ENOTSUP)
		fail_msg("%s() answers %ld", name, answer);
	assert_int_equal(strncmp(libvnet_error(), "libvnet_", 8), 0);
	assert_non_null(strstr(libvnet_error(), "no network stack; build it on "
	    "a kernel tree and link the tree's: SYSDIR and STACK ALL of "
	    "libvnet_add_test(), --sysdir and --stack of libvnet-cc"));
}
#define TOLD(call, ...) told(call(__VA_ARGS__), #call)

LIBVNET_TEST(interfaces_need_a_stack)
{
	struct vnet *v = libvnet_default();
	char name[LIBVNET_IFNAME] = "", address[LIBVNET_ADDRESS];
	struct libvnet_if i;
	int kerr = 7;

	TOLD(libvnet_if_create, v, "epair", name, &kerr);
	assert_int_equal(kerr, 0);
	TOLD(libvnet_if_destroy, v, "lo0", NULL);
	TOLD(libvnet_if_up, v, "lo0", NULL);
	TOLD(libvnet_if_down, v, "lo0", NULL);
	TOLD(libvnet_if_promisc, v, "lo0", true, NULL);
	TOLD(libvnet_if_mtu, v, "lo0", 1500, NULL);
	TOLD(libvnet_if_address_add, v, "lo0", "10.0.0.1/24", NULL);
	TOLD(libvnet_if_address_remove, v, "lo0", "10.0.0.1", NULL);
	TOLD(libvnet_if_get, v, "lo0", &i);
	TOLD(libvnet_if_nth, v, 0, &i);
	TOLD(libvnet_if_address, v, "lo0", 0, address);
}

LIBVNET_TEST(routes_and_neighbours_need_a_stack)
{
	struct vnet *v = libvnet_default();
	struct libvnet_neighbour n;
	struct libvnet_route r;

	TOLD(libvnet_route_add, v, "default", "10.0.0.1", NULL);
	TOLD(libvnet_route_change, v, "default", "10.0.0.1", NULL);
	TOLD(libvnet_route_delete, v, "default", NULL, NULL);
	TOLD(libvnet_route_get, v, "10.0.0.1", &r, NULL);
	TOLD(libvnet_route_nth, v, 4, 0, &r);
	TOLD(libvnet_neighbour_add, v, "10.0.0.1", "2:0:0:0:0:1", NULL, NULL);
	TOLD(libvnet_neighbour_delete, v, "10.0.0.1", NULL, NULL);
	TOLD(libvnet_neighbour_nth, v, 6, 0, &n);
}

LIBVNET_TEST(sockets_need_a_stack)
{
	struct libvnet_poll poll = { .fd = 0 };
	struct libvnet_endpoint e;
	char byte = 0;
	size_t len = 1;

	TOLD(libvnet_socket, libvnet_default(), 4, LIBVNET_DGRAM, 0, NULL);
	TOLD(libvnet_socket_close, 0, NULL);
	TOLD(libvnet_socket_bind, 0, "10.0.0.1", 7, NULL);
	TOLD(libvnet_socket_listen, 0, 1, NULL);
	TOLD(libvnet_socket_connect, 0, "10.0.0.1", 7, NULL);
	TOLD(libvnet_socket_accept, 0, &e, NULL);
	TOLD(libvnet_socket_name, 0, &e, NULL);
	TOLD(libvnet_socket_peer, 0, &e, NULL);
	TOLD(libvnet_socket_send, 0, &byte, 1, 0, NULL);
	TOLD(libvnet_socket_sendto, 0, &byte, 1, 0, "10.0.0.1", 7, NULL);
	TOLD(libvnet_socket_recv, 0, &byte, 1, NULL);
	TOLD(libvnet_socket_recvfrom, 0, &byte, 1, NULL, &e, NULL);
	TOLD(libvnet_socket_shutdown, 0, 2, NULL);
	TOLD(libvnet_socket_set, 0, 0, 0, &byte, 1, NULL);
	TOLD(libvnet_socket_set_int, 0, 0, 0, 1, NULL);
	TOLD(libvnet_socket_get, 0, 0, 0, &byte, &len, NULL);
	TOLD(libvnet_socket_nonblocking, 0, true, NULL);
	TOLD(libvnet_socket_poll, &poll, 1, 0, NULL);
	TOLD(libvnet_kqueue, NULL);
	TOLD(libvnet_kqueue_close, 0, NULL);
	TOLD(libvnet_kevent, 0, NULL, 0, NULL, 0, 0, NULL);
}

LIBVNET_TEST(links_need_a_stack)
{
	struct libvnet_link *l = (struct libvnet_link *)&l, *made;
	struct libvnet_wire w = { .delay_ns = 0 };
	struct libvnet_wire_stats stats;
	char byte = 0;

#ifdef VIMAGE
	TOLD(libvnet_link_create, libvnet_default(), NULL, &w, 1, &made, NULL,
	    NULL, NULL);
	assert_null(made);
#else
	(void)made;
#endif
	TOLD(libvnet_link_destroy, l);
	TOLD(libvnet_link_set, l, LIBVNET_LINK_A, &w);
	TOLD(libvnet_link_stats, l, LIBVNET_LINK_A, &stats);
	TOLD(libvnet_link_filter, l, LIBVNET_LINK_A, NULL, NULL);
	TOLD(libvnet_port_send, l, LIBVNET_LINK_A, &byte, 1, NULL);
	TOLD(libvnet_port_receive, l, LIBVNET_LINK_A, &byte, 1, NULL);
}

LIBVNET_TEST(text_and_statistics_need_a_stack)
{
	uint64_t value;

	assert_null(libvnet_show(libvnet_default(), LIBVNET_SHOW_ALL));
	TOLD(libvnet_statistic, libvnet_default(), "ip.ips_total", &value,
	    NULL);
}

#ifdef VIMAGE
LIBVNET_TEST_VNETS(moves_and_pairs_need_a_stack, a, b)
{
	char an[LIBVNET_IFNAME], bn[LIBVNET_IFNAME];
	int error;

	TOLD(libvnet_if_move, a, "lo0", b, NULL);
	error = libvnet_if_epair(a, b, an, bn, NULL);
	assert_int_equal(error, LIBVNET_ENOTSUP);
	assert_non_null(strstr(libvnet_error(), "no network stack"));
}
#endif
