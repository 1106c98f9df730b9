/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tests of exploration share. */
#ifndef EXPLORED_H
#define EXPLORED_H

#include <sys/param.h>
#include <sys/systm.h>
#include <libvnet/test.h>

static __unused void
reboot_with(int ncpus)
{
	struct libvnet_options options = { .ncpus = ncpus };

	assert_int_equal(libvnet_abandon(), 0);
	assert_int_equal(libvnet_boot(&options), 0);
}

static __unused struct libvnet_explore_result
explored(const struct libvnet_explore *what)
{
	struct libvnet_explore_result r;

	if (libvnet_explore(what, &r) != 0)
		fail_msg("%s", libvnet_error());
	return (r);
}

/* It breaks in fewer than `most' schedules, and its token breaks it again. */
static __unused void
breaks(struct libvnet_explore what, enum libvnet_schedule_end end, u_long most,
    u_int preemptions)
{
	struct libvnet_explore_result r, again;

	what.quiet = true;
	r = explored(&what);
	if (r.end != end)
		fail_msg("ended as %d, not %d: %s", r.end, end, r.message);
	assert_true(r.schedules < most);
	assert_true(r.preemptions <= preemptions);
	what.token = r.token;
	again = explored(&what);
	if (again.end != end)
		fail_msg("%s ended as %d, not %d: %s", r.token, again.end, end,
		    again.message);
	assert_string_equal(again.token, r.token);
	assert_true(again.hash == r.hash);
}

/* So many preemptions do not break it, whatever their places. */
static __unused void
holds(struct libvnet_explore what, int preemptions)
{
	struct libvnet_explore_result r;

	what.strategy = LIBVNET_DFS;
	what.preemptions = preemptions;
	what.schedules = 1000000;
	r = explored(&what);
	if (r.end != LIBVNET_SCHEDULE_OK)
		fail_msg("%s\n%s", r.message, r.report);
	assert_true(r.complete);
}

/* Nor does chance. */
static __unused void
holds_at_random(struct libvnet_explore what, u_long schedules)
{
	struct libvnet_explore_result r;

	what.schedules = schedules;
	for (what.strategy = LIBVNET_RANDOM;
	    what.strategy <= LIBVNET_ROUND_ROBIN; what.strategy++)
		if (what.strategy != LIBVNET_DFS) {
			r = explored(&what);
			if (r.end != LIBVNET_SCHEDULE_OK)
				fail_msg("%s\n%s", r.message, r.report);
		}
}

#endif /* EXPLORED_H */
