/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Allocations that fail.
 *
 * Only those may that are made without M_WAITOK.  `name' is that of a malloc
 * type or UMA zone; NULL means any.  Setting one plan replaces the last, and
 * so does libvnet_fail_off().  Boot begins without one.
 *
 * A test that tries every error path of a call:
 *
 *	for (uint64_t n = 1;; n++) {
 *		libvnet_fail_nth(n, NULL);
 *		error = thing_create(&t);
 *		libvnet_fail_off();
 *		if (libvnet_fail_hits() == 0)
 *			break;			// none was left to fail
 *		assert_int_not_equal(error, 0);
 *	}
 *
 * Each returns 0, or
 *
 * LIBVNET_EINVAL      the number is out of range
 * LIBVNET_ENOTBOOTED, LIBVNET_ETHREAD
 */
#ifndef LIBVNET_FAIL_H
#define LIBVNET_FAIL_H

#include <libvnet/types.h>

LIBVNET_BEGIN

/* The n-th from now on, counted from 1, and no other. */
int	libvnet_fail_nth(uint64_t n, const char *name);
/* Every n-th from now on; 1 is all. */
int	libvnet_fail_every(uint64_t n, const char *name);
/* Each with a chance of `permille', 1 to 1000, repeatable by seed. */
int	libvnet_fail_random(unsigned permille, uint64_t seed, const char *name);
int	libvnet_fail_off(void);

/* How many were made to fail since the last plan was set. */
uint64_t libvnet_fail_hits(void);
/*
 * How many might have failed: of `name' since the plan was set, or while
 * there is none, of all since boot.
 */
uint64_t libvnet_fail_count(void);

LIBVNET_END

#endif /* LIBVNET_FAIL_H */
