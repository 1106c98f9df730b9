/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS__TASK_H_
#define _SYS__TASK_H_

#include <sys/types.h>
#include <sys/queue.h>

/* `pending': how often it was enqueued since it ran last. */
typedef void task_fn_t(void *context, int pending);

struct task {
	STAILQ_ENTRY(task) ta_link;
	uint16_t ta_pending;
	uint8_t ta_priority;		/* higher runs first */
	uint8_t ta_flags;
	task_fn_t *ta_func;
	void *ta_context;
};

#define TASK_ENQUEUED 0x1
#define TASK_NOENQUEUE 0x2
#define TASK_NETWORK 0x4		/* runs inside the net epoch */
#define TASK_IS_NET(ta) ((ta)->ta_flags & TASK_NETWORK)

#endif /* _SYS__TASK_H_ */
