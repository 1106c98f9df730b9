/* SPDX-License-Identifier: BSD-2-Clause */
/* kthread(9), kproc(9): processes, suspending, many threads, deep stacks, misuse. */
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

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define MANY 100
#define TSAN 1
#endif
#endif
#ifndef MANY
#define MANY 10000
#endif

/* ---- processes */

static struct proc *proc;

static void
in_a_process(void *arg)
{
	assert_ptr_equal(curproc, *(struct proc **)arg);
	assert_string_equal(curproc->p_comm, "daemon");
	mtx_lock(&m);
	ran++;
	msleep(&channel, &m, PDROP, "test", 0);
	kproc_exit(0);
}

LIBVNET_TEST(kproc_has_threads_and_a_name)
{
	struct thread *td;

	make();
	kproc_create(in_a_process, &proc, &proc, 0, 0, "daemon");
	kproc_kthread_add(in_a_process, &proc, &proc, &td, 0, 0, "daemon",
	    "second");
	assert_string_equal(td->td_name, "second");
	libvnet_run_until_idle();
	assert_int_equal(ran, 2);
	assert_int_equal(proc->p_numthreads, 2);
	wakeup(&channel);
	libvnet_run_until_idle();
}

/* ---- suspending */

static bool stop;

static void
suspendable(void *arg)
{
	for (;;) {
		kthread_suspend_check();
		mtx_lock(&m);
		ran++;
		if (stop) {
			mtx_unlock(&m);
			kthread_exit();
		}
		msleep(&channel, &m, PDROP, "work", 0);
	}
}

LIBVNET_TEST(kthread_suspend_waits_until_it_stands)
{
	struct thread *td;

	make();
	kthread_add(suspendable, NULL, NULL, &td, 0, 0, "t");
	libvnet_run_until_idle();
	assert_int_equal(ran, 1);
	wakeup(&channel);
	assert_int_equal(kthread_suspend(td, 0), 0);
	assert_int_equal(ran, 1);
	stop = true;
	kthread_resume(td);
	libvnet_run_until_idle();
	assert_int_equal(ran, 2);
}

/* ---- how many, how deep */

static int alive;

static void
one_of_many(void *arg)
{
	mtx_lock(&m);
	alive++;
	msleep(&channel, &m, 0, "many", 0);
	alive--;
	mtx_unlock(&m);
	kthread_exit();
}

static void
many(int n)
{
	make();
	for (int i = 0; i < n; i++)
		kthread_add(one_of_many, NULL, NULL, NULL, 0, 0, "t%d", i);
	libvnet_run_until_idle();
	assert_int_equal(alive, n);
	wakeup(&channel);
	libvnet_run_until_idle();
	assert_int_equal(alive, 0);
}

LIBVNET_TEST(a_hundred_threads)
{
	many(100);
}

LIBVNET_TEST(ten_thousand_threads)
{
	many(MANY);
}

__noinline static int
deep(int n)
{
	volatile char space[64];
	int below;

	memset(__DEVOLATILE(char *, space), n, sizeof(space));
	below = n == 0 ? 0 : deep(n - 1);
	return (below + space[n % 64]);
}

static void
goes_deep(void *arg)
{
	int sum = deep((int)(intptr_t)arg);

	mtx_lock(&m);
	ran = sum;
	msleep(&channel, &m, PDROP, "deep", 0);
	kthread_exit();
}

LIBVNET_TEST(kthread_stack_use_is_known)
{
	struct thread *shallow, *deeper;

	if (libvnet_thread_stack_used(NULL) != LIBVNET_ENOTSUP)
		fail();
	make();
	kthread_add(goes_deep, (void *)1, NULL, &shallow, 0, 0, "shallow");
	kthread_add(goes_deep, (void *)150, NULL, &deeper, 0, 0, "deep");
	libvnet_run_until_idle();
	if (libvnet_thread_stack_used(deeper) == LIBVNET_ENOTSUP)
		libvnet_skip("stacks are the host's");
	assert_in_range(libvnet_thread_stack_used(shallow), 100, 16384);
	assert_true(libvnet_thread_stack_used(deeper) >
	    libvnet_thread_stack_used(shallow) + 50 * 64);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
static void
too_deep(void *arg)
{
	ran = deep(1 << 20);
	kthread_exit();
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
#define SANITIZED
#endif
#endif
#ifndef SANITIZED
LIBVNET_TEST(kthread_stack_overflow_is_a_finding)
{
	if (libvnet_threads() != LIBVNET_THREADS_COROUTINE)
		libvnet_skip("stacks are the host's");
	libvnet_expect_panic("kernel thread \"bottomless\" overflowed its "
	    "stack");
	kthread_add(too_deep, NULL, NULL, NULL, 0, 0, "bottomless");
	libvnet_run_until_idle();
}
#endif
#endif

/* ---- put back */

#ifndef TSAN	/* it cannot put its own memory of a thread back */
LIBVNET_TEST(parked_threads_are_put_back)
{
	struct libvnet_snapshot *s;

	make();
	start_in_order(sleeps_first, three);
	if (libvnet_snapshot_take(&s) == LIBVNET_ENOTSUP)
		libvnet_skip("threads of the host cannot be saved");
	for (int i = 0; i < 3; i++) {
		kthread_add(sleeps_first, __DECONST(char *, "dD"), NULL, NULL,
		    0, 0, "d");
		libvnet_run_until_idle();
		wakeup(&channel);
		libvnet_run_until_idle();
		assert_string_equal(order, "abcdABCD");
		assert_int_equal(libvnet_snapshot_restore(s), 0);
		assert_string_equal(order, "abc");
	}
	wakeup(&channel);
	libvnet_run_until_idle();
	assert_string_equal(order, "abcABC");
}
#endif

/* ---- what is wrong */

static void
first_one_then_the_other(void *arg)
{
	struct sx *const *both = arg;

	sx_xlock(both[0]);
	pause("between", 1);
	sx_xlock(both[1]);
	sx_xunlock(both[1]);
	sx_xunlock(both[0]);
	kthread_exit();
}

LIBVNET_TEST(threads_in_a_deadlock_are_named)
{
	static struct sx x, y;
	static struct sx *const xy[] = { &x, &y }, *const yx[] = { &y, &x };

	if (libvnet_threads() == LIBVNET_THREADS_HOST)
		libvnet_skip("threads that run freely just hang");
	libvnet_expect_panic("deadlock: threads wait for each other; thread "
	    "\"one\" waits for lock \"y\" of thread \"two\"; thread \"two\" "
	    "waits for lock \"x\" of thread \"one\"");
	sx_init(&x, "x");
	sx_init(&y, "y");
	kthread_add(first_one_then_the_other, __DECONST(void *, xy), NULL,
	    NULL, 0, 0, "one");
	kthread_add(first_one_then_the_other, __DECONST(void *, yx), NULL,
	    NULL, 0, 0, "two");
	libvnet_clock_advance_ns(LIBVNET_NS_PER_SECOND);
}

LIBVNET_TEST(kthread_exit_of_thread0_panics)
{
	libvnet_expect_panic("kthread_exit: \"kernel\" is no kernel thread");
	kthread_exit();
}

#ifdef INVARIANTS
static void
exits_with_a_lock(void *arg)
{
	mtx_lock(&m);
	kthread_exit();
}

LIBVNET_TEST(kthread_exit_with_a_lock_panics)
{
	libvnet_expect_panic("kthread_exit: thread \"t\" holds 1 locks");
	make();
	kthread_add(exits_with_a_lock, NULL, NULL, NULL, 0, 0, "t");
	libvnet_run_until_idle();
}
#endif
