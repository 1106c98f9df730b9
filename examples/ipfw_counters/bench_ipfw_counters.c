/*-
 * SPDX-License-Identifier: BSD-2-Clause
 */
/*
 * usage: bench_ipfw_counters DIR SAMPLES PACKETS THREADS ...
 *
 * Packets per second (millions) through bench_forward.c with the firewall off
 * and with each form of its counters, on so many host threads at once, each on
 * a virtual CPU of its own, all in one vnet.  SAMPLES of each to
 * DIR/FORM-THREADS, one of each in turn, and every time begun with another.
 *
 * Time is a thread's own processor time, so that a machine that does other
 * things meanwhile does little harm; packets per second are the threads' sum.
 * Packets that a form did not count are told at the end.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <libvnet/libvnet.h>

#include "bench.h"

#define THREADS_MAX 32

static struct vnet *vnet;
static pthread_barrier_t begin;
static unsigned long packets;
static int which;
static struct {
	unsigned long forwarded, counted;
} sums[16];

static void
die(const char *what)
{
	fprintf(stderr, "bench_ipfw_counters: %s: %s\n", what, libvnet_error());
	exit(1);
}

static double
now_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return ((double)ts.tv_sec * 1e6 + (double)ts.tv_nsec / 1e3);
}

static void *
body(void *arg)
{
	double *rate = arg, us;

	if (libvnet_thread_attach() != 0 || libvnet_enter(vnet) != 0)
		die("thread");
	pthread_barrier_wait(&begin);
	us = now_us();
	bench_forward(packets);
	*rate = (double)packets / (now_us() - us);
	if (libvnet_leave() != 0 || libvnet_thread_detach() != 0)
		die("thread");
	return (NULL);
}

static unsigned long
counted(void)
{
	return (which < BENCH_COUNTS ? 0 : bench_counted(which));
}

/* Millions of packets per second. */
static double
measure(int threads)
{
	pthread_t t[THREADS_MAX];
	double rate[THREADS_MAX], sum = 0;

	bench_begin(which);
	pthread_barrier_init(&begin, NULL, (unsigned)threads);
	for (int i = 0; i < threads; i++)
		if (pthread_create(&t[i], NULL, body, &rate[i]) != 0)
			exit(1);
	for (int i = 0; i < threads; i++) {
		pthread_join(t[i], NULL);
		sum += rate[i];
	}
	pthread_barrier_destroy(&begin);
	return (sum);
}

static void
sample(const char *dir, int threads, int keep)
{
	unsigned long before = counted();
	double rate = measure(threads);
	char path[4096];
	FILE *f;

	sums[which].forwarded += (unsigned long)threads * packets;
	sums[which].counted += counted() - before;
	if (!keep)
		return;
	snprintf(path, sizeof(path), "%s/%s-%d", dir, bench_names[which],
	    threads);
	f = fopen(path, "a");
	if (f == NULL) {
		perror(path);
		exit(1);
	}
	fprintf(f, "%.4f\n", rate);
	fclose(f);
}

int
main(int argc, char **argv)
{
	struct libvnet_options options = { .ncpus = THREADS_MAX + 2 };
	int forms = 0, samples;

	if (argc < 5) {
		fprintf(stderr, "usage: bench_ipfw_counters DIR SAMPLES "
		    "PACKETS THREADS ...\n");
		return (2);
	}
	samples = atoi(argv[2]);
	packets = strtoul(argv[3], NULL, 10);
	if (libvnet_boot(&options) != 0)
		die("boot");
	if (libvnet_create(&vnet) != 0 || libvnet_enter(vnet) != 0)
		die("vnet");
	if (bench_rules() != 0)
		die("rules");
	while (bench_names[forms] != NULL)
		forms++;
	for (int s = -1; s < samples; s++)	/* the first round warms up */
		for (int a = 4; a < argc; a++) {
			int threads = atoi(argv[a]);

			if (threads < 1 || threads > THREADS_MAX)
				return (2);
			for (int i = 0; i < forms; i++) {
				which = (s + 1 + i) % forms;
				sample(argv[1], threads, s >= 0);
			}
		}
	for (int i = BENCH_COUNTS; i < forms; i++)
		printf("%s: of %lu packets %lu were not counted\n",
		    bench_names[i], sums[i].forwarded,
		    sums[i].forwarded - sums[i].counted);
	return (0);
}
