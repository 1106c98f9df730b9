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

extern void *mallocx(size_t, int) __attribute__((weak));
extern void dallocx(void *, int) __attribute__((weak));

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

/* The yardstick of the kernel heap: an item of the same size of jemalloc's. */
static void
op_jemalloc(unsigned long n)
{
	for (; n > 0; n--) {
		void *p = mallocx(64, 0);

		__asm__ volatile("" : : "r"(p) : "memory");
		dallocx(p, 0);
	}
}

static struct op all[MAX_OPS + 1];

static void
gather(void)
{
	int n = 0;

	while (ops[n].name != NULL && n < MAX_OPS - 1) {
		all[n] = ops[n];
		n++;
	}
	if (mallocx != NULL && dallocx != NULL)
		all[n++] = (struct op){ "jemalloc", op_jemalloc };
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

	for (n = 0; n < MAX_OPS && all[n].name != NULL; n++)
		f[n] = open_in(dir, all[n].name);
	for (int s = -1; s < SAMPLES; s++)
		for (int i = 0; i < n; i++) {
			unsigned long reps = 1000000;
			double t = now_ns();

			all[i].fn(reps);
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

	for (const struct op *o = all; o->name != NULL; o++)
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
	gather();
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
