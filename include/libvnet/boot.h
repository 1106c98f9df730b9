/* SPDX-License-Identifier: BSD-2-Clause */
/* Starting and stopping the kernel world. */
#ifndef LIBVNET_BOOT_H
#define LIBVNET_BOOT_H

#include <libvnet/cpu.h>
#include <libvnet/types.h>

LIBVNET_BEGIN

#define LIBVNET_MAXCPU 64	/* most virtual CPUs */
#define LIBVNET_HZ_MAX 100000	/* most clock ticks a second */

/*
 * Where the kernel's items (malloc(9), uma(9)) come from.  The region is the
 * one to use; the others are for comparison: jemalloc knows how much each
 * vnet has (libvnet_heap_footprint()), and with libc's malloc a sanitizer
 * sees each item as a block of its own.  Only the region can be saved in a
 * snapshot.
 */
enum libvnet_heap {
	LIBVNET_HEAP_REGION,	/* unless LIBVNET_HEAP in the environment says
				 * "jemalloc" or "libc" */
	LIBVNET_HEAP_JEMALLOC,	/* not with a sanitizer */
	LIBVNET_HEAP_LIBC
};

/*
 * What carries kernel threads.  The first and the last run one at a time, in
 * the same order in every run.  Host threads run freely, as many at a time as
 * there are virtual CPUs.
 */
enum libvnet_threads {
	LIBVNET_THREADS_COROUTINE,	/* stacks on the thread that booted */
	LIBVNET_THREADS_HOST,		/* host threads that run freely */
	LIBVNET_THREADS_BATON		/* host threads, one at a time */
};

/*
 * When epoch callbacks run, once their grace period has passed.  A kernel
 * promises nothing, and code that relies on it breaks; see also
 * libvnet_epoch_set().
 */
enum libvnet_epoch {
	LIBVNET_EPOCH_IDLE,	/* when nothing else is due at that time */
	LIBVNET_EPOCH_EAGER,	/* before any other thread goes on */
	LIBVNET_EPOCH_DELAYED,	/* some ticks later */
	LIBVNET_EPOCH_RANDOM	/* one of these each time, from the seed */
};

/*
 * How to boot.  A zeroed struct asks for the defaults, which are named here.
 * kenv is read during the call only.
 */
struct libvnet_options {
	int ncpus;		/* virtual CPUs, 1 to LIBVNET_MAXCPU; 0: 1 */
	int hz;			/* ticks a second, 1 to LIBVNET_HZ_MAX; 0: 1000 */
	uint64_t seed;		/* of all randomness; 0: 1 */
	const char *kenv;	/* tunables, lines "name=value"; NULL: none */
	enum libvnet_heap heap;
	int quarantine;		/* freed items that are not used again soon;
				 * 0: 1024 under AddressSanitizer and valgrind
				 * with the region, else none; -1: none */
	bool verbose;		/* echo the kernel's console to stderr */
	enum libvnet_threads threads;	/* what carries kernel threads */
	enum libvnet_epoch epoch;	/* when epoch callbacks run */
	int epoch_ticks;	/* DELAYED: how long they wait; RANDOM: at
				 * most, 0: 100 */
	uint64_t cpus;		/* which CPU ids there are, bit 0 among them;
				 * others are absent; 0: the first ncpus */
	uint64_t late_cpus;	/* those of them that come up at SI_SUB_SMP:
				 * mp_ncpus and all_cpus are without them before,
				 * mp_maxid is not */
	enum libvnet_cpu_policy cpu_policy;	/* <libvnet/cpu.h> */
};

/*
 * Run every SYSINIT, in the order of (subsystem, order), with vnet0 current;
 * afterwards no vnet is current.  Uptime starts at 1 second.  The calling
 * host thread becomes the kernel's thread0.  `options' may be NULL.
 *
 * LIBVNET_EBOOTED   booted already
 * LIBVNET_EINVAL    an option is out of range, ncpus or cpus ask for more CPUs
 *                   than the runtime's option MAXCPU allows, the heap cannot be
 *                   had, or LIBVNET_FINDINGS or
 *                   LIBVNET_FINDINGS_JSON in the environment is wrong
 * LIBVNET_ELINK     members of a linker set were lost at link time
 */
int	libvnet_boot(const struct libvnet_options *options);

/*
 * Destroy every vnet, run every SYSUNINIT in reverse order, report what
 * vnet0 leaves behind, and forget the kernel world; libvnet_boot() may be
 * called again.
 *
 * LIBVNET_ENOTBOOTED  not booted
 * LIBVNET_EBUSY       other threads are attached
 */
int	libvnet_shutdown(void);

/*
 * Forget the kernel world without running anything in it, whatever state it
 * is in.  For use after a panic.
 *
 * LIBVNET_ENOTBOOTED  not booted
 */
int	libvnet_abandon(void);

/* What carries kernel threads since the last boot. */
enum libvnet_threads libvnet_threads(void);

/* Whether booted.  Thread safe. */
bool	libvnet_booted(void);
/* Whether the runtime has option VIMAGE, and whether its checks are in. */
bool	libvnet_has_vimage(void);
bool	libvnet_has_checks(void);

LIBVNET_END

#endif /* LIBVNET_BOOT_H */
