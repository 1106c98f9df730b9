/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Errors.  Every function of the API that can fail returns 0 or more on
 * success and one of these negative codes otherwise.  What the code under
 * test answered (a FreeBSD errno) never comes back this way: it has an
 * argument of its own where there is one.
 */
#ifndef LIBVNET_ERROR_H
#define LIBVNET_ERROR_H

#include <libvnet/types.h>

LIBVNET_BEGIN

enum libvnet_errors {
	LIBVNET_OK = 0,
	LIBVNET_EINVAL = -1,	/* an argument is out of its range */
	LIBVNET_ENOTBOOTED = -2,	/* libvnet_boot() was not called */
	LIBVNET_EBOOTED = -3,	/* libvnet_boot() was called before */
	LIBVNET_ENOVNET = -4,	/* not a vnet, or destroyed already */
	LIBVNET_ENOTSUP = -5,	/* needs an option the runtime lacks */
	LIBVNET_ENOENT = -6,	/* no such name */
	LIBVNET_ETYPE = -7,	/* the thing has another type */
	LIBVNET_EBUSY = -8,	/* in use: see libvnet_error() */
	LIBVNET_ELIMIT = -9,	/* a named limit was reached */
	LIBVNET_EKERNEL = -10,	/* the kernel code answered an errno */
	LIBVNET_ETHREAD = -11,	/* this thread is not attached */
	LIBVNET_ELINK = -12,	/* the program was not linked whole */
	LIBVNET_EIO = -13,	/* a file cannot be read or is damaged */
	LIBVNET_EPANIC = -14	/* the kernel world panicked; boot again */
};

/*
 * The code's meaning, a constant string; never NULL, also for codes that do
 * not exist.  Thread safe.
 */
const char *libvnet_strerror(int error);

/*
 * What the last failed call of this thread found, and what to do about it.
 * Never NULL; "" when none failed.  Valid until this thread's next failure.
 */
const char *libvnet_error(void);

LIBVNET_END

#endif /* LIBVNET_ERROR_H */
