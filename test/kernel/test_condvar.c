/* SPDX-License-Identifier: BSD-2-Clause */
/* condvar(9), with threads on whatever carrier. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/condvar.h>
#include <sys/errno.h>
#include <sys/kernel.h>
#include <sys/kthread.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/sx.h>
#include <sys/time.h>

#include <libvnet/test.h>

static struct mtx m;
static struct sx sx;
static struct cv cv;
static int waiting, woken, results[8];

static void
make(void)
{
	mtx_init(&m, "m", NULL, MTX_DEF);
	sx_init(&sx, "sx");
	cv_init(&cv, "condition");
}

static void
waits(void *arg __unused)
{
	mtx_lock(&m);
	waiting++;
	cv_wait(&cv, &m);
	assert_true(mtx_owned(&m));
	woken++;
	mtx_unlock(&m);
	kthread_exit();
}

static void
start(void (*fn)(void *), int n)
{
	make();
	/* One after the other, so that they wait in this order. */
	for (int i = 0; i < n; i++) {
		kthread_add(fn, (void *)(intptr_t)i, NULL, NULL, 0, 0, "w%d",
		    i);
		libvnet_run_until_idle();
	}
}

static void
locked(void (*fn)(struct cv *))
{
	mtx_lock(&m);
	fn(&cv);
	mtx_unlock(&m);
	libvnet_run_until_idle();
}

static void
broadcast(struct cv *c)
{
	cv_broadcast(c);
}

LIBVNET_TEST(cv_signal_wakes_one)
{
	start(waits, 3);
	assert_int_equal(waiting, 3);
	for (int i = 1; i <= 3; i++) {
		locked(cv_signal);
		assert_int_equal(woken, i);
	}
	locked(cv_signal);
	cv_destroy(&cv);
}

LIBVNET_TEST(cv_broadcast_wakes_all)
{
	start(waits, 5);
	assert_int_equal(woken, 0);
	locked(broadcast);
	assert_int_equal(woken, 5);
	cv_destroy(&cv);
}

LIBVNET_TEST(cv_signal_without_a_waiter_is_lost)
{
	make();
	locked(cv_signal);
	mtx_lock(&m);
	assert_int_equal(cv_timedwait(&cv, &m, 2), EWOULDBLOCK);
	mtx_unlock(&m);
	cv_destroy(&cv);
}

static void
waits_a_while(void *arg)
{
	int i = (int)(intptr_t)arg;

	mtx_lock(&m);
	waiting++;
	results[i] = cv_timedwait(&cv, &m, (i + 1) * hz);
	woken++;
	mtx_unlock(&m);
	kthread_exit();
}

LIBVNET_TEST(cv_timedwait_ends_by_signal_or_time)
{
	start(waits_a_while, 3);
	libvnet_clock_advance_ns(LIBVNET_NS_PER_SECOND * 3 / 2);
	assert_int_equal(woken, 1);
	assert_int_equal(results[0], EWOULDBLOCK);
	locked(cv_signal);
	assert_int_equal(woken, 2);
	assert_int_equal(results[1], 0);
	libvnet_clock_advance_ns(LIBVNET_NS_PER_SECOND * 2);
	assert_int_equal(results[2], EWOULDBLOCK);
	assert_int_equal(cv.cv_waiters, 0);
	cv_destroy(&cv);
}

static void
waits_unlocked(void *arg __unused)
{
	sx_xlock(&sx);
	waiting++;
	cv_wait_unlock(&cv, &sx);
	assert_false(sx_xlocked(&sx));
	woken++;
	kthread_exit();
}

LIBVNET_TEST(cv_wait_unlock_leaves_the_lock_free)
{
	start(waits_unlocked, 1);
	sx_xlock(&sx);
	cv_signal(&cv);
	sx_xunlock(&sx);
	libvnet_run_until_idle();
	assert_int_equal(woken, 1);
}

LIBVNET_TEST(cv_wait_of_thread0_is_woken_by_a_thread)
{
	make();
	mtx_lock(&m);
	assert_int_equal(cv_timedwait_sbt(&cv, &m, SBT_1S, 0, 0),
	    EWOULDBLOCK);
	assert_int_equal(cv_timedwait_sig(&cv, &m, hz), EWOULDBLOCK);
	mtx_unlock(&m);
}

/* A queue with room for two, as a driver has it. */
static struct cv not_full, not_empty;
static int queue[2], head, len, sum;

static void
produces(void *arg __unused)
{
	mtx_lock(&m);
	for (int i = 1; i <= 100; i++) {
		while (len == 2)
			cv_wait(&not_full, &m);
		queue[(head + len++) % 2] = i;
		cv_signal(&not_empty);
	}
	mtx_unlock(&m);
	kthread_exit();
}

static void
consumes(void *arg __unused)
{
	mtx_lock(&m);
	for (int i = 1; i <= 100; i++) {
		while (len == 0)
			cv_wait(&not_empty, &m);
		sum += queue[head];
		head = (head + 1) % 2;
		len--;
		cv_signal(&not_full);
	}
	mtx_unlock(&m);
	kthread_exit();
}

LIBVNET_TEST(cv_makes_a_queue)
{
	make();
	cv_init(&not_full, "not full");
	cv_init(&not_empty, "not empty");
	kthread_add(consumes, NULL, NULL, NULL, 0, 0, "consumer");
	kthread_add(produces, NULL, NULL, NULL, 0, 0, "producer");
	libvnet_run_until_idle();
	assert_int_equal(sum, 5050);
}

LIBVNET_TEST(cv_wait_that_nothing_can_end_panics)
{
	libvnet_expect_panic("thread sleeps for ever on \"condition\"");
	make();
	mtx_lock(&m);
	cv_wait(&cv, &m);
}

#ifdef INVARIANTS
LIBVNET_TEST(cv_destroy_with_a_waiter_panics)
{
	libvnet_expect_panic("cv_destroy: \"condition\" has 1 waiters");
	start(waits, 1);
	cv_destroy(&cv);
}

LIBVNET_TEST(cv_wait_without_the_lock_panics)
{
	libvnet_expect_panic("mutex m not owned");
	make();
	cv_wait(&cv, &m);
}
#endif
