/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a tree's whole stack costs here: boot, vnets, pings, streams, idle
 * time.  Times are CPU time of this process, each figure in a child of its
 * own; the median of RUNS is printed beside the least and the most.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <libvnet/libvnet.h>

#include "bench_tree.h"

#define RUNS 5
#define PINGS 100000
#define BYTES (256UL << 20)
#define CYCLES 50
#define VNETS 1000
#define IDLE_S 120

static const char small[] =
    "net.pf.states_hashsize=64\nnet.pf.source_nodes_hashsize=64\n"
    "net.pf.udpendpoint_hashsize=64\n"
    "net.inet.tcp.tcbhashsize=64\nnet.inet.tcp.syncache.hashsize=32\n"
    "net.inet.tcp.hostcache.hashsize=32\n";

static double
cpu_s(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return ((double)ts.tv_sec + (double)ts.tv_nsec / 1e9);
}

static void
ok(int error, const char *what)
{
	if (error >= 0)
		return;
	fprintf(stderr, "bench_tree: %s: %s\n", what, libvnet_error());
	exit(1);
}

static void
boot(const char *kenv)
{
	struct libvnet_options o = { .kenv = kenv };

	libvnet_finding_policy("leak", LIBVNET_COLLECT);
	ok(libvnet_boot(&o), "boot");
}

static struct vnet *a, *b;

static void
two_vnets(void)
{
	char an[LIBVNET_IFNAME], bn[LIBVNET_IFNAME];

	boot(small);
	ok(libvnet_create(&a), "create");
	ok(libvnet_create(&b), "create");
	ok(libvnet_if_epair(a, b, an, bn, NULL), "epair");
	ok(libvnet_if_address_add(a, an, "10.0.0.1/24", NULL), "address");
	ok(libvnet_if_address_add(b, bn, "10.0.0.2/24", NULL), "address");
	ok(libvnet_if_address_add(a, an, "2001:db8::1/64", NULL), "address");
	ok(libvnet_if_address_add(b, bn, "2001:db8::2/64", NULL), "address");
	ok(libvnet_clock_advance_ns(3000000000), "clock");
	ok(libvnet_sysctl_set(b, "net.inet.icmp.icmplim", 0, NULL), "icmplim");
}

/* ---- figures: each returns its number */

static double
boot_default_ms(void)
{
	double began = cpu_s();

	boot(NULL);
	return ((cpu_s() - began) * 1e3);
}

static double
boot_small_ms(void)
{
	double began = cpu_s();

	boot(small);
	return ((cpu_s() - began) * 1e3);
}

static double
cycle_us(void)
{
	struct vnet *v;
	double began;

	boot(small);
	began = cpu_s();
	for (int i = 0; i < CYCLES; i++) {
		ok(libvnet_create(&v), "create");
		ok(libvnet_destroy(v), "destroy");
	}
	return ((cpu_s() - began) / CYCLES * 1e6);
}

static double
pings_k(void)
{
	double began;
	int kerr;

	two_vnets();
	ok(libvnet_enter(a), "enter");
	kerr = bench_ping(0x0a000002, 100);
	began = cpu_s();
	if (kerr == 0)
		kerr = bench_ping(0x0a000002, PINGS);
	if (kerr != 0) {
		fprintf(stderr, "bench_tree: ping: %s\n",
		    libvnet_kerr_text(kerr));
		exit(1);
	}
	return (PINGS / (cpu_s() - began) / 1e3);
}

static double
stream_gbit(int family)
{
	const char *error;
	double began;

	two_vnets();
	began = cpu_s();
	error = bench_stream(a, b, family, BYTES);
	if (error != NULL) {
		fprintf(stderr, "bench_tree: tcp%d: %s\n", family, error);
		exit(1);
	}
	return ((double)BYTES * 8 / (cpu_s() - began) / 1e9);
}

static double
tcp4_gbit(void)
{
	return (stream_gbit(4));
}

static double
tcp6_gbit(void)
{
	return (stream_gbit(6));
}

static double
many_mib(void)
{
	struct vnet *v;
	long pages = 0;
	FILE *f;

	boot(small);
	for (int i = 0; i < VNETS; i++)
		ok(libvnet_create(&v), "create");
	f = fopen("/proc/self/statm", "r");
	if (f == NULL || fscanf(f, "%*d %ld", &pages) != 1)
		exit(1);
	fclose(f);
	return ((double)pages * (double)sysconf(_SC_PAGESIZE) / (1 << 20));
}

static double
idle_ms(void)
{
	double began;

	two_vnets();
	began = cpu_s();
	ok(libvnet_clock_advance_ns(IDLE_S * 1000000000LL), "clock");
	return ((cpu_s() - began) * 1e3);
}

static const struct figure {
	const char *name, *unit;
	double aim;
	bool over;			/* else under */
	double (*fn)(void);
} figures[] = {
	{ "boot, default tables", "ms", 30, false, boot_default_ms },
	{ "boot, small tables", "ms", 10, false, boot_small_ms },
	{ "vnet create and destroy", "us", 1000, false, cycle_us },
	{ "ping round trips", "k/s", 500, true, pings_k },
	{ "TCP, IPv4", "Gbit/s", 5, true, tcp4_gbit },
	{ "TCP, IPv6", "Gbit/s", 4, true, tcp6_gbit },
	{ "1,000 vnets alive", "MiB", 1024, false, many_mib },
	{ "120 idle seconds", "ms", 100, false, idle_ms },
};

extern void __asan_init(void) __attribute__((weak));

/* Under AddressSanitizer a sixth will do. */
static void
tell(const struct figure *f, const double v[RUNS])
{
	double aim = f->aim, median = v[RUNS / 2];

	if (__asan_init != NULL)
		aim = f->over ? aim / 6 : aim * 6;
	printf("%-24s %9.2f %-7s (%.2f to %.2f)  aim %s %.2f%s\n", f->name,
	    median, f->unit, v[0], v[RUNS - 1], f->over ? "over" : "under",
	    aim, (f->over ? median > aim : median < aim) ? "" : ": MISSED");
	fflush(stdout);
}

static int
compare(const void *x, const void *y)
{
	double d = *(const double *)x - *(const double *)y;

	return ((d > 0) - (d < 0));
}

/* In a child, so that each boots afresh. */
static double
once(const struct figure *f)
{
	double value = 0;
	int fd[2], status;
	pid_t pid;

	fflush(NULL);
	if (pipe(fd) != 0 || (pid = fork()) < 0) {
		perror("bench_tree");
		exit(1);
	}
	if (pid == 0) {
		value = f->fn();
		_exit(write(fd[1], &value, sizeof(value)) != sizeof(value));
	}
	close(fd[1]);
	if (read(fd[0], &value, sizeof(value)) != sizeof(value) ||
	    waitpid(pid, &status, 0) != pid || status != 0) {
		fprintf(stderr, "bench_tree: %s failed\n", f->name);
		exit(1);
	}
	close(fd[0]);
	return (value);
}

int
main(int argc, char **argv)
{
	double v[RUNS];

	for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); i++) {
		if (argc > 1 && strstr(figures[i].name, argv[1]) == NULL)
			continue;
		for (int r = 0; r < RUNS; r++)
			v[r] = once(&figures[i]);
		qsort(v, RUNS, sizeof(v[0]), compare);
		tell(&figures[i], v);
	}
	return (0);
}
