/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: taskqueue_drain(9) and its kin, of FreeBSD's kern/subr_taskqueue.c.
 * Fidelity: exact
 * Differs: waiting for a task from within itself panics.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/callout.h>
#include <sys/kernel.h>
#include <sys/limits.h>
#include <sys/proc.h>

#include <lvk.h>
#include "subr_taskqueue.h"

static void
own_task_check(const struct taskqueue *tq, const struct task *task,
    const char *what)
{
	const struct running *r;

	LIST_FOREACH(r, &tq->tq_running, r_link)
		if (r->r_thread == curthread &&
		    (task == NULL || r->r_task == task))
			panic("%s: queue \"%s\": called from task %p of the "
			    "same queue, which it waits for", what,
			    tq->tq_name, r->r_task->ta_func);
}

static void
wait_begin(struct taskqueue *tq, const struct task *task, const char *what)
{
#ifdef INVARIANTS
	lvk_sleep_check(what);
#endif
	tq_lock(tq);
	own_task_check(tq, task, what);
	tq->tq_waiters++;
}

static void
wait_end(struct taskqueue *tq)
{
	if (--tq->tq_waiters == 0 && !tq->tq_active)
		wakeup(&tq->tq_waiters);
	tq_unlock(tq);
}

static void
drain(struct taskqueue *tq, struct task *task, const char *what)
{
	wait_begin(tq, task, what);
	while (task->ta_pending != 0 || tq_runs(tq, task))
		tq_sleep(tq, task, "tq_drain");
	wait_end(tq);
}

void
taskqueue_drain(struct taskqueue *tq, struct task *task)
{
	drain(tq, task, "taskqueue_drain");
}

/* Enqueueing has no effect meanwhile. */
void
taskqueue_drain_timeout(struct taskqueue *tq, struct timeout_task *tt)
{
	tq_lock(tq);
	KASSERT((tt->f & DRAINING) == 0,
	    ("taskqueue_drain_timeout: queue \"%s\": already being drained",
	    tq->tq_name));
	tt->f |= DRAINING;
	tq_unlock(tq);
	callout_drain(&tt->c);
	drain(tq, &tt->t, "taskqueue_drain_timeout");
	tq_lock(tq);
	if ((tt->f & ARMED) != 0)
		tq->tq_timeouts--;
	tt->f &= ~(ARMED | DRAINING);
	tq_unlock(tq);
}

/* ---- all of a queue */

static void
nothing(void *context __unused, int pending __unused)
{
}

/* True: it had to wait, and others may have come meanwhile. */
static bool
wait_queued(struct taskqueue *tq)
{
	struct task last;

	if (STAILQ_EMPTY(&tq->tq_tasks))
		return (false);
	/* Behind all that are there, whatever their priority. */
	TASK_INIT(&last, UCHAR_MAX, nothing, &last);
	STAILQ_INSERT_TAIL(&tq->tq_tasks, &last, ta_link);
	last.ta_pending = 1;
	while (last.ta_pending != 0 || tq_runs(tq, &last))
		tq_sleep(tq, &last, "tq_qdrain");
	return (true);
}

static bool
wait_running(struct taskqueue *tq)
{
	const struct running *r;
	bool waited = false;
	u_int seq = tq->tq_seq;

	do {
		LIST_FOREACH(r, &tq->tq_running, r_link)
			if (r->r_task != NULL && (int)(r->r_seq - seq) <= 0)
				break;
		if (r != NULL) {
			tq_sleep(tq, r->r_task, "tq_adrain");
			waited = true;
		}
	} while (r != NULL);
	return (waited);
}

/* What was enqueued before; what comes later may remain. */
void
taskqueue_drain_all(struct taskqueue *tq)
{
	wait_begin(tq, NULL, "taskqueue_drain_all");
	(void)wait_queued(tq);
	(void)wait_running(tq);
	wait_end(tq);
}

void
taskqueue_quiesce(struct taskqueue *tq)
{
	wait_begin(tq, NULL, "taskqueue_quiesce");
	while (wait_queued(tq) || wait_running(tq))
		;
	wait_end(tq);
}
