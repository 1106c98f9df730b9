/* SPDX-License-Identifier: BSD-2-Clause */
/* Threads that wait for each other, or for a wakeup that was before. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/condvar.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/rwlock.h>
#include <sys/sx.h>

#include "explored.h"

static struct mtx one, two, spin;
static struct sx third, fifth;
static struct rwlock fourth;
static int ready, seen;

static void
make(void *arg)
{
	mtx_init(&one, "one", NULL, MTX_DEF);
	mtx_init(&two, "two", NULL, MTX_DEF);
	mtx_init(&spin, "spin", NULL, MTX_SPIN);
	sx_init(&third, "third");
	sx_init(&fifth, "fifth");
	rw_init(&fourth, "fourth");
}

static bool
fine(void *arg)
{
	return (true);
}

/* ---- locks in two orders */

static void
one_two(void *arg)
{
	mtx_lock(&one);
	mtx_lock(&two);
	mtx_unlock(&two);
	mtx_unlock(&one);
}

static void
two_one(void *arg)
{
	mtx_lock(&two);
	mtx_lock(&one);
	mtx_unlock(&one);
	mtx_unlock(&two);
}

LIBVNET_TEST(locks_in_two_orders_deadlock)
{
	struct libvnet_explore what = {
		.threads = { { "a", one_two }, { "b", two_one } },
		.setup = make, .check = fine,
	};

	breaks(what, LIBVNET_SCHEDULE_DEADLOCK, 1000, 1);
	what.strategy = LIBVNET_DFS;
	breaks(what, LIBVNET_SCHEDULE_DEADLOCK, 1000, 1);
	libvnet_expect("schedule", "deadlock: .*thread \"a\" waits for lock "
	    "\"two\" of thread \"b\"");
	libvnet_expect("schedule", "thread \"b\" waits for lock \"one\" of "
	    "thread \"a\"");
	(void)explored(&what);
	(void)explored(&what);
}

LIBVNET_TEST(locks_in_one_order_hold)
{
	struct libvnet_explore what = {
		.threads = { { "a", one_two }, { "b", one_two } },
		.setup = make, .check = fine,
	};

	holds(what, -1);
	holds_at_random(what, 200);
}

static void
fifth_third(void *arg)
{
	sx_xlock(&fifth);
	sx_slock(&third);
	sx_sunlock(&third);
	sx_xunlock(&fifth);
}

static void
third_fifth(void *arg)
{
	sx_xlock(&third);
	sx_slock(&fifth);
	sx_sunlock(&fifth);
	sx_xunlock(&third);
}

static void
exclusive_read(void *arg)
{
	sx_xlock(&third);
	rw_rlock(&fourth);
	rw_runlock(&fourth);
	sx_xunlock(&third);
}

static void
share_read(void *arg)
{
	sx_slock(&third);
	rw_rlock(&fourth);
	rw_runlock(&fourth);
	sx_sunlock(&third);
}

LIBVNET_TEST(shared_locks_in_two_orders_deadlock)
{
	struct libvnet_explore what = {
		.threads = { { "a", fifth_third }, { "b", third_fifth } },
		.setup = make, .check = fine,
	};

	breaks(what, LIBVNET_SCHEDULE_DEADLOCK, 1000, 1);
}

LIBVNET_TEST(shared_locks_hold)
{
	struct libvnet_explore what = {
		.threads = { { "a", share_read }, { "b", exclusive_read } },
		.setup = make, .check = fine,
	};

	holds(what, -1);
}

/* ---- a wakeup too early */

static void
sleeper_asks_before(void *arg)
{
	if (atomic_load_int(&ready) == 0)
		pause_sbt("wait", 0, 0, 0);
}

static void
sleeper_careless(void *arg)
{
	mtx_lock(&one);
	if (!ready) {
		mtx_unlock(&one);
		mtx_lock(&one);
		msleep(&ready, &one, 0, "ready", 0);
	}
	seen = ready;
	mtx_unlock(&one);
}

static void
sleeper_careful(void *arg)
{
	mtx_lock(&one);
	while (!ready)
		msleep(&ready, &one, 0, "ready", 0);
	seen = ready;
	mtx_unlock(&one);
}

static void
waker(void *arg)
{
	mtx_lock(&one);
	ready = 1;
	mtx_unlock(&one);
	wakeup(&ready);
}

static bool
was_seen(void *arg)
{
	return (seen == 1);
}

LIBVNET_TEST(wakeup_before_the_sleep_is_missed)
{
	struct libvnet_explore what = {
		.threads = { { "sleeper", sleeper_careless },
		    { "waker", waker } },
		.setup = make, .check = was_seen,
	};

	breaks(what, LIBVNET_SCHEDULE_DEADLOCK, 1000, 2);
	what.strategy = LIBVNET_DFS;
	breaks(what, LIBVNET_SCHEDULE_DEADLOCK, 1000, 2);
	libvnet_expect("schedule", "thread \"sleeper\" sleeps on \"ready\"");
	(void)explored(&what);
}

LIBVNET_TEST(wakeup_under_the_lock_is_not_missed)
{
	struct libvnet_explore what = {
		.threads = { { "sleeper", sleeper_careful },
		    { "waker", waker } },
		.setup = make, .check = was_seen,
	};

	holds(what, -1);
	holds_at_random(what, 200);
}

static void
passes_time(void *arg)
{
	sleeper_asks_before(arg);
	atomic_store_int(&seen, 1);
}

LIBVNET_TEST(sleep_with_a_timeout_ends)
{
	struct libvnet_explore what = {
		.threads = { { "sleeper", passes_time }, { "waker", waker } },
		.setup = make, .check = was_seen, .races = LIBVNET_RACES_OFF,
	};

	holds(what, 2);
}

/* ---- a spin that nobody ends */

static void
spins(void *arg)
{
	while (atomic_load_int(&ready) == 0)
		;
}

static void
spins_and_yields(void *arg)
{
	while (atomic_load_int(&ready) == 0)
		kern_yield(PRI_USER);
}

static void
sets(void *arg)
{
	atomic_store_int(&ready, 1);
}

LIBVNET_TEST(spin_for_what_nobody_does_is_a_livelock)
{
	struct libvnet_explore what = {
		.threads = { { "a", spins }, { "b", spins } },
		.check = fine, .steps = 1000,
	};

	libvnet_expect("schedule", "livelock: 1001 steps, and thread \"[ab]\" "
	    "still runs");
	assert_int_equal(explored(&what).end, LIBVNET_SCHEDULE_LIVELOCK);
}

LIBVNET_TEST(yield_lets_the_other_go_first)
{
	struct libvnet_explore what = {
		.threads = { { "a", spins_and_yields }, { "b", sets } },
		.check = fine, .steps = 1000,
	};

	holds(what, 2);
	holds_at_random(what, 200);
}
