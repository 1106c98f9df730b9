/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Counters of counter(9).
 *
 * Which machine's counters kernel code is compiled with is option
 * LIBVNET_COUNTER of the runtime: amd64 (default), i386, i386_nocx8, generic
 * or generic32; <machine/counter.h> says how they differ.
 *
 * counter_u64_add_protected() outside of counter_enter() and counter_exit(),
 * and a sleep between the two, are findings "counter" on every machine, also
 * on those where the section is empty.
 */
#ifndef LIBVNET_COUNTER_H
#define LIBVNET_COUNTER_H

#include <libvnet/types.h>

LIBVNET_BEGIN

/* The option's value, a constant string. */
const char *libvnet_counter_form(void);

/*
 * A gauge is a counter that goes up and down and may not sink below zero in
 * sum over all CPUs: where an addition leaves it there, that is a finding
 * "gauge" with the name.  It is one until it is freed or declared none.  Not
 * looked at with free-running host threads, where a sum is that of no moment,
 * and in a runtime without checks.  At most LIBVNET_GAUGES_MAX at one time.
 *
 * LIBVNET_EINVAL   counter or name is NULL
 * LIBVNET_ELIMIT   there are too many
 * LIBVNET_ENOENT   end: it is no gauge
 */
#define LIBVNET_GAUGES_MAX 64
int	libvnet_counter_gauge(void *counter, const char *name);
int	libvnet_counter_gauge_end(void *counter);

LIBVNET_END

#endif /* LIBVNET_COUNTER_H */
