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

static MALLOC_DEFINE(M_SWITEST, "switest", "test");

static struct mtx m;
static char order[64];
static int ran, channel;
static void *cookie[4];
static struct intr_event *event;

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
note_arg(void *arg)
{
	note(*(const char *)arg);
}

static void
make(int i, int pri, driver_intr_t *fn, const char *arg, int flags)
{
	if (i == 0)
		mtx_init(&m, "m", NULL, MTX_DEF);
	assert_int_equal(swi_add(NULL, "test", fn, __DECONST(char *, arg),
	    pri, INTR_MPSAFE | flags, &cookie[i]), 0);
}

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

static struct {
	struct vnet *vnet;
	struct thread *td;
	char name[MAXCOMLEN + 1];
	u_int cpu;
	int in_epoch, giant, ithread;
} seen;

static void
look(void *arg)
{
	seen.vnet = curthread->td_vnet;
	seen.td = curthread;
	strlcpy(seen.name, curthread->td_name, sizeof(seen.name));
	seen.cpu = curcpu;
	seen.in_epoch = in_epoch(net_epoch_preempt);
	seen.giant = mtx_owned(&Giant);
	seen.ithread = (curthread->td_pflags & TDP_ITHREAD) != 0;
	note('l');
}

static void
run_now(void)
{
	swi_sched(cookie[0], 0);
	libvnet_run_until_idle();
	assert_int_equal(noted(), 1);
}

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

static void
sleeps(void *arg)
{
	note('z');
	pause("zzz", 10);
	note('w');
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

static struct mtx kept;

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
