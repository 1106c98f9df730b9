/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * usage: bench_vnet cycle N	create and destroy a vnet N times; a line of
 *				microseconds for each
 *	  bench_vnet alive N	hold N vnets at once; prints resident KiB
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <libvnet/libvnet.h>

static void
check(int error)
{
	if (error == 0)
		return;
	fprintf(stderr, "bench_vnet: %s\n", libvnet_error());
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
cycle(long n)
{
	struct vnet *v;

	for (long i = -10; i < n; i++) {
		double t = now_us();

		check(libvnet_create(&v));
		check(libvnet_destroy(v));
		t = now_us() - t;
		if (i >= 0)
			printf("%.2f\n", t);
	}
}

static long
resident_kib(void)
{
	char line[256];
	long kib = -1;
	FILE *f = fopen("/proc/self/status", "r");

	while (f != NULL && fgets(line, sizeof(line), f) != NULL)
		if (sscanf(line, "VmRSS: %ld kB", &kib) == 1)
			break;
	if (f != NULL)
		fclose(f);
	return (kib);
}

static void
alive(long n)
{
	long before = resident_kib();
	struct vnet *v;

	for (long i = 0; i < n; i++) {
		check(libvnet_create(&v));
		check(libvnet_enter(v));
		check(libvnet_leave());
	}
	if (libvnet_count() != n + 1)
		exit(1);
	printf("%ld KiB resident with %ld vnets, %ld before\n",
	    resident_kib(), n, before);
}

int
main(int argc, char **argv)
{
	long n = argc == 3 ? strtol(argv[2], NULL, 10) : 0;

	if (n <= 0 || (strcmp(argv[1], "cycle") != 0 &&
	    strcmp(argv[1], "alive") != 0)) {
		fprintf(stderr, "usage: bench_vnet cycle|alive N\n");
		return (2);
	}
	check(libvnet_boot(NULL));
	if (strcmp(argv[1], "cycle") == 0)
		cycle(n);
	else
		alive(n);
	check(libvnet_shutdown());
	return (libvnet_finding_count() != 0);
}
