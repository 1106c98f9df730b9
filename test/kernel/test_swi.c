/* SPDX-License-Identifier: BSD-2-Clause */
/* swi(9) and interrupt events: order, context, and handlers that misbehave. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/bus.h>
#include <sys/epoch.h>
#include <sys/errno.h>
#include <sys/interrupt.h>
#include <sys/kernel.h>
#include <sys/kthread.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/pcpu.h>
#include <sys/priority.h>
#include <sys/proc.h>
#include <sys/sched.h>
#include <sys/smp.h>
#include <sys/sx.h>
#include <sys/unistd.h>

#include <libvnet/test.h>
#include "swi_test.h"

static MALLOC_DEFINE(M_SWITEST, "switest", "test");

/* ---- scheduling */

LIBVNET_TEST(swi_runs_when_the_machine_does)
{
	make(0, SWI_NET, note_arg, "a", 0);
	swi_sched(cookie[0], 0);
	assert_int_equal(noted(), 0);
	assert_true(libvnet_run_until_idle() > 0);
	assert_string_equal(order, "a");
	libvnet_run_until_idle();
	assert_int_equal(noted(), 1);
}

LIBVNET_TEST(swi_scheduled_twice_runs_once)
{
	make(0, SWI_NET, note_arg, "a", 0);
	swi_sched(cookie[0], 0);
	swi_sched(cookie[0], SWI_FROMNMI);
	libvnet_run_until_idle();
	assert_string_equal(order, "a");
}

LIBVNET_TEST(swis_run_by_priority_then_by_age)
{
	if (libvnet_threads() == LIBVNET_THREADS_HOST)
		libvnet_skip("free-running threads have no order");
	make(0, SWI_TQ, note_arg, "t", 0);
	make(1, SWI_NET, note_arg, "n", 0);
	make(2, SWI_CLOCK, note_arg, "c", 0);
	make(3, SWI_NET, note_arg, "N", 0);
	for (int i = 0; i < 4; i++)
		swi_sched(cookie[i], 0);
	libvnet_run_until_idle();
	assert_string_equal(order, "nNct");
}

static void
thread_main(void *arg)
{
	note('1');
	swi_sched(cookie[0], 0);
	note('2');
	tsleep(&channel, 0, "test", 1);
	note('3');
	kthread_exit();
}

static void
other_main(void *arg)
{
	note('o');
	kthread_exit();
}

LIBVNET_TEST(swi_of_a_thread_goes_before_the_next_thread)
{
	if (libvnet_threads() == LIBVNET_THREADS_HOST)
		libvnet_skip("free-running threads have no order");
	make(0, SWI_TQ, note_arg, "s", 0);
	kthread_add(thread_main, NULL, NULL, NULL, 0, 0, "first");
	kthread_add(other_main, NULL, NULL, NULL, 0, 0, "second");
	libvnet_clock_advance_ns(LIBVNET_NS_PER_SECOND);
	assert_string_equal(order, "12so3");
}

LIBVNET_TEST(swi_delay_waits_for_its_event)
{
	make(0, SWI_NET, note_arg, "d", 0);
	event = ((struct intr_handler *)cookie[0])->ih_event;
	assert_int_equal(swi_add(&event, "other", note_arg,
	    __DECONST(char *, "o"), SWI_NET, INTR_MPSAFE, &cookie[1]), 0);
	swi_sched(cookie[0], SWI_DELAY);
	libvnet_run_until_idle();
	assert_int_equal(noted(), 0);
	swi_sched(cookie[1], 0);
	libvnet_run_until_idle();
	assert_string_equal(order, "do");
}

static void
again(void *arg)
{
	note('a');
	if (noted() < 3)
		swi_sched(cookie[0], 0);
}

LIBVNET_TEST(swi_may_schedule_itself)
{
	make(0, SWI_NET, again, NULL, 0);
	swi_sched(cookie[0], 0);
	libvnet_run_until_idle();
	assert_string_equal(order, "aaa");
}

static void
for_ever(void *arg)
{
	swi_sched(cookie[0], 0);
}

LIBVNET_TEST(swi_that_never_ends_is_not_idle)
{
	if (libvnet_threads() != LIBVNET_THREADS_COROUTINE)
		libvnet_skip("takes long, or for ever, with host threads");
	make(0, SWI_NET, for_ever, NULL, 0);
	swi_sched(cookie[0], 0);
	assert_int_equal(libvnet_run_until_idle(), LIBVNET_ELIMIT);
}

LIBVNET_TEST(swi_that_never_ends_stops_a_sleep)
{
	if (libvnet_threads() != LIBVNET_THREADS_COROUTINE)
		libvnet_skip("takes long, or for ever, with host threads");
	make(0, SWI_NET, for_ever, NULL, 0);
	swi_sched(cookie[0], 0);
	libvnet_expect_panic("interrupt storm: .*\"swi1: test\"");
	pause("test", 1);
}

/* ---- the context of a handler */

LIBVNET_TEST_VNET(swi_has_no_vnet, v)
{
	LIBVNET_IN(v) {
		make(0, SWI_NET, look, NULL, 0);
		run_now();
		event = ((struct intr_handler *)cookie[0])->ih_event;
		swi_remove(cookie[0]);
		intr_event_destroy(event);
	}
	assert_null(seen.vnet);
	assert_ptr_not_equal(seen.td, curthread);
	assert_true(seen.ithread);
	assert_false(seen.giant);
	assert_false(seen.in_epoch);
	assert_string_equal(seen.name, "swi1: test");
}

LIBVNET_TEST(swi_of_type_net_is_in_the_net_epoch)
{
	make(0, SWI_NET, look, NULL, INTR_TYPE_NET);
	run_now();
	assert_true(seen.in_epoch);
}

LIBVNET_TEST(swi_that_is_not_mpsafe_has_giant)
{
	mtx_init(&m, "m", NULL, MTX_DEF);
	assert_int_equal(swi_add(NULL, "old", look, NULL, SWI_TTY, 0,
	    &cookie[0]), 0);
	run_now();
	assert_true(seen.giant);
	assert_false(mtx_owned(&Giant));
}

/* Software interrupts may, as in FreeBSD: nothing forbids it. */
LIBVNET_TEST(swi_may_sleep)
{
	make(0, SWI_TQ, sleeps, NULL, 0);
	swi_sched(cookie[0], 0);
	libvnet_run_until_idle();
	assert_string_equal(order, "z");
	libvnet_clock_advance_ns(LIBVNET_NS_PER_SECOND);
	assert_string_equal(order, "zw");
}

LIBVNET_TEST(swi_of_type_net_may_not_sleep)
{
	make(0, SWI_NET, sleeps, NULL, INTR_TYPE_NET);
	swi_sched(cookie[0], 0);
	libvnet_expect_panic("sleep on \"zzz\".*epoch section");
	libvnet_run_until_idle();
}

/* ---- handlers that keep something */

static void
keeps_lock(void *arg)
{
	mtx_lock(&kept);
	if (arg != NULL)
		mtx_unlock(&kept);
}

static void
keeps_epoch(void *arg)
{
	static struct epoch_tracker et;

	NET_EPOCH_ENTER(et);
	if (arg != NULL)
		NET_EPOCH_EXIT(et);
}

static void
keeps_critical(void *arg)
{
	critical_enter();
	if (arg != NULL)
		critical_exit();
}

static void
misbehave(driver_intr_t *fn, const char *good)
{
	mtx_init(&kept, "kept", NULL, MTX_DEF);
	make(0, SWI_NET, fn, good, 0);
	swi_sched(cookie[0], 0);
	libvnet_run_until_idle();
}

#ifdef INVARIANTS
LIBVNET_TEST(swi_that_keeps_a_lock_panics)
{
	libvnet_expect_panic("interrupt handler \"test\".*\"swi1:\" returned "
	    "holding a lock");
	misbehave(keeps_lock, NULL);
}
#endif

LIBVNET_TEST(swi_that_releases_its_lock_is_fine)
{
	misbehave(keeps_lock, "");
}

#ifdef INVARIANTS
LIBVNET_TEST(swi_that_stays_in_an_epoch_panics)
{
	libvnet_expect_panic("interrupt handler \"test\".*in an epoch section");
	misbehave(keeps_epoch, NULL);
}
#endif

LIBVNET_TEST(swi_that_leaves_its_epoch_is_fine)
{
	misbehave(keeps_epoch, "");
}

#ifdef INVARIANTS
LIBVNET_TEST(swi_that_stays_critical_panics)
{
	libvnet_expect_panic("interrupt handler \"test\".*in a critical");
	misbehave(keeps_critical, NULL);
}
#endif

LIBVNET_TEST(swi_that_leaves_its_critical_section_is_fine)
{
	misbehave(keeps_critical, "");
}

#ifdef VIMAGE
static struct vnet *some_vnet;

static void
keeps_vnet(void *arg)
{
	CURVNET_SET(some_vnet);
	if (arg == NULL)
		return;
	CURVNET_RESTORE();
}

#ifdef INVARIANTS
LIBVNET_TEST(swi_that_keeps_a_vnet_panics)
{
	some_vnet = vnet0;
	libvnet_expect_panic("interrupt handler \"test\".*CURVNET_RESTORE");
	misbehave(keeps_vnet, NULL);
}
#endif

LIBVNET_TEST(swi_that_restores_its_vnet_is_fine)
{
	some_vnet = vnet0;
	misbehave(keeps_vnet, "");
}
#endif
