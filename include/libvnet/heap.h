/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernel's heap, looked at from outside. */
#ifndef LIBVNET_HEAP_H
#define LIBVNET_HEAP_H

#include <libvnet/boot.h>
#include <libvnet/types.h>

LIBVNET_BEGIN

/*
 * Look at the bytes around every live item, and into the free ones: what was
 * written where it should not is a finding, and is mended.  Returns how many
 * there were.  The test runner does so at the end of each test.
 * Without INVARIANTS, and where a sanitizer guards the bytes, always 0.
 *
 * LIBVNET_ENOTBOOTED, LIBVNET_ETHREAD
 */
int	libvnet_heap_check(void);

/* The one in use: what was asked for at boot, or in the environment. */
enum libvnet_heap libvnet_heap_backend(void);

/*
 * Bytes that the vnet has allocated, by jemalloc's count.
 *
 * LIBVNET_ENOVNET   not a live vnet
 * LIBVNET_ENOTSUP   booted with another heap than LIBVNET_HEAP_JEMALLOC
 */
int	libvnet_heap_footprint(const struct vnet *vnet, size_t *bytes);

LIBVNET_END

#endif /* LIBVNET_HEAP_H */
