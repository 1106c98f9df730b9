/* SPDX-License-Identifier: BSD-2-Clause */
/* The clock as code reads and sets it; all that tells time moves together. */
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
#include <sys/timetc.h>

#include <libvnet/test.h>

#define NS LIBVNET_NS_PER_SECOND
#define WALL 1700000000

DPCPU_DECLARE(sbintime_t, hardclocktime);

static void
reboot_with(const char *kenv, int rate)
{
	struct libvnet_options options = { .kenv = kenv, .hz = rate };

	assert_int_equal(libvnet_shutdown(), 0);
	assert_int_equal(libvnet_boot(&options), 0);
}

/* ---- reading */

LIBVNET_TEST(clock_starts_at_one_second)
{
	struct bintime bt;
	struct timespec ts;
	struct timeval tv;

	assert_int_equal(time_uptime, 1);
	assert_int_equal(time_second, WALL + 1);
	binuptime(&bt);
	assert_int_equal(bt.sec, 1);
	assert_true(bt.frac == 0);
	bintime(&bt);
	assert_int_equal(bt.sec, WALL + 1);
	getboottime(&tv);
	assert_int_equal(tv.tv_sec, WALL);
	getnanotime(&ts);
	assert_int_equal(ts.tv_sec, WALL + 1);
}

LIBVNET_TEST(clock_is_read_alike_in_every_form)
{
	struct bintime bt, boot;
	struct timespec ts;
	struct timeval tv;

	libvnet_clock_advance_ns(NS / 4 * 6);
	binuptime(&bt);
	assert_int_equal(bt.sec, 2);
	assert_true(bt.frac == 1ull << 63);
	getbinuptime(&boot);
	assert_true(bintime_cmp(&bt, &boot, ==));
	assert_true(sbinuptime() == SBT_1S / 2 * 5);
	assert_true(getsbinuptime() == sbinuptime());
	nanouptime(&ts);
	assert_int_equal(ts.tv_sec * NS + ts.tv_nsec, NS / 2 * 5);
	getnanouptime(&ts);
	assert_int_equal(ts.tv_nsec, NS / 2);
	microuptime(&tv);
	assert_int_equal(tv.tv_usec, 500000);
	getmicrotime(&tv);
	assert_int_equal(tv.tv_sec, WALL + 2);
	microtime(&tv);
	assert_int_equal(tv.tv_usec, 500000);
	getboottimebin(&boot);
	bintime_add(&bt, &boot);
	getbintime(&boot);
	assert_true(bintime_cmp(&bt, &boot, ==));
	assert_true(bintime2ns(&bt) == (uint64_t)(WALL + 2) * NS + NS / 2);
	assert_true(cpu_ticks() == 2500000000u);
	assert_int_equal(cputick2usec(cpu_ticks()), 2500000);
	assert_int_equal(cpu_tickrate(), NS);
	assert_int_equal(tc_getfrequency(), NS);
}

LIBVNET_TEST(clock_moves_all_together)
{
	int t = ticks, cpu;
	sbintime_t last;

	libvnet_clock_advance_ns(NS * 3 + NS / hz / 2);
	assert_int_equal(ticks - t, 3 * hz);
	assert_int_equal(time_uptime, 4);
	assert_int_equal(time_second, WALL + 4);
	last = sbinuptime() / tick_sbt * tick_sbt;
	CPU_FOREACH(cpu)
		assert_true(DPCPU_ID_GET(cpu, hardclocktime) == last);
	DELAY(1000000);
	assert_int_equal(time_uptime, 5);
	assert_int_equal(ticks - t, 4 * hz);
}

/* ---- ticks */

LIBVNET_TEST(ticks_turn_negative_ten_minutes_after_boot)
{
	assert_int_equal(ticks, INT_MAX - hz * 600);
	libvnet_clock_advance_ns(600 * NS);
	assert_true(ticks >= INT_MAX - 1 || ticks < 0);
	libvnet_clock_advance_ns(NS);
	assert_true(ticks < 0);
}

LIBVNET_TEST(ticks_start_where_they_are_told)
{
	reboot_with("libvnet.ticks=0", 0);
	assert_int_equal(ticks, 0);
	libvnet_clock_advance_ns(NS);
	assert_int_equal(ticks, 1000);
	reboot_with("libvnet.ticks=-5\n", 0);
	assert_int_equal(ticks, -5);
	reboot_with("libvnet.ticks=2147483647", 100);
	assert_int_equal(ticks, INT_MAX);
	libvnet_clock_advance_ns(NS / 100);
	assert_int_equal(ticks, INT_MIN);
}

LIBVNET_TEST(tvtohz_counts_the_tick_that_runs)
{
	struct timeval tv = { 0, 1 };

	assert_int_equal(tvtohz(&tv), 2);
	tv.tv_sec = 1;
	tv.tv_usec = 0;
	assert_int_equal(tvtohz(&tv), hz + 1);
	tv.tv_sec = INT_MAX;
	assert_int_equal(tvtohz(&tv), INT_MAX);
	tv.tv_sec = -1;
	assert_int_equal(tvtohz(&tv), 1);
}

/* ---- setting */

LIBVNET_TEST(setting_the_clock_moves_the_wall_alone)
{
	struct timespec ts = { 2000000000, 250000000 }, now;
	struct timeval boot;
	int generation = rtc_generation, t = ticks;

	libvnet_clock_advance_ns(NS / 2);
	t = ticks;
	tc_setclock(&ts);
	nanotime(&now);
	assert_int_equal(now.tv_sec, 2000000000);
	assert_in_range(now.tv_nsec, 249999999, 250000000);
	assert_int_equal(time_second, 2000000000);
	assert_int_equal(time_uptime, 1);
	assert_int_equal(ticks, t);
	assert_int_equal(rtc_generation, generation + 2);
	getboottime(&boot);
	assert_int_equal(boot.tv_sec, 1999999998);
	libvnet_clock_advance_ns(NS / 4 * 3);
	assert_int_equal(time_second, 2000000000);
	libvnet_clock_advance_ns(1000);
	assert_int_equal(time_second, 2000000001);
	inittodr(0);
	resettodr();
	assert_int_equal(time_second, 2000000001);
}

/* ---- how fine it is */

LIBVNET_TEST(clock_granularity_follows_hz)
{
	assert_int_equal(tick, 1000);
	assert_int_equal(tc_tick, 1);
	assert_true(tc_tick_sbt == tick_sbt);
	assert_int_equal(tc_precexp, 4);
	assert_true(sbt_tickthreshold == tick_sbt << 4);
	reboot_with("kern.hz=2000", 0);
	assert_int_equal(hz, 2000);
	assert_int_equal(tc_tick, 2);
	assert_true(tick_sbt == SBT_1S / 2000);
	assert_true(sbt_timethreshold == tick_sbt * 2 << 4);
	reboot_with("kern.hz=2000", 50);
	assert_int_equal(hz, 50);
}

/* ---- arithmetic */

LIBVNET_TEST(bintime_adds_and_shifts_across_seconds)
{
	struct bintime a = { 1, 3ull << 62 }, b = { 2, 1ull << 62 };
	struct timespec ts = { 7, 999999999 }, back;

	bintime_add(&a, &b);
	assert_int_equal(a.sec, 4);
	assert_true(a.frac == 0);
	bintime_sub(&a, &b);
	assert_int_equal(a.sec, 1);
	assert_true(a.frac == 3ull << 62);
	bintime_mul(&a, 4);
	assert_int_equal(a.sec, 7);
	bintime_shift(&a, -1);
	assert_int_equal(a.sec, 3);
	assert_true(a.frac == 1ull << 63);
	bintime_shift(&a, 2);
	assert_int_equal(a.sec, 14);
	timespec2bintime(&ts, &a);
	bintime2timespec(&a, &back);
	assert_int_equal(back.tv_sec, 7);
	assert_in_range(back.tv_nsec, 999999998, 999999999);
	assert_true(bttosbt(sbttobt(12345678901234)) == 12345678901234);
	assert_true(tvtosbt(sbttotv(SBT_1S * 3)) == SBT_1S * 3);
}

/* ---- what a kernel is sized by */

LIBVNET_TEST(params_are_sized_by_memory_or_told)
{
	assert_int_equal(maxusers, 592);
	assert_int_equal(maxproc, 20 + 16 * 592);
	assert_int_equal(maxprocperuid, maxproc * 9 / 10);
	assert_int_equal(maxphys, 1024 * 1024);
	reboot_with("kern.maxusers=40\nkern.maxphys=300000", 0);
	assert_int_equal(maxusers, 40);
	assert_int_equal(maxproc, 660);
	assert_int_equal(maxphys, 524288);
}
