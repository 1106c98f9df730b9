/* SPDX-License-Identifier: BSD-2-Clause */
/* critical_enter(9), spinlock_enter: what a section forbids, and what it keeps. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/kthread.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/pcpu.h>
#include <sys/proc.h>
#include <sys/smp.h>

#include <libvnet/test.h>

LIBVNET_TEST(sections_nest)
{
	critical_enter();
	critical_enter();
	spinlock_enter();
	assert_int_equal(curthread->td_critnest, 3);
	assert_int_equal(curthread->td_md.md_spinlock_count, 1);
	spinlock_exit();
	critical_exit();
	critical_exit();
	assert_int_equal(curthread->td_critnest, 0);
	assert_int_equal(curthread->td_md.md_spinlock_count, 0);
}

LIBVNET_TEST(spin_mutex_is_held_in_a_section)
{
	static struct mtx m;

	mtx_init(&m, "spin", NULL, MTX_SPIN);
	mtx_lock_spin(&m);
	assert_int_equal(curthread->td_critnest, 1);
	assert_int_equal(curthread->td_md.md_spinlock_count, 1);
	mtx_unlock_spin(&m);
	assert_int_equal(curthread->td_critnest, 0);
	mtx_destroy(&m);
}

/* ---- sleeping */

LIBVNET_TEST(sleep_in_a_section_panics)
{
	libvnet_expect_panic("sleep on \"nap\": may sleep, in a critical "
	    "section");
	critical_enter();
	pause("nap", 1);
}

LIBVNET_TEST(sleep_after_a_section_is_right)
{
	critical_enter();
	critical_exit();
	pause("nap", 1);
}

LIBVNET_TEST(yield_in_a_section_panics)
{
	libvnet_expect_panic("yield: may sleep, in a critical section");
	critical_enter();
	kern_yield(PRI_UNCHANGED);
}

#ifdef INVARIANTS
LIBVNET_TEST(exit_without_enter_panics)
{
	libvnet_expect_panic("critical_exit: not in a critical section");
	critical_exit();
}

LIBVNET_TEST(spinlock_exit_without_enter_panics)
{
	libvnet_expect_panic("spinlock_exit: without spinlock_enter");
	critical_enter();
	spinlock_exit();
}

static void
ends_inside(void *arg)
{
	critical_enter();
	kthread_exit();
}

LIBVNET_TEST(thread_ending_in_a_section_panics)
{
	libvnet_expect_panic("kthread_exit: thread \"t\" is in a critical");
	kthread_add(ends_inside, NULL, NULL, NULL, 0, 0, "t");
	libvnet_run_until_idle();
}
#endif

LIBVNET_TEST(section_open_at_the_end_is_found)
{
	libvnet_expect("section", ".");
	critical_enter();
}

/* ---- a spin mutex that a thread on another CPU has */

static struct mtx spin, gate;
static int got;

static void
waits_for_spin(void *arg)
{
	mtx_lock_spin(&spin);
	got++;
	mtx_unlock_spin(&spin);
	kthread_exit();
}

LIBVNET_TEST(spin_mutex_of_another_cpu_is_waited_for)
{
	struct libvnet_options options = {
		.ncpus = 2, .threads = libvnet_threads()
	};
	int before;

	assert_int_equal(libvnet_shutdown(), 0);
	assert_int_equal(libvnet_boot(&options), 0);
	mtx_init(&spin, "spin", NULL, MTX_SPIN);
	kthread_add(waits_for_spin, NULL, NULL, NULL, 0, 0, "w");
	mtx_lock_spin(&spin);
	before = got;			/* it may have been here already */
	for (int i = 0; i < 1000; i++)
		assert_int_equal(*(volatile int *)&got, before);
	mtx_unlock_spin(&spin);
	libvnet_run_until_idle();
	assert_int_equal(got, 1);
}

/* With one CPU its holder never runs again: found, not hung. */
static void
takes_and_gives_way(void *arg)
{
	critical_enter();
	mtx_lock(&gate);		/* which thread0 has */
	kthread_exit();
}

LIBVNET_TEST(waiting_for_a_lock_in_a_section_on_the_only_cpu_is_a_deadlock)
{
	if (libvnet_threads() == LIBVNET_THREADS_HOST)
		libvnet_skip("threads that run freely just hang");
	if (mp_maxid > 0)
		libvnet_skip("there are more CPUs");
	libvnet_expect_panic("deadlock: lock \"gate\" is held and no other "
	    "thread runs.*thread \"t\" waits for lock \"gate\" of thread "
	    "\"kernel\"");
	mtx_init(&gate, "gate", NULL, MTX_DEF);
	mtx_lock(&gate);
	kthread_add(takes_and_gives_way, NULL, NULL, NULL, 0, 0, "t");
	libvnet_run_until_idle();
}
