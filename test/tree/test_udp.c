/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Datagrams between vnets: whole, in fragments, and with a fragment lost, in
 * both families.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/poll.h>
#include <sys/socket.h>

#include <libvnet/test.h>

#include "transfer.h"

#define PORT 5000

static char out[9000], in[9001];

static void
sockets(struct vnet *a, struct vnet *b, int family, int fd[2])
{
	fd[0] = libvnet_socket(a, family, LIBVNET_DGRAM, 0, NULL);
	fd[1] = libvnet_socket(b, family, LIBVNET_DGRAM, 0, NULL);
	assert_true(fd[0] >= 0 && fd[1] >= 0);
	assert_int_equal(libvnet_socket_bind(fd[1],
	    family == 4 ? "10.0.0.2" : "2001:db8::2", PORT, NULL), 0);
	for (size_t i = 0; i < sizeof(out); i++)
		out[i] = (char)(i * 7 + i / 256);
}

static void
datagram(struct vnet *a, struct vnet *b, int family, size_t len)
{
	struct libvnet_endpoint from;
	int fd[2];

	sockets(a, b, family, fd);
	assert_int_equal(libvnet_socket_sendto(fd[0], out, len, 0,
	    family == 4 ? "10.0.0.2" : "2001:db8::2", PORT, NULL), len);
	memset(in, 0, sizeof(in));
	assert_int_equal(libvnet_socket_recvfrom(fd[1], in, sizeof(in), NULL,
	    &from, NULL), len);
	assert_memory_equal(in, out, len);
	assert_string_equal(from.address, family == 4 ? "10.0.0.1" :
	    "2001:db8::1");
	libvnet_socket_close(fd[0], NULL);
	libvnet_socket_close(fd[1], NULL);
}

LIBVNET_TEST_VNETS(udp4_arrives, a, b)
{
	(void)wire(a, b, NULL);
	datagram(a, b, 4, 10);
}

LIBVNET_TEST_VNETS(udp4_fragments_are_put_together, a, b)
{
	struct libvnet_wire w = { .delay_ns = MS, .reorder_ppm = 500000,
	    .reorder_ns = MS };

	(void)wire(a, b, &w);
	datagram(a, b, 4, sizeof(out));
}

LIBVNET_TEST_VNETS(udp6_fragments_are_put_together, a, b)
{
	struct libvnet_wire w = { .delay_ns = MS, .reorder_ppm = 500000,
	    .reorder_ns = MS };

	(void)wire(a, b, &w);
	datagram(a, b, 6, sizeof(out));
}

static bool
second(void *arg, const uint8_t *frame __unused, uint32_t length)
{
	int *n = arg;

	return (length > 1000 && ++*n == 2);
}

LIBVNET_TEST_VNETS(udp4_without_a_fragment_does_not_arrive, a, b)
{
	struct libvnet_link *link = wire(a, b, NULL);
	struct libvnet_poll p;
	int fd[2], n = 0;

	assert_int_equal(libvnet_link_filter(link, LIBVNET_LINK_A, second, &n),
	    0);
	sockets(a, b, 4, fd);
	assert_int_equal(libvnet_socket_sendto(fd[0], out, sizeof(out), 0,
	    "10.0.0.2", PORT, NULL), sizeof(out));
	p = (struct libvnet_poll){ .fd = fd[1], .events = POLLIN };
	assert_int_equal(libvnet_socket_poll(&p, 1, 1000 * MS, NULL), 0);
	assert_true(n >= 2);
	assert_int_equal(libvnet_socket_sendto(fd[0], out, 100, 0, "10.0.0.2",
	    PORT, NULL), 100);
	assert_int_equal(libvnet_socket_poll(&p, 1, 1000 * MS, NULL), 1);
	assert_int_equal(p.revents, POLLIN);
	libvnet_socket_close(fd[0], NULL);
	libvnet_socket_close(fd[1], NULL);
}
