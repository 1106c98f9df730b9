/* SPDX-License-Identifier: BSD-2-Clause */
/* Counters that two threads add to, and what they lose. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/counter.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/pcpu.h>
#include <sys/proc.h>
#include <sys/sched.h>
#include <sys/smp.h>

#include "explored.h"

static u_long counter;
DPCPU_DEFINE_STATIC(u_long, hits);

static u_long
hits_all(void)
{
	u_long sum = 0;
	u_int cpu;

	CPU_FOREACH(cpu)
		sum += DPCPU_ID_GET(cpu, hits);
	return (sum);
}

/* ---- one counter */

static void
add_plain(void *arg)
{
	counter++;
}

static void
add_atomic(void *arg)
{
	atomic_add_long(&counter, 1);
}

static bool
both_counted(void *arg)
{
	return (counter == 2);
}

LIBVNET_TEST(plain_add_loses_an_update)
{
	struct libvnet_explore what = {
		.threads = { { "a", add_plain }, { "b", add_plain } },
		.check = both_counted, .races = LIBVNET_RACES_OFF,
	};

	breaks(what, LIBVNET_SCHEDULE_CHECK, 1000, 2);
	what.strategy = LIBVNET_PCT;
	breaks(what, LIBVNET_SCHEDULE_CHECK, 1000, 2);
	what.strategy = LIBVNET_DFS;
	breaks(what, LIBVNET_SCHEDULE_CHECK, 1000, 2);
	what.strategy = LIBVNET_ROUND_ROBIN;
	what.quantum = 1;
	breaks(what, LIBVNET_SCHEDULE_CHECK, 1000, 2);
}

LIBVNET_TEST(atomic_add_loses_nothing)
{
	struct libvnet_explore what = {
		.threads = { { "a", add_atomic }, { "b", add_atomic } },
		.check = both_counted,
	};

	holds(what, -1);
	holds_at_random(what, 200);
}

LIBVNET_TEST(failing_schedule_is_a_finding)
{
	struct libvnet_explore what = {
		.threads = { { "a", add_plain }, { "b", add_plain } },
		.check = both_counted, .races = LIBVNET_RACES_OFF,
	};

	libvnet_expect("schedule", "the check failed.LIBVNET_SCHEDULE=x1-"
	    "[0-9a-f]*-[0-9a-z.]* .*add_plain at test_lost_update.c");
	(void)explored(&what);
}

/* ---- one counter a CPU */

static void
add_percpu(void *arg)
{
	DPCPU_SET(hits, DPCPU_GET(hits) + 1);
}

static void
add_percpu_pinned(void *arg)
{
	sched_pin();
	add_percpu(arg);
	sched_unpin();
}

static void
add_percpu_critical(void *arg)
{
	critical_enter();
	add_percpu(arg);
	critical_exit();
}

static bool
both_hits(void *arg)
{
	return (hits_all() == 2);
}

LIBVNET_TEST(percpu_counter_without_protection_loses_an_update)
{
	struct libvnet_explore what = {
		.threads = { { "a", add_percpu }, { "b", add_percpu } },
		.check = both_hits, .races = LIBVNET_RACES_OFF,
	};

	breaks(what, LIBVNET_SCHEDULE_CHECK, 1000, 2);
}

LIBVNET_TEST(percpu_counter_without_protection_is_named)
{
	struct libvnet_explore what = {
		.threads = { { "a", add_percpu }, { "b", add_percpu } },
		.check = both_hits,
	};

	libvnet_expect("percpu", "unprotected per-CPU update: data of CPU 0");
	(void)explored(&what);
	breaks(what, LIBVNET_SCHEDULE_PERCPU, 1000, 2);
}

LIBVNET_TEST(pinning_is_not_enough)
{
	struct libvnet_explore what = {
		.threads = { { "a", add_percpu_pinned },
		    { "b", add_percpu_pinned } },
		.check = both_hits,
	};

	breaks(what, LIBVNET_SCHEDULE_PERCPU, 1000, 2);
	what.races = LIBVNET_RACES_OFF;
	breaks(what, LIBVNET_SCHEDULE_CHECK, 1000, 2);
}

LIBVNET_TEST(critical_section_loses_nothing)
{
	struct libvnet_explore what = {
		.threads = { { "a", add_percpu_critical },
		    { "b", add_percpu_critical } },
		.check = both_hits,
	};

	holds(what, -1);
	holds_at_random(what, 200);
	reboot_with(2);
	what.threads[1].cpu = 1;
	holds(what, -1);
	what.migrate = true;
	holds_at_random(what, 200);
}

/* One thread a CPU: they meet only where one is moved. */
LIBVNET_TEST(migration_inside_an_update_loses_it)
{
	struct libvnet_explore what = {
		.threads = { { "a", add_percpu, NULL, 0 },
		    { "b", add_percpu, NULL, 1 } },
		.check = both_hits, .races = LIBVNET_RACES_OFF,
	};

	reboot_with(2);
	holds(what, -1);
	what.migrate = true;
	breaks(what, LIBVNET_SCHEDULE_CHECK, 10000, 3);
}

/* ---- counter(9) */

static counter_u64_t slots;

static void
slots_make(void *arg)
{
	slots = counter_u64_alloc(M_WAITOK);
}

static void
add_counter(void *arg)
{
	counter_u64_add(slots, 1);
	counter_u64_add(slots, 1);
}

static void
fetch_counter(void *arg)
{
	assert_true(counter_u64_fetch(slots) <= 4);
}

static bool
four(void *arg)
{
	return (counter_u64_fetch(slots) == 4);
}

LIBVNET_TEST(counter9_loses_nothing)
{
	struct libvnet_explore what = {
		.threads = { { "a", add_counter }, { "b", add_counter },
		    { "reader", fetch_counter } },
		.setup = slots_make, .check = four,
	};

	holds(what, 2);
	reboot_with(3);
	what.threads[1].cpu = 1;
	what.threads[2].cpu = 2;
	holds(what, 2);
	what.migrate = true;
	holds_at_random(what, 500);
}
