/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Snapshots: save the kernel world and put it back, in microseconds.
 *
 * Saved is everything that kernel code can change: its variables, the heap
 * with every vnet's copy of the V_ variables and every live allocation, the
 * clock and what is armed on it, queues, locks with their owners, kernel
 * threads that are parked, the state of the random stream, the vnets entered
 * by libvnet_enter(), and what was printed.  Sanitizers' knowledge of that
 * memory goes with it: an item freed or uninitialised at the take is so again
 * after a restore.
 *
 * Not saved is host world: your own variables, files, cmocka, coverage
 * counters, and findings, which are results and stay.  A pointer that you
 * keep to something made in the kernel world after the take points at nothing
 * after the restore.
 *
 * Any number of snapshots can live at a time and any of them can be restored,
 * in any order: restoring an older one does not end a newer one.  Each costs
 * memory as large as the world was.  libvnet_shutdown() and libvnet_abandon()
 * end them all.
 *
 * Where the system can tell which pages were written (Linux 6.7), only those
 * are put back; elsewhere all is copied.  LIBVNET_SNAPSHOT=copy or =track in
 * the environment, read at the first take after a boot, forces one of them.
 * A child of fork() finds its snapshots whole and tracks for itself.
 *
 * A take is for the thread that booted, outside any interrupt context, with
 * no other thread attached; locks may be held, and are held again after a
 * restore.  A restore is for that thread too, whatever state the kernel world
 * is in, a panic that was caught included; but it must not be called from
 * inside kernel code, which would return into a world that forgot it.
 */
#ifndef LIBVNET_SNAPSHOT_H
#define LIBVNET_SNAPSHOT_H

#include <libvnet/types.h>

LIBVNET_BEGIN

struct libvnet_snapshot;

/*
 * Save.  The handle in *snapshot is yours until libvnet_snapshot_free() or
 * the end of this boot.
 *
 * LIBVNET_EINVAL      `snapshot' is NULL, or LIBVNET_SNAPSHOT is wrong
 * LIBVNET_ENOTBOOTED  not booted
 * LIBVNET_ETHREAD     the thread did not boot, nor was it attached
 * LIBVNET_EBUSY       other threads are attached, or an interrupt context or
 *                     another kernel thread is at work
 * LIBVNET_ELIMIT      no memory for the copy
 * LIBVNET_ENOTSUP     the heap is not the region, or kernel threads are host
 *                     threads (see <libvnet/boot.h>); or
 *                     LIBVNET_SNAPSHOT=track and the system cannot
 */
int	libvnet_snapshot_take(struct libvnet_snapshot **snapshot);

/*
 * Put back.  Every handle from before the take is valid again.
 *
 * LIBVNET_EINVAL      not a snapshot of this boot, or freed
 * LIBVNET_ENOTBOOTED, LIBVNET_ETHREAD, LIBVNET_EBUSY  as above, but for the
 *                     interrupt context
 */
int	libvnet_snapshot_restore(struct libvnet_snapshot *snapshot);

/* LIBVNET_EINVAL: not a snapshot of this boot, or freed.  NULL is one too. */
int	libvnet_snapshot_free(struct libvnet_snapshot *snapshot);

/*
 * For fuzz targets, once an input: the first call after boot saves, and every
 * later one puts that back.  Errors are those of the two above.
 */
int	libvnet_snapshot_reset(void);

/*
 * A digest of the world: XXH64 of all that is saved except what was printed
 * and sanitizers' shadow.  Equal worlds of one process have equal digests;
 * between two runs addresses differ, and so do digests.  Reads all memory in
 * use, about 10 GB a second.
 *
 * LIBVNET_EINVAL: `digest' is NULL.  Else the errors of a take, but for the
 * copy's memory.
 */
int	libvnet_snapshot_digest(uint64_t *digest);

struct libvnet_snapshot_stats {
	size_t	 bytes;		/* saved */
	size_t	 pages;		/* of those, pages that can be tracked */
	size_t	 compared;	/* pages looked at by the last restore */
	size_t	 copied;	/* those of them that had changed */
	unsigned long restores;	/* of this snapshot */
	bool	 tracking;	/* false: each restore copies everything */
};

/* LIBVNET_EINVAL: not a snapshot of this boot, or `stats' is NULL. */
int	libvnet_snapshot_stats(const struct libvnet_snapshot *snapshot,
	    struct libvnet_snapshot_stats *stats);

LIBVNET_END

#endif /* LIBVNET_SNAPSHOT_H */
