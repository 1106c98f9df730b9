/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: the clock: sbinuptime(9) and its kin, ticks, time_uptime.
 * Fidelity: modelled
 * Differs: virtual.  Time stands still until a test moves it or a thread
 * sleeps; then it jumps from event to event.  It starts at 1 s of uptime, as
 * a kernel's does (0 means "never" to much code), and the wall clock is a
 * fixed date later.
 *
 * Timeouts are the tree's or base's kern_timeout.c: they announce their next
 * event with cpu_new_callout(), and are told with callout_process().
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/smp.h>
#include <sys/time.h>
#include <sys/callout.h>

#include "lvk_boot.h"
#include "lvk_sched.h"

#define BOOT_UPTIME SBT_1S
#define BOOT_UNIX_TIME 1700000000	/* 2023-11-14, any fixed date */

void	callout_process(sbintime_t now);
void	cpu_new_callout(int cpu, sbintime_t bt, sbintime_t bt_opt);

int hz = 1000;
int tick = 1000;
sbintime_t tick_sbt = SBT_1S / 1000;
int tc_tick = 1;
volatile int ticks;
volatile time_t time_second;
volatile time_t time_uptime;
int cold = 1;
int bootverbose;

static sbintime_t now;
static sbintime_t next_event[MAXCPU];

static void
clock_set(sbintime_t t)
{
	now = t;
	ticks = (int)(u_int)(t / tick_sbt);
	time_uptime = t >> 32;
	time_second = BOOT_UNIX_TIME + time_uptime;
}

void
lvk_clock_init(int rate)
{
	hz = rate;
	tick = 1000000 / rate;
	tick_sbt = SBT_1S / rate;
	for (int i = 0; i < MAXCPU; i++)
		next_event[i] = SBT_MAX;
	clock_set(BOOT_UPTIME);
}

sbintime_t
lvk_clock(void)
{
	return (now);
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
	td = lvk_intr_enter();
	lvk_curpcpu = cpuid_to_pcpu[cpu];
	callout_process(now);
	lvk_curpcpu = self;
	lvk_intr_exit(td);
	return (true);
}

vnh_i64
vnk_clock_now(void)
{
	return (sbttons(now));
}

static volatile u_int driver;	/* a thread runs events */

static long
event(sbintime_t until)
{
	u_long n;

	if (lvk_clock_step(now))
		return (1);
	if (lvk_epoch_pending() && (n = lvk_epoch_run()) > 0)
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
	sbintime_t until = now + nstosbt(ns);

	do {
		while (lvk_others())
			;
	} while (lvk_event(until) > 0);
	lvk_deadlock_check();
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
	if (t == SBT_MAX)
		return (-1);
	return (t <= now ? 0 : sbttons(t - now));
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

/* ---- what kernel code reads */

#ifdef LIBVNET_BASE
sbintime_t
sbinuptime(void)
{
	return (now);
}

sbintime_t
getsbinuptime(void)
{
	return (now);
}
#endif

void
binuptime(struct bintime *bt)
{
	bt->sec = now >> 32;
	bt->frac = (uint64_t)now << 32;
}

static void
to_timespec(sbintime_t t, struct timespec *ts)
{
	ts->tv_sec = t >> 32;
	ts->tv_nsec = (long)(((uint64_t)1000000000 * (uint32_t)t) >> 32);
}

static void
to_timeval(sbintime_t t, struct timeval *tv)
{
	tv->tv_sec = t >> 32;
	tv->tv_usec = (suseconds_t)(((uint64_t)1000000 * (uint32_t)t) >> 32);
}

#define WALL (now + (sbintime_t)BOOT_UNIX_TIME * SBT_1S)

void nanouptime(struct timespec *ts) { to_timespec(now, ts); }
void getnanouptime(struct timespec *ts) { to_timespec(now, ts); }
void microuptime(struct timeval *tv) { to_timeval(now, tv); }
void getmicrouptime(struct timeval *tv) { to_timeval(now, tv); }
void nanotime(struct timespec *ts) { to_timespec(WALL, ts); }
void getnanotime(struct timespec *ts) { to_timespec(WALL, ts); }
void microtime(struct timeval *tv) { to_timeval(WALL, tv); }
void getmicrotime(struct timeval *tv) { to_timeval(WALL, tv); }

void
DELAY(int usec)
{
	clock_set(now + ustosbt(usec));
}
