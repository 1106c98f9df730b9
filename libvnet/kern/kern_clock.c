/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: how code reads and sets the clock, of FreeBSD's kern/kern_tc.c,
 * kern_clock.c and subr_clock.c: binuptime(9) and its kin, tvtohz(9),
 * cpu_ticks(), inittodr(9).
 * Fidelity: modelled
 * Differs: the get*() calls are as exact as the others, not as old as the last
 * tick.  The timecounter counts nanoseconds of uptime, and so does cpu_ticks.
 * There is no battery clock: setting the time moves the wall clock, and the
 * zone is UTC.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/limits.h>
#include <sys/time.h>
#include <sys/timetc.h>

#include <lvk.h>

#define TC_HZ 1000000000u

int	utc_offset(void);

int tc_tick = 1;
struct bintime tc_tick_bt;
sbintime_t tc_tick_sbt;
int tc_precexp;
int tc_timepercentage = 5;
struct bintime bt_timethreshold;
struct bintime bt_tickthreshold;
sbintime_t sbt_timethreshold;
sbintime_t sbt_tickthreshold;
volatile int rtc_generation = 1;
int stathz;
int profhz;
int psratio;

/* ---- reading */

void
binuptime(struct bintime *bt)
{
	*bt = sbttobt(lvk_clock());
}

void
bintime(struct bintime *bt)
{
	binuptime(bt);
	bintime_add(bt, &lvk_boottime);
}

#define READ(name, from, type, convert)					\
void									\
name(type *t)								\
{									\
	struct bintime bt;						\
									\
	from(&bt);							\
	convert(&bt, t);						\
}
READ(nanouptime, binuptime, struct timespec, bintime2timespec)
READ(getnanouptime, binuptime, struct timespec, bintime2timespec)
READ(nanotime, bintime, struct timespec, bintime2timespec)
READ(getnanotime, bintime, struct timespec, bintime2timespec)
READ(microuptime, binuptime, struct timeval, bintime2timeval)
READ(getmicrouptime, binuptime, struct timeval, bintime2timeval)
READ(microtime, bintime, struct timeval, bintime2timeval)
READ(getmicrotime, bintime, struct timeval, bintime2timeval)

void
getbinuptime(struct bintime *bt)
{
	binuptime(bt);
}

void
getbintime(struct bintime *bt)
{
	bintime(bt);
}

void
getboottimebin(struct bintime *bt)
{
	*bt = lvk_boottime;
}

void
getboottime(struct timeval *tv)
{
	bintime2timeval(&lvk_boottime, tv);
}

static uint64_t
ticks_of_cpu(void)
{
	return ((uint64_t)sbttons(lvk_clock()));
}
cpu_tick_f *cpu_ticks = ticks_of_cpu;

uint64_t
cpu_tickrate(void)
{
	return (TC_HZ);
}

uint64_t
cputick2usec(uint64_t t)
{
	return (t / (TC_HZ / 1000000));
}

uint64_t
tc_getfrequency(void)
{
	return (TC_HZ);
}

/* ---- setting */

/* Who sleeps until some time of the old wall clock finds out by this. */
void
tc_setclock(struct timespec *ts)
{
	struct bintime boot, up;

	timespec2bintime(ts, &boot);
	binuptime(&up);
	bintime_sub(&boot, &up);
	atomic_add_int((volatile u_int *)&rtc_generation, 2);
	lvk_clock_set_wall(&boot);
}

/* The wall clock is right from the start, and nothing outlives it. */
void
inittodr(time_t base __unused)
{
}

void
resettodr(void)
{
}

int
utc_offset(void)
{
	return (0);
}

/* ---- granularity */

/*
 * Timeouts that are longer than the threshold count from the last tick; how
 * much they may be late is 2^-tc_precexp of them.
 */
void
lvk_clock_adjust(void)
{
	int part = (99 + tc_timepercentage) / tc_timepercentage;

	tc_tick = hz > 1000 ? (hz + 500) / 1000 : 1;
	tc_tick_sbt = tick_sbt * tc_tick;
	tc_tick_bt = sbttobt(tc_tick_sbt);
	tc_precexp = fls(part + (part >> 1)) - 1;
	sbt_timethreshold = tc_tick_sbt << tc_precexp;
	sbt_tickthreshold = tick_sbt << tc_precexp;
	bt_timethreshold = sbttobt(sbt_timethreshold);
	bt_tickthreshold = sbttobt(sbt_tickthreshold);
	stathz = profhz = hz;
	psratio = 1;
}

/*
 * Ticks that last at least as long, and one more, for the current tick is
 * partly over.  Saturates.
 */
int
tvtohz(struct timeval *tv)
{
	int64_t sec = tv->tv_sec, usec = tv->tv_usec, t;

	if (usec < 0) {
		sec--;
		usec += 1000000;
	}
	if (sec < 0)
		return (1);
	if (sec > INT_MAX / hz)
		return (INT_MAX);
	t = howmany(sec * 1000000 + usec, tick) + 1;
	return ((int)MIN(t, INT_MAX));
}
