/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * usage: bench_snapshot KIB PAGES N [SEED]
 *	Make about KIB of live state in allocations of a page, save it, and
 *	N times write to PAGES of them and put all back; a line of microseconds
 *	for each restore.  The pages are the same every time, or with SEED
 *	others.  LIBVNET_SNAPSHOT=copy or =track chooses how.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <libvnet/libvnet.h>

#include "../api/activity.h"

static void
check(int error)
{
	if (error == 0)
		return;
	fprintf(stderr, "bench_snapshot: %s\n", libvnet_error());
	exit(1);
}

static double
now_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ((double)ts.tv_sec * 1e6 + (double)ts.tv_nsec / 1e3);
}

static void
run(struct libvnet_snapshot *s, int pages, long n, unsigned seed)
{
	for (long i = -100; i < n; i++) {
		double t;

		activity_touch(pages, seed != 0 ? seed + (unsigned)i : 1);
		t = now_us();
		check(libvnet_snapshot_restore(s));
		t = now_us() - t;
		if (i >= 0)
			printf("%.2f\n", t);
	}
}

int
main(int argc, char **argv)
{
	struct libvnet_snapshot_stats stats;
	struct libvnet_snapshot *s;
	uint64_t before, after;
	double t;

	if (argc < 4) {
		fprintf(stderr, "usage: bench_snapshot KIB PAGES N [SEED]\n");
		return (2);
	}
	check(libvnet_boot(NULL));
	activity_fill(atoi(argv[1]) / 4, 4096);
	t = now_us();
	check(libvnet_snapshot_take(&s));
	t = now_us() - t;
	check(libvnet_snapshot_digest(&before));
	run(s, atoi(argv[2]), atol(argv[3]),
	    argc > 4 ? (unsigned)atoi(argv[4]) : 0);
	check(libvnet_snapshot_digest(&after));
	check(libvnet_snapshot_stats(s, &stats));
	fprintf(stderr, "%zu KiB saved in %.0f us, %s; last restore: %zu pages "
	    "compared, %zu copied\n", stats.bytes / 1024, t,
	    stats.tracking ? "tracked" : "copied", stats.compared,
	    stats.copied);
	return (before != after);
}
