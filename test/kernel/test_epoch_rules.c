/* SPDX-License-Identifier: BSD-2-Clause */
/* epoch(9): epochs of one's own, misuse, and when callbacks run. */
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
#include <net/vnet.h>

#include <libvnet/test.h>
#include "epoch_test.h"

/* ---- epochs of one's own */

LIBVNET_TEST(epoch_of_ones_own_works)
{
	epoch_t e = epoch_alloc("mine", EPOCH_PREEMPT);
	struct epoch_context ctx;
	struct epoch_tracker et;

	epoch_enter_preempt(e, &et);
	assert_true(in_epoch(e));
	assert_false(in_epoch(net_epoch_preempt));
	epoch_exit_preempt(e, &et);
	epoch_call(e, count, &ctx);
	epoch_free(e);
	assert_int_equal(runs, 1);
}

LIBVNET_TEST(epoch_free_with_an_open_section_panics)
{
	epoch_t e = epoch_alloc("mine", EPOCH_PREEMPT);
	struct epoch_tracker et;

	libvnet_expect_panic("may sleep|epoch \"mine\" has open sections");
	epoch_enter_preempt(e, &et);
	epoch_free(e);
}

#ifdef VIMAGE

VNET_DEFINE_STATIC(int, touched);
#define V_touched VNET(touched)

static void
touch(epoch_context_t ctx __unused)
{
	V_touched = 1;
}

#ifdef INVARIANTS
LIBVNET_TEST_VNET(epoch_callback_has_no_vnet, v)
{
	static struct epoch_context ctx;

	libvnet_expect_panic("V_touched used with no vnet set");
	NET_EPOCH_CALL(touch, &ctx);
	libvnet_run_until_idle();
}
#endif

struct with_vnet {
	struct epoch_context ctx;
	struct vnet *vnet;
};

static void
touch_rightly(epoch_context_t ctx)
{
	CURVNET_SET(__containerof(ctx, struct with_vnet, ctx)->vnet);
	touch(ctx);
	CURVNET_RESTORE();
}

LIBVNET_TEST_VNET(epoch_callback_may_set_the_vnet, v)
{
	struct with_vnet w = { .vnet = v };

	NET_EPOCH_CALL(touch_rightly, &w.ctx);
	libvnet_run_until_idle();
	assert_int_equal(V_touched, 1);
	assert_ptr_equal(curvnet, v);
}

LIBVNET_TEST_VNET(epoch_forgotten_in_a_vnet_is_a_leak, v)
{
	libvnet_expect("leak", "of malloc type \"epoch\"");
	(void)epoch_alloc("mine", 0);
}

#endif /* VIMAGE */

/* ---- what INVARIANTS finds */

#ifdef INVARIANTS

LIBVNET_TEST(net_epoch_assert_outside_a_section_panics)
{
	libvnet_expect_panic("Assertion .*in_epoch.* failed at "
	    ".*test_epoch_rules.c:");
	NET_EPOCH_ASSERT();
}

LIBVNET_TEST(epoch_section_forbids_malloc_waitok)
{
	struct epoch_tracker et;

	libvnet_expect_panic("malloc\\(M_WAITOK\\): may sleep");
	NET_EPOCH_ENTER(et);
	(void)!malloc(8, M_EPOCHTEST, M_WAITOK);
}

LIBVNET_TEST(epoch_section_allows_malloc_nowait)
{
	struct epoch_tracker et;

	NET_EPOCH_ENTER(et);
	free(malloc(8, M_EPOCHTEST, M_NOWAIT), M_EPOCHTEST);
	NET_EPOCH_EXIT(et);
}

LIBVNET_TEST(epoch_wait_inside_a_section_panics)
{
	struct epoch_tracker et;

	libvnet_expect_panic("epoch_wait_preempt\\(\\) called in the middle of "
	    "a section of the same epoch");
	NET_EPOCH_ENTER(et);
	NET_EPOCH_WAIT();
}

LIBVNET_TEST(epoch_wait_inside_a_critical_section_panics)
{
	libvnet_expect_panic("epoch_wait\\(\\) called in the middle of");
	epoch_enter(global_epoch);
	epoch_wait(global_epoch);
}

LIBVNET_TEST(epoch_wait_preempt_in_a_critical_section_panics)
{
	libvnet_expect_panic("epoch_wait_preempt: .* in a critical section");
	critical_enter();
	NET_EPOCH_WAIT();
}

LIBVNET_TEST(epoch_drain_inside_a_section_panics)
{
	struct epoch_tracker et;

	libvnet_expect_panic("epoch_drain_callbacks: may sleep");
	NET_EPOCH_ENTER(et);
	NET_EPOCH_DRAIN_CALLBACKS();
}

LIBVNET_TEST(epoch_enter_preempt_of_a_critical_epoch_panics)
{
	struct epoch_tracker et;

	libvnet_expect_panic("epoch \"Global\" is not preemptible");
	epoch_enter_preempt(global_epoch, &et);
}

LIBVNET_TEST(epoch_wait_preempt_of_a_critical_epoch_panics)
{
	libvnet_expect_panic("epoch \"Global\" is not preemptible");
	epoch_wait_preempt(global_epoch);
}

LIBVNET_TEST(epoch_wait_of_a_preemptible_epoch_panics)
{
	libvnet_expect_panic("epoch \"Net preemptible\" is preemptible");
	epoch_wait(net_epoch_preempt);
}

LIBVNET_TEST(epoch_call_of_a_queued_context_panics)
{
	static struct epoch_context ctx;

	libvnet_expect_panic("a context was given to epoch_call\\(\\) again "
	    "before its callback ran");
	NET_EPOCH_CALL(count, &ctx);
	NET_EPOCH_CALL(count, &ctx);
	libvnet_run_until_idle();
}

LIBVNET_TEST(epoch_call_that_cuts_the_queue_panics)
{
	static struct epoch_context a, b;

	libvnet_expect_panic("a context was given to epoch_call\\(\\) again");
	NET_EPOCH_CALL(count, &a);
	NET_EPOCH_CALL(count, &b);
	NET_EPOCH_CALL(count, &a);
	libvnet_run_until_idle();
}

LIBVNET_TEST(epoch_call_after_its_callback_ran_is_allowed)
{
	struct epoch_context ctx;

	NET_EPOCH_CALL(count, &ctx);
	libvnet_run_until_idle();
	NET_EPOCH_CALL(count, &ctx);
	libvnet_run_until_idle();
	assert_int_equal(runs, 2);
}

static struct mtx m;

static void
keep_lock(epoch_context_t ctx __unused)
{
	mtx_lock(&m);
}

LIBVNET_TEST(epoch_callback_that_keeps_a_lock_panics)
{
	static struct epoch_context ctx;

	libvnet_expect_panic("returned with a lock held");
	mtx_init(&m, "m", NULL, MTX_DEF);
	NET_EPOCH_CALL(keep_lock, &ctx);
	libvnet_run_until_idle();
}

#endif /* INVARIANTS */

/* ---- when callbacks run */

static struct epoch_context when_ctx[2];

static void
thread_looks(void *arg)
{
	*(int *)arg = runs;
	kthread_exit();
}

static int
runs_seen_by_thread(void)
{
	int seen = -1;

	runs = 0;
	NET_EPOCH_CALL(count, &when_ctx[0]);
	kthread_add(thread_looks, &seen, NULL, NULL, 0, 0, "looks");
	libvnet_run_until_idle();
	return (seen);
}

LIBVNET_TEST(epoch_callbacks_wait_for_threads_unless_eager)
{
	if (libvnet_threads() == LIBVNET_THREADS_HOST)
		libvnet_skip("free-running threads have no order");
	assert_int_equal(runs_seen_by_thread(), 0);
	assert_int_equal(runs, 1);
	assert_int_equal(libvnet_epoch_set(LIBVNET_EPOCH_EAGER, 0), 0);
	assert_int_equal(runs_seen_by_thread(), 1);
}

LIBVNET_TEST(epoch_callbacks_that_are_eager_wait_for_the_section)
{
	struct epoch_tracker et;

	libvnet_epoch_set(LIBVNET_EPOCH_EAGER, 0);
	NET_EPOCH_ENTER(et);
	NET_EPOCH_CALL(count, &when_ctx[0]);
	libvnet_run_until_idle();
	assert_int_equal(runs, 0);
	NET_EPOCH_EXIT(et);
	libvnet_run_until_idle();
	assert_int_equal(runs, 1);
}

LIBVNET_TEST(epoch_callbacks_that_are_delayed_wait_for_their_tick)
{
	assert_int_equal(libvnet_epoch_set(LIBVNET_EPOCH_DELAYED, 10), 0);
	NET_EPOCH_CALL(count, &when_ctx[0]);
	libvnet_run_until_idle();
	assert_int_equal(runs, 0);
	assert_true(libvnet_clock_next_ns() > 0);
	libvnet_clock_advance_ns(LIBVNET_NS_PER_SECOND / hz * 9);
	assert_int_equal(runs, 0);
	libvnet_clock_advance_ns(LIBVNET_NS_PER_SECOND / hz * 2);
	assert_int_equal(runs, 1);
}

LIBVNET_TEST(epoch_callbacks_that_are_delayed_can_be_drained)
{
	libvnet_epoch_set(LIBVNET_EPOCH_DELAYED, 1000000);
	NET_EPOCH_CALL(count, &when_ctx[0]);
	NET_EPOCH_DRAIN_CALLBACKS();
	assert_int_equal(runs, 1);
}

LIBVNET_TEST_VNET(epoch_callbacks_that_are_delayed_are_no_leak, v)
{
	libvnet_epoch_set(LIBVNET_EPOCH_DELAYED, 1000000);
	LIBVNET_IN(v)
		NET_EPOCH_CALL(release, malloc(sizeof(struct epoch_context),
		    M_EPOCHTEST, M_WAITOK));
}

/* How many of 64 have run when the machine is idle, and how many at the end. */
static int
random_runs(uint64_t seed, int *at_end)
{
	int n = 0;

	libvnet_seed(seed);
	for (int i = 0; i < 64; i++) {
		runs = 0;
		NET_EPOCH_CALL(count, &when_ctx[0]);
		libvnet_run_until_idle();
		n += runs;
		libvnet_clock_advance_ns(LIBVNET_NS_PER_SECOND);
		*at_end += runs;
	}
	return (n);
}

LIBVNET_TEST(epoch_callbacks_that_are_random_repeat_with_the_seed)
{
	int at_end = 0, n;

	libvnet_epoch_set(LIBVNET_EPOCH_RANDOM, 0);
	n = random_runs(7, &at_end);
	assert_int_equal(at_end, 64);
	assert_in_range(n, 20, 60);
	assert_int_equal(random_runs(7, &at_end), n);
}

LIBVNET_TEST(epoch_set_refuses_what_makes_no_sense)
{
	assert_int_equal(libvnet_epoch_set(LIBVNET_EPOCH_DELAYED, 0),
	    LIBVNET_EINVAL);
	assert_int_equal(libvnet_epoch_set(LIBVNET_EPOCH_RANDOM, -1),
	    LIBVNET_EINVAL);
	assert_int_equal(libvnet_epoch_set((enum libvnet_epoch)9, 0),
	    LIBVNET_EINVAL);
}
