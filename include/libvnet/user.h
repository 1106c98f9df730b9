/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * User memory: what copyin(9), copyout(9), fetch(9), store(9), casueword(9),
 * vslock(9) and uiomove(9) reach.
 *
 * The test's own memory is user memory, all but the lowest 64 KiB.  Each call
 * may fail, and a call that may sleep for a page panics where a kernel thread
 * may not sleep.
 */
#ifndef LIBVNET_USER_H
#define LIBVNET_USER_H

#include <libvnet/types.h>

LIBVNET_BEGIN

/*
 * Accesses to these bytes fail with EFAULT; what lies before them in the same
 * call is copied.  good takes that back for all ranges that overlap it,
 * whole; NULL: for all.
 *
 * LIBVNET_EINVAL   no bytes, or NULL
 * LIBVNET_ELIMIT   more than LIBVNET_USER_BAD ranges
 */
#define LIBVNET_USER_BAD 32
int	libvnet_user_bad(const void *start, size_t bytes);
int	libvnet_user_good(const void *start, size_t bytes);

/*
 * The n-th access from now on, counted from 1, fails; 0: none does.  As with
 * libvnet_fail_nth(), a test can try every one:
 *
 *	for (uint64_t n = 1;; n++) {
 *		libvnet_user_fail(n);
 *		error = thing_ioctl(...);
 *		if (libvnet_user_count() < n)
 *			break;			// none was left to fail
 *		assert_int_equal(error, EFAULT);
 *	}
 */
int	libvnet_user_fail(uint64_t n);
/* Accesses since then, or since boot. */
uint64_t libvnet_user_count(void);

/*
 * Between on and off, bytes that are fetched twice are a finding
 * "doublefetch": another thread of the process may change them in between, so
 * that what was checked is not what is used.  Give one request at a time.
 */
int	libvnet_user_watch(bool on);

/*
 * Such a thread: when the next fetch of one of these bytes is over, they
 * become `bytes', which is read now.  At most LIBVNET_USER_CHANGE of them, one
 * change at a time.
 *
 * LIBVNET_EINVAL   NULL, none, or more than that
 */
#define LIBVNET_USER_CHANGE 64
int	libvnet_user_change(void *at, const void *bytes, size_t n);

LIBVNET_END

#endif /* LIBVNET_USER_H */
