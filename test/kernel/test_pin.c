/* SPDX-License-Identifier: BSD-2-Clause */
/* sched_bind(9), sched_pin(9): where a thread runs, and what is wrong about it. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/kthread.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/pcpu.h>
#include <sys/proc.h>
#include <sys/sched.h>
#include <sys/smp.h>

#include <libvnet/test.h>

/* Everybody migrates each time that it can. */
static void
boot(void)
{
	struct libvnet_options options = {
		.ncpus = 4, .cpu_policy = LIBVNET_CPU_ROTATE,
		.threads = libvnet_threads()
	};

	assert_int_equal(libvnet_shutdown(), 0);
	assert_int_equal(libvnet_boot(&options), 0);
}

static void
bind(int cpu)
{
	thread_lock(curthread);
	sched_bind(curthread, cpu);
	thread_unlock(curthread);
}

static void
unbind(void)
{
	thread_lock(curthread);
	sched_unbind(curthread);
	thread_unlock(curthread);
}

/* Was on so many CPUs in as many naps. */
static int
roams(int naps)
{
	u_int seen = 0;
	int n = 0;

	for (int i = 0; i < naps; i++) {
		seen |= 1U << curcpu;
		pause("roam", 1);
	}
	for (; seen != 0; seen &= seen - 1)
		n++;
	return (n);
}

LIBVNET_TEST(bound_thread_is_there_and_stays)
{
	boot();
	for (int cpu = 3; cpu >= 0; cpu--) {
		bind(cpu);
		assert_int_equal(curcpu, cpu);
		assert_int_equal(curthread->td_oncpu, cpu);
		assert_ptr_equal(PCPU_GET(curthread), curthread);
		assert_true(sched_is_bound(curthread));
		assert_int_equal(roams(8), 1);
		assert_int_equal(curcpu, cpu);
	}
	unbind();
	assert_false(sched_is_bound(curthread));
	assert_int_equal(curthread->td_pinned, 0);
}

static void
roaming(void *arg)
{
	int *n = arg;

	*n = roams(20);
	sched_pin();
	assert_int_equal(roams(20), 1);
	sched_unpin();
	kthread_exit();
}

LIBVNET_TEST(pinned_thread_stays_where_it_is)
{
	static int n[8];

	boot();
	for (int i = 0; i < 8; i++)
		kthread_add(roaming, &n[i], NULL, NULL, 0, 0, "r%d", i);
	for (int i = 0; i < 100; i++)
		libvnet_clock_advance_ns(LIBVNET_NS_PER_SECOND / 100);
	for (int i = 0; i < 8; i++) {
		assert_in_range(n[i], 1, 4);
		if (libvnet_threads() != LIBVNET_THREADS_HOST)
			assert_true(n[i] > 1);
	}
}

/* ---- a CPU that somebody has */

static int order[4], norder;
static struct mtx m;

static void
on_cpu_2(void *arg)
{
	bind(2);
	mtx_lock(&m);
	order[norder++] = (int)(intptr_t)arg;
	mtx_unlock(&m);
	kern_yield(PRI_UNCHANGED);
	assert_int_equal(curcpu, 2);
	kthread_exit();
}

LIBVNET_TEST(bound_threads_share_their_cpu)
{
	boot();
	mtx_init(&m, "m", NULL, MTX_DEF);
	for (intptr_t i = 0; i < 4; i++)
		kthread_add(on_cpu_2, (void *)i, NULL, NULL, 0, 0, "b%d",
		    (int)i);
	libvnet_run_until_idle();
	assert_int_equal(norder, 4);
}

/* ---- what is wrong */

LIBVNET_TEST(bind_to_a_cpu_that_is_not_there_panics)
{
	libvnet_expect_panic("sched_bind: there is no CPU 4");
	boot();
	bind(4);
}

static void
nothing(void *arg __unused)
{
	kthread_exit();
}

LIBVNET_TEST(bind_of_another_thread_panics)
{
	struct thread *td;

	libvnet_expect_panic("sched_bind: can only bind curthread");
	kthread_add(nothing, NULL, NULL, &td, 0, 0, "t");
	sched_bind(td, 0);
}

#ifdef INVARIANTS
LIBVNET_TEST(bind_without_thread_lock_panics)
{
	libvnet_expect_panic("sched_bind: thread \"kernel\" is not locked");
	sched_bind(curthread, 0);
}

LIBVNET_TEST(bind_of_a_pinned_thread_panics)
{
	libvnet_expect_panic("sched_bind: thread \"kernel\" is pinned to CPU 0");
	sched_pin();
	bind(0);
}

LIBVNET_TEST(bind_of_an_unpinned_thread_is_right)
{
	sched_pin();
	sched_unpin();
	bind(0);
	unbind();
}

LIBVNET_TEST(bind_in_a_critical_section_panics)
{
	libvnet_expect_panic("sched_bind: in a critical section");
	critical_enter();
	bind(0);
}

LIBVNET_TEST(unbind_without_thread_lock_panics)
{
	libvnet_expect_panic("sched_unbind: thread \"kernel\" is not locked");
	bind(0);
	sched_unbind(curthread);
}
#endif
