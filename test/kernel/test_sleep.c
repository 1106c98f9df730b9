/* SPDX-License-Identifier: BSD-2-Clause */
/* sleep(9): a sleeping thread lets the machine run until it is woken. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/callout.h>
#include <sys/epoch.h>
#include <sys/errno.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/rmlock.h>
#include <sys/rwlock.h>
#include <sys/sx.h>
#include <sys/time.h>

#include <libvnet/test.h>

static struct mtx m;
static struct callout c;
static int channel, other;
static int fired;

static void
make(void)
{
	mtx_init(&m, "m", NULL, MTX_DEF);
}

static void
wake(void *chan)
{
	fired++;
	wakeup(chan);
}

static void
wake_after(int t, void *chan)
{
	callout_init(&c, 1);
	callout_reset(&c, t, wake, chan);
}

/* hz ticks are a little less than a second. */
static int64_t
ms_from(int64_t start)
{
	return ((libvnet_clock_ns() - start) / 1000000);
}

LIBVNET_TEST(sleep_ends_when_a_callout_wakes)
{
	int64_t start = libvnet_clock_ns();

	make();
	wake_after(hz, &channel);
	mtx_lock(&m);
	assert_int_equal(msleep(&channel, &m, 0, "test", 0), 0);
	assert_true(mtx_owned(&m));
	mtx_unlock(&m);
	assert_int_equal(fired, 1);
	assert_in_range(ms_from(start), 999, 1001);
}

static void
take_and_wake(void *arg)
{
	mtx_lock(&m);
	fired++;
	wakeup_one(arg);
	mtx_unlock(&m);
}

LIBVNET_TEST(sleep_gives_the_interlock_up_meanwhile)
{
	make();
	callout_init(&c, 1);
	callout_reset(&c, 1, take_and_wake, &channel);
	mtx_lock(&m);
	while (fired == 0)
		msleep(&channel, &m, 0, "test", 0);
	mtx_unlock(&m);
}

LIBVNET_TEST(sleep_timeout_says_ewouldblock)
{
	int64_t start = libvnet_clock_ns();

	make();
	mtx_lock(&m);
	assert_int_equal(msleep(&channel, &m, 0, "test", 2 * hz), EWOULDBLOCK);
	mtx_unlock(&m);
	assert_in_range(ms_from(start), 1999, 2001);
}

LIBVNET_TEST(sleep_is_not_woken_on_another_channel)
{
	make();
	wake_after(hz, &other);
	mtx_lock(&m);
	assert_int_equal(msleep(&channel, &m, 0, "test", 2 * hz), EWOULDBLOCK);
	mtx_unlock(&m);
	assert_int_equal(fired, 1);
}

LIBVNET_TEST(sleep_with_pdrop_leaves_the_lock_free)
{
	make();
	wake_after(1, &channel);
	mtx_lock(&m);
	assert_int_equal(msleep(&channel, &m, PDROP, "test", 0), 0);
	assert_false(mtx_owned(&m));
}

LIBVNET_TEST(sleep_takes_each_kind_of_lock_again_as_it_was)
{
	static struct rm_priotracker t;
	static struct rmlock rm;
	static struct rwlock rw;
	static struct sx sx;

	rw_init(&rw, "rw");
	rm_init(&rm, "rm");
	sx_init(&sx, "sx");
	rw_rlock(&rw);
	assert_int_equal(rw_sleep(&channel, &rw, 0, "test", 1), EWOULDBLOCK);
	rw_runlock(&rw);
	rm_rlock(&rm, &t);
	assert_int_equal(rm_sleep(&channel, &rm, 0, "test", 1), EWOULDBLOCK);
	rm_runlock(&rm, &t);
	sx_xlock(&sx);
	assert_int_equal(sx_sleep(&channel, &sx, 0, "test", 1), EWOULDBLOCK);
	sx_xunlock(&sx);
	assert_int_equal(curthread->td_locks, 0);
}

LIBVNET_TEST(sleep_drops_giant_at_any_depth)
{
	mtx_lock(&Giant);
	mtx_lock(&Giant);
	assert_int_equal(tsleep(&channel, 0, "test", 1), EWOULDBLOCK);
	assert_true(mtx_recursed(&Giant));
	mtx_unlock(&Giant);
	mtx_unlock(&Giant);
	assert_false(mtx_owned(&Giant));
}

static void
wake_from_epoch(epoch_context_t ctx __unused)
{
	fired++;
	wakeup(&channel);
}

LIBVNET_TEST(sleep_ends_when_an_epoch_callback_wakes)
{
	static struct epoch_context ctx;
	int64_t start = libvnet_clock_ns();

	make();
	NET_EPOCH_CALL(wake_from_epoch, &ctx);
	mtx_lock(&m);
	assert_int_equal(msleep(&channel, &m, 0, "test", 0), 0);
	mtx_unlock(&m);
	assert_int_equal(ms_from(start), 0);
}

LIBVNET_TEST(pause_moves_the_clock_and_runs_events)
{
	int64_t start = libvnet_clock_ns();

	wake_after(hz / 2, &channel);
	assert_int_equal(pause("test", hz), EWOULDBLOCK);
	assert_int_equal(fired, 1);
	assert_in_range(ms_from(start), 999, 1001);
	assert_int_equal(pause_sbt("test", SBT_1S, 0, 0), EWOULDBLOCK);
	assert_in_range(ms_from(start), 1999, 2001);
	assert_int_equal(pause("test", 0), EWOULDBLOCK);
	assert_in_range(ms_from(start), 2000, 2002);
}

LIBVNET_TEST(wakeup_without_a_sleeper_is_lost)
{
	make();
	wakeup(&channel);
	mtx_lock(&m);
	assert_int_equal(msleep(&channel, &m, 0, "test", 1), EWOULDBLOCK);
	mtx_unlock(&m);
}

LIBVNET_TEST(sleep_that_nothing_can_end_panics)
{
	libvnet_expect_panic("thread sleeps for ever on \"hopeless\"");
	make();
	mtx_lock(&m);
	msleep(&channel, &m, 0, "hopeless", 0);
}

static void
again(void *arg __unused)
{
	callout_schedule(&c, 60 * hz);
}

LIBVNET_TEST(sleep_that_periodic_events_do_not_end_panics)
{
	libvnet_expect_panic("thread sleeps for ever on \"hopeless\"");
	make();
	callout_init(&c, 1);
	callout_reset(&c, hz, again, NULL);
	mtx_lock(&m);
	msleep(&channel, &m, 0, "hopeless", 0);
}

LIBVNET_TEST(sleep_in_a_critical_section_panics)
{
	libvnet_expect_panic("sleep on \"test\": may sleep, in a critical "
	    "section");
	critical_enter();
	tsleep(&channel, 0, "test", 1);
}

static void
sleep_here(void *arg __unused)
{
	tsleep(&channel, 0, "test", 1);
}

LIBVNET_TEST(sleep_in_an_interrupt_panics)
{
	libvnet_expect_panic("sleep on \"test\": may sleep, in an interrupt "
	    "context");
	callout_init(&c, 1);
	callout_reset(&c, 1, sleep_here, NULL);
	libvnet_clock_advance_ns(LIBVNET_NS_PER_SECOND);
}

LIBVNET_TEST(sleep_in_an_epoch_section_panics)
{
	struct epoch_tracker et;

	libvnet_expect_panic("sleep on \"test\": may sleep.*epoch");
	NET_EPOCH_ENTER(et);
	tsleep(&channel, 0, "test", 1);
}

LIBVNET_TEST(sleep_on_a_spin_mutex_panics)
{
	libvnet_expect_panic("may sleep, in a critical section");
	mtx_init(&m, "m", NULL, MTX_SPIN);
	mtx_lock_spin(&m);
	msleep(&channel, &m, 0, "test", 1);
}

#ifdef INVARIANTS

LIBVNET_TEST(sleep_without_lock_and_timeout_panics)
{
	libvnet_expect_panic("sleeping on \"test\" without a lock");
	tsleep(&channel, 0, "test", 0);
}

LIBVNET_TEST(sleep_on_null_panics)
{
	libvnet_expect_panic("_sleep: NULL channel");
	tsleep(NULL, 0, "test", 1);
}

LIBVNET_TEST(sleep_with_pdrop_and_no_lock_panics)
{
	libvnet_expect_panic("PDROP requires a lock");
	tsleep(&channel, PDROP, "test", 1);
}

LIBVNET_TEST(sleep_on_a_mutex_of_another_panics)
{
	libvnet_expect_panic("mutex m not owned");
	make();
	msleep(&channel, &m, 0, "test", 1);
}

LIBVNET_TEST(sleep_on_a_recursed_mutex_panics)
{
	libvnet_expect_panic("mutex m recursed");
	mtx_init(&m, "m", NULL, MTX_DEF | MTX_RECURSE);
	mtx_lock(&m);
	mtx_lock(&m);
	msleep(&channel, &m, 0, "test", 1);
}

#endif /* INVARIANTS */
