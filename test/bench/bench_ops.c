/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * usage: bench_ops sample DIR	nanoseconds an operation, SAMPLES of each op,
 *				the ops in turn, into DIR/OP for ministat
 *	  bench_ops count OP N	do OP N times, for callgrind
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <libvnet/libvnet.h>

#include "ops.h"

#define SAMPLES 40
#define MAX_OPS 16

static void
check(int error)
{
	if (error == 0)
		return;
	fprintf(stderr, "bench_ops: %s\n", libvnet_error());
	exit(1);
}

static void
begin(void)
{
	struct vnet *v;

	check(libvnet_boot(NULL));
	check(libvnet_create(&v));
	check(libvnet_enter(v));
}

static double
now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ((double)ts.tv_sec * 1e9 + (double)ts.tv_nsec);
}

static FILE *
open_in(const char *dir, const char *name)
{
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "w");
	if (f == NULL) {
		perror(path);
		exit(1);
	}
	return (f);
}

static int
sample(const char *dir)
{
	FILE *f[MAX_OPS];
	int n;

	for (n = 0; n < MAX_OPS && ops[n].name != NULL; n++)
		f[n] = open_in(dir, ops[n].name);
	for (int s = -1; s < SAMPLES; s++)
		for (int i = 0; i < n; i++) {
			unsigned long reps = i < 8 ? 2000000 : 200000;
			double t = now_ns();

			ops[i].fn(reps);
			t = (now_ns() - t) / (double)reps;
			if (s >= 0)	/* the first round warms up */
				fprintf(f[i], "%.4f\n", t);
		}
	for (int i = 0; i < n; i++)
		fclose(f[i]);
	return (0);
}

static int
count(const char *op, const char *times)
{
	unsigned long n = strtoul(times, NULL, 10);

	for (const struct op *o = ops; o->name != NULL; o++)
		if (strcmp(o->name, op) == 0) {
			o->fn(n);
			return (0);
		}
	fprintf(stderr, "bench_ops: no operation %s\n", op);
	return (2);
}

int
main(int argc, char **argv)
{
	if (argc == 3 && strcmp(argv[1], "sample") == 0) {
		begin();
		return (sample(argv[2]));
	}
	if (argc == 4 && strcmp(argv[1], "count") == 0) {
		begin();
		return (count(argv[2], argv[3]));
	}
	fprintf(stderr, "usage: bench_ops sample DIR | bench_ops count OP N\n");
	return (2);
}
