/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which pages were written, asked of the operating system.
 *
 * A page that is protected loses its protection when it is first written,
 * without a signal or a message to anyone; a scan lists the pages that are
 * not protected.  So a scan never misses a written page, and lists those that
 * were never protected too.
 *
 * Protection is lost across fork(2): the child has to begin anew, and
 * host_track_stale() tells it so.  Whoever drops pages with madvise(2) must
 * count them as written himself.
 *
 * Linux 6.7 and later; elsewhere host_track_start() fails and says why.  Not
 * thread safe.
 */
#ifndef LIBVNET_PAGETRACK_H
#define LIBVNET_PAGETRACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HOST_PAGE ((size_t)4096)
#define HOST_PAGE_DOWN(p) ((uintptr_t)(p) & ~(HOST_PAGE - 1))
#define HOST_PAGE_UP(p) (((uintptr_t)(p) + HOST_PAGE - 1) & ~(HOST_PAGE - 1))

/* NULL, or why it cannot be.  Begins anew when called again. */
const char *host_track_start(void);
void	host_track_stop(void);
/* True in a process that forked since host_track_start(). */
bool	host_track_stale(void);

/*
 * [start, end), in whole pages, can be protected from now on; nothing is yet.
 * False when the system refuses, as do those below.
 */
bool	host_track_add(uintptr_t start, uintptr_t end);
bool	host_track_protect(uintptr_t start, uintptr_t end);

/* One run of pages that are not protected. */
typedef void host_track_fn(uintptr_t start, uintptr_t end, void *arg);
bool	host_track_scan(uintptr_t start, uintptr_t end, host_track_fn *fn,
	    void *arg);

#endif /* LIBVNET_PAGETRACK_H */
