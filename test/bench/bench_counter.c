/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * usage: bench_counter DIR REPS THREADS ...
 *
 * Nanoseconds of an operation of counter_ops.c on so many threads at once,
 * each on a virtual CPU of its own: the wall's time by a thread's number of
 * operations.  SAMPLES of each to DIR/OPERATION-THREADS, all in one run, one
 * of each in turn.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <libvnet/libvnet.h>

#include "ops.h"

#define SAMPLES 15
#define THREADS_MAX 32

static pthread_barrier_t begin, end;
static void (*fn)(unsigned long);
static unsigned long reps;

static double
now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ((double)ts.tv_sec * 1e9 + (double)ts.tv_nsec);
}

static void *
body(void *arg)
{
	(void)arg;
	if (libvnet_thread_attach() != 0) {
		fprintf(stderr, "bench_counter: %s\n", libvnet_error());
		exit(1);
	}
	pthread_barrier_wait(&begin);
	fn(reps);
	pthread_barrier_wait(&end);
	(void)libvnet_thread_detach();
	return (NULL);
}

static double
measure(int threads)
{
	pthread_t t[THREADS_MAX];
	double ns;

	pthread_barrier_init(&begin, NULL, (unsigned)threads + 1);
	pthread_barrier_init(&end, NULL, (unsigned)threads + 1);
	for (int i = 0; i < threads; i++)
		if (pthread_create(&t[i], NULL, body, NULL) != 0)
			exit(1);
	pthread_barrier_wait(&begin);
	ns = now_ns();
	pthread_barrier_wait(&end);
	ns = (now_ns() - ns) / (double)reps;
	for (int i = 0; i < threads; i++)
		pthread_join(t[i], NULL);
	pthread_barrier_destroy(&begin);
	pthread_barrier_destroy(&end);
	return (ns);
}

static void
sample(const char *dir, const struct op *o, int threads, int keep)
{
	char path[4096];
	double ns;
	FILE *f;

	fn = o->fn;
	ns = measure(threads);
	if (!keep)
		return;
	snprintf(path, sizeof(path), "%s/%s-%d", dir, o->name, threads);
	f = fopen(path, "a");
	if (f == NULL) {
		perror(path);
		exit(1);
	}
	fprintf(f, "%.4f\n", ns);
	fclose(f);
}

int
main(int argc, char **argv)
{
	struct libvnet_options options = { .ncpus = THREADS_MAX + 2 };

	if (argc < 4) {
		fprintf(stderr, "usage: bench_counter DIR REPS THREADS ...\n");
		return (2);
	}
	reps = strtoul(argv[2], NULL, 10);
	if (libvnet_boot(&options) != 0) {
		fprintf(stderr, "bench_counter: %s\n", libvnet_error());
		return (1);
	}
	for (int s = -1; s < SAMPLES; s++)	/* the first round warms up */
		for (int i = 3; i < argc; i++)
			for (const struct op *o = ops; o->name != NULL; o++) {
				int threads = atoi(argv[i]);

				if (threads < 1 || threads > THREADS_MAX)
					return (2);
				sample(argv[1], o, threads, s >= 0);
			}
	return (0);
}
