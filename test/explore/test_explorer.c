/* SPDX-License-Identifier: BSD-2-Clause */
/* The explorer itself: tokens, shrinking, misuse, and what it leaves behind. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/libkern.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>

#include "explored.h"

static int counter, other, mode;
static struct mtx lock;

static void
adds(void *arg)
{
	for (int i = 0; i < 5; i++)
		counter++;
}

static bool
ten(void *arg)
{
	return (counter == 10);
}

static bool
fine(void *arg)
{
	return (true);
}

static const struct libvnet_explore faulty = {
	.threads = { { "a", adds }, { "b", adds } },
	.check = ten, .races = LIBVNET_RACES_OFF, .quiet = true,
};

/* ---- tokens */

LIBVNET_TEST(token_makes_the_same_trace_a_thousand_times)
{
	struct libvnet_explore what = faulty;
	struct libvnet_explore_result first = explored(&what), r;

	what.token = first.token;
	for (int i = 0; i < 1000; i++) {
		r = explored(&what);
		assert_int_equal(r.end, LIBVNET_SCHEDULE_CHECK);
		assert_true(r.hash == first.hash);
	}
}

LIBVNET_TEST(shrinking_leaves_the_least)
{
	struct libvnet_explore what = faulty;
	struct libvnet_explore_result r;

	for (what.seed = 1; what.seed <= 20; what.seed++) {
		r = explored(&what);
		assert_int_equal(r.end, LIBVNET_SCHEDULE_CHECK);
		assert_int_equal(r.preemptions, 1);
		assert_true(r.switches <= 3);
	}
}

static void
adds_more(void *arg)
{
	other++;
	adds(arg);
}

LIBVNET_TEST(token_of_other_code_says_so)
{
	struct libvnet_explore what = faulty;
	struct libvnet_explore_result r = explored(&what);

	what.token = r.token;
	what.threads[0].fn = adds_more;
	what.quiet = false;
	libvnet_expect("schedule", "the code is not the token's: the schedule "
	    "diverged (at|somewhere before) step [0-9]*");
	(void)explored(&what);
}

LIBVNET_TEST(token_of_code_without_the_fault_has_diverged)
{
	struct libvnet_explore what = faulty;
	struct libvnet_explore_result r = explored(&what);

	what.token = r.token;
	what.threads[1].fn = NULL;
	what.check = fine;
	assert_int_equal(explored(&what).end, LIBVNET_SCHEDULE_DIVERGED);
}

/* ---- what is not the schedule's doing */

static volatile int outside[1] __section("explore_outside") = { 1 };

static void
depends(void *arg)
{
	if (outside[0]++ % 3 == 0)
		other++;
	counter++;
}

LIBVNET_TEST(nondeterminism_is_named)
{
	struct libvnet_explore what = {
		.threads = { { "a", depends } }, .check = fine,
		.twice = true, .races = LIBVNET_RACES_OFF,
	};

	libvnet_expect("schedule", "not the same twice.*step [0-9]* .*depends "
	    "at .*test_explorer.c");
	assert_int_equal(explored(&what).end, LIBVNET_SCHEDULE_NONDETERMINISM);
}

static void
random_by_seed(void *arg)
{
	if (arc4random() % 3 == 0)
		counter++;
	counter++;
}

LIBVNET_TEST(seeded_randomness_is_none)
{
	struct libvnet_explore what = {
		.threads = { { "a", random_by_seed }, { "b", random_by_seed } },
		.check = fine, .twice = true, .races = LIBVNET_RACES_OFF,
		.schedules = 100,
	};

	assert_int_equal(explored(&what).end, LIBVNET_SCHEDULE_OK);
}

/* ---- ways to fail */

static void
panics(void *arg)
{
	if (counter++ == 1)
		panic("second");
}

static void
asserts(void *arg)
{
	assert_true(counter++ == 0);
}

static void
frees_badly(void *arg)
{
	char *p = malloc(16, M_TEMP, M_WAITOK);

	free(p, M_TEMP);
	if (counter++ == 1)
		free(p, M_TEMP);
}

static bool
check_asserts(void *arg)
{
	assert_int_equal(counter, 2);
	return (true);
}

static bool
check_panics(void *arg)
{
	panic("from check");
}

LIBVNET_TEST(each_way_to_fail_ends_the_schedule)
{
	struct libvnet_explore what = {
		.threads = { { "a", panics }, { "b", panics } },
		.check = fine, .races = LIBVNET_RACES_OFF,
	};

	libvnet_expect("schedule", "panic: second");
	assert_int_equal(explored(&what).end, LIBVNET_SCHEDULE_PANIC);
	what.threads[0].fn = what.threads[1].fn = asserts;
	libvnet_expect("schedule", "assertion failed at .*test_explorer.c");
	assert_int_equal(explored(&what).end, LIBVNET_SCHEDULE_ASSERT);
	what.threads[0].fn = what.threads[1].fn = frees_badly;
	libvnet_expect("schedule", "doublefree: ");
	assert_int_equal(explored(&what).end, LIBVNET_SCHEDULE_FINDING);
	what.threads[0].fn = what.threads[1].fn = adds;
	what.check = check_asserts;
	libvnet_expect("schedule", "assertion failed at .*test_explorer.c");
	assert_int_equal(explored(&what).end, LIBVNET_SCHEDULE_ASSERT);
	what.check = check_panics;
	libvnet_expect("schedule", "panic: from check");
	assert_int_equal(explored(&what).end, LIBVNET_SCHEDULE_PANIC);
}

/* ---- the world around */

LIBVNET_TEST(world_is_as_before)
{
	uint64_t before, after;

	counter = 3;
	assert_int_equal(libvnet_snapshot_digest(&before), 0);
	(void)explored(&faulty);
	assert_int_equal(libvnet_snapshot_digest(&after), 0);
	assert_true(before == after);
	assert_int_equal(counter, 3);
}

static void
restore(void *arg)
{
	counter = 0;
}

LIBVNET_TEST(setup_alone_can_restore)
{
	struct libvnet_explore what = faulty;

	what.setup = restore;
	what.setup_restores = true;
	breaks(what, LIBVNET_SCHEDULE_CHECK, 1000, 1);
	what.check = fine;
	holds(what, 1);
}

/* ---- depth first */

static void
local_only(void *arg)
{
	volatile int *mine = arg;

	for (int i = 0; i < 100; i++)
		mine[i & 3]++;
	mtx_lock(&lock);
	counter++;
	mtx_unlock(&lock);
}

static void
make_lock(void *arg)
{
	mtx_init(&lock, "lock", NULL, MTX_DEF);
}

LIBVNET_TEST(places_of_one_thread_are_no_choice)
{
	static int a[4], b[4];
	struct libvnet_explore what = {
		.threads = { { "a", local_only, a }, { "b", local_only, b } },
		.setup = make_lock, .check = fine, .strategy = LIBVNET_DFS,
		.preemptions = -1,
	};
	struct libvnet_explore_result r = explored(&what);

	assert_true(r.complete);
	assert_true(r.steps > 400);
	assert_true(r.schedules < 50);
}

static void
writes_one(void *arg)
{
	atomic_store_int(&counter, 1);
	atomic_store_int(&other, 1);
}

static void
reads_both(void *arg)
{
	mode |= 1 << (atomic_load_int(&other) * 2 + atomic_load_int(&counter));
}

static bool
mode_seen(void *arg)
{
	int *seen = arg;

	*seen |= mode;
	return (true);
}

/* Every outcome that there is, and no other: other is written after counter. */
LIBVNET_TEST(depth_first_reaches_every_outcome)
{
	static int seen __section("explore_outside") = 0;
	struct libvnet_explore what = {
		.threads = { { "w", writes_one }, { "r", reads_both } },
		.check = mode_seen, .arg = &seen, .races = LIBVNET_RACES_OFF,
		.strategy = LIBVNET_DFS, .preemptions = -1,
	};

	assert_true(explored(&what).complete);
	assert_int_equal(seen, 1 << 0 | 1 << 1 | 1 << 3);
}

/* ---- misuse */

static void
refused(const struct libvnet_explore *what, const char *why)
{
	assert_int_equal(libvnet_explore(what, NULL), LIBVNET_EINVAL);
	if (strstr(libvnet_error(), why) == NULL)
		fail_msg("\"%s\" does not say \"%s\"", libvnet_error(), why);
}

LIBVNET_TEST(misuse_is_told)
{
	struct libvnet_explore what = { .check = fine };

	refused(NULL, "say what");
	refused(&what, "there are no threads");
	what.threads[1].fn = adds;
	refused(&what, "leave no gap");
	what.threads[0].fn = adds;
	what.threads[1].cpu = 3;
	refused(&what, "boot with more CPUs");
	what.threads[1].cpu = -1;
	refused(&what, "give 0 to 63");
	what.threads[1].cpu = 0;
	what.check = NULL;
	refused(&what, "check is NULL");
	what.check = fine;
	what.setup_restores = true;
	refused(&what, "there is no setup");
	what.setup_restores = false;
	what.preemptions = -2;
	refused(&what, "preemptions is -2; give -1 to 1000");
	what.preemptions = 0;
	what.depth = 33;
	refused(&what, "depth is 33");
	what.depth = 0;
	what.token = "z1";
	refused(&what, "it does not begin with \"x1-\"");
	what.token = "x1-12";
	refused(&what, "no hash of 8 digits");
	what.token = "x1-01234567-b";
	refused(&what, "a number of steps is missing");
	what.token = "x1-01234567-12";
	refused(&what, "a thread's letter is missing");
	what.token = "x1-01234567-12.b@9.";
	refused(&what, "there is no such CPU");
}

static void
explores(void *arg)
{
	struct libvnet_explore what = faulty;

	assert_int_equal(libvnet_explore(&what, NULL), LIBVNET_EBUSY);
}

LIBVNET_TEST(exploring_inside_is_refused)
{
	struct libvnet_explore what = {
		.threads = { { "a", explores } }, .setup = explores,
		.check = fine, .schedules = 2,
	};

	assert_int_equal(explored(&what).end, LIBVNET_SCHEDULE_OK);
}
