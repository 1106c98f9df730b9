/* SPDX-License-Identifier: BSD-2-Clause */
/* epoch(9): sections, grace periods, callbacks, and their misuse. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/callout.h>
#include <sys/epoch.h>
#include <sys/kernel.h>
#include <sys/kthread.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/sx.h>
#include <net/vnet.h>

#include <libvnet/test.h>
#include "epoch_test.h"

static struct callout c;

/* From an interrupt context, which is another thread. */
static void
from_interrupt(callout_func_t *fn, void *arg)
{
	callout_init(&c, 1);
	callout_reset(&c, 1, fn, arg);
	libvnet_clock_advance_ns(LIBVNET_NS_PER_SECOND);
}

/* ---- sections */

LIBVNET_TEST(epoch_section_is_known_to_its_thread)
{
	struct epoch_tracker et;

	assert_false(in_epoch(net_epoch_preempt));
	NET_EPOCH_ENTER(et);
	assert_true(in_epoch(net_epoch_preempt));
	assert_false(in_epoch(global_epoch_preempt));
	NET_EPOCH_ASSERT();
	assert_int_equal(curthread->td_no_sleeping, 1);
	assert_int_equal(curthread->td_pinned, 1);
	NET_EPOCH_EXIT(et);
	assert_false(in_epoch(net_epoch_preempt));
	assert_int_equal(curthread->td_no_sleeping, 0);
	assert_int_equal(curthread->td_pinned, 0);
}

LIBVNET_TEST(epoch_sections_nest_in_any_order)
{
	struct epoch_tracker a, b;

	NET_EPOCH_ENTER(a);
	NET_EPOCH_ENTER(b);
	NET_EPOCH_EXIT(a);
	assert_true(in_epoch(net_epoch_preempt));
	NET_EPOCH_EXIT(b);
	assert_false(in_epoch(net_epoch_preempt));
}

static void
look(void *arg)
{
	*(int *)arg = in_epoch(net_epoch_preempt);
}

LIBVNET_TEST(epoch_section_of_another_thread_is_not_ours)
{
	struct epoch_tracker et;
	int in = -1;

	NET_EPOCH_ENTER(et);
	from_interrupt(look, &in);
	NET_EPOCH_EXIT(et);
	assert_int_equal(in, 0);
}

LIBVNET_TEST(epoch_critical_section_nests)
{
	epoch_enter(global_epoch);
	epoch_enter(global_epoch);
	assert_int_equal(curthread->td_critnest, 2);
	epoch_exit(global_epoch);
	assert_true(in_epoch(global_epoch));
	epoch_exit(global_epoch);
	assert_false(in_epoch(global_epoch));
	assert_int_equal(curthread->td_critnest, 0);
}

LIBVNET_TEST(epoch_exit_without_enter_panics)
{
	struct epoch_tracker et;

	libvnet_expect_panic("epoch_exit_preempt: thread .* has not entered "
	    "epoch \"Net preemptible\"");
	NET_EPOCH_EXIT(et);
}

LIBVNET_TEST(epoch_exit_twice_panics)
{
	struct epoch_tracker et;

	libvnet_expect_panic("epoch_exit_preempt: thread .* has not entered");
	NET_EPOCH_ENTER(et);
	NET_EPOCH_EXIT(et);
	NET_EPOCH_EXIT(et);
}

LIBVNET_TEST(epoch_exit_of_another_epoch_panics)
{
	struct epoch_tracker et;

	libvnet_expect_panic("has not entered epoch \"Global preemptible\"");
	NET_EPOCH_ENTER(et);
	epoch_exit_preempt(global_epoch_preempt, &et);
}

static void
leave(void *arg)
{
	NET_EPOCH_EXIT(*(struct epoch_tracker *)arg);
}

LIBVNET_TEST(epoch_exit_by_another_thread_panics)
{
	struct epoch_tracker et;

	libvnet_expect_panic("thread \"intr\" has not entered epoch");
	NET_EPOCH_ENTER(et);
	from_interrupt(leave, &et);
}

LIBVNET_TEST(epoch_critical_exit_without_enter_panics)
{
	libvnet_expect_panic("epoch_exit: thread .* has not entered epoch "
	    "\"Global\"");
	epoch_exit(global_epoch);
}

/* ---- callbacks */

LIBVNET_TEST(epoch_call_never_runs_at_once)
{
	struct epoch_context ctx;

	NET_EPOCH_CALL(count, &ctx);
	assert_int_equal(runs, 0);
	assert_int_equal(libvnet_run_until_idle(), 1);
	assert_int_equal(runs, 1);
	assert_int_equal(libvnet_run_until_idle(), 0);
}

LIBVNET_TEST(epoch_callback_waits_for_open_sections)
{
	struct epoch_context ctx;
	struct epoch_tracker et;

	NET_EPOCH_ENTER(et);
	NET_EPOCH_CALL(count, &ctx);
	assert_int_equal(libvnet_run_until_idle(), 0);
	assert_int_equal(runs, 0);
	NET_EPOCH_EXIT(et);
	assert_int_equal(libvnet_run_until_idle(), 1);
	assert_int_equal(runs, 1);
}

LIBVNET_TEST(epoch_callback_does_not_wait_for_other_epochs)
{
	struct epoch_context ctx;
	struct epoch_tracker et;

	epoch_enter_preempt(global_epoch_preempt, &et);
	NET_EPOCH_CALL(count, &ctx);
	assert_int_equal(libvnet_run_until_idle(), 1);
	epoch_exit_preempt(global_epoch_preempt, &et);
}

LIBVNET_TEST(epoch_callback_waits_for_critical_sections)
{
	struct epoch_context ctx;

	epoch_enter(global_epoch);
	epoch_call(global_epoch, count, &ctx);
	assert_int_equal(libvnet_run_until_idle(), 0);
	epoch_exit(global_epoch);
	assert_int_equal(libvnet_run_until_idle(), 1);
}

static struct sx sleepable;

static void
take(epoch_context_t ctx)
{
	sx_xlock(&sleepable);
	free(malloc(8, M_EPOCHTEST, M_WAITOK), M_EPOCHTEST);
	sx_xunlock(&sleepable);
	count(ctx);
}

LIBVNET_TEST(epoch_callback_may_take_what_may_sleep)
{
	struct epoch_context ctx;

	sx_init(&sleepable, "sleepable");
	epoch_call(global_epoch, take, &ctx);
	assert_int_equal(libvnet_run_until_idle(), 1);
	assert_int_equal(runs, 1);
	sx_destroy(&sleepable);
}

static void
wait(epoch_context_t ctx __unused)
{
	pause("callback", 1);
}

LIBVNET_TEST(epoch_callback_that_waits_panics)
{
	struct epoch_context ctx;

	libvnet_expect_panic("sleep on \"callback\": may sleep, in an "
	    "interrupt context");
	epoch_call(global_epoch, wait, &ctx);
	libvnet_run_until_idle();
}

LIBVNET_TEST(epoch_callback_does_not_wait_for_later_sections)
{
	struct epoch_context ctx;
	struct epoch_tracker a, b;

	NET_EPOCH_ENTER(a);
	NET_EPOCH_CALL(count, &ctx);
	NET_EPOCH_ENTER(b);
	assert_int_equal(libvnet_run_until_idle(), 0);
	NET_EPOCH_EXIT(a);
	assert_int_equal(libvnet_run_until_idle(), 1);
	NET_EPOCH_EXIT(b);
}

static char order[8];

struct letter {
	struct epoch_context ctx;
	char name;
};

static void
note(epoch_context_t ctx)
{
	order[strlen(order)] = __containerof(ctx, struct letter, ctx)->name;
}

LIBVNET_TEST(epoch_callbacks_run_in_the_order_of_their_calls)
{
	struct letter l[3] = { { .name = 'a' }, { .name = 'b' },
	    { .name = 'c' } };

	for (int i = 0; i < 3; i++)
		NET_EPOCH_CALL(note, &l[i].ctx);
	assert_int_equal(libvnet_run_until_idle(), 3);
	assert_string_equal(order, "abc");
}

static void
chain(epoch_context_t ctx)
{
	if (++runs < 3)
		NET_EPOCH_CALL(chain, ctx);
}

LIBVNET_TEST(epoch_callback_may_queue_itself_again)
{
	struct epoch_context ctx;

	NET_EPOCH_CALL(chain, &ctx);
	assert_int_equal(libvnet_run_until_idle(), 3);
	assert_int_equal(runs, 3);
}

LIBVNET_TEST(epoch_callback_may_free_its_context)
{
	for (int i = 0; i < 3; i++)
		NET_EPOCH_CALL(release, malloc(sizeof(struct epoch_context),
		    M_EPOCHTEST, M_WAITOK));
	libvnet_run_until_idle();
	assert_int_equal(runs, 3);
}

LIBVNET_TEST(epoch_drain_runs_what_was_queued)
{
	struct epoch_context a, b;

	NET_EPOCH_CALL(count, &a);
	NET_EPOCH_CALL(count, &b);
	NET_EPOCH_DRAIN_CALLBACKS();
	assert_int_equal(runs, 2);
	NET_EPOCH_DRAIN_CALLBACKS();
	assert_int_equal(runs, 2);
}

LIBVNET_TEST(epoch_drain_leaves_other_epochs_alone)
{
	struct epoch_context a, b;

	epoch_call(global_epoch_preempt, count, &a);
	NET_EPOCH_CALL(count, &b);
	NET_EPOCH_DRAIN_CALLBACKS();
	assert_int_equal(runs, 1);
	libvnet_run_until_idle();
	assert_int_equal(runs, 2);
}

static void
queue_another(epoch_context_t ctx)
{
	runs++;
	NET_EPOCH_CALL(count, ctx);
}

LIBVNET_TEST(epoch_drain_need_not_wait_for_what_callbacks_queue)
{
	struct epoch_context ctx;

	NET_EPOCH_CALL(queue_another, &ctx);
	NET_EPOCH_DRAIN_CALLBACKS();
	assert_int_equal(runs, 1);
	libvnet_run_until_idle();
	assert_int_equal(runs, 2);
}

/* ---- waiting */

LIBVNET_TEST(epoch_wait_without_sections_returns)
{
	struct epoch_tracker et;

	NET_EPOCH_ENTER(et);
	NET_EPOCH_EXIT(et);
	NET_EPOCH_WAIT();
	epoch_wait(global_epoch);
}

static void
wait_for_net(void *arg __unused)
{
	NET_EPOCH_WAIT();
	runs++;
}

LIBVNET_TEST(epoch_wait_for_anothers_section_is_a_deadlock)
{
	struct epoch_tracker et;

	libvnet_expect_panic("deadlock: epoch_wait_preempt: a section of epoch "
	    "\"Net preemptible\" is open");
	NET_EPOCH_ENTER(et);
	from_interrupt(wait_for_net, NULL);
}

LIBVNET_TEST(epoch_wait_after_anothers_section_is_none)
{
	struct epoch_tracker et;

	NET_EPOCH_ENTER(et);
	NET_EPOCH_EXIT(et);
	from_interrupt(wait_for_net, NULL);
	assert_int_equal(runs, 1);
}
