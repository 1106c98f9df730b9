/*-
 * SPDX-License-Identifier: BSD-2-Clause
 */
/*
 * hostcache_replay: captures through the host cache, in two vnets.
 *
 * One vnet is told the source of every packet, as the host that receives it
 * would be; the other the destination, as the host that sends it.  So both
 * see all packets and, where traffic goes both ways, the same hosts, and each
 * keeps its own account.  The capture's time stamps drive the virtual clock.
 * Every file gets a newly booted kernel world.
 *
 * Exit status: 0, 77 where there is no capture, 2 for wrong usage, and 1 when
 * a vnet's count is not what it was fed or its destruction left something
 * behind.  A file that is no capture, or a damaged one, is told and counted.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <libvnet/libvnet.h>

#include "replay.h"

#define STEP_MAX (3600 * LIBVNET_NS_PER_SECOND)	/* of the clock, a packet */

static const char *const views[2] = { "sources", "destinations" };

static struct {
	char **v;
	int n;
} files;

static struct {
	int read, damaged, foreign;
	uint64_t frames;
	uint64_t drops[LIBVNET_DROP_REASONS];
	struct replay_counts views[2];
} total;

__attribute__((noreturn)) static void
die(const char *what)
{
	fprintf(stderr, "hostcache_replay: %s: %s\n", what, libvnet_error());
	exit(1);
}

/* ---- which files */

static void
add_file(const char *path)
{
	files.v = realloc(files.v, (size_t)(files.n + 1) * sizeof(*files.v));
	if (files.v == NULL || (files.v[files.n++] = strdup(path)) == NULL)
		abort();
}

static int
is_capture(const struct dirent *d)
{
	const char *dot = strrchr(d->d_name, '.');

	return (dot != NULL && d->d_name[0] != '.' &&
	    (strcmp(dot, ".pcap") == 0 || strcmp(dot, ".pcapng") == 0 ||
	    strcmp(dot, ".cap") == 0));
}

/* A file, or a folder's captures in the order of their names. */
static void
add_path(const char *path)
{
	struct dirent **list;
	struct stat st;
	char *name;
	int n;

	if (stat(path, &st) != 0 || !S_ISDIR(st.st_mode)) {
		add_file(path);
		return;
	}
	n = scandir(path, &list, is_capture, alphasort);
	for (int i = 0; i < n; i++) {
		if (asprintf(&name, "%s/%s", path, list[i]->d_name) < 0)
			abort();
		add_file(name);
		free(name);
		free(list[i]);
	}
	if (n >= 0)
		free(list);
	if (n <= 0)
		printf("%s: no capture in this folder\n", path);
}

static void
add_more(void)
{
	const char *dir = getenv("LIBVNET_CAPTURES");
	struct stat st;

	if (dir == NULL || dir[0] == '\0')
		dir = CAPTURES_MORE;
	if (stat(dir, &st) != 0 || !S_ISDIR(st.st_mode))
		printf("%s: no such folder; LIBVNET_CAPTURES names one with "
		    "more captures\n", dir);
	else
		add_path(dir);
}

/* ---- one file */

static void
tell(struct vnet *v, const struct libvnet_packet *p, const uint8_t *address)
{
	if (libvnet_enter(v) != 0)
		die("enter");
	replay_feed(p->version, address, p->length);
	(void)libvnet_leave();
}

static void
pass_time(const struct libvnet_packet *p, int64_t *last)
{
	int64_t ns = p->time_ns - *last;

	if (*last != 0 && ns > 0)
		(void)libvnet_clock_advance_ns(ns < STEP_MAX ? ns : STEP_MAX);
	*last = p->time_ns;
}

static void
account(struct vnet *v, int view, uint64_t fed)
{
	struct replay_counts c, *t = &total.views[view];

	if (libvnet_enter(v) != 0 || !replay_count(&c))
		die("count");
	(void)libvnet_leave();
	if (c.packets != fed || c.lookups != fed) {
		fprintf(stderr, "hostcache_replay: vnet %d was fed %llu "
		    "packets and has counted %llu\n", libvnet_number(v),
		    (unsigned long long)fed, (unsigned long long)c.packets);
		exit(1);
	}
	printf("; %s: %llu packets %llu hosts %llu hits %llu refused",
	    views[view], (unsigned long long)c.packets,
	    (unsigned long long)c.entries, (unsigned long long)c.hits,
	    (unsigned long long)c.refused);
	t->packets += c.packets;
	t->octets += c.octets;
	t->hits += c.hits;
	t->entries += c.entries;
	t->expired += c.expired;
	t->evicted += c.evicted;
	t->refused += c.refused;
}

static void
left_out(const struct libvnet_capture *c)
{
	const char *before = "; left out:";
	uint64_t n;

	for (int r = 1; r < LIBVNET_DROP_REASONS; r++) {
		n = libvnet_capture_drops(c, (enum libvnet_drop)r);
		total.drops[r] += n;
		if (n == 0)
			continue;
		printf("%s %llu %s", before, (unsigned long long)n,
		    libvnet_drop_name((enum libvnet_drop)r));
		before = "";
	}
}

static void
replay(const char *path, struct libvnet_capture *c)
{
	struct libvnet_packet p;
	struct vnet *v[2];
	uint64_t fed = 0;
	int64_t last = 0;
	int r;

	if (libvnet_boot(NULL) != 0 || libvnet_create(&v[0]) != 0 ||
	    libvnet_create(&v[1]) != 0)
		die("boot");
	while ((r = libvnet_capture_next(c, &p)) == 1) {
		pass_time(&p, &last);
		tell(v[0], &p, p.src);
		tell(v[1], &p, p.dst);
		fed++;
	}
	printf("%s: %llu frames", path,
	    (unsigned long long)libvnet_capture_frames(c));
	for (int i = 0; i < 2; i++)
		account(v[i], i, fed);
	left_out(c);
	printf("%s\n", r < 0 ? "; damaged" : "");
	if (r < 0)
		printf("  %s\n", libvnet_error());
	total.damaged += r < 0;
	total.read++;
	total.frames += libvnet_capture_frames(c);
	if (libvnet_destroy(v[0]) != 0 || libvnet_destroy(v[1]) != 0 ||
	    libvnet_finding_count() != 0 || libvnet_shutdown() != 0)
		die("destroy");
}

static void
summary(void)
{
	printf("captures: %d read, %d of them damaged, %d refused\n",
	    total.read, total.damaged, total.foreign);
	printf("frames: %llu; left out:", (unsigned long long)total.frames);
	for (int r = 1; r < LIBVNET_DROP_REASONS; r++)
		printf(" %s %llu", libvnet_drop_name((enum libvnet_drop)r),
		    (unsigned long long)total.drops[r]);
	printf("\n");
	for (int i = 0; i < 2; i++)
		printf("vnet of %s: %llu packets, %llu octets, %llu hosts, "
		    "%llu hits, %llu expired, %llu evicted, %llu refused\n",
		    views[i],
		    (unsigned long long)total.views[i].packets,
		    (unsigned long long)total.views[i].octets,
		    (unsigned long long)total.views[i].entries,
		    (unsigned long long)total.views[i].hits,
		    (unsigned long long)total.views[i].expired,
		    (unsigned long long)total.views[i].evicted,
		    (unsigned long long)total.views[i].refused);
}

static int
usage(const char *self)
{
	fprintf(stderr,
	    "usage: %s [FILE-OR-FOLDER ...]\n"
	    "       %s --more\n"
	    "       %s --seeds FOLDER [FILE-OR-FOLDER ...]\n"
	    "Feeds captures through the host cache in two vnets; without "
	    "arguments those of\nthe example and of the folder that "
	    "LIBVNET_CAPTURES names, with --more the\nlatter only.  --seeds "
	    "writes inputs for fuzz_hostcache instead.\n", self, self, self);
	return (2);
}

int
main(int argc, char **argv)
{
	const char *seeds = NULL;
	int first = 1;

	if (argc > 2 && strcmp(argv[1], "--seeds") == 0) {
		seeds = argv[2];
		first = 3;
	}
	if (argc == 2 && strcmp(argv[1], "--more") == 0)
		add_more();
	else if (first < argc && argv[first][0] == '-')
		return (usage(argv[0]));
	else
		for (int i = first; i < argc; i++) {
			if (access(argv[i], R_OK) != 0) {
				perror(argv[i]);
				return (1);
			}
			add_path(argv[i]);
		}
	if (first == argc) {
		add_path(CAPTURES_HERE);
		if (seeds == NULL)
			add_more();
	}
	if (files.n == 0) {
		printf("hostcache_replay: skipped: no capture found\n");
		return (77);
	}
	if (seeds != NULL)
		return (replay_seeds(seeds, files.v, files.n));
	for (int i = 0; i < files.n; i++) {
		struct libvnet_capture *c;

		if (libvnet_capture_open(files.v[i], &c) != 0) {
			printf("refused: %s\n", libvnet_error());
			total.foreign++;
			continue;
		}
		replay(files.v[i], c);
		libvnet_capture_close(c);
	}
	summary();
	return (0);
}
