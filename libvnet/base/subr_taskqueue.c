/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: taskqueue(9), FreeBSD's kern/subr_taskqueue.c: queues and tasks.
 * Fidelity: exact
 * Differs: a task that returns with a lock, a vnet, an epoch or a critical
 * section panics, as does draining a task from itself.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/callout.h>
#include <sys/epoch.h>
#include <sys/errno.h>
#include <sys/kernel.h>
#include <sys/limits.h>
#include <sys/proc.h>

#include <lvk.h>
#include "lvk_handler.h"
#include "subr_taskqueue.h"

MALLOC_DEFINE(M_TASKQUEUE, "taskqueue", "Task Queues");

void
tq_lock(struct taskqueue *tq)
{
	if (tq->tq_spin)
		mtx_lock_spin(&tq->tq_mtx);
	else
		mtx_lock(&tq->tq_mtx);
}

void
tq_unlock(struct taskqueue *tq)
{
	if (tq->tq_spin)
		mtx_unlock_spin(&tq->tq_mtx);
	else
		mtx_unlock(&tq->tq_mtx);
}

void
tq_sleep(struct taskqueue *tq, const void *chan, const char *wmesg)
{
	if (tq->tq_spin)
		msleep_spin(chan, &tq->tq_mtx, wmesg, 0);
	else
		msleep(chan, &tq->tq_mtx, 0, wmesg, 0);
}

/* ---- making and unmaking */

static struct taskqueue *
create(const char *name, int mflags, taskqueue_enqueue_fn enqueue,
    void *context, bool spin)
{
	struct taskqueue *tq = malloc(sizeof(*tq), M_TASKQUEUE,
	    mflags | M_ZERO);

	if (tq == NULL)
		return (NULL);
	strlcpy(tq->tq_name, name != NULL ? name : "taskqueue",
	    sizeof(tq->tq_name));
	STAILQ_INIT(&tq->tq_tasks);
	LIST_INIT(&tq->tq_running);
	tq->tq_enqueue = enqueue;
	tq->tq_context = context;
	tq->tq_spin = spin;
	tq->tq_active = true;
	mtx_init(&tq->tq_mtx, tq->tq_name, spin ? "fast_taskqueue" :
	    "taskqueue", spin ? MTX_SPIN : MTX_DEF);
	return (tq);
}

struct taskqueue *
taskqueue_create(const char *name, int mflags, taskqueue_enqueue_fn enqueue,
    void *context)
{
	return (create(name, mflags, enqueue, context, false));
}

struct taskqueue *
taskqueue_create_fast(const char *name, int mflags,
    taskqueue_enqueue_fn enqueue, void *context)
{
	return (create(name, mflags, enqueue, context, true));
}

void
taskqueue_free(struct taskqueue *tq)
{
	tq_lock(tq);
	tq->tq_active = false;
	tq_threads_end(tq);
	while (tq->tq_waiters > 0)
		tq_sleep(tq, &tq->tq_waiters, "tq_destroy");
	if (!LIST_EMPTY(&tq->tq_running))
		panic("taskqueue_free: queue \"%s\": task %p runs; drain it "
		    "first", tq->tq_name,
		    LIST_FIRST(&tq->tq_running)->r_task->ta_func);
	if (tq->tq_timeouts != 0)
		panic("taskqueue_free: queue \"%s\" has %d armed timeout "
		    "task%s; cancel or drain first", tq->tq_name,
		    tq->tq_timeouts, tq->tq_timeouts == 1 ? "" : "s");
	tq_unlock(tq);
	mtx_destroy(&tq->tq_mtx);
	free(tq->tq_threads, M_TASKQUEUE);
	free(tq, M_TASKQUEUE);
}

void
taskqueue_set_callback(struct taskqueue *tq, enum taskqueue_callback_type type,
    taskqueue_callback_fn callback, void *context)
{
	KASSERT(type <= TASKQUEUE_CALLBACK_TYPE_MAX,
	    ("taskqueue_set_callback: type %d is not valid", (int)type));
	KASSERT(tq->tq_callback[type] == NULL,
	    ("taskqueue_set_callback: queue \"%s\" has a callback of type %d",
	    tq->tq_name, (int)type));
	tq->tq_callback[type] = callback;
	tq->tq_callback_arg[type] = context;
}

/* ---- enqueueing */

static void
insert(struct taskqueue *tq, struct task *task)
{
	struct task *t, *before = NULL;

	STAILQ_FOREACH(t, &tq->tq_tasks, ta_link) {
		if (t->ta_priority < task->ta_priority)
			break;
		before = t;
	}
	if (before == NULL)
		STAILQ_INSERT_HEAD(&tq->tq_tasks, task, ta_link);
	else
		STAILQ_INSERT_AFTER(&tq->tq_tasks, before, task, ta_link);
}

static void
enqueue(struct taskqueue *tq, struct task *task)
{
	KASSERT(task->ta_func != NULL,
	    ("taskqueue_enqueue: queue \"%s\": task %p has no function; is a "
	    "TASK_INIT() missing?", tq->tq_name, task));
	if (task->ta_pending > 0) {
		if (task->ta_pending < USHRT_MAX)
			task->ta_pending++;
		return;
	}
	insert(tq, task);
	task->ta_pending = 1;
	if (!tq->tq_blocked)
		tq->tq_enqueue(tq->tq_context);
}

int
taskqueue_enqueue_flags(struct taskqueue *tq, struct task *task, int flags)
{
	int error = 0;

	tq_lock(tq);
	if ((flags & TASKQUEUE_FAIL_IF_PENDING) != 0 && task->ta_pending > 0)
		error = EEXIST;
	else if ((task->ta_flags & TASK_NOENQUEUE) == 0)
		enqueue(tq, task);
	else if ((flags & TASKQUEUE_FAIL_IF_CANCELING) != 0)
		error = ECANCELED;
	tq_unlock(tq);
	return (error);
}

int
taskqueue_enqueue(struct taskqueue *tq, struct task *task)
{
	return (taskqueue_enqueue_flags(tq, task, 0));
}

void
taskqueue_block(struct taskqueue *tq)
{
	tq_lock(tq);
	tq->tq_blocked = true;
	tq_unlock(tq);
}

void
taskqueue_unblock(struct taskqueue *tq)
{
	tq_lock(tq);
	tq->tq_blocked = false;
	if (!STAILQ_EMPTY(&tq->tq_tasks))
		tq->tq_enqueue(tq->tq_context);
	tq_unlock(tq);
}

/* ---- timeouts */

/* A callout's, with the queue's lock held; gives it up. */
static void
timed_out(void *arg)
{
	struct timeout_task *tt = arg;
	struct taskqueue *tq = tt->q;

	KASSERT((tt->f & ARMED) != 0, ("timeout task %p fires unarmed", tt));
	tt->f &= ~ARMED;
	tq->tq_timeouts--;
	enqueue(tq, &tt->t);
	tq_unlock(tq);
}

void
_timeout_task_init(struct taskqueue *tq, struct timeout_task *tt, int priority,
    task_fn_t func, void *context)
{
	TASK_INIT(&tt->t, (uint8_t)priority, func, context);
	if (tq->tq_spin)
		panic("TIMEOUT_TASK_INIT: queue \"%s\" has a spin lock, with "
		    "which no callout can run", tq->tq_name);
	callout_init_mtx(&tt->c, &tq->tq_mtx, CALLOUT_RETURNUNLOCKED);
	tt->q = tq;
	tt->f = 0;
}

/*
 * A negative time leaves an armed one as it is.  Returns how often the task
 * waited before, -1 while it is drained.
 */
int
taskqueue_enqueue_timeout_sbt(struct taskqueue *tq, struct timeout_task *tt,
    sbintime_t sbt, sbintime_t pr, int flags)
{
	int before;

	tq_lock(tq);
	KASSERT(tt->q == NULL || tt->q == tq,
	    ("taskqueue_enqueue_timeout: task of another queue"));
	tt->q = tq;
	before = tt->t.ta_pending;
	if ((tt->f & DRAINING) != 0)
		before = -1;
	else if (sbt == 0)
		enqueue(tq, &tt->t);
	else {
		if ((tt->f & ARMED) != 0)
			before++;
		else {
			tq->tq_timeouts++;
			tt->f |= ARMED;
			sbt = sbt < 0 ? -sbt : sbt;
		}
		if (sbt > 0)
			callout_reset_sbt(&tt->c, sbt, pr, timed_out, tt,
			    flags);
	}
	tq_unlock(tq);
	return (before);
}

int
taskqueue_enqueue_timeout(struct taskqueue *tq, struct timeout_task *tt,
    int count)
{
	return (taskqueue_enqueue_timeout_sbt(tq, tt, count * tick_sbt, 0,
	    C_HARDCLOCK));
}

/* ---- running */

bool
tq_runs(const struct taskqueue *tq, const struct task *task)
{
	const struct running *r;

	LIST_FOREACH(r, &tq->tq_running, r_link)
		if (r->r_task == task)
			return (true);
	return (false);
}

/* The task may be gone when its function returns. */
static void
call(const struct taskqueue *tq __unused, struct task *task, int pending)
{
	task_fn_t *func = task->ta_func;
	bool net = TASK_IS_NET(task) != 0;
	struct epoch_tracker et;
#ifdef INVARIANTS
	struct handler_state before;
	const char *wrong;
#endif

	if (net)
		NET_EPOCH_ENTER(et);
#ifdef INVARIANTS
	before = handler_enter();
#endif
	func(task->ta_context, pending);
#ifdef INVARIANTS
	wrong = handler_exit(&before, 0);
	if (wrong != NULL)
		panic("task %p of queue \"%s\" returned %s", func,
		    tq->tq_name, wrong);
#endif
	if (net)
		NET_EPOCH_EXIT(et);
}

void
tq_run(struct taskqueue *tq)
{
	struct running r;
	struct task *task;
	int pending;

	r.r_task = NULL;
	r.r_thread = curthread;
	LIST_INSERT_HEAD(&tq->tq_running, &r, r_link);
	while ((task = STAILQ_FIRST(&tq->tq_tasks)) != NULL) {
		STAILQ_REMOVE_HEAD(&tq->tq_tasks, ta_link);
		pending = task->ta_pending;
		task->ta_pending = 0;
		r.r_task = task;
		r.r_seq = ++tq->tq_seq;
		tq_unlock(tq);
		call(tq, task, pending);
		tq_lock(tq);
		r.r_task = NULL;
		wakeup(task);
	}
	LIST_REMOVE(&r, r_link);
}

void
taskqueue_run(struct taskqueue *tq)
{
	tq_lock(tq);
	tq_run(tq);
	tq_unlock(tq);
}

int
taskqueue_poll_is_busy(struct taskqueue *tq, struct task *task)
{
	bool busy;

	tq_lock(tq);
	busy = task->ta_pending > 0 || tq_runs(tq, task);
	tq_unlock(tq);
	return (busy);
}

/* ---- taking back */

static int
cancel(struct taskqueue *tq, struct task *task, u_int *pendp)
{
	if (task->ta_pending > 0)
		STAILQ_REMOVE(&tq->tq_tasks, task, task, ta_link);
	if (pendp != NULL)
		*pendp = task->ta_pending;
	task->ta_pending = 0;
	return (tq_runs(tq, task) ? EBUSY : 0);
}

int
taskqueue_cancel(struct taskqueue *tq, struct task *task, u_int *pendp)
{
	int error;

	tq_lock(tq);
	error = cancel(tq, task, pendp);
	tq_unlock(tq);
	return (error);
}

int
taskqueue_cancel_timeout(struct taskqueue *tq, struct timeout_task *tt,
    u_int *pendp)
{
	bool stopped;
	u_int pending;
	int error;

	tq_lock(tq);
	stopped = callout_stop(&tt->c) > 0;
	error = cancel(tq, &tt->t, &pending);
	if ((tt->f & ARMED) != 0) {
		tt->f &= ~ARMED;
		tq->tq_timeouts--;
	}
	tq_unlock(tq);
	if (pendp != NULL)
		*pendp = pending + stopped;
	return (error);
}
