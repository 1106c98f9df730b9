/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Links captured to a file, and files played into a port.  The files are read
 * back by the library's own reader of captures.
 */
#include <sys/param.h>
#include <sys/systm.h>

#include <libvnet/test.h>
#include <libvnet/packet.h>

#define MS 1000000ULL
#define FILE_NAME "tree_capture.pcap"
#define FRAMES 5

/* An IPv4 datagram of 28 octets to nobody. */
static u_char frame[60] = { 2, 0, 0, 0, 0, 9, 2, 0, 0, 0, 0, 1, 8, 0,
    0x45, 0, 0, 28, 0, 0, 0, 0, 64, 17, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2 };

static struct libvnet_link *
port(struct vnet *v, const struct libvnet_wire *wire)
{
	struct libvnet_link *l;

	assert_int_equal(libvnet_link_create(v, NULL, wire, 7, &l, NULL, NULL,
	    NULL), 0);
	libvnet_clock_advance_ns(3000 * MS);
	return (l);
}

/* A frame every millisecond from the port. */
static void
send(struct libvnet_link *l)
{
	for (int i = 0; i < FRAMES; i++) {
		frame[19] = (u_char)i;		/* the datagram's id */
		assert_int_equal(libvnet_port_send(l, LIBVNET_LINK_B, frame,
		    sizeof(frame), NULL), 0);
		libvnet_clock_advance_ns(MS);
	}
	libvnet_clock_advance_ns(20 * MS);
}

/* Times are rounded to the clock's unit. */
static bool
near(int64_t a, int64_t b)
{
	return (a - b <= 10 && b - a <= 10);
}

/* What the file has: when the first came, and each a millisecond later. */
static int64_t
read_back(void)
{
	struct libvnet_capture *c;
	struct libvnet_packet p;
	int64_t first = 0;
	int n = 0;

	assert_int_equal(libvnet_capture_open(FILE_NAME, &c), 0);
	while (libvnet_capture_next(c, &p) == 1) {
		if (n == 0)
			first = p.time_ns;
		assert_true(near(p.time_ns - first, n * (int64_t)MS));
		assert_int_equal(p.wire, sizeof(frame));
		assert_int_equal(p.frame[19], n);
		n++;
	}
	assert_int_equal(libvnet_capture_frames(c), FRAMES);
	libvnet_capture_close(c);
	assert_int_equal(n, FRAMES);
	return (first);
}

LIBVNET_TEST_VNET(capture_has_what_was_sent_and_what_arrived, v)
{
	struct libvnet_wire w = { .delay_ns = 5 * MS };
	struct libvnet_link *l = port(v, &w);
	int64_t sent, arrived;

	sent = libvnet_clock_ns();
	assert_int_equal(libvnet_link_capture(l, FILE_NAME,
	    LIBVNET_TAP_SENT), 0);
	send(l);
	assert_int_equal(libvnet_link_capture_end(l), 0);
	assert_true(near(read_back(), sent));
	arrived = libvnet_clock_ns() + 5 * (int64_t)MS;
	assert_int_equal(libvnet_link_capture(l, FILE_NAME,
	    LIBVNET_TAP_ARRIVED), 0);
	send(l);
	assert_int_equal(libvnet_link_capture_end(l), 0);
	assert_true(near(read_back(), arrived));
	libvnet_link_destroy(l);
}

LIBVNET_TEST_VNET(capture_can_be_played, v)
{
	struct libvnet_link *l = port(v, NULL);
	struct libvnet_wire_stats before, after;
	int64_t began;

	assert_int_equal(libvnet_link_capture(l, FILE_NAME,
	    LIBVNET_TAP_SENT), 0);
	send(l);
	assert_int_equal(libvnet_link_capture_end(l), 0);
	libvnet_link_stats(l, LIBVNET_LINK_B, &before);
	began = libvnet_clock_ns();
	assert_int_equal(libvnet_port_play(l, LIBVNET_LINK_B, FILE_NAME, true),
	    FRAMES);
	assert_in_range(libvnet_clock_ns() - began, (FRAMES - 1) * MS - 50,
	    (FRAMES - 1) * MS + 50);
	assert_int_equal(libvnet_port_play(l, LIBVNET_LINK_B, FILE_NAME,
	    false), FRAMES);
	libvnet_link_stats(l, LIBVNET_LINK_B, &after);
	assert_int_equal(after.delivered - before.delivered, 2 * FRAMES);
	libvnet_link_destroy(l);
}

/* The next link may well have the address of the one before. */
LIBVNET_TEST_VNET(capture_of_a_link_that_is_gone_is_no_hindrance, v)
{
	for (int i = 0; i < 3; i++) {
		struct libvnet_link *l = port(v, NULL);

		assert_int_equal(libvnet_link_capture(l, FILE_NAME,
		    LIBVNET_TAP_SENT), 0);
		send(l);
		libvnet_link_destroy(l);
		if (i == 2)
			assert_int_equal(libvnet_link_capture_end(l), 0);
	}
	(void)read_back();
}

LIBVNET_TEST_VNET(capture_misused_says_what_to_do, v)
{
	struct libvnet_link *l = port(v, NULL);

	assert_int_equal(libvnet_link_capture_end(l), LIBVNET_EINVAL);
	assert_int_equal(libvnet_link_capture(l, NULL, LIBVNET_TAP_SENT),
	    LIBVNET_EINVAL);
	assert_int_equal(libvnet_link_capture(NULL, FILE_NAME,
	    LIBVNET_TAP_SENT), LIBVNET_EINVAL);
	assert_int_equal(libvnet_link_capture(l, FILE_NAME, 2),
	    LIBVNET_EINVAL);
	assert_int_equal(libvnet_link_capture(l, "no/such/folder",
	    LIBVNET_TAP_SENT), LIBVNET_EIO);
	assert_int_equal(libvnet_link_capture(l, FILE_NAME, LIBVNET_TAP_SENT),
	    0);
	assert_int_equal(libvnet_link_capture(l, FILE_NAME, LIBVNET_TAP_SENT),
	    LIBVNET_EBUSY);
	assert_int_equal(libvnet_link_capture_end(l), 0);
	assert_int_equal(libvnet_port_play(l, LIBVNET_LINK_B, "no/such/file",
	    false), LIBVNET_ENOENT);
	assert_int_equal(libvnet_port_play(l, LIBVNET_LINK_B, NULL, false),
	    LIBVNET_EINVAL);
	libvnet_link_destroy(l);
}
