/* SPDX-License-Identifier: BSD-2-Clause */
/* taskqueue(9): queues on threads and on software interrupts. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/epoch.h>
#include <sys/errno.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/priority.h>
#include <sys/proc.h>
#include <sys/smp.h>
#include <sys/taskqueue.h>

#include <libvnet/test.h>

#define MS (LIBVNET_NS_PER_SECOND / 1000)

static struct mtx m;
static char order[64];
static int ran, pending_seen, channel;
static struct taskqueue *tq;
static struct task task[4];
static struct timeout_task tt;

static void
note(char c)
{
	mtx_lock(&m);
	order[ran++] = c;
	mtx_unlock(&m);
}

static void
note_task(void *arg, int pending)
{
	note(*(const char *)arg);
	pending_seen = pending;
}

static void
init(int i, uint8_t pri, task_fn_t *fn, const char *arg)
{
	if (i == 0)
		mtx_init(&m, "m", NULL, MTX_DEF);
	TASK_INIT(&task[i], pri, fn, __DECONST(char *, arg));
}

static void
queue_on_thread(int threads)
{
	tq = taskqueue_create("test", M_WAITOK, taskqueue_thread_enqueue, &tq);
	assert_int_equal(taskqueue_start_threads(&tq, threads, PWAIT, "test"),
	    0);
}

/* ---- the four that are always there */

static void
runs_on(struct taskqueue *queue)
{
	init(0, 0, note_task, "a");
	assert_int_equal(taskqueue_enqueue(queue, &task[0]), 0);
	taskqueue_enqueue(queue, &task[0]);
	assert_int_equal(task[0].ta_pending, 2);
	libvnet_run_until_idle();
	assert_string_equal(order, "a");
	assert_int_equal(pending_seen, 2);
	assert_int_equal(task[0].ta_pending, 0);
}

LIBVNET_TEST(taskqueue_thread_runs_tasks)
{
	runs_on(taskqueue_thread);
}

LIBVNET_TEST(taskqueue_swi_runs_tasks)
{
	runs_on(taskqueue_swi);
}

LIBVNET_TEST(taskqueue_fast_runs_tasks)
{
	runs_on(taskqueue_fast);
}

static void
with_giant(void *arg, int pending)
{
	assert_true(mtx_owned(&Giant));
	note('g');
}

LIBVNET_TEST(taskqueue_swi_giant_holds_it)
{
	init(0, 0, with_giant, NULL);
	taskqueue_enqueue(taskqueue_swi_giant, &task[0]);
	libvnet_run_until_idle();
	assert_string_equal(order, "g");
}

static void
sleeps(void *arg, int pending)
{
	note('<');
	pause("task", 10);
	note('>');
}

LIBVNET_TEST(task_on_a_thread_may_sleep)
{
	init(0, 0, sleeps, NULL);
	taskqueue_enqueue(taskqueue_thread, &task[0]);
	taskqueue_drain(taskqueue_thread, &task[0]);
	assert_string_equal(order, "<>");
}

/* ---- order */

LIBVNET_TEST(tasks_run_by_priority_then_by_age)
{
	init(0, 1, note_task, "l");
	init(1, 9, note_task, "h");
	init(2, 1, note_task, "L");
	init(3, 9, note_task, "H");
	for (int i = 0; i < 4; i++)
		taskqueue_enqueue(taskqueue_swi, &task[i]);
	libvnet_run_until_idle();
	assert_string_equal(order, "hHlL");
}

LIBVNET_TEST(taskqueue_enqueue_flags_tell_what_is_there)
{
	init(0, 0, note_task, "a");
	assert_int_equal(taskqueue_enqueue_flags(taskqueue_swi, &task[0],
	    TASKQUEUE_FAIL_IF_PENDING), 0);
	assert_int_equal(taskqueue_enqueue_flags(taskqueue_swi, &task[0],
	    TASKQUEUE_FAIL_IF_PENDING), EEXIST);
	init(1, 0, note_task, "b");
	task[1].ta_flags |= TASK_NOENQUEUE;
	assert_int_equal(taskqueue_enqueue_flags(taskqueue_swi, &task[1],
	    TASKQUEUE_FAIL_IF_CANCELING), ECANCELED);
	assert_int_equal(taskqueue_enqueue(taskqueue_swi, &task[1]), 0);
	libvnet_run_until_idle();
	assert_string_equal(order, "a");
}

LIBVNET_TEST(taskqueue_blocked_waits)
{
	init(0, 0, note_task, "a");
	queue_on_thread(1);
	taskqueue_block(tq);
	taskqueue_enqueue(tq, &task[0]);
	libvnet_run_until_idle();
	assert_int_equal(ran, 0);
	taskqueue_unblock(tq);
	libvnet_run_until_idle();
	assert_string_equal(order, "a");
	taskqueue_free(tq);
}

/* ---- context */

static void
look(void *arg, int pending)
{
	*(int *)arg = in_epoch(net_epoch_preempt) |
	    (curthread->td_vnet != NULL) << 1 |
	    taskqueue_member(tq, curthread) << 2;
}

LIBVNET_TEST(task_of_the_network_is_in_the_net_epoch)
{
	int seen = -1;

	queue_on_thread(2);
	NET_TASK_INIT(&task[0], 0, look, &seen);
	taskqueue_enqueue(tq, &task[0]);
	taskqueue_drain(tq, &task[0]);
	assert_int_equal(seen, 5);
	TASK_INIT(&task[0], 0, look, &seen);
	taskqueue_enqueue(tq, &task[0]);
	taskqueue_drain_all(tq);
	assert_int_equal(seen, 4);
	assert_false(taskqueue_member(tq, curthread));
	taskqueue_free(tq);
}

static void
keeps(void *arg, int pending)
{
	critical_enter();
	if (arg != NULL)
		critical_exit();
}

#ifdef INVARIANTS
LIBVNET_TEST(task_that_stays_critical_panics)
{
	init(0, 0, keeps, NULL);
	taskqueue_enqueue(taskqueue_swi, &task[0]);
	libvnet_expect_panic("task .* of queue \"swi\" returned in a critical");
	libvnet_run_until_idle();
}
#endif

LIBVNET_TEST(task_that_leaves_its_critical_section_is_fine)
{
	init(0, 0, keeps, "");
	taskqueue_enqueue(taskqueue_swi, &task[0]);
	libvnet_run_until_idle();
}

#ifdef INVARIANTS
LIBVNET_TEST(task_without_a_function_panics)
{
	memset(&task[0], 0, sizeof(task[0]));
	libvnet_expect_panic("has no function");
	taskqueue_enqueue(taskqueue_swi, &task[0]);
}
#endif

/* ---- waiting and taking back */

LIBVNET_TEST(taskqueue_cancel_takes_what_waits)
{
	u_int pending = 9;

	init(0, 0, note_task, "a");
	taskqueue_enqueue(taskqueue_swi, &task[0]);
	taskqueue_enqueue(taskqueue_swi, &task[0]);
	assert_int_equal(taskqueue_cancel(taskqueue_swi, &task[0], &pending),
	    0);
	assert_int_equal(pending, 2);
	libvnet_run_until_idle();
	assert_int_equal(ran, 0);
}

LIBVNET_TEST(taskqueue_cancel_of_what_runs_is_busy)
{
	init(0, 0, sleeps, NULL);
	queue_on_thread(1);
	taskqueue_enqueue(tq, &task[0]);
	libvnet_run_until_idle();
	assert_string_equal(order, "<");
	assert_int_equal(taskqueue_cancel(tq, &task[0], NULL), EBUSY);
	assert_true(taskqueue_poll_is_busy(tq, &task[0]));
	taskqueue_drain(tq, &task[0]);
	assert_false(taskqueue_poll_is_busy(tq, &task[0]));
	assert_string_equal(order, "<>");
	taskqueue_free(tq);
}

static void
drains_itself(void *arg, int pending)
{
	taskqueue_drain(tq, &task[0]);
}

LIBVNET_TEST(taskqueue_drain_from_the_task_panics)
{
	init(0, 0, drains_itself, NULL);
	queue_on_thread(1);
	taskqueue_enqueue(tq, &task[0]);
	libvnet_expect_panic("taskqueue_drain: queue \"test\": called from");
	libvnet_run_until_idle();
}

#ifdef INVARIANTS
LIBVNET_TEST(taskqueue_drain_in_an_epoch_panics)
{
	struct epoch_tracker et;

	init(0, 0, note_task, "a");
	NET_EPOCH_ENTER(et);
	libvnet_expect_panic("taskqueue_drain: may sleep");
	taskqueue_drain(taskqueue_swi, &task[0]);
}
#endif

LIBVNET_TEST(taskqueue_drain_all_waits_for_what_runs)
{
	init(0, 0, sleeps, NULL);
	init(1, 0, note_task, "b");
	queue_on_thread(2);
	taskqueue_enqueue(tq, &task[0]);
	libvnet_run_until_idle();
	taskqueue_enqueue(tq, &task[1]);
	taskqueue_drain_all(tq);
	assert_string_equal(order, "<b>");
	taskqueue_quiesce(tq);
	taskqueue_free(tq);
}

LIBVNET_TEST_VNET(taskqueue_free_leaves_nothing, v)
{
	init(0, 0, note_task, "a");
	LIBVNET_IN(v) {
		queue_on_thread(3);
		taskqueue_enqueue(tq, &task[0]);
		taskqueue_free(tq);
	}
	assert_string_equal(order, "a");
}

static void
note_callback(void *arg)
{
	note(*(const char *)arg);
}

LIBVNET_TEST(taskqueue_callbacks_frame_a_thread)
{
	init(0, 0, note_task, "a");
	tq = taskqueue_create("test", M_WAITOK, taskqueue_thread_enqueue, &tq);
	taskqueue_set_callback(tq, TASKQUEUE_CALLBACK_TYPE_INIT,
	    note_callback, __DECONST(char *, "("));
	taskqueue_set_callback(tq, TASKQUEUE_CALLBACK_TYPE_SHUTDOWN,
	    note_callback, __DECONST(char *, ")"));
	taskqueue_start_threads(&tq, 1, PWAIT, "test");
	taskqueue_enqueue(tq, &task[0]);
	taskqueue_free(tq);
	assert_string_equal(order, "(a)");
}

LIBVNET_TEST(taskqueue_threads_run_where_they_are_put)
{
	cpuset_t last;

	CPU_SETOF(mp_ncpus - 1, &last);
	tq = taskqueue_create_fast("test", M_WAITOK, taskqueue_thread_enqueue,
	    &tq);
	assert_int_equal(taskqueue_start_threads_cpuset(&tq, 1, PI_NET, &last,
	    "test %d", 1), 0);
	init(0, 0, note_task, "a");
	taskqueue_enqueue(tq, &task[0]);
	taskqueue_drain(tq, &task[0]);
	assert_string_equal(order, "a");
	taskqueue_free(tq);
}

/* ---- timeouts */

static void
timeout_make(void)
{
	init(0, 0, note_task, "a");
	queue_on_thread(1);
	TIMEOUT_TASK_INIT(tq, &tt, 0, note_task, __DECONST(char *, "t"));
}

LIBVNET_TEST(timeout_task_runs_when_it_is_due)
{
	timeout_make();
	assert_int_equal(taskqueue_enqueue_timeout(tq, &tt, 10), 0);
	assert_int_equal(taskqueue_enqueue_timeout(tq, &tt, 20), 1);
	assert_int_equal(taskqueue_enqueue_timeout(tq, &tt, -5), 1);
	libvnet_clock_advance_ns(15 * MS);
	assert_int_equal(ran, 0);
	libvnet_clock_advance_ns(10 * MS);
	assert_string_equal(order, "t");
	assert_int_equal(taskqueue_enqueue_timeout(tq, &tt, 0), 0);
	taskqueue_drain_timeout(tq, &tt);
	assert_string_equal(order, "tt");
	taskqueue_free(tq);
}

LIBVNET_TEST(timeout_task_can_be_cancelled)
{
	u_int pending = 9;

	timeout_make();
	taskqueue_enqueue_timeout(tq, &tt, 10);
	assert_int_equal(taskqueue_cancel_timeout(tq, &tt, &pending), 0);
	assert_int_equal(pending, 1);
	libvnet_clock_advance_ns(100 * MS);
	assert_int_equal(ran, 0);
	taskqueue_free(tq);
}

LIBVNET_TEST(taskqueue_free_with_an_armed_timeout_panics)
{
	timeout_make();
	taskqueue_enqueue_timeout(tq, &tt, 10);
	libvnet_expect_panic("has 1 armed timeout task;");
	taskqueue_free(tq);
}
