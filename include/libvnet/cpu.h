/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Virtual CPUs.  A kernel thread runs only while it is on one, and a CPU has
 * one thread at a time; it is given up where a kernel could switch: in a
 * sleep, a yield, a wait for a lock, and, with host threads or where schedules
 * are explored, in a preemption outside critical sections.  How many there are
 * is said at boot: ncpus, cpus and late_cpus of struct libvnet_options.
 */
#ifndef LIBVNET_CPU_H
#define LIBVNET_CPU_H

#include <libvnet/types.h>

LIBVNET_BEGIN

/*
 * On which of the idle CPUs a thread goes on that is neither bound nor pinned.
 * Threads begin on the CPUs in turn.
 */
enum libvnet_cpu_policy {
	LIBVNET_CPU_STAY,	/* where it was, or the next */
	LIBVNET_CPU_FIRST,	/* the lowest */
	LIBVNET_CPU_ROTATE,	/* the one after the last that was chosen: threads
				 * migrate as often as they can */
	LIBVNET_CPU_RANDOM	/* any, by the seed of boot */
};

/*
 * From now on.
 *
 * LIBVNET_EINVAL      no such policy
 * LIBVNET_ENOTBOOTED  not booted
 */
int	libvnet_cpu_policy(enum libvnet_cpu_policy policy);

/* The CPU that the caller is on.  LIBVNET_ENOTBOOTED, LIBVNET_ETHREAD. */
int	libvnet_cpu(void);

/* The ids of all CPUs that are up, as a mask; 0 when not booted. */
uint64_t libvnet_cpus(void);

/*
 * Since boot: calls of smp_rendezvous(9) and its kin (counter_u64_zero() is
 * one), and how often something was run on a CPU for them; either pointer may
 * be NULL.
 *
 * LIBVNET_ENOTBOOTED  not booted
 */
int	libvnet_rendezvous_count(uint64_t *calls, uint64_t *actions);

LIBVNET_END

#endif /* LIBVNET_CPU_H */
