/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Kernel threads, which kernel code makes with kthread_add(9) and its kin, run
 * while the thread that booted (thread0) sleeps, yields, waits for a lock, or
 * is in libvnet_run_until_idle() or libvnet_clock_advance_ns().  One runs
 * until it does one of these itself; then the next goes on, first come first
 * served.  enum libvnet_threads in <libvnet/boot.h> says what carries them.
 *
 * A panic or a failed assertion in one ends the test as one in the test's own
 * body does.
 *
 * Host threads beside the one that booted.  A thread that wants to run
 * kernel code attaches first: it gets a struct thread, and a current vnet of
 * its own.  At most LIBVNET_ATTACH_MAX are attached at one time.
 *
 * Locks, atomics, refcounts, malloc(9) and uma(9) are safe between attached
 * threads.  The clock, epoch callbacks, and making or destroying vnets are
 * not: one thread does those.
 */
#ifndef LIBVNET_THREAD_H
#define LIBVNET_THREAD_H

#include <libvnet/types.h>

LIBVNET_BEGIN

#define LIBVNET_ATTACH_MAX 64

/*
 * LIBVNET_ENOTBOOTED  not booted
 * LIBVNET_EBUSY       attached already (detach: the thread that booted)
 * LIBVNET_ELIMIT      LIBVNET_ATTACH_MAX threads are attached
 * LIBVNET_ETHREAD     detach of a thread that is not attached
 */
int	libvnet_thread_attach(void);
int	libvnet_thread_detach(void);

/*
 * The most of its stack that a kernel thread has used so far, in bytes; NULL
 * is the current one.  `thread' is a struct thread of the kernel that is
 * alive.  A thread that overflows its stack is a finding "stack" and a panic.
 *
 * LIBVNET_ENOTSUP  its stack is the host's: thread0, an attached thread, or
 *                  not LIBVNET_THREADS_COROUTINE
 */
long	libvnet_thread_stack_used(const void *thread);

LIBVNET_END

#endif /* LIBVNET_THREAD_H */
