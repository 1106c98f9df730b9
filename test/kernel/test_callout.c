/* SPDX-License-Identifier: BSD-2-Clause */
/* callout(9) with one thread; test_callout_threads.c has two. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/callout.h>
#include <sys/epoch.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/rmlock.h>
#include <sys/rwlock.h>
#include <sys/sx.h>
#include <sys/time.h>
#include <net/vnet.h>

#include <libvnet/test.h>
#include "callout_test.h"

/* ---- when */

LIBVNET_TEST(runs_once_after_its_ticks)
{
	callout_init(&co, 1);
	assert_int_equal(callout_reset(&co, 10, count, NULL), 0);
	assert_true(callout_pending(&co) && callout_active(&co));
	run_ms(8);
	assert_int_equal(calls, 0);
	run_ms(2);
	assert_int_equal(calls, 1);
	assert_false(callout_pending(&co));
	assert_true(callout_active(&co));
	callout_deactivate(&co);
	assert_false(callout_active(&co));
	run_ms(1000);
	assert_int_equal(calls, 1);
}

LIBVNET_TEST(ticks_count_from_the_last_tick_of_the_clock)
{
	sbintime_t last, now;

	run_ms(5);
	libvnet_clock_advance_ns(MS / 2);
	now = sbinuptime();
	last = now - now % tick_sbt;
	callout_init(&co, 1);
	callout_reset(&co, 1, count, NULL);
	run_ms(2);
	assert_int_equal(called_at, last + tick_sbt);
	callout_reset(&co, 0, count, NULL);
	run_ms(2);
	assert_int_equal(calls, 2);
	assert_int_equal(called_at % tick_sbt, 0);
}

LIBVNET_TEST(sbt_is_exact_where_ticks_are_not_asked_for)
{
	sbintime_t start;

	libvnet_clock_advance_ns(MS / 3);
	start = sbinuptime();
	callout_init(&co, 1);
	callout_reset_sbt(&co, 7 * SBT_1US, 0, count, NULL, 0);
	run_ms(1);
	assert_int_equal(called_at, start + 7 * SBT_1US);
	start = sbinuptime();
	callout_reset_sbt(&co, 100 * SBT_1MS, SBT_1MS, count, NULL,
	    C_PREL(2));
	run_ms(200);
	assert_int_equal(called_at, start + 100 * SBT_1MS);
	callout_reset_sbt(&co, SBT_1MS / 7, 0, count, NULL, C_HARDCLOCK);
	run_ms(2);
	assert_int_equal(called_at % tick_sbt, 0);
}

LIBVNET_TEST(absolute_and_precalculated_times_are_taken_as_they_are)
{
	sbintime_t when = sbinuptime() + 5 * SBT_1MS, precision;

	callout_init(&co, 1);
	callout_reset_sbt(&co, when, 0, count, NULL, C_ABSOLUTE);
	run_ms(10);
	assert_int_equal(called_at, when);
	callout_when(3 * SBT_1MS, 0, 0, &when, &precision);
	assert_int_equal(when, sbinuptime() + 3 * SBT_1MS);
	run_ms(1);
	callout_reset_sbt(&co, when, precision, count, NULL, C_PRECALC);
	run_ms(10);
	assert_int_equal(called_at, when);
}

LIBVNET_TEST(time_gone_by_is_due_at_once)
{
	callout_init(&co, 1);
	callout_reset_sbt(&co, SBT_1US, 0, count, NULL, C_ABSOLUTE);
	assert_int_equal(calls, 0);
	assert_int_equal(libvnet_run_until_idle(), 1);
	assert_int_equal(calls, 1);
	assert_int_equal(called_at, SBT_1S);
}

LIBVNET_TEST(end_of_time_never_comes)
{
	callout_init(&co, 1);
	callout_reset_sbt(&co, SBT_MAX, SBT_1S, count, NULL, 0);
	run_ms(1000000);
	assert_int_equal(calls, 0);
	assert_int_equal(callout_stop(&co), 1);
}

LIBVNET_TEST(due_ones_run_by_time_and_then_by_age)
{
	static char a[] = "a", b[] = "b", c[] = "c", d[] = "d";
	struct callout many[4];

	for (int i = 0; i < 4; i++)
		callout_init(&many[i], 1);
	callout_reset(&many[0], 20, count, d);
	callout_reset(&many[1], 10, count, b);
	callout_reset(&many[2], 10, count, a);
	callout_reset(&many[3], 10, count, c);
	/* Armed again, it is the youngest. */
	callout_reset(&many[1], 10, count, b);
	run_ms(100);
	assert_string_equal(order, "acbd");
}

static void
rearm(void *arg)
{
	calls++;
	callout_schedule(arg, 10);
}

LIBVNET_TEST(handler_can_arm_itself_again)
{
	callout_init(&co, 1);
	callout_reset(&co, 10, rearm, &co);
	run_ms(105);
	assert_int_equal(calls, 10);
	assert_int_equal(callout_drain(&co), 1);
	run_ms(100);
	assert_int_equal(calls, 10);
}

static void
rearm_at_once(void *arg)
{
	calls++;
	callout_reset_sbt(&co, 0, 0, rearm_at_once, NULL, 0);
	if (calls == 100)
		callout_stop(&co);
}

LIBVNET_TEST(armed_for_now_by_a_handler_is_an_event_of_its_own)
{
	callout_init(&co, 1);
	callout_reset_sbt(&co, 0, 0, rearm_at_once, NULL, 0);
	assert_true(libvnet_run_until_idle() >= 100);
	assert_int_equal(calls, 100);
}

static void
free_callout(void *arg)
{
	calls++;
	free(arg, M_TEMP);
}

LIBVNET_TEST(handler_can_free_its_callout)
{
	struct callout *c = malloc(sizeof(*c), M_TEMP, M_WAITOK);

	callout_init(c, 1);
	callout_reset(c, 1, free_callout, c);
	run_ms(10);
	assert_int_equal(calls, 1);
}

LIBVNET_TEST(ten_thousand_fire_in_order)
{
	struct callout *many = mallocarray(10000, sizeof(*many), M_TEMP,
	    M_WAITOK);

	for (int i = 0; i < 10000; i++) {
		callout_init(&many[i], 1);
		callout_reset(&many[i], (int)arc4random_uniform(1000) + 1,
		    count, NULL);
	}
	for (int i = 0; i < 10000; i += 2)
		assert_int_equal(callout_stop(&many[i]), 1);
	run_ms(1100);
	assert_int_equal(calls, 5000);
	free(many, M_TEMP);
}

/* ---- stop, drain, reset: what they answer */

LIBVNET_TEST(stop_answers_stopped_or_not_scheduled)
{
	callout_init(&co, 1);
	assert_int_equal(callout_stop(&co), -1);
	callout_reset(&co, 10, count, NULL);
	assert_int_equal(callout_stop(&co), 1);
	assert_false(callout_active(&co));
	assert_int_equal(callout_stop(&co), -1);
	callout_reset(&co, 10, count, NULL);
	assert_int_equal(callout_drain(&co), 1);
	assert_int_equal(callout_drain(&co), -1);
	run_ms(100);
	assert_int_equal(calls, 0);
}

LIBVNET_TEST(stop_of_zeroed_memory_is_not_scheduled)
{
	struct callout zeroed = { .c_cpu = 0 };

	assert_int_equal(callout_stop(&zeroed), -1);
	assert_int_equal(callout_drain(&zeroed), -1);
}

LIBVNET_TEST(reset_answers_whether_it_was_pending)
{
	static char a[] = "a", b[] = "b";

	callout_init(&co, 1);
	assert_int_equal(callout_reset(&co, 10, count, a), 0);
	assert_int_equal(callout_reset(&co, 20, count, b), 1);
	assert_int_equal(callout_schedule(&co, 30), 1);
	run_ms(25);
	assert_int_equal(calls, 0);
	run_ms(10);
	assert_string_equal(order, "b");
	assert_int_equal(callout_reset(&co, 10, count, a), 0);
	callout_stop(&co);
}

static int stop_answer, executing_answer;

static void
stop_itself(void *arg)
{
	executing_answer = _callout_stop_safe(&co, CS_EXECUTING);
	stop_answer = callout_stop(&co);
	calls++;
}

LIBVNET_TEST(handler_cannot_stop_its_own_run)
{
	callout_init(&co, 1);
	callout_reset(&co, 1, stop_itself, NULL);
	run_ms(10);
	assert_int_equal(calls, 1);
	assert_int_equal(stop_answer, 0);
	assert_int_equal(executing_answer, 1);
	assert_false(callout_active(&co));
}

static void
rearm_and_stop(void *arg)
{
	calls++;
	callout_reset(&co, 1, rearm_and_stop, NULL);
	stop_answer = callout_stop(&co);
}

LIBVNET_TEST(handler_that_armed_itself_stops_the_next_run_only)
{
	callout_init(&co, 1);
	callout_reset(&co, 1, rearm_and_stop, NULL);
	run_ms(10);
	assert_int_equal(calls, 1);
	assert_int_equal(stop_answer, 0);
	assert_false(callout_pending(&co));
}
