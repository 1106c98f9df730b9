/* SPDX-License-Identifier: BSD-2-Clause */
/* kthread(9), kproc(9): kernel threads, one at a time, first come first served. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/condvar.h>
#include <sys/errno.h>
#include <sys/kernel.h>
#include <sys/kthread.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/rmlock.h>
#include <sys/rwlock.h>
#include <sys/sched.h>
#include <sys/sx.h>
#include <sys/unistd.h>

#include <libvnet/snapshot.h>
#include <libvnet/test.h>
#include "kthread_test.h"

static void
note(char c)
{
	mtx_lock(&m);
	order[ran++] = c;
	mtx_unlock(&m);
}

static int
noted(void)
{
	int n;

	mtx_lock(&m);
	n = ran;
	mtx_unlock(&m);
	return (n);
}

static void
once(void *arg)
{
	note(*(const char *)arg);
	kthread_exit();
}

LIBVNET_TEST(kthread_runs_when_the_machine_may)
{
	struct thread *td = NULL;

	make();
	assert_int_equal(kthread_add(once, "a", NULL, &td, 0, 0, "t%d", 7), 0);
	assert_non_null(td);
	assert_true(libvnet_run_until_idle() > 0);
	assert_int_equal(ran, 1);
}

static void
look_at_myself(void *arg)
{
	struct thread **tdp = arg;

	assert_ptr_equal(curthread, *tdp);
	assert_ptr_equal(curproc, &proc0);
	assert_string_equal(curthread->td_name, "worker 3");
	assert_ptr_equal(curthread->td_ucred, proc0.p_ucred);
	assert_null(curthread->td_vnet);
	assert_true((curthread->td_pflags & TDP_KTHREAD) != 0);
	assert_true(TD_IS_RUNNING(curthread));
	assert_true(curthread->td_tid != thread0.td_tid);
	ran = 1;
	kthread_exit();
}

LIBVNET_TEST(kthread_knows_who_it_is)
{
	static struct thread *td;

	kthread_add(look_at_myself, &td, NULL, &td, 0, 0, "worker %d", 3);
	libvnet_run_until_idle();
	assert_int_equal(ran, 1);
	assert_ptr_equal(curthread, &thread0);
}

LIBVNET_TEST(kthread_returning_ends_it)
{
	make();
	kthread_add((void (*)(void *))note, (void *)'x', NULL, NULL, 0, 0, "x");
	libvnet_run_until_idle();
	assert_int_equal(order[0], 'x');
}

LIBVNET_TEST(kthread_stopped_waits_for_sched_add)
{
	struct thread *td;

	make();
	kthread_add(once, "a", NULL, &td, RFSTOPPED, 0, "t");
	libvnet_run_until_idle();
	assert_int_equal(ran, 0);
	thread_lock(td);
	sched_prio(td, PVM);
	sched_add(td, SRQ_BORING);
	libvnet_run_until_idle();
	assert_int_equal(ran, 1);
}

LIBVNET_TEST(kthread_sleeps_until_woken)
{
	make();
	kthread_add(sleeps_first, "aA", NULL, NULL, 0, 0, "a");
	libvnet_run_until_idle();
	assert_string_equal(order, "a");
	libvnet_run_until_idle();
	assert_string_equal(order, "a");
	wakeup(&channel);
	libvnet_run_until_idle();
	assert_string_equal(order, "aA");
}

LIBVNET_TEST(wakeup_one_wakes_who_sleeps_longest)
{
	make();
	start_in_order(sleeps_first, three);
	assert_string_equal(order, "abc");
	for (int i = 0; i < 3; i++) {
		wakeup_one(&channel);
		libvnet_run_until_idle();
		assert_int_equal(ran, 4 + i);
	}
	assert_string_equal(order, "abcABC");
}

LIBVNET_TEST(wakeup_wakes_all)
{
	make();
	start_in_order(sleeps_first, three);
	wakeup(&channel);
	libvnet_run_until_idle();
	assert_int_equal(ran, 6);
}

static void
pauses(void *arg)
{
	const char *name = arg;

	pause("test", (name[0] - '0') * hz);
	note(name[1]);
	kthread_exit();
}

LIBVNET_TEST(pause_ends_in_the_order_of_times)
{
	static const char *const names[] = { "3c", "1a", "4d", "2b", NULL };

	make();
	start_in_order(pauses, names);
	assert_int_equal(ran, 0);
	libvnet_clock_advance_ns(LIBVNET_NS_PER_SECOND + 1000000);
	assert_string_equal(order, "a");
	libvnet_clock_advance_ns(3 * LIBVNET_NS_PER_SECOND);
	assert_string_equal(order, "abcd");
}

static void
wakes_thread0(void *arg)
{
	pause("test", hz);
	mtx_lock(&m);
	ran = 1;
	wakeup(arg);
	mtx_unlock(&m);
	kthread_exit();
}

LIBVNET_TEST(thread0_sleeps_until_a_thread_wakes_it)
{
	int64_t start = libvnet_clock_ns();

	make();
	kthread_add(wakes_thread0, &channel, NULL, NULL, 0, 0, "t");
	mtx_lock(&m);
	while (ran == 0)
		assert_int_equal(msleep(&channel, &m, 0, "test", 0), 0);
	mtx_unlock(&m);
	assert_in_range((libvnet_clock_ns() - start) / 1000000, 998, 1001);
}

/* ---- two threads and two channels: many switches */

static int turn, rounds;

static void
ping_pong(void *arg)
{
	int mine = (int)(intptr_t)arg;

	mtx_lock(&m);
	while (rounds < 1000) {
		if (turn != mine) {
			msleep(&turn, &m, 0, "turn", 0);
			continue;
		}
		rounds++;
		turn = !mine;
		wakeup(&turn);
	}
	mtx_unlock(&m);
	kthread_exit();
}

LIBVNET_TEST(two_threads_take_turns)
{
	make();
	for (intptr_t i = 0; i < 2; i++)
		kthread_add(ping_pong, (void *)i, NULL, NULL, 0, 0, "p%d",
		    (int)i);
	libvnet_run_until_idle();
	assert_int_equal(rounds, 1000);
}

static void
yields(void *arg)
{
	for (int i = 0; i < 3; i++) {
		note(*(const char *)arg);
		kern_yield(PRI_UNCHANGED);
	}
	kthread_exit();
}

LIBVNET_TEST(yield_lets_the_others_run)
{
	make();
	kthread_add(yields, "a", NULL, NULL, 0, 0, "a");
	kthread_add(yields, "b", NULL, NULL, 0, 0, "b");
	libvnet_run_until_idle();
	assert_int_equal(ran, 6);
}

/* ---- a lock that another thread holds */

static struct rwlock rw;
static struct rmlock rm;

static void
holds(void *arg)
{
	struct rm_priotracker t;

	sx_xlock(&sx);
	pause("hold", hz);
	note('s');
	sx_xunlock(&sx);
	mtx_lock(&m);
	kern_yield(PRI_UNCHANGED);
	mtx_unlock(&m);
	rm_rlock(&rm, &t);
	kern_yield(PRI_UNCHANGED);
	note('m');
	rm_runlock(&rm, &t);
	rw_rlock(&rw);
	kern_yield(PRI_UNCHANGED);
	note('w');
	rw_runlock(&rw);
	kthread_exit();
}

LIBVNET_TEST(locks_of_others_are_waited_for)
{
	make();
	sx_init(&sx, "sx");
	rw_init(&rw, "rw");
	rm_init(&rm, "rm");
	kthread_add(holds, NULL, NULL, NULL, 0, 0, "holder");
	libvnet_run_until_idle();
	sx_slock(&sx);
	assert_true(noted() >= 1);	/* on host threads it may be further */
	sx_sunlock(&sx);
	while (noted() < 2) {
		rm_wlock(&rm);
		rm_wunlock(&rm);
		kern_yield(PRI_UNCHANGED);
	}
	while (noted() < 3) {
		rw_wlock(&rw);
		rw_wunlock(&rw);
		kern_yield(PRI_UNCHANGED);
	}
	assert_string_equal(order, "smw");
}

static void
waits_for_thread0(void *arg)
{
	sx_xlock(&sx);
	note(*(const char *)arg);
	sx_xunlock(&sx);
	kthread_exit();
}

LIBVNET_TEST(thread_waits_for_a_lock_of_thread0)
{
	make();
	sx_init(&sx, "sx");
	sx_xlock(&sx);
	kthread_add(waits_for_thread0, "a", NULL, NULL, 0, 0, "a");
	for (int i = 0; i < 3; i++)
		kern_yield(PRI_UNCHANGED);
	assert_int_equal(noted(), 0);
	sx_xunlock(&sx);
	libvnet_run_until_idle();
	assert_int_equal(ran, 1);
}
