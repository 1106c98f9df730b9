/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: who runs taskqueue(9)s: threads of their own and software
 * interrupts; of FreeBSD's kern/subr_taskqueue.c.
 * Fidelity: exact
 * Differs: a queue's threads begin when it has a task for the first time.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/cpuset.h>
#include <sys/errno.h>
#include <sys/interrupt.h>
#include <sys/kernel.h>
#include <sys/kthread.h>
#include <sys/proc.h>
#include <sys/sched.h>
#include <sys/unistd.h>
#include <machine/stdarg.h>

#include "subr_taskqueue.h"

/* ---- threads */

static void
callback(struct taskqueue *tq, enum taskqueue_callback_type type)
{
	if (tq->tq_callback[type] != NULL)
		tq->tq_callback[type](tq->tq_callback_arg[type]);
}

void
taskqueue_thread_loop(void *arg)
{
	struct taskqueue *tq = *(struct taskqueue **)arg;

	callback(tq, TASKQUEUE_CALLBACK_TYPE_INIT);
	tq_lock(tq);
	for (;;) {
		tq_run(tq);
		if (!tq->tq_active)
			break;
		tq_sleep(tq, tq, "-");
	}
	tq_unlock(tq);
	callback(tq, TASKQUEUE_CALLBACK_TYPE_SHUTDOWN);
	tq_lock(tq);
	if (--tq->tq_tcount == 0)
		wakeup(&tq->tq_tcount);
	tq_unlock(tq);
	kthread_exit();
}

void
tq_threads_begin(struct taskqueue *tq)
{
	if (tq->tq_started)
		return;
	tq->tq_started = true;
	for (int i = 0; i < tq->tq_tcount; i++) {
		thread_lock(tq->tq_threads[i]);
		sched_add(tq->tq_threads[i], SRQ_BORING);
	}
}

void
tq_threads_end(struct taskqueue *tq)
{
	tq_threads_begin(tq);
	while (tq->tq_tcount > 0) {
		wakeup(tq);
		tq_sleep(tq, &tq->tq_tcount, "tq_destroy");
	}
}

void
taskqueue_thread_enqueue(void *context)
{
	struct taskqueue *tq = *(struct taskqueue **)context;

	tq_threads_begin(tq);
	wakeup_any(tq);
}

static int
start(struct taskqueue **tqp, int count, int pri, cpuset_t *mask,
    struct proc *p, const char *fmt, va_list ap)
{
	struct taskqueue *tq = *tqp;
	char name[MAXCOMLEN + 1];
	int error = 0, i;

	if (count <= 0)
		return (EINVAL);
	vsnprintf(name, sizeof(name), fmt, ap);
	tq->tq_threads = malloc(sizeof(struct thread *) * (size_t)count,
	    M_TASKQUEUE, M_NOWAIT | M_ZERO);
	if (tq->tq_threads == NULL)
		return (ENOMEM);
	for (i = 0; i < count && error == 0; i++) {
		struct thread **td = &tq->tq_threads[i];

		error = kthread_add(taskqueue_thread_loop, tqp, p, td,
		    RFSTOPPED, 0, count == 1 ? "%s" : "%s_%d", name, i);
		if (error == 0 && mask != NULL)
			error = cpuset_setthread((*td)->td_tid, mask);
		if (error == 0)
			sched_prio(*td, (u_char)pri);
	}
	if (error != 0)
		panic("taskqueue_start_threads: \"%s\": error %d", name,
		    error);
	tq_lock(tq);
	tq->tq_tcount = count;
	if (!STAILQ_EMPTY(&tq->tq_tasks))
		tq_threads_begin(tq);
	tq_unlock(tq);
	return (0);
}

int
taskqueue_start_threads(struct taskqueue **tqp, int count, int pri,
    const char *fmt, ...)
{
	va_list ap;
	int error;

	va_start(ap, fmt);
	error = start(tqp, count, pri, NULL, NULL, fmt, ap);
	va_end(ap);
	return (error);
}

int
taskqueue_start_threads_in_proc(struct taskqueue **tqp, int count, int pri,
    struct proc *p, const char *fmt, ...)
{
	va_list ap;
	int error;

	va_start(ap, fmt);
	error = start(tqp, count, pri, NULL, p, fmt, ap);
	va_end(ap);
	return (error);
}

int
taskqueue_start_threads_cpuset(struct taskqueue **tqp, int count, int pri,
    cpuset_t *mask, const char *fmt, ...)
{
	va_list ap;
	int error;

	va_start(ap, fmt);
	error = start(tqp, count, pri, mask, NULL, fmt, ap);
	va_end(ap);
	return (error);
}

int
taskqueue_member(struct taskqueue *tq, struct thread *td)
{
	for (int i = 0; i < tq->tq_tcount; i++)
		if (tq->tq_threads[i] == td)
			return (1);
	return (0);
}

/* ---- software interrupts */

static void *swi_cookie, *giant_cookie, *fast_cookie;

static void
cookie_sched(void *cookiep)
{
	swi_sched(*(void **)cookiep, 0);
}

static void
queue_run(void *tqp)
{
	taskqueue_run(*(struct taskqueue **)tqp);
}

TASKQUEUE_DEFINE(swi, cookie_sched, &swi_cookie,
    swi_add(NULL, "task queue", queue_run, &taskqueue_swi, SWI_TQ,
    INTR_MPSAFE, &swi_cookie));
TASKQUEUE_DEFINE(swi_giant, cookie_sched, &giant_cookie,
    swi_add(NULL, "Giant taskq", queue_run, &taskqueue_swi_giant,
    SWI_TQ_GIANT, 0, &giant_cookie));
TASKQUEUE_FAST_DEFINE(fast, cookie_sched, &fast_cookie,
    swi_add(NULL, "fast taskq", queue_run, &taskqueue_fast, SWI_TQ_FAST,
    INTR_MPSAFE, &fast_cookie));
TASKQUEUE_DEFINE_THREAD(thread);
