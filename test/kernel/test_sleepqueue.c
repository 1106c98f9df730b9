/* SPDX-License-Identifier: BSD-2-Clause */
/* sleepqueue(9): the parts that sleep(9) is made of. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/callout.h>
#include <sys/epoch.h>
#include <sys/errno.h>
#include <sys/kernel.h>
#include <sys/kthread.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/sleepqueue.h>

#include <libvnet/test.h>

static struct mtx m;
static int channel, woken, answer;
static struct thread *sleeper;

static void
sleeps(void *arg)
{
	sleepq_lock(&channel);
	sleepq_add(&channel, NULL, "sleepq", SLEEPQ_SLEEP, 0);
	if (arg != NULL) {
		sleepq_set_timeout(&channel, *(int *)arg);
		answer = sleepq_timedwait(&channel, 0);
	} else
		sleepq_wait(&channel, 0);
	mtx_lock(&m);
	woken++;
	mtx_unlock(&m);
	kthread_exit();
}

static int
woken_now(void)
{
	int n;

	libvnet_run_until_idle();
	mtx_lock(&m);
	n = woken;
	mtx_unlock(&m);
	return (n);
}

static void
start(int n)
{
	mtx_init(&m, "m", NULL, MTX_DEF);
	while (n-- > 0)
		kthread_add(sleeps, NULL, NULL, &sleeper, 0, 0, "sleeper");
	libvnet_run_until_idle();
}

LIBVNET_TEST(sleepq_signal_wakes_one)
{
	start(3);
	assert_int_equal(sleepq_sleepcnt(&channel, 0), 3);
	assert_non_null(sleepq_lookup(&channel));
	sleepq_lock(&channel);
	assert_int_equal(sleepq_signal(&channel, SLEEPQ_SLEEP, 0, 0), 0);
	sleepq_release(&channel);
	assert_int_equal(woken_now(), 1);
	sleepq_lock(&channel);
	sleepq_broadcast(&channel, SLEEPQ_SLEEP, 0, 0);
	sleepq_release(&channel);
	assert_int_equal(woken_now(), 3);
	assert_null(sleepq_lookup(&channel));
}

LIBVNET_TEST(sleepq_is_woken_by_wakeup)
{
	start(2);
	wakeup_one(&channel);
	assert_int_equal(woken_now(), 1);
	wakeup(&channel);
	assert_int_equal(woken_now(), 2);
}

LIBVNET_TEST(sleepq_remove_wakes_that_thread)
{
	int other;

	start(1);
	sleepq_remove(sleeper, &other);
	assert_int_equal(woken_now(), 0);
	sleepq_remove(sleeper, &channel);
	assert_int_equal(woken_now(), 1);
}

LIBVNET_TEST(sleepq_timeout_ends_the_wait)
{
	int timo = 5;

	mtx_init(&m, "m", NULL, MTX_DEF);
	kthread_add(sleeps, &timo, NULL, NULL, 0, 0, "sleeper");
	assert_int_equal(woken_now(), 0);
	libvnet_clock_advance_ns(LIBVNET_NS_PER_SECOND / hz * 6);
	assert_int_equal(woken_now(), 1);
	assert_int_equal(answer, EWOULDBLOCK);
}

static void
wakes(void *arg)
{
	wakeup(&channel);
}

/* The test's own thread, too. */
LIBVNET_TEST(sleepq_wait_lets_the_machine_run)
{
	struct callout c;

	callout_init(&c, 1);
	callout_reset(&c, 10, wakes, NULL);
	sleepq_lock(&channel);
	sleepq_add(&channel, NULL, "sleepq", SLEEPQ_SLEEP, 0);
	sleepq_wait(&channel, 0);
	assert_int_equal(curthread->td_critnest, 0);
}

#ifdef INVARIANTS
LIBVNET_TEST(sleepq_add_unlocked_panics)
{
	libvnet_expect_panic("sleepq chain|not owned");
	sleepq_lock(&channel);
	sleepq_release(&channel);
	sleepq_add(&channel, NULL, "sleepq", SLEEPQ_SLEEP, 0);
}

LIBVNET_TEST(sleepq_add_in_an_epoch_panics)
{
	struct epoch_tracker et;

	NET_EPOCH_ENTER(et);
	sleepq_lock(&channel);
	libvnet_expect_panic("sleepq_add: sleep on \"sleepq\" where sleeping");
	sleepq_add(&channel, NULL, "sleepq", SLEEPQ_SLEEP, 0);
}

LIBVNET_TEST(sleepq_add_in_a_critical_section_panics)
{
	critical_enter();
	sleepq_lock(&channel);
	libvnet_expect_panic("sleepq_add: sleep on \"sleepq\" in a critical");
	sleepq_add(&channel, NULL, "sleepq", SLEEPQ_SLEEP, 0);
}
#endif
