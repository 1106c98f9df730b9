/* SPDX-License-Identifier: BSD-2-Clause */
/* A counter that two threads add to. */
#include <sys/param.h>
#include <sys/systm.h>
#include <libvnet/test.h>

static u_long counter;

static void
add_plain(void *arg)
{
	counter++;
}

static bool
both_counted(void *arg)
{
	return (counter == 2);
}

LIBVNET_TEST(plain_add_loses_an_update)
{
	struct libvnet_explore_result r, again;
	struct libvnet_explore what = {
		.threads = { { "a", add_plain, NULL, 0 },
		    { "b", add_plain, NULL, 0 } },
		.check = both_counted, .races = LIBVNET_RACES_OFF,
	};

	libvnet_expect("schedule", "the check failed");
	assert_int_equal(libvnet_explore(&what, &r), 0);
	assert_int_equal(r.end, LIBVNET_SCHEDULE_CHECK);
	assert_true(r.schedules < 1000);
	assert_true(r.preemptions <= 2);
	what.token = r.token;
	what.quiet = true;
	assert_int_equal(libvnet_explore(&what, &again), 0);
	assert_int_equal(again.end, LIBVNET_SCHEDULE_CHECK);
	assert_string_equal(again.token, r.token);
	assert_true(again.hash == r.hash);
}
