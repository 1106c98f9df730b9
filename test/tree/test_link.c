/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Links of the test's own: what goes in at one end comes out at the other as
 * the wire says, the stack's own packets among it.
 */
#include <sys/param.h>
#include <sys/systm.h>

#include <libvnet/test.h>

#define MS 1000000ULL

static u_char broadcast[60] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    2, 0, 0, 0, 0, 1, 0x88, 0xb5 };	/* IEEE's type for experiments */

static struct libvnet_link *
port(struct vnet *v, const struct libvnet_wire *wire, char *name)
{
	struct libvnet_link *l;

	assert_int_equal(libvnet_link_create(v, NULL, wire, 7, &l, name, NULL,
	    NULL), 0);
	libvnet_run_until_idle();
	while (libvnet_port_receive(l, LIBVNET_LINK_B, NULL, 0, NULL) >= 0)
		;
	return (l);
}

/* Sends `n' numbered frames from the port, after one another. */
static void
send(struct libvnet_link *l, int n)
{
	for (int i = 0; i < n; i++) {
		broadcast[14] = (u_char)(i >> 8);
		broadcast[15] = (u_char)i;
		assert_int_equal(libvnet_port_send(l, LIBVNET_LINK_B,
		    broadcast, sizeof(broadcast), NULL), 0);
	}
}

static struct libvnet_wire_stats
stats(struct libvnet_link *l)
{
	struct libvnet_wire_stats s;

	assert_int_equal(libvnet_link_stats(l, LIBVNET_LINK_B, &s), 0);
	return (s);
}

LIBVNET_TEST_VNET(link_answers_arp, v)
{
	static u_char request[42] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
	    2, 0, 0, 0, 0, 1, 0x08, 0x06, 0, 1, 8, 0, 6, 4, 0, 1,
	    2, 0, 0, 0, 0, 1, 10, 0, 0, 2, 0, 0, 0, 0, 0, 0, 10, 0, 0, 1 };
	char name[LIBVNET_IFNAME];
	u_char reply[100];
	struct libvnet_link *l = port(v, NULL, name);

	assert_int_equal(libvnet_if_address_add(v, name, "10.0.0.1/24", NULL),
	    0);
	libvnet_run_until_idle();
	while (libvnet_port_receive(l, LIBVNET_LINK_B, NULL, 0, NULL) >= 0)
		;
	assert_int_equal(libvnet_port_send(l, LIBVNET_LINK_B, request,
	    sizeof(request), NULL), 0);
	libvnet_run_until_idle();
	assert_in_range(libvnet_port_receive(l, LIBVNET_LINK_B, reply,
	    sizeof(reply), NULL), 42, 60);
	assert_int_equal(reply[21], 2);
	assert_memory_equal(reply + 28, request + 38, 4);
	libvnet_link_destroy(l);
}

LIBVNET_TEST_VNET(link_delay_is_exact, v)
{
	struct libvnet_wire w = { .delay_ns = 5 * MS };
	char name[LIBVNET_IFNAME];
	struct libvnet_link *l = port(v, &w, name);
	struct libvnet_if before, after;

	assert_int_equal(libvnet_if_get(v, name, &before), 0);
	send(l, 1);
	libvnet_clock_advance_ns(5 * MS - 1000);
	assert_int_equal(stats(l).delivered, 0);
	/* Each time nanoseconds are rounded down to the clock's unit. */
	libvnet_clock_advance_ns(1000 + 1);
	assert_int_equal(stats(l).delivered, 1);
	assert_int_equal(libvnet_if_get(v, name, &after), 0);
	assert_int_equal(after.ipackets, before.ipackets + 1);
	libvnet_link_destroy(l);
}

LIBVNET_TEST_VNET(link_rate_and_queue_hold, v)
{
	/* 60 octets at 480 kbit/s: one millisecond each. */
	struct libvnet_wire w = { .rate_bps = 480000, .queue_bytes = 600 };
	char name[LIBVNET_IFNAME];
	struct libvnet_link *l = port(v, &w, name);

	send(l, 15);
	libvnet_clock_advance_ns(5 * MS);
	assert_int_equal(stats(l).delivered, 5);
	libvnet_clock_advance_ns(50 * MS);
	assert_int_equal(stats(l).delivered, 10);
	assert_int_equal(stats(l).overflowed, 5);
	libvnet_link_destroy(l);
}

LIBVNET_TEST_VNET(link_chances_come_near_and_repeat, v)
{
	struct libvnet_wire w = { .loss_ppm = 100000, .duplicate_ppm = 50000,
	    .corrupt_ppm = 20000, .reorder_ppm = 30000, .reorder_ns = MS };
	char name[LIBVNET_IFNAME];
	struct libvnet_wire_stats s[2];

	for (int i = 0; i < 2; i++) {
		struct libvnet_link *l = port(v, &w, name);

		send(l, 4000);
		libvnet_clock_advance_ns(10 * MS);
		s[i] = stats(l);
		libvnet_link_destroy(l);
	}
	assert_memory_equal(&s[0], &s[1], sizeof(s[0]));
	assert_in_range(s[0].lost, 300, 500);
	assert_in_range(s[0].duplicated, 120, 260);
	assert_in_range(s[0].reordered, 70, 170);
	assert_in_range(s[0].corrupted, 40, 120);
	assert_int_equal(s[0].delivered,
	    s[0].sent - s[0].lost + s[0].duplicated);
}

static bool
third(void *arg, const uint8_t *frame __unused, uint32_t length)
{
	int *n = arg;

	return (length == sizeof(broadcast) && ++*n == 3);
}

LIBVNET_TEST_VNET(link_filter_drops_what_it_names, v)
{
	char name[LIBVNET_IFNAME];
	struct libvnet_link *l = port(v, NULL, name);
	int n = 0;

	assert_int_equal(libvnet_link_filter(l, LIBVNET_LINK_B, third, &n), 0);
	send(l, 5);
	libvnet_run_until_idle();
	assert_int_equal(stats(l).filtered, 1);
	assert_int_equal(stats(l).delivered, 4);
	assert_int_equal(libvnet_link_filter(l, LIBVNET_LINK_B, NULL, NULL),
	    0);
	send(l, 5);
	libvnet_run_until_idle();
	assert_int_equal(stats(l).filtered, 1);
	libvnet_link_destroy(l);
}

LIBVNET_TEST_VNET(link_goes_with_its_vnet, v)
{
	struct libvnet_link *l;
	struct vnet *other;
	u_char ping[60] = { 0 };

	assert_int_equal(libvnet_create(&other), 0);
	assert_int_equal(libvnet_link_create(other, v, NULL, 1, &l, NULL, NULL,
	    NULL), 0);
	libvnet_run_until_idle();
	assert_int_equal(libvnet_destroy(other), 0);
	assert_int_equal(libvnet_port_send(l, LIBVNET_LINK_B, ping, 60, NULL),
	    LIBVNET_EKERNEL);
	assert_int_equal(libvnet_link_destroy(l), 0);
	assert_int_equal(libvnet_link_destroy(l), LIBVNET_EINVAL);
}

LIBVNET_TEST_VNET(link_misused_says_what_to_do, v)
{
	struct libvnet_wire w = { .loss_ppm = 1000001 };
	struct libvnet_link *l = port(v, NULL, (char[LIBVNET_IFNAME]){ 0 });

	assert_int_equal(libvnet_link_create(NULL, NULL, NULL, 0, &l, NULL,
	    NULL, NULL), LIBVNET_EINVAL);
	l = port(v, NULL, (char[LIBVNET_IFNAME]){ 0 });
	assert_int_equal(libvnet_link_set(l, LIBVNET_LINK_A, &w),
	    LIBVNET_EINVAL);
	w = (struct libvnet_wire){ .queue_bytes = 1 };
	assert_int_equal(libvnet_link_set(l, LIBVNET_LINK_A, &w),
	    LIBVNET_EINVAL);
	w = (struct libvnet_wire){ .reorder_ppm = 1 };
	assert_int_equal(libvnet_link_set(l, LIBVNET_LINK_A, &w),
	    LIBVNET_EINVAL);
	w = (struct libvnet_wire){ .delay_ns = LIBVNET_LINK_DELAY_MAX + 1 };
	assert_int_equal(libvnet_link_set(l, LIBVNET_LINK_A, &w),
	    LIBVNET_EINVAL);
	assert_int_equal(libvnet_link_set(l, 2, NULL), LIBVNET_EINVAL);
	assert_int_equal(libvnet_link_set(NULL, 0, NULL), LIBVNET_EINVAL);
	assert_int_equal(libvnet_port_send(l, LIBVNET_LINK_A, broadcast, 60,
	    NULL), LIBVNET_EKERNEL);
	assert_int_equal(libvnet_port_send(l, LIBVNET_LINK_B, broadcast, 13,
	    NULL), LIBVNET_EKERNEL);
	assert_int_equal(libvnet_port_send(l, LIBVNET_LINK_B, NULL, 60, NULL),
	    LIBVNET_EINVAL);
	libvnet_link_destroy(l);
}
