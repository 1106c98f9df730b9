/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A 64-bit counter on a 32-bit machine: its owner stores it by halves, and a
 * reader on another CPU uses an instruction that writes back what it read.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <machine/atomic.h>

#include "explored.h"

static union {
	volatile uint32_t half[2];
	volatile uint64_t whole;
} slot;
static u_long adds;

static void
owner_by_halves(void *arg)
{
	uint32_t low;

	for (u_long i = 0; i < adds; i++) {
		critical_enter();
		low = slot.half[0] + 1;
		slot.half[0] = low;
		if (low == 0)
			slot.half[1]++;
		critical_exit();
	}
}

/* Compare and exchange zero by zero, not locked. */
static void
reader_writes_back(void *arg)
{
	uint32_t low = slot.half[0], high = slot.half[1];

	slot.half[0] = low;
	slot.half[1] = high;
}

static void
owner_whole(void *arg)
{
	for (u_long i = 0; i < adds; i++) {
		critical_enter();
		atomic_store_64(&slot.whole, atomic_load_64(&slot.whole) + 1);
		critical_exit();
	}
}

static void
reader_reads(void *arg)
{
	assert_true(atomic_load_64(&slot.whole) <= adds);
}

static bool
all_counted(void *arg)
{
	return (slot.whole == adds);
}

/* By volatile halves, which not every build tells from plain ones. */
static const struct libvnet_explore faulty = {
	.threads = { { "owner", owner_by_halves, NULL, 0 },
	    { "reader", reader_writes_back, NULL, 1 } },
	.check = all_counted, .races = LIBVNET_RACES_OFF,
};
static const struct libvnet_explore fixed = {
	.threads = { { "owner", owner_whole, NULL, 0 },
	    { "reader", reader_reads, NULL, 1 } },
	.check = all_counted,
};

LIBVNET_TEST(write_back_of_10000_adds_loses_some_by_pct)
{
	struct libvnet_explore what = faulty;

	reboot_with(2);
	adds = 10000;
	what.strategy = LIBVNET_PCT;
	breaks(what, LIBVNET_SCHEDULE_CHECK, 10000, 2);
}

LIBVNET_TEST(write_back_of_10000_adds_loses_some_depth_first)
{
	struct libvnet_explore what = faulty;

	reboot_with(2);
	adds = 10000;
	what.strategy = LIBVNET_DFS;
	breaks(what, LIBVNET_SCHEDULE_CHECK, 10000, 2);
}

LIBVNET_TEST(read_of_the_whole_loses_nothing)
{
	reboot_with(2);
	adds = 10000;
	holds_at_random(fixed, 10);
	adds = 30;
	holds(fixed, 2);
	adds = 6;
	holds(fixed, 4);
}
