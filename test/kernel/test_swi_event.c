/* SPDX-License-Identifier: BSD-2-Clause */
/* Interrupt events: adding, removing, threads of one's own, CPUs, devices. */
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

/* ---- adding and removing */

LIBVNET_TEST(swi_remove_takes_what_is_pending)
{
	make(0, SWI_NET, note_arg, "a", 0);
	swi_sched(cookie[0], 0);
	assert_int_equal(swi_remove(cookie[0]), 0);
	libvnet_run_until_idle();
	assert_int_equal(noted(), 0);
	assert_int_equal(swi_remove(NULL), EINVAL);
}

static void
slow(void *arg)
{
	note('<');
	pause("slow", 10);
	note('>');
}

LIBVNET_TEST(swi_remove_waits_for_the_handler)
{
	make(0, SWI_TQ, slow, NULL, 0);
	swi_sched(cookie[0], 0);
	libvnet_run_until_idle();
	assert_string_equal(order, "<");
	assert_int_equal(swi_remove(cookie[0]), 0);
	assert_string_equal(order, "<>");
}

static void
removes_itself(void *arg)
{
	swi_remove(cookie[0]);
}

LIBVNET_TEST(swi_remove_from_the_handler_panics)
{
	make(0, SWI_TQ, removes_itself, NULL, 0);
	swi_sched(cookie[0], 0);
	libvnet_expect_panic("removed from its own thread");
	libvnet_run_until_idle();
}

#ifdef INVARIANTS
LIBVNET_TEST(swi_remove_twice_panics)
{
	make(0, SWI_NET, note_arg, "a", 0);
	event = ((struct intr_handler *)cookie[0])->ih_event;
	swi_add(&event, "other", note_arg, __DECONST(char *, "b"), SWI_NET,
	    INTR_MPSAFE, &cookie[1]);
	((struct intr_handler *)cookie[1])->ih_event = NULL;
	libvnet_expect_panic("has no event");
	swi_remove(cookie[1]);
}
#endif

LIBVNET_TEST(intr_event_with_handlers_is_busy)
{
	make(0, SWI_NET, note_arg, "a", 0);
	event = ((struct intr_handler *)cookie[0])->ih_event;
	assert_int_equal(intr_event_destroy(event), EBUSY);
	swi_remove(cookie[0]);
	assert_int_equal(intr_event_destroy(event), 0);
	libvnet_run_until_idle();
}

LIBVNET_TEST(swi_add_names_its_event_by_its_handlers)
{
	make(0, SWI_NET, note_arg, "a", 0);
	event = ((struct intr_handler *)cookie[0])->ih_event;
	assert_string_equal(event->ie_fullname, "swi1: test");
	swi_add(&event, "two", note_arg, NULL, SWI_NET, INTR_MPSAFE, NULL);
	assert_string_equal(event->ie_fullname, "swi1: test two");
	assert_int_equal(swi_add(NULL, "x", note_arg, NULL, SWI_NET,
	    INTR_ENTROPY, NULL), EINVAL);
}

#ifdef INVARIANTS
LIBVNET_TEST(swi_sched_without_a_cookie_panics)
{
	libvnet_expect_panic("swi_sched: NULL cookie");
	swi_sched(NULL, 0);
}
#endif

/* ---- an interrupt thread of somebody's own make, as softclock's is */

static struct mtx own_mtx;
static struct thread *own_td;
static int work;

static void
own_main(void *arg)
{
	mtx_lock_spin(&own_mtx);
	for (;;) {
		while (work == 0) {
			thread_lock(curthread);
			thread_lock_set(curthread, &own_mtx);
			TD_SET_IWAIT(curthread);
			mi_switch(SW_VOL | SWT_IWAIT);
			mtx_lock_spin(&own_mtx);
		}
		work--;
		mtx_unlock_spin(&own_mtx);
		note('w');
		if (arg != NULL)
			mtx_lock(&kept);
		mtx_lock_spin(&own_mtx);
	}
}

static void
own_start(void *arg)
{
	mtx_init(&m, "m", NULL, MTX_DEF);
	mtx_init(&kept, "kept", NULL, MTX_DEF);
	mtx_init(&own_mtx, "own", NULL, MTX_SPIN);
	kthread_add(own_main, arg, NULL, &own_td, RFSTOPPED, 0, "own");
	mtx_lock_spin(&own_mtx);
	thread_lock(own_td);
	sched_class(own_td, PRI_ITHD);
	TD_SET_IWAIT(own_td);
	thread_lock_set(own_td, &own_mtx);
	thread_unlock(own_td);
}

static void
own_wake(void)
{
	mtx_lock_spin(&own_mtx);
	work++;
	if (TD_AWAITING_INTR(own_td)) {
		thread_lock_block_wait(own_td);
		TD_CLR_IWAIT(own_td);
		sched_wakeup(own_td, SRQ_INTR);
	} else
		mtx_unlock_spin(&own_mtx);
}

LIBVNET_TEST(idle_thread_is_woken_each_time)
{
	own_start(NULL);
	libvnet_run_until_idle();
	assert_int_equal(noted(), 0);
	for (int i = 1; i <= 3; i++) {
		own_wake();
		libvnet_run_until_idle();
		assert_int_equal(noted(), i);
	}
	own_wake();
	own_wake();
	libvnet_run_until_idle();
	assert_int_equal(noted(), 5);
}

#ifdef INVARIANTS
LIBVNET_TEST(idle_thread_with_a_lock_panics)
{
	own_start(curthread);
	own_wake();
	libvnet_expect_panic("thread \"own\" goes idle holding a lock");
	libvnet_run_until_idle();
}
#endif

/* ---- CPUs */

LIBVNET_TEST(intr_event_binds_to_a_cpu_that_is_there)
{
	make(0, SWI_NET, look, NULL, 0);
	event = ((struct intr_handler *)cookie[0])->ih_event;
	assert_int_equal(intr_event_bind(event, MAXCPU), EINVAL);
	assert_int_equal(intr_event_bind(event, mp_ncpus - 1), 0);
	assert_int_equal(event->ie_cpu, mp_ncpus - 1);
	run_now();
	assert_int_equal(seen.cpu, mp_ncpus - 1);
	assert_int_equal(intr_event_bind(event, NOCPU), 0);
}

/* ---- devices */

static int filtered;

static int
filter(void *arg)
{
	filtered++;
	assert_int_equal(curthread->td_critnest, 1);
	return (*(int *)arg);
}

LIBVNET_TEST(intr_event_filter_schedules_its_thread)
{
	static int answer;

	mtx_init(&m, "m", NULL, MTX_DEF);
	assert_int_equal(intr_event_create(&event, NULL, 0, 7, NULL, NULL,
	    NULL, NULL, "irq%d:", 7), 0);
	assert_int_equal(intr_event_handle(event, NULL), EINVAL);
	assert_int_equal(intr_event_add_handler(event, "dev", filter, look,
	    &answer, intr_priority(INTR_TYPE_NET), INTR_TYPE_NET | INTR_MPSAFE,
	    &cookie[0]), 0);
	answer = FILTER_HANDLED;
	assert_int_equal(intr_event_handle(event, NULL), 0);
	libvnet_run_until_idle();
	assert_int_equal(filtered, 1);
	assert_int_equal(noted(), 0);
	answer = FILTER_SCHEDULE_THREAD;
	assert_int_equal(intr_event_handle(event, NULL), 0);
	libvnet_run_until_idle();
	assert_int_equal(noted(), 1);
	assert_true(seen.in_epoch);
	assert_string_equal(seen.name, "irq7: dev");
}

LIBVNET_TEST(intr_event_handler_of_a_device_may_not_sleep)
{
	mtx_init(&m, "m", NULL, MTX_DEF);
	intr_event_create(&event, NULL, 0, 7, NULL, NULL, NULL, NULL, "irq7:");
	intr_event_add_handler(event, "dev", NULL, sleeps, NULL,
	    intr_priority(INTR_TYPE_MISC), INTR_TYPE_MISC | INTR_MPSAFE, NULL);
	intr_event_handle(event, NULL);
	libvnet_expect_panic("sleep on \"zzz\".*sleeping is prohibited");
	libvnet_run_until_idle();
}
