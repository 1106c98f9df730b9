/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Virtual time.  It stands still while code runs; only these calls move it
 * (and kernel code that sleeps or calls DELAY(9)).  Callouts run from here,
 * one at a time in the order of their times, each in an interrupt context
 * with no vnet set.
 *
 * LIBVNET_ENOTBOOTED, LIBVNET_ETHREAD as everywhere.
 */
#ifndef LIBVNET_CLOCK_H
#define LIBVNET_CLOCK_H

#include <libvnet/boot.h>
#include <libvnet/types.h>

LIBVNET_BEGIN

#define LIBVNET_NS_PER_SECOND 1000000000LL
/*
 * The most uptime there can be, sixty years: sbintime_t, the kernel's 32.32
 * fixed point seconds, ends at sixty-eight.
 */
#define LIBVNET_UPTIME_MAX (60LL * 365 * 86400 * LIBVNET_NS_PER_SECOND)

/* Uptime in nanoseconds; it starts at one second.  Negative: an error. */
int64_t	libvnet_clock_ns(void);

/*
 * Move time on by `ns' nanoseconds, running what falls due on the way.
 * LIBVNET_EINVAL: negative, or past LIBVNET_UPTIME_MAX.
 * LIBVNET_ETHREAD: called by another thread than the one that booted.
 */
int	libvnet_clock_advance_ns(int64_t ns);

/*
 * Nanoseconds until the next callout: 0 if one is due, LIBVNET_ENOENT if
 * none is pending.
 */
int64_t	libvnet_clock_next_ns(void);

/*
 * Run what is due now, kernel threads, callouts and epoch callbacks, until
 * nothing is left.  Time does not move.  Returns how many ran; a thread counts
 * each time that it comes to run.  LIBVNET_ETHREAD as above.
 * LIBVNET_ELIMIT: still not idle after LIBVNET_IDLE_MAX items.
 */
#define LIBVNET_IDLE_MAX 1000000L
long	libvnet_run_until_idle(void);

/*
 * When epoch callbacks run that are queued from now on; `ticks' as
 * epoch_ticks of struct libvnet_options.  Those that somebody waits for, with
 * epoch_drain_callbacks(9) or as a vnet is destroyed, always run.  With
 * LIBVNET_THREADS_HOST "eager" is no earlier than the test's own thread gives
 * way.
 * LIBVNET_EINVAL: `when' or `ticks' is out of range.
 */
int	libvnet_epoch_set(enum libvnet_epoch when, int ticks);

LIBVNET_END

#endif /* LIBVNET_CLOCK_H */
