/* SPDX-License-Identifier: BSD-2-Clause */
/* SCTP associations between vnets, one-to-many, over lossy links. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/socket.h>
#include <netinet/in.h>

#include <libvnet/test.h>

#include "lacks.h"
#include "transfer.h"

#define PORT 5001
#define MESSAGES 200
#define LONGEST 1300

static u_char out[LONGEST], in[LONGEST + 1];

static int
open_socket(struct vnet *v, int family, const char *address)
{
	int fd = libvnet_socket(v, family, LIBVNET_SEQPACKET, IPPROTO_SCTP,
	    NULL);

	assert_true(fd >= 0);
	assert_int_equal(libvnet_socket_bind(fd, address, PORT, NULL), 0);
	assert_int_equal(libvnet_socket_listen(fd, 1, NULL), 0);
	return (fd);
}

static void
message(int n, size_t *len)
{
	*len = 1 + (size_t)n * 37 % LONGEST;
	for (size_t i = 0; i < *len; i++)
		out[i] = (u_char)((size_t)n + i);
}

/* There and back; each message whole and in order. */
static void
converse(struct vnet *a, struct vnet *b, int family)
{
	const char *mine = family == 4 ? "10.0.0.1" : "2001:db8::1";
	const char *yours = family == 4 ? "10.0.0.2" : "2001:db8::2";
	int fd[2] = { open_socket(a, family, mine),
	    open_socket(b, family, yours) };
	struct libvnet_endpoint from;
	size_t len;
	int flags;

	for (int i = 0; i < MESSAGES; i++) {
		int to = i % 3 == 0;

		message(i, &len);
		assert_int_equal(libvnet_socket_sendto(fd[!to], out, len, 0,
		    to ? yours : mine, PORT, NULL), len);
		flags = 0;
		assert_int_equal(libvnet_socket_recvfrom(fd[to], in,
		    sizeof(in), &flags, &from, NULL), len);
		assert_memory_equal(in, out, len);
		assert_true((flags & MSG_EOR) != 0);
		assert_string_equal(from.address, to ? mine : yours);
		assert_int_equal(from.port, PORT);
	}
	libvnet_socket_close(fd[0], NULL);
	libvnet_socket_close(fd[1], NULL);
	/* The association is shut down and its timers end. */
	libvnet_clock_advance_ns(100000 * MS);
}

LIBVNET_TEST_VNETS(sctp4_on_a_perfect_wire, a, b)
{
	(void)wire(a, b, NULL);
	converse(a, b, 4);
}

LIBVNET_TEST_VNETS(sctp6_recovers_from_loss, a, b)
{
	struct libvnet_wire w = { .delay_ns = 5 * MS, .loss_ppm = 20000 };
	struct libvnet_link *link = wire(a, b, &w);
	struct libvnet_wire_stats s;

	if (lacks_sctp6())
		libvnet_skip("this tree has no SCTP over IPv6");
	converse(a, b, 6);
	assert_int_equal(libvnet_link_stats(link, LIBVNET_LINK_A, &s), 0);
	assert_true(s.lost > 0);
}

#if __FreeBSD_version < 1400000
/*
 * A fault of the tree: a COOKIE-ECHO for a one-to-one socket that listens
 * makes sctp_pull_off_control_to_new_inp() take the receive buffer's lock,
 * which listen() has destroyed.
 */
LIBVNET_TEST_VNETS(sctp_one_to_one_takes_a_destroyed_lock, a, b)
{
	struct transfer t = { .from = a, .to = b, .family = 4,
	    .address = "10.0.0.2", .protocol = IPPROTO_SCTP, .bytes = 1 };

	(void)wire(a, b, NULL);
	libvnet_expect_panic("sx_try_xlock.* of (uninitialized|destroyed) sx");
	(void)transfer_run(&t);
}
#endif
