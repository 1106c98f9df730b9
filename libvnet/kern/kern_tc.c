/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: the clock and its events, of FreeBSD's kern/kern_tc.c and
 * kern_clocksource.c: ticks, time_uptime, hardclocktime.  How code reads it is
 * in kern_clock.c.
 * Fidelity: modelled
 * Differs: virtual.  Time stands still until a test moves it or a thread
 * sleeps; then it jumps from event to event, and all that tells time moves
 * together.  It starts at 1 s of uptime, as a kernel's does (0 means "never"
 * to much code), and the wall clock is a fixed date later.  Where ticks starts
 * can be chosen, in the kernel environment: libvnet.ticks.
 *
 * Timeouts are the tree's or base's kern_timeout.c: they announce their next
 * event with cpu_new_callout(), and are told with callout_process().
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/limits.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/pcpu.h>
#include <sys/proc.h>
#include <sys/smp.h>
#include <sys/time.h>
#include <sys/callout.h>

#include "lvk_boot.h"
#include "lvk_sched.h"

#define BOOT_UPTIME SBT_1S
#define BOOT_UNIX_TIME 1700000000	/* 2023-11-14, any fixed date */

void	callout_process(sbintime_t now);

struct bintime lvk_boottime;

volatile int ticks;
volatile time_t time_second;
volatile time_t time_uptime;
int cold = 1;
int bootverbose;
DPCPU_DEFINE(sbintime_t, hardclocktime);

static sbintime_t now;			/* others may read it, atomically */
static sbintime_t next_event[MAXCPU];
static u_int ticks_origin;		/* ticks at uptime 0 */

/* CPUs see a tick as it comes; all of them are awake for it. */
static void
hardclocks_set(sbintime_t t)
{
	u_int cpu;

	CPU_FOREACH(cpu)
		DPCPU_ID_SET(cpu, hardclocktime, t);
}

static void
clock_set(sbintime_t t)
{
	sbintime_t tick_no = t / tick_sbt;

	atomic_store_64((volatile uint64_t *)&now, (uint64_t)t);
	ticks = (int)(ticks_origin + (u_int)tick_no);
	time_uptime = t >> 32;
	time_second = time_uptime + lvk_boottime.sec +
	    (lvk_boottime.frac + ((uint64_t)t << 32) < lvk_boottime.frac);
	hardclocks_set(tick_no * tick_sbt);
}

void
lvk_clock_set_wall(const struct bintime *boottime)
{
	lvk_boottime = *boottime;
	clock_set(now);
}

/* A kernel's ticks turn negative ten minutes after boot, to be seen by then. */
static void
ticks_start(void)
{
	long start = (long)INT_MAX - (long)hz * 10 * 60;

	TUNABLE_LONG_FETCH("libvnet.ticks", &start);
	ticks_origin = (u_int)start - (u_int)(BOOT_UPTIME / tick_sbt);
}

void
lvk_clock_init(void)
{
	for (int i = 0; i < MAXCPU; i++)
		next_event[i] = SBT_MAX;
	ticks_start();
	lvk_boottime.sec = BOOT_UNIX_TIME;
	lvk_boottime.frac = 0;
	clock_set(BOOT_UPTIME);
	lvk_clock_adjust();
}

sbintime_t
lvk_clock(void)
{
	return ((sbintime_t)atomic_load_64((volatile uint64_t *)&now));
}

/* A callout wants attention no later than `bt_opt', which is the exact time. */
void
cpu_new_callout(int cpu, sbintime_t bt __unused, sbintime_t bt_opt)
{
	if (bt_opt < next_event[cpu])
		next_event[cpu] = bt_opt;
}

static int
earliest_cpu(void)
{
	u_int cpu;
	int best = 0;

	CPU_FOREACH(cpu)
		if (next_event[cpu] < next_event[best])
			best = (int)cpu;
	return (best);
}

/*
 * Go to the next event, but not past `until'.  True when an event was run.
 */
bool
lvk_clock_step(sbintime_t until)
{
	struct pcpu *self = lvk_curpcpu;
	struct thread *td;
	int cpu = earliest_cpu();
	sbintime_t t = next_event[cpu], sleeper = lvk_sleep_next();
	sbintime_t epoch = lvk_epoch_next();

	if (epoch < t && epoch < sleeper && epoch <= until) {
		if (epoch > now)
			clock_set(epoch);
		(void)lvk_epoch_run();
		return (true);
	}
	if (sleeper < t && sleeper <= until) {
		if (sleeper > now)
			clock_set(sleeper);
		lvk_sleep_expire(now);
		return (true);
	}
	if (t > until) {
		if (until > now)
			clock_set(until);
		return (false);
	}
	next_event[cpu] = SBT_MAX;
	if (t > now)
		clock_set(t);
	if (self != cpuid_to_pcpu[cpu])
		lvk_sched_move(cpuid_to_pcpu[cpu]);
	td = lvk_intr_enter();
#ifdef LIBVNET_BASE
	callout_process(now);
#else
	/* From the clock's interrupt; handlers run in software ones. */
	critical_enter();
	callout_process(now);
	critical_exit();
#endif
	lvk_intr_exit(td);
	if (self != lvk_curpcpu)
		lvk_sched_move(self);
	return (true);
}

/* Some trees' nstosbt() leaves 64 bits on the way. */
static sbintime_t
from_ns(int64_t ns)
{
	return (ns / 1000000000 * SBT_1S +
	    ns % 1000000000 * SBT_1S / 1000000000);
}

vnh_i64
vnk_clock_now(void)
{
	return (sbttons(lvk_clock()));
}

static volatile u_int driver;	/* a thread runs events */

static long
event(sbintime_t until)
{
	u_long n;

	if (lvk_clock_step(lvk_clock()))
		return (1);
	if (lvk_epoch_pending() && (n = lvk_epoch_run()) > 0)
		return ((long)n);
	if ((n = lvk_smr_run()) > 0)
		return ((long)n);
	/* Without a next event the clock would go to the end of time. */
	if (until == SBT_MAX && vnk_clock_next() < 0)
		return (0);
	return (lvk_clock_step(until) ? 1 : 0);
}

long
lvk_event(sbintime_t until)
{
	long n;

	if (atomic_cmpset_acq_int(&driver, 0, 1) == 0)
		return (0);
	n = event(until);
	atomic_store_rel_int(&driver, 0);
	return (n);
}

void
vnk_clock_advance(vnh_i64 ns)
{
	sbintime_t until = now + from_ns(ns);

	do {
		while (lvk_others())
			;
	} while (lvk_event(until) > 0);
	lvk_deadlock_check();
}

/* The same without asking the callouts, which somebody may be at work on. */
bool
lvk_clock_pending(void)
{
	return (next_event[earliest_cpu()] != SBT_MAX || lvk_sleep_pending());
}

vnh_i64
vnk_clock_next(void)
{
	sbintime_t t = MIN(next_event[earliest_cpu()], lvk_sleep_next());

#ifdef LIBVNET_BASE
	u_int cpu;

	t = lvk_sleep_next();
	CPU_FOREACH(cpu)
		t = MIN(t, lvk_callout_next((int)cpu));
#endif
	t = MIN(t, lvk_epoch_next());
	if (t == SBT_MAX)
		return (-1);
	return (t <= lvk_clock() ? 0 : sbttons(t - lvk_clock()));
}

/* A thread counts each time that it comes to run. */
long
vnk_run_until_idle(long limit)
{
	u_long before = atomic_load_long(&lvk_progress);
	long events = 0, n;

	do {
		while (lvk_others())
			if (atomic_load_long(&lvk_progress) - before >
			    (u_long)limit)
				return (-1);
		n = lvk_event(now);
		events += n;
		if (events >= limit)
			return (-1);
	} while (n > 0);
	lvk_deadlock_check();
	return (events + (long)(atomic_load_long(&lvk_progress) - before));
}

void
DELAY(int usec)
{
	clock_set(now + from_ns((int64_t)usec * 1000));
}
