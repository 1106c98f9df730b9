/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: the numbers that a kernel sizes itself by, FreeBSD's
 * kern/subr_param.c.
 * Fidelity: modelled
 * Differs: they are computed for a machine of 4 GiB, and only those are there
 * that something outside the memory and file systems reads.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/sysctl.h>
#include <sys/time.h>

#include "lvk_boot.h"

#define MEMORY_PAGES (long)((4ul << 30) / PAGE_SIZE)
#define HZ_DEFAULT 1000
#define MAXPHYS_DEFAULT (1024 * 1024)

int hz = HZ_DEFAULT;
int tick = 1000000 / HZ_DEFAULT;
sbintime_t tick_sbt = SBT_1S / HZ_DEFAULT;
struct bintime tick_bt;
int maxusers;
int maxproc;
int maxprocperuid;
int maxfiles;
int maxfilesperproc;
u_long maxphys;
int msgbufsize = 98304;
int unmapped_buf_allowed;

SYSCTL_INT(_kern, OID_AUTO, hz, CTLFLAG_RD, &hz, 0,
    "Number of clock ticks per second");

/* Half of it for people, as it were; beyond 384 it grows slower. */
static void
size_by_memory(long pages)
{
	maxusers = 0;
	TUNABLE_INT_FETCH("kern.maxusers", &maxusers);
	if (maxusers == 0) {
		maxusers = MAX(32, (int)(pages / (2 * 1024 * 1024 /
		    PAGE_SIZE)));
		if (maxusers > 384)
			maxusers = 384 + (maxusers - 384) / 8;
	}
	maxproc = 20 + 16 * maxusers;
	TUNABLE_INT_FETCH("kern.maxproc", &maxproc);
	maxproc = (int)MIN(maxproc, pages / 12);
	maxprocperuid = maxproc * 9 / 10;
	maxfiles = (int)MAX(40 + 32 * maxusers, pages / 8);
	TUNABLE_INT_FETCH("kern.maxfiles", &maxfiles);
	maxfiles = (int)MIN(maxfiles, pages / 4);
	maxfilesperproc = maxfiles / 10 * 9;
	TUNABLE_INT_FETCH("kern.maxfilesperproc", &maxfilesperproc);
}

static void
io_size(void)
{
	maxphys = MAXPHYS_DEFAULT;
	TUNABLE_ULONG_FETCH("kern.maxphys", &maxphys);
	if (maxphys < PAGE_SIZE || maxphys > (1ul << 30))
		maxphys = MAXPHYS_DEFAULT;
	else if (!powerof2(maxphys))
		maxphys = 1ul << flsl((long)maxphys);
}

void
lvk_param_init(int rate)
{
	hz = HZ_DEFAULT;
	TUNABLE_INT_FETCH("kern.hz", &hz);
	if (rate > 0)
		hz = rate;
	if (hz < 1 || hz > 1000000)
		hz = HZ_DEFAULT;
	tick = 1000000 / hz;
	tick_sbt = SBT_1S / hz;
	tick_bt = sbttobt(tick_sbt);
	size_by_memory(MEMORY_PAGES);
	io_size();
}
