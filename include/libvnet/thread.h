/* SPDX-License-Identifier: BSD-2-Clause */
/*
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

LIBVNET_END

#endif /* LIBVNET_THREAD_H */
