/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * usage: bench_explore SCHEDULES [ACCESSES]
 *
 * Schedules a minute of processor time, of two threads with so many accesses together (100),
 * their setup and check included: by each strategy, put back by setup() or
 * from the snapshot, with and without the search for data races.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <libvnet/libvnet.h>

#include "explore_ops.h"

static double
now_s(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return ((double)ts.tv_sec + (double)ts.tv_nsec / 1e9);
}

static void
measure(const char *name, struct libvnet_explore what)
{
	struct libvnet_explore_result r;
	double t = now_s();

	if (libvnet_explore(&what, &r) != 0) {
		printf("%s: %s\n", name, libvnet_error());
		exit(1);
	}
	t = now_s() - t;
	printf("%-28s %8.2f million a minute, %6.2f us each, %lu steps%s\n",
	    name, (double)r.schedules / t * 60 / 1e6,
	    t / (double)r.schedules * 1e6, r.steps,
	    r.end != LIBVNET_SCHEDULE_OK ? ": a schedule failed" : "");
}

int
main(int argc, char **argv)
{
	struct libvnet_explore what = {
		.schedules = argc > 1 ? strtoul(argv[1], NULL, 10) : 100000,
		.quiet = true, .setup_restores = true,
		.races = LIBVNET_RACES_OFF,
	};
	unsigned accesses = argc > 2 ? (unsigned)atoi(argv[2]) : 100;
	struct libvnet_options boot = { .ncpus = 2 };

	if (libvnet_boot(&boot) != 0) {
		fprintf(stderr, "%s\n", libvnet_error());
		return (1);
	}
	explore_ops_describe(&what, accesses);
	what.threads[1].cpu = 1;
	measure("random", what);
	what.strategy = LIBVNET_PCT;
	measure("pct", what);
	what.strategy = LIBVNET_DFS;
	what.preemptions = 3;
	measure("depth first", what);
	what.strategy = LIBVNET_ROUND_ROBIN;
	measure("round robin", what);
	what.strategy = LIBVNET_RANDOM;
	what.setup_restores = false;
	measure("random, snapshot", what);
	what.setup_restores = true;
	what.races = LIBVNET_RACES_FAIL;
	explore_ops_describe(&what, accesses * 2);
	what.threads[1].fn = NULL;
	measure("one thread, looking for races", what);
	return (0);
}
