/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory that is freed while another thread, or a callout, has use for it. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/callout.h>
#include <sys/epoch.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/refcount.h>
#include <sys/taskqueue.h>

#include "explored.h"

static MALLOC_DEFINE(M_THING, "thing", "things");

struct thing {
	u_int refs;
	int value;
	struct callout timer;
	struct epoch_context ctx;
};
static struct thing *things;
static struct mtx lock;
static u_int fired;
static int freed;

static void
make(void *arg)
{
	mtx_init(&lock, "things", NULL, MTX_DEF);
	things = malloc(sizeof(*things), M_THING, M_WAITOK | M_ZERO);
	things->value = 7;
	refcount_init(&things->refs, 1);
	callout_init_mtx(&things->timer, &lock, 0);
}

static bool
fine(void *arg)
{
	return (true);
}

/* ---- epoch(9) */

static void
reader_outside(void *arg)
{
	struct thing *t = atomic_load_acq_ptr((volatile uintptr_t *)&things) ?
	    things : NULL;

	if (t != NULL && t->value != 7)
		panic("value is %d", t->value);
}

static void
reader(void *arg)
{
	struct epoch_tracker et;
	struct thing *t;

	epoch_enter_preempt(net_epoch_preempt, &et);
	t = (struct thing *)atomic_load_acq_ptr(
	    (volatile uintptr_t *)&things);
	if (t != NULL && t->value != 7)
		panic("value is %d", t->value);
	epoch_exit_preempt(net_epoch_preempt, &et);
}

static struct thing *
unlink_thing(void)
{
	struct thing *t = things;

	atomic_store_rel_ptr((volatile uintptr_t *)&things, 0);
	return (t);
}

static void
frees_at_once(void *arg)
{
	free(unlink_thing(), M_THING);
}

static void
frees_after_wait(void *arg)
{
	struct thing *t = unlink_thing();

	epoch_wait_preempt(net_epoch_preempt);
	free(t, M_THING);
}

static void
thing_free(epoch_context_t ctx)
{
	free(__containerof(ctx, struct thing, ctx), M_THING);
	freed++;
}

static void
frees_later(void *arg)
{
	struct thing *t = unlink_thing();

	epoch_call(net_epoch_preempt, thing_free, &t->ctx);
}

LIBVNET_TEST(free_without_grace_period_is_seen)
{
	struct libvnet_explore what = {
		.threads = { { "reader", reader }, { "writer", frees_at_once } },
		.setup = make, .check = fine, .races = LIBVNET_RACES_OFF,
	};

	breaks(what, LIBVNET_SCHEDULE_FREED, 1000, 1);
	what.strategy = LIBVNET_DFS;
	breaks(what, LIBVNET_SCHEDULE_FREED, 1000, 1);
	libvnet_expect("schedule", "thread \"reader\" reads freed memory: .*"
	    "inside a freed item of [0-9]* bytes of malloc type \"thing\"");
	(void)explored(&what);
}

LIBVNET_TEST(reader_outside_of_the_epoch_is_seen)
{
	struct libvnet_explore what = {
		.threads = { { "reader", reader_outside },
		    { "writer", frees_after_wait } },
		.setup = make, .check = fine, .races = LIBVNET_RACES_OFF,
	};

	breaks(what, LIBVNET_SCHEDULE_FREED, 1000, 1);
}

LIBVNET_TEST(free_after_epoch_wait_holds)
{
	struct libvnet_explore what = {
		.threads = { { "reader", reader },
		    { "writer", frees_after_wait } },
		.setup = make, .check = fine,
	};

	holds(what, -1);
	holds_at_random(what, 200);
}

LIBVNET_TEST(free_by_epoch_call_holds)
{
	struct libvnet_explore what = {
		.threads = { { "reader", reader }, { "again", reader },
		    { "writer", frees_later } },
		.setup = make, .check = fine,
	};

	holds(what, 2);
	holds_at_random(what, 200);
}

/* ---- callout(9) */

static void
fires(void *arg)
{
	struct thing *t = arg;

	fired += t->value;
}

static void
arm(void *arg)
{
	make(arg);
	callout_reset(&things->timer, 1, fires, things);
}

static void
fires_unlocked(void *arg)
{
	struct thing *t = arg;

	atomic_add_int(&fired, t->value);
}

static void
arm_unlocked(void *arg)
{
	make(arg);
	callout_init(&things->timer, 1);
	callout_reset(&things->timer, 1, fires_unlocked, things);
}

static void
stops_and_frees(void *arg)
{
	callout_stop(&things->timer);
	free(things, M_THING);
}

static void
drains_and_frees(void *arg)
{
	callout_drain(&things->timer);
	free(things, M_THING);
}

static void
stops_locked_and_frees(void *arg)
{
	mtx_lock(&lock);
	callout_stop(&things->timer);
	mtx_unlock(&lock);
	free(things, M_THING);
}

LIBVNET_TEST(callout_that_fires_during_teardown_is_seen)
{
	struct libvnet_explore what = {
		.threads = { { "teardown", stops_and_frees, NULL, 1 } },
		.setup = arm_unlocked, .check = fine,
		.races = LIBVNET_RACES_OFF,
	};

	reboot_with(2);
	breaks(what, LIBVNET_SCHEDULE_FREED, 1000, 2);
	what.strategy = LIBVNET_DFS;
	breaks(what, LIBVNET_SCHEDULE_FREED, 1000, 2);
	libvnet_expect("schedule", "thread \"events\" reads freed memory");
	(void)explored(&what);
}

LIBVNET_TEST(callout_drain_holds)
{
	struct libvnet_explore what = {
		.threads = { { "teardown", drains_and_frees, NULL, 1 } },
		.setup = arm_unlocked, .check = fine,
	};

	reboot_with(2);
	holds(what, 2);
	holds_at_random(what, 200);
}

LIBVNET_TEST(callout_stop_under_its_lock_holds)
{
	struct libvnet_explore what = {
		.threads = { { "teardown", stops_locked_and_frees, NULL, 1 } },
		.setup = arm, .check = fine,
	};

	reboot_with(2);
	holds(what, 2);
	holds_at_random(what, 200);
}

/* ---- taskqueue(9): a thread that is none of the test's */

static struct taskqueue *queue;
static struct task task;

static void
runs(void *arg, int pending)
{
	struct thing *t = arg;

	atomic_add_int(&fired, t->value);
}

static void
make_queue(void *arg)
{
	make(arg);
	queue = taskqueue_create("explored", M_WAITOK,
	    taskqueue_thread_enqueue, &queue);
	taskqueue_start_threads(&queue, 1, 0, "explored");
	TASK_INIT(&task, 0, runs, things);
}

static void
enqueues(void *arg)
{
	taskqueue_enqueue(queue, &task);
}

static void
enqueues_and_frees(void *arg)
{
	enqueues(arg);
	free(things, M_THING);
}

static void
enqueues_drains_and_frees(void *arg)
{
	enqueues(arg);
	taskqueue_drain(queue, &task);
	free(things, M_THING);
}

LIBVNET_TEST(task_after_the_free_is_seen)
{
	struct libvnet_explore what = {
		.threads = { { "owner", enqueues_and_frees } },
		.setup = make_queue, .check = fine,
		.races = LIBVNET_RACES_OFF,
	};

	breaks(what, LIBVNET_SCHEDULE_FREED, 1000, 1);
}

LIBVNET_TEST(taskqueue_drain_holds)
{
	struct libvnet_explore what = {
		.threads = { { "owner", enqueues_drains_and_frees } },
		.setup = make_queue, .check = fine,
	};

	holds(what, 1);
	holds_at_random(what, 200);
}

/* ---- refcount(9) */

static void
gives_back_careless(void *arg)
{
	struct thing *t = things;

	t->refs--;
	if (atomic_load_int(&t->refs) == 0)
		free(t, M_THING);
}

static void
gives_back(void *arg)
{
	struct thing *t = things;

	if (refcount_release(&t->refs))
		free(t, M_THING);
}

/* Takes a reference of something that may have none left. */
static void
takes_careless(void *arg)
{
	struct thing *t = things;

	refcount_acquire(&t->refs);
	if (refcount_release(&t->refs))
		free(t, M_THING);
}

static void
two_refs(void *arg)
{
	make(arg);
	things->refs = 2;
}

LIBVNET_TEST(plain_reference_count_is_wrong)
{
	struct libvnet_explore what = {
		.threads = { { "a", gives_back_careless },
		    { "b", gives_back_careless } },
		.setup = two_refs, .check = fine, .races = LIBVNET_RACES_OFF,
	};
	struct libvnet_explore_result r;

	what.quiet = true;
	r = explored(&what);
	/* Freed twice, or used when freed: whichever comes first. */
	assert_true(r.end == LIBVNET_SCHEDULE_FREED ||
	    r.end == LIBVNET_SCHEDULE_PANIC ||
	    r.end == LIBVNET_SCHEDULE_FINDING);
	assert_true(r.schedules < 1000);
	what.races = LIBVNET_RACES_FAIL;
	breaks(what, LIBVNET_SCHEDULE_RACE, 1000, 2);
}

LIBVNET_TEST(reference_taken_too_late_is_seen)
{
	struct libvnet_explore what = {
		.threads = { { "taker", takes_careless }, { "owner", gives_back } },
		.setup = make, .check = fine, .races = LIBVNET_RACES_OFF,
	};

	breaks(what, LIBVNET_SCHEDULE_FREED, 1000, 1);
}

LIBVNET_TEST(reference_count_holds)
{
	struct libvnet_explore what = {
		.threads = { { "a", gives_back }, { "b", gives_back } },
		.setup = two_refs, .check = fine,
	};

	holds(what, -1);
	holds_at_random(what, 200);
}
