/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * TCP over links that lose, delay and reorder: every octet arrives, with each
 * congestion control and each stack, and time passes as the link has it.
 */
#include <sys/param.h>
#include <sys/systm.h>

#include <libvnet/test.h>

#include "lacks.h"
#include "transfer.h"

#define MB (1UL << 20)
#ifndef BYTES
#define BYTES (2 * MB)
#endif

static struct libvnet_link *link;

static void
run(struct vnet *a, struct vnet *b, int family, const char *congestion,
    const char *stack)
{
	struct transfer t = {
		.from = a, .to = b, .family = family, .bytes = BYTES,
		.address = family == 4 ? "10.0.0.2" : "2001:db8::2",
		.congestion = congestion, .stack = stack
	};
	struct libvnet_wire_stats s;

	if (!transfer_run(&t))
		fail_msg("%s", t.error);
	assert_int_equal(libvnet_link_stats(link, LIBVNET_LINK_A, &s), 0);
	printf("tcp%d %s %s: %zu bytes in %lld us, lost %llu of %llu frames\n",
	    family, stack != NULL ? stack : "freebsd",
	    congestion != NULL ? congestion : "default", t.received,
	    (long long)(t.elapsed_ns / 1000), (unsigned long long)s.lost,
	    (unsigned long long)s.sent);
}

static const struct libvnet_wire lossy = {
	.delay_ns = 10 * MS, .rate_bps = 100000000, .queue_bytes = 256000,
	.loss_ppm = 5000, .duplicate_ppm = 1000,
	.reorder_ppm = 2000, .reorder_ns = 2 * MS
};

LIBVNET_TEST_VNETS(tcp4_on_a_perfect_wire, a, b)
{
	link = wire(a, b, NULL);
	run(a, b, 4, NULL, NULL);
}

LIBVNET_TEST_VNETS(tcp6_on_a_perfect_wire, a, b)
{
	link = wire(a, b, NULL);
	run(a, b, 6, NULL, NULL);
}

LIBVNET_TEST_VNETS(tcp_newreno_recovers, a, b)
{
	link = wire(a, b, &lossy);
	run(a, b, 4, "newreno", NULL);
}

LIBVNET_TEST_VNETS(tcp_cubic_recovers, a, b)
{
	link = wire(a, b, &lossy);
	run(a, b, 6, "cubic", NULL);
}

static void
need_stack(struct vnet *v, const char *name)
{
	if (lacks_stack(v, name))
		libvnet_skip("this tree has no such stack of TCP");
}

LIBVNET_TEST_VNETS(tcp_rack_recovers, a, b)
{
	need_stack(a, "rack");
	link = wire(a, b, &lossy);
	run(a, b, 4, NULL, "rack");
}

LIBVNET_TEST_VNETS(tcp_bbr_recovers, a, b)
{
	need_stack(a, "bbr");
	link = wire(a, b, &lossy);
	run(a, b, 4, NULL, "bbr");
}

LIBVNET_TEST_VNETS(tcp_corruption_is_found_by_checksums, a, b)
{
	struct libvnet_wire w = lossy;

	w.corrupt_ppm = 5000;
	link = wire(a, b, &w);
	run(a, b, 4, NULL, NULL);
}

/* The rate is the link's: 100 Mbit/s carry 2 MB in no less than 168 ms. */
LIBVNET_TEST_VNETS(tcp_is_no_faster_than_its_link, a, b)
{
	struct libvnet_wire w = { .delay_ns = MS, .rate_bps = 100000000 };
	int64_t began;

	link = wire(a, b, &w);
	began = libvnet_clock_ns();
	run(a, b, 4, NULL, NULL);
	assert_true(libvnet_clock_ns() - began >
	    (int64_t)(BYTES * 8 * 10));
}

/* What is left of a vnet's sockets when the vnet goes. */
static int
connected(struct vnet *from, struct vnet *to, int *listening)
{
	int fd = libvnet_socket(from, 4, LIBVNET_STREAM, 0, NULL);

	*listening = libvnet_socket(to, 4, LIBVNET_STREAM, 0, NULL);
	assert_int_equal(libvnet_socket_bind(*listening, "10.0.0.2", 80, NULL),
	    0);
	assert_int_equal(libvnet_socket_listen(*listening, 1, NULL), 0);
	assert_int_equal(libvnet_socket_connect(fd, "10.0.0.2", 80, NULL), 0);
	return (fd);
}

LIBVNET_TEST_VNET(tcp_gives_up_on_a_link_that_is_gone, b)
{
	int fd, listening;
	struct vnet *a;

	assert_int_equal(libvnet_create(&a), 0);
	link = wire(a, b, &lossy);
	fd = connected(a, b, &listening);
	assert_int_equal(libvnet_socket_send(fd, "unheard", 7, 0, NULL), 7);
	assert_int_equal(libvnet_link_destroy(link), 0);
	assert_int_equal(libvnet_socket_close(fd, NULL), 0);
	assert_int_equal(libvnet_socket_close(listening, NULL), 0);
	assert_int_equal(libvnet_destroy(a), 0);
}

LIBVNET_TEST_VNET(socket_that_is_not_closed_is_told_of, b)
{
	struct vnet *a;
	int listening;

	assert_int_equal(libvnet_create(&a), 0);
	link = wire(a, b, NULL);
	(void)connected(a, b, &listening);
	assert_int_equal(libvnet_socket_close(listening, NULL), 0);
	libvnet_expect_panic("vnet still has sockets: 1 in vnet .*one of UMA zone");
	(void)libvnet_destroy(a);
}
