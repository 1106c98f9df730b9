/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A connection between two hosts, each a vnet, over a link that loses every
 * tenth frame.
 *
 * Stack: all
 * Option: IPFIREWALL_DEFAULT_TO_ACCEPT
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <libvnet/test.h>

static struct libvnet_link *
wire(struct vnet *a, struct vnet *b)
{
	static const struct libvnet_wire lossy = {
		.delay_ns = 10000000, .rate_bps = 100000000, .loss_ppm = 100000
	};
	char an[LIBVNET_IFNAME], bn[LIBVNET_IFNAME];
	struct libvnet_link *link;

	assert_int_equal(libvnet_link_create(a, b, &lossy, 0, &link, an, bn,
	    NULL), 0);
	assert_int_equal(libvnet_if_address_add(a, an, "10.0.0.1/24", NULL), 0);
	assert_int_equal(libvnet_if_address_add(b, bn, "10.0.0.2/24", NULL), 0);
	return (link);
}

LIBVNET_TEST_VNETS(hello_is_heard, a, b)
{
	struct libvnet_link *link = wire(a, b);
	int s = libvnet_socket(b, 4, LIBVNET_STREAM, 0, NULL);
	int c = libvnet_socket(a, 4, LIBVNET_STREAM, 0, NULL);
	char heard[6] = "";
	int64_t connections;
	int t;

	assert_int_equal(libvnet_socket_bind(s, "10.0.0.2", 80, NULL), 0);
	assert_int_equal(libvnet_socket_listen(s, 5, NULL), 0);
	assert_int_equal(libvnet_socket_connect(c, "10.0.0.2", 80, NULL), 0);
	t = libvnet_socket_accept(s, NULL, NULL);
	assert_int_equal(libvnet_socket_send(c, "hello", 5, 0, NULL), 5);
	assert_int_equal(libvnet_socket_recv(t, heard, 5, NULL), 5);
	assert_string_equal(heard, "hello");

	assert_int_equal(libvnet_sysctl_get(b, "net.inet.tcp.pcbcount",
	    &connections, NULL), 0);
	printf("%lld pcbs, %lld us of virtual time\n", (long long)connections,
	    (long long)(libvnet_clock_ns() / 1000));
	(void)libvnet_socket_close(t, NULL);
	(void)libvnet_socket_close(s, NULL);
	(void)libvnet_socket_close(c, NULL);
	assert_int_equal(libvnet_link_destroy(link), 0);
}
