/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Flows of control, inside host world: coroutine.c over coroutine_switch.c,
 * coroutine_thread.c and coroutine_san.c.
 */
#ifndef LIBVNET_HOST_COROUTINE_H
#define LIBVNET_HOST_COROUTINE_H

#include "host.h"
#include "seam_thread.h"

/* ---- coroutine.c */
/*
 * Run fn(arg) on the test's own stack, above whatever waits there, and come
 * back: what needs much stack, or longjmp()s to somebody below.  Runs it here
 * where this is that stack, or no flow was ever made.  With VNH_HOST it
 * returns only where the caller is home; from elsewhere fn must not return,
 * and runs when home comes by (see host_home_poll).
 */
void	host_home_call(void (*fn)(void *), void *arg);
bool	host_home_here(void);
/* The caller is a host thread that attached: no flow of ours. */
bool	host_home_foreign(void);
/* VNH_HOST: where home looks whether another thread wants it. */
void	host_home_poll(void);
/* End every flow but the caller's; the kernel world is about to be dropped. */
void	host_co_abandon(void);
/* Kernel memory was put back; the caller is home. */
void	host_co_restored(void);
/* The flow that runs, NULL outside. */
struct vnh_co *host_co_current(void);
extern enum vnh_carrier host_co_carrier;

/* ---- coroutine_switch.c: the machine's part */
/* Saves where the caller is in *save and goes on where `sp' was saved. */
void	host_co_swap(void **save, void *sp);
/* What to load to begin entry() on this stack. */
void	*host_co_prepare(char *stack, size_t size, void (*entry)(void));

/* ---- coroutine_thread.c: flows that are host threads */
void	host_thread_create(struct vnh_co *co, void (*entry)(struct vnh_co *));
void	host_thread_destroy(struct vnh_co *co);
void	host_thread_park(struct vnh_co *co);
void	host_thread_unpark(struct vnh_co *co);
__attribute__((noreturn)) void host_thread_exit(void);
/*
 * VNH_HOST: make all others stand still, at their next call of the seam.
 * Returns when they do.
 */
void	host_threads_stop(void);
void	host_threads_stop_point(void);
/* A flow stops there where others want all to stand still. */
void	host_threads_poll(void);
void	host_threads_abandon(void);

/* ---- coroutine_san.c: what sanitizers want to be told */
void	host_san_create(struct vnh_co *co);
void	host_san_destroy(struct vnh_co *co);
/* Before and after a switch; `last' where the caller never comes back. */
void	host_san_leave(struct vnh_co *from, struct vnh_co *to, bool last);
void	host_san_arrive(struct vnh_co *self, bool first);
/* Forget all flows but those of which kernel world still knows. */
void	host_san_restored(void);
void	host_san_abandon(void);

/* ---- stack.c */
/*
 * A finding and a panic where a stack overflows, instead of a plain crash.
 * Again where somebody else may have set handlers meanwhile.
 */
void	host_stack_watch(void);

/* ---- stack_clear.c */
void	host_stack_clear(char *stack, size_t size);

#endif /* LIBVNET_HOST_COROUTINE_H */
