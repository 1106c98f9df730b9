/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The seam's part about threads: what carries a kernel thread.
 *
 * Kernel world decides who runs; host world only knows how to put one flow of
 * control aside and go on with another.  There are three ways:
 *
 *   VNH_COROUTINE  stacks on the one host thread; a switch is a few
 *		   instructions
 *   VNH_BATON	   host threads of which one at a time runs: the same schedule
 *		   as with coroutines, for tools that know host threads only
 *   VNH_HOST	   host threads that run freely
 *
 * Everything that is known of a parked coroutine stands in its struct vnh_co
 * and on its stack, and both are kernel memory: who puts that memory back
 * puts the coroutine back.  co_handle alone is host world's; it names a
 * sanitizer's fiber, which is made again where it is gone, or a host thread.
 */
#ifndef LIBVNET_SEAM_THREAD_H
#define LIBVNET_SEAM_THREAD_H

#include "seam.h"

enum vnh_carrier { VNH_COROUTINE, VNH_HOST, VNH_BATON };

struct vnh_co {
	void		*co_sp;		/* while it does not run */
	char		*co_stack;	/* lowest byte; NULL: a host thread's */
	vnh_size_t	 co_size;
	void		(*co_fn)(void *);
	void		*co_arg;
	const char	*co_name;	/* for messages */
	void		*co_fake;	/* ASan's own stack */
	vnh_u64		 co_handle;
};

/* The calling host thread is `co' from now on: home, the test's own stack. */
void	 vnh_co_adopt(struct vnh_co *co, enum vnh_carrier carrier);
/*
 * A flow that will run fn(arg).  Filled in by the caller: co_stack and co_size
 * where the carrier is VNH_COROUTINE, co_name always.  fn never returns.
 */
void	 vnh_co_create(struct vnh_co *co, void (*fn)(void *), void *arg);
/* VNH_COROUTINE, VNH_BATON: `from', the caller, stops and `to' goes on. */
void	 vnh_co_switch(struct vnh_co *from, struct vnh_co *to);
/* The caller's last call.  `to' is NULL with VNH_HOST. */
__attribute__((noreturn))
void	 vnh_co_exit(struct vnh_co *from, struct vnh_co *to);
/* Gives back what host world holds for a flow that never ran or has exited. */
void	 vnh_co_destroy(struct vnh_co *co);

/*
 * VNH_HOST: stop until unparked.  An unpark that comes first is not lost; of
 * several one counts.
 */
void	 vnh_co_park(struct vnh_co *co);
void	 vnh_co_unpark(struct vnh_co *co);

/* The most that was used of it; vnh_co_create() clears a stack for that. */
vnh_size_t vnh_stack_used(const char *stack, vnh_size_t size);

/* Enough for code that a kernel's stack is enough for, as it is built here. */
vnh_size_t vnh_stack_default(void);

/* ---- host calls kernel */

/* 1 where the current thread is thread0 itself: no interrupt, no kthread. */
int	 vnk_thread_main(void);
/* Bytes used at most so far, -1 where its stack is not ours; NULL: current. */
long	 vnk_thread_stack_used(const void *thread);
void	 vnk_co_each(void (*fn)(struct vnh_co *));	/* of kernel threads */

#endif /* LIBVNET_SEAM_THREAD_H */
