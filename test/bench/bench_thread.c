/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * usage: bench_thread N [coroutine|host|baton]
 *
 * Nanoseconds of a bare switch of coroutines, of a round trip by kern_yield(9)
 * and by sleep(9) and wakeup(9), of a thread's whole life, each the best of
 * ten times; and the memory of N / 10 threads that are alive.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <libvnet/libvnet.h>

#include "ops.h"
#include "seam_thread.h"

static double
now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ((double)ts.tv_sec * 1e9 + (double)ts.tv_nsec);
}

static long
resident_kb(void)
{
	FILE *f = fopen("/proc/self/statm", "r");
	long pages = 0;

	if (f != NULL) {
		if (fscanf(f, "%*d %ld", &pages) != 1)
			pages = 0;
		fclose(f);
	}
	return (pages * (sysconf(_SC_PAGESIZE) / 1024));
}

static double
best(void (*fn)(unsigned long), unsigned long n)
{
	double least = 0;

	for (int i = 0; i < 10; i++) {
		double t = now_ns();

		fn(n);
		t = (now_ns() - t) / (double)n;
		if (i == 0 || t < least)
			least = t;
	}
	return (least);
}

/* ---- two coroutines, and nothing of the kernel */

static struct vnh_co here, there;

static void
back_and_forth(void *arg)
{
	(void)arg;
	for (;;)
		vnh_co_switch(&there, &here);
}

static void
bare(unsigned long n)
{
	for (; n > 1; n -= 2)
		vnh_co_switch(&here, &there);
}

static double
bare_switch(unsigned long n)
{
	size_t size = vnh_stack_default();

	vnh_co_adopt(&here, VNH_COROUTINE);
	there.co_name = "there";
	there.co_size = size;
	there.co_stack = aligned_alloc(4096, size);
	if (there.co_stack == NULL)
		abort();
	vnh_co_create(&there, back_and_forth, NULL);
	return (best(bare, n & ~1UL));
}

int
main(int argc, char **argv)
{
	static const char *const names[] = { "coroutine", "host", "baton" };
	unsigned long n = argc > 1 ? strtoul(argv[1], NULL, 10) : 100000;
	struct libvnet_options options = { 0 };
	long before;

	if (n < 1000)
		n = 1000;
	for (int i = 0; i < 3 && argc > 2; i++)
		if (strcmp(argv[2], names[i]) == 0)
			options.threads = (enum libvnet_threads)i;
	printf("carrier %s\n", names[options.threads]);
	printf("bare switch of coroutines: %.1f ns\n", bare_switch(n));
	if (libvnet_boot(&options) != 0) {
		fprintf(stderr, "bench_thread: %s\n", libvnet_error());
		return (1);
	}
	for (const struct op *o = ops; o->name != NULL; o++)
		if (strcmp(o->name, "alive") != 0)
			printf("%s: %.1f ns\n", o->name, best(o->fn, n / 10));
		else if (options.threads == LIBVNET_THREADS_COROUTINE) {
			before = resident_kb();
			o->fn(n / 10);
			printf("%lu threads alive: %.1f KiB each\n", n / 10,
			    (double)(resident_kb() - before) * 10 / (double)n);
		}
	return (0);
}
