/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Virtual network stacks.
 *
 * A handle is good until the vnet is destroyed; using it later is noticed
 * and answered with LIBVNET_ENOVNET.  All calls want a booted kernel world
 * (LIBVNET_ENOTBOOTED) and an attached thread (LIBVNET_ETHREAD; the thread
 * that booted is).
 */
#ifndef LIBVNET_VNET_H
#define LIBVNET_VNET_H

#include <libvnet/types.h>

LIBVNET_BEGIN

/*
 * Make a vnet: copy the V_ variables' initial values and run all
 * VNET_SYSINITs in it.  Which vnet is current does not change.
 *
 * LIBVNET_ENOTSUP  the runtime was built without VIMAGE
 * LIBVNET_EINVAL   `vnet' is NULL
 */
int	libvnet_create(struct vnet **vnet);

/*
 * Run all VNET_SYSUNINITs in reverse, then free it.  What is still allocated
 * in its name is reported as findings of kind "leak".
 *
 * Somebody may hold its credential or its prison still, as sockets do that
 * linger after they were closed (TCP's in TIME_WAIT, for a minute; up to a
 * quarter of an hour where the peer does not answer).  Then the machine runs
 * and the clock goes from event to event before, until they have let go,
 * nothing is left to happen, or LIBVNET_DESTROY_WAIT_S virtual seconds have
 * passed; who holds them then is a finding of kind "reference", and a socket
 * that was never closed panics.  Time stands still where nobody holds
 * anything, where the caller is not the thread that booted, and where it holds
 * a lock.  libvnet_shutdown(), and the end of a test, destroy vnets in the
 * same way.
 *
 * LIBVNET_ENOVNET  not a vnet
 * LIBVNET_EBUSY    it is the current vnet of this thread or of another host
 *                  thread that is attached, or vnet0
 */
#define LIBVNET_DESTROY_WAIT_S 1000
int	libvnet_destroy(struct vnet *vnet);

/*
 * Make it current for this thread, as CURVNET_SET does, and its root
 * credential the thread's.  Calls nest up to LIBVNET_ENTER_MAX deep, and
 * libvnet_leave() goes back to what was current before.
 *
 * LIBVNET_ENOVNET  not a vnet
 * LIBVNET_ELIMIT   nested deeper than LIBVNET_ENTER_MAX
 * LIBVNET_EINVAL   leave without enter
 */
#define LIBVNET_ENTER_MAX 64
int	libvnet_enter(struct vnet *vnet);
int	libvnet_leave(void);

/* The current vnet, vnet0; NULL where there is none (or no VIMAGE). */
struct vnet *libvnet_current(void);
struct vnet *libvnet_default(void);

/*
 * Its number: 0 for vnet0, then counted up, never used twice.  Messages name
 * vnets so.  LIBVNET_ENOVNET: not a vnet.
 */
int	libvnet_number(const struct vnet *vnet);

/* How many there are, vnet0 included. */
int	libvnet_count(void);

LIBVNET_END

#endif /* LIBVNET_VNET_H */
