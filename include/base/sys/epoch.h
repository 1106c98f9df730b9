/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS_EPOCH_H_
#define _SYS_EPOCH_H_

#include <sys/types.h>
#include <sys/queue.h>

struct epoch_context {
	void *data[2];
} __aligned(sizeof(void *));
typedef struct epoch_context *epoch_context_t;
typedef void epoch_callback_t(epoch_context_t);

struct epoch;
typedef struct epoch *epoch_t;

#define EPOCH_PREEMPT 0x1
#define EPOCH_LOCKED 0x2

extern epoch_t global_epoch;
extern epoch_t global_epoch_preempt;
extern epoch_t net_epoch_preempt;

struct epoch_tracker {
	TAILQ_ENTRY(epoch_tracker) et_link;
	struct thread *et_td;
} __aligned(sizeof(void *));
typedef struct epoch_tracker *epoch_tracker_t;

epoch_t	epoch_alloc(const char *, int);
void	epoch_free(epoch_t);
void	epoch_wait(epoch_t);
void	epoch_wait_preempt(epoch_t);
void	epoch_drain_callbacks(epoch_t);
void	epoch_call(epoch_t, epoch_callback_t, epoch_context_t);
int	in_epoch(epoch_t);
int	in_epoch_verbose(epoch_t, int);
void	epoch_enter(epoch_t);
void	epoch_exit(epoch_t);
void	_epoch_enter_preempt(epoch_t, epoch_tracker_t);
void	_epoch_exit_preempt(epoch_t, epoch_tracker_t);
#define epoch_enter_preempt(epoch, et) _epoch_enter_preempt((epoch), (et))
#define epoch_exit_preempt(epoch, et) _epoch_exit_preempt((epoch), (et))

#define NET_EPOCH_ENTER(et) epoch_enter_preempt(net_epoch_preempt, &(et))
#define NET_EPOCH_EXIT(et) epoch_exit_preempt(net_epoch_preempt, &(et))
#define NET_EPOCH_WAIT() epoch_wait_preempt(net_epoch_preempt)
#define NET_EPOCH_CALL(f, c) epoch_call(net_epoch_preempt, (f), (c))
#define NET_EPOCH_DRAIN_CALLBACKS() epoch_drain_callbacks(net_epoch_preempt)
#define NET_EPOCH_ASSERT() MPASS(in_epoch(net_epoch_preempt))

#endif
