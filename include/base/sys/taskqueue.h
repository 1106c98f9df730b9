/* SPDX-License-Identifier: BSD-2-Clause */
/* taskqueue(9) */
#ifndef _SYS_TASKQUEUE_H_
#define _SYS_TASKQUEUE_H_

#include <sys/queue.h>
#include <sys/_task.h>
#include <sys/_callout.h>
#include <sys/_cpuset.h>

struct proc;
struct taskqueue;
struct thread;

struct timeout_task {
	struct taskqueue *q;
	struct task t;
	struct callout c;
	int f;
};

enum taskqueue_callback_type {
	TASKQUEUE_CALLBACK_TYPE_INIT,		/* a thread begins */
	TASKQUEUE_CALLBACK_TYPE_SHUTDOWN,	/* and ends */
};
#define TASKQUEUE_CALLBACK_TYPE_MIN TASKQUEUE_CALLBACK_TYPE_INIT
#define TASKQUEUE_CALLBACK_TYPE_MAX TASKQUEUE_CALLBACK_TYPE_SHUTDOWN
#define TASKQUEUE_NUM_CALLBACKS (TASKQUEUE_CALLBACK_TYPE_MAX + 1)
#define TASKQUEUE_NAMELEN 32

/* taskqueue_enqueue_flags() */
#define TASKQUEUE_FAIL_IF_PENDING (1 << 0)
#define TASKQUEUE_FAIL_IF_CANCELING (1 << 1)

typedef void (*taskqueue_callback_fn)(void *);
/* Called with the queue's lock held, to have the queue run. */
typedef void (*taskqueue_enqueue_fn)(void *);

struct taskqueue *taskqueue_create(const char *, int mflags,
	    taskqueue_enqueue_fn, void *);
struct taskqueue *taskqueue_create_fast(const char *, int mflags,
	    taskqueue_enqueue_fn, void *);
int	taskqueue_start_threads(struct taskqueue **, int count, int pri,
	    const char *, ...) __printflike(4, 5);
int	taskqueue_start_threads_in_proc(struct taskqueue **, int count,
	    int pri, struct proc *, const char *, ...) __printflike(5, 6);
int	taskqueue_start_threads_cpuset(struct taskqueue **, int count,
	    int pri, cpuset_t *, const char *, ...) __printflike(5, 6);
int	taskqueue_enqueue(struct taskqueue *, struct task *);
int	taskqueue_enqueue_flags(struct taskqueue *, struct task *, int flags);
int	taskqueue_enqueue_timeout(struct taskqueue *, struct timeout_task *,
	    int ticks);
int	taskqueue_enqueue_timeout_sbt(struct taskqueue *,
	    struct timeout_task *, sbintime_t, sbintime_t pr, int flags);
int	taskqueue_poll_is_busy(struct taskqueue *, struct task *);
int	taskqueue_cancel(struct taskqueue *, struct task *, u_int *pendp);
int	taskqueue_cancel_timeout(struct taskqueue *, struct timeout_task *,
	    u_int *pendp);
void	taskqueue_drain(struct taskqueue *, struct task *);
void	taskqueue_drain_timeout(struct taskqueue *, struct timeout_task *);
void	taskqueue_drain_all(struct taskqueue *);
void	taskqueue_quiesce(struct taskqueue *);
void	taskqueue_free(struct taskqueue *);
void	taskqueue_run(struct taskqueue *);
void	taskqueue_block(struct taskqueue *);
void	taskqueue_unblock(struct taskqueue *);
int	taskqueue_member(struct taskqueue *, struct thread *);
void	taskqueue_set_callback(struct taskqueue *,
	    enum taskqueue_callback_type, taskqueue_callback_fn, void *);
void	taskqueue_thread_loop(void *);
void	taskqueue_thread_enqueue(void *);

#define TASK_INITIALIZER(priority, func, context) { \
	.ta_priority = (priority), .ta_func = (func), .ta_context = (context) }
#define TASK_INIT_FLAGS(task, priority, func, context, flags) do {	\
	(task)->ta_pending = 0;						\
	(task)->ta_priority = (priority);				\
	(task)->ta_flags = (flags);					\
	(task)->ta_func = (func);					\
	(task)->ta_context = (context);					\
} while (0)
#define TASK_INIT(t, p, f, c) TASK_INIT_FLAGS(t, p, f, c, 0)
#define NET_TASK_INIT(t, p, f, c) TASK_INIT_FLAGS(t, p, f, c, TASK_NETWORK)

void	_timeout_task_init(struct taskqueue *, struct timeout_task *,
	    int priority, task_fn_t, void *);
#define TIMEOUT_TASK_INIT(queue, timeout_task, priority, func, context) do { \
	_Static_assert((priority) >= 0 && (priority) <= 255,		\
	    "struct task priority is 8 bit in size");			\
	_timeout_task_init(queue, timeout_task, priority, func, context); \
} while (0)

/* Global queues: TASKQUEUE_DEFINE_THREAD(name) makes taskqueue_name. */
#define TASKQUEUE_DECLARE(name) extern struct taskqueue *taskqueue_##name

#define LIBVNET_TASKQUEUE_DEFINE(name, create, enqueue, context, init)	\
	struct taskqueue *taskqueue_##name;				\
	static void							\
	taskqueue_define_##name(void *arg)				\
	{								\
		taskqueue_##name = create(#name, M_WAITOK, (enqueue),	\
		    (context));						\
		init;							\
	}								\
	SYSINIT(taskqueue_##name, SI_SUB_TASKQ, SI_ORDER_SECOND,	\
	    taskqueue_define_##name, NULL);				\
	struct __hack
#define TASKQUEUE_DEFINE(name, enqueue, context, init)			\
	LIBVNET_TASKQUEUE_DEFINE(name, taskqueue_create, enqueue, context, init)
#define TASKQUEUE_DEFINE_THREAD(name)					\
	TASKQUEUE_DEFINE(name, taskqueue_thread_enqueue, &taskqueue_##name, \
	    taskqueue_start_threads(&taskqueue_##name, 1, PWAIT,	\
	    "%s taskq", #name))
#define TASKQUEUE_FAST_DEFINE(name, enqueue, context, init)		\
	LIBVNET_TASKQUEUE_DEFINE(name, taskqueue_create_fast, enqueue,	\
	    context, init)
#define TASKQUEUE_FAST_DEFINE_THREAD(name)				\
	TASKQUEUE_FAST_DEFINE(name, taskqueue_thread_enqueue,		\
	    &taskqueue_##name,						\
	    taskqueue_start_threads(&taskqueue_##name, 1, PWAIT,	\
	    "%s taskq", #name))

TASKQUEUE_DECLARE(swi_giant);		/* software interrupts, with Giant */
TASKQUEUE_DECLARE(swi);
TASKQUEUE_DECLARE(thread);		/* a thread: tasks may sleep */
TASKQUEUE_DECLARE(fast);		/* spin lock: from filters */

#endif /* _SYS_TASKQUEUE_H_ */
