/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Snapshots of plain memory, copied and tracked: every case runs in both
 * ways, and the tracked ones are skipped where the system cannot.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "pagetrack.h"
#include "seam.h"
#include "snapshot.h"

#define PAGES 64
#define ROOM (PAGES * HOST_PAGE)

static char *region;
static size_t in_use;
static uint64_t guards[1];	/* of the region */

/* As host/region.c has it. */
void
vnh_protect(void *p, vnh_size_t n, int on)
{
	size_t page = (size_t)((char *)p - region) / HOST_PAGE;

	assert_int_equal(n, HOST_PAGE);
	assert_int_equal(mprotect(p, n, on ? PROT_NONE :
	    PROT_READ | PROT_WRITE), 0);
	if (on)
		guards[0] |= 1ULL << page;
	else
		guards[0] &= ~(1ULL << page);
}
/* Shares its first and last page with others; of the program's data. */
static char before[5] = "bef", section[20 * 4096 + 77] = { 1 }, after[5] = "aft";
static uint64_t word;
static enum host_mode mode;

static size_t
used(void)
{
	return (in_use);
}

static int
begin(void **state)
{
	const struct host_range ranges[] = {
		{ .start = section, .room = sizeof(section), .digest = true },
		{ .start = region, .room = ROOM, .used = used, .digest = true,
		    .guards = guards },
		{ .start = (char *)&word, .room = sizeof(word),
		    .digest = true },
	};
	const char *why;

	mode = *(enum host_mode *)*state;
	memset(region, 0, ROOM);
	in_use = 20 * HOST_PAGE;
	for (size_t i = 0; i < in_use; i++)
		region[i] = (char)(i * 7 + i / HOST_PAGE);
	memset(section, 3, sizeof(section));
	word = 9;
	why = host_world_begin(ranges, 3, mode);
	if (why != NULL)
		fprintf(stderr, "# %s\n", why);
	return (0);
}

static int
end(void **state)
{
	(void)state;
	host_world_end();
	assert_int_equal(mprotect(region, ROOM, PROT_READ | PROT_WRITE), 0);
	guards[0] = 0;
	return (0);
}

/* cmocka cannot skip in a setup function. */
static void
need_mode(void)
{
	if (mode == HOST_TRACK && !host_world_tracks())
		skip();
}

static struct host_snapshot *
take(void)
{
	struct host_snapshot *s = host_snapshot_take();

	assert_non_null(s);
	return (s);
}

static void
write_and_restore(struct host_snapshot *s, char *p)
{
	uint64_t h = host_world_digest();
	char old = *p;

	*p = (char)(old + 1);
	assert_true(host_world_digest() != h);
	host_snapshot_restore(s);
	assert_int_equal(*p, old);
	assert_true(host_world_digest() == h);
}

static void
restore_first_and_last_bytes(void **state)
{
	struct host_snapshot *s;

	(void)state;
	need_mode();
	s = take();
	/* Thrice: pages turn from protected to hot and back. */
	for (int i = 0; i < 3; i++) {
		write_and_restore(s, &section[0]);
		write_and_restore(s, &section[sizeof(section) - 1]);
		write_and_restore(s, &region[0]);
		write_and_restore(s, &region[in_use - 1]);
		for (size_t p = 1; p < 20; p++) {
			write_and_restore(s, &region[p * HOST_PAGE - 1]);
			write_and_restore(s, &region[p * HOST_PAGE]);
		}
		write_and_restore(s, (char *)&word);
		for (int k = 0; k < 4; k++)
			host_snapshot_restore(s);
	}
}

static void
restore_leaves_neighbours_alone(void **state)
{
	struct host_snapshot *s;

	(void)state;
	need_mode();
	s = take();
	before[4] = after[4] = 'x';
	section[0] = section[sizeof(section) - 1] = 'y';
	host_snapshot_restore(s);
	assert_int_equal(before[4], 'x');
	assert_int_equal(after[4], 'x');
	assert_int_equal(section[0], 3);
	before[4] = after[4] = 0;
}

static void
restore_after_growth_clears_it(void **state)
{
	struct host_snapshot *s;
	size_t was = in_use - 100;
	uint64_t h;

	(void)state;
	need_mode();
	in_use = was;
	memset(region + was, 0, 100);
	s = take();
	h = host_world_digest();
	for (int i = 0; i < 3; i++) {
		in_use = ROOM;
		memset(region + was, 5, ROOM - was);
		host_snapshot_restore(s);
		in_use = was;
		assert_true(host_world_digest() == h);
		for (size_t k = was; k < ROOM; k++)
			if (region[k] != 0)
				fail_msg("byte %zu is left", k);
	}
}

static void
restore_after_shrinking(void **state)
{
	struct host_snapshot *s;
	size_t was = in_use;
	uint64_t h;

	(void)state;
	need_mode();
	s = take();
	h = host_world_digest();
	in_use = 2 * HOST_PAGE + 1;
	memset(region, 5, was);
	host_snapshot_restore(s);
	/* What was written beyond the part in use is put back too. */
	in_use = was;
	assert_true(host_world_digest() == h);
}

static void
any_order_of_snapshots(void **state)
{
	struct host_snapshot *s[3];
	uint64_t h[3];
	unsigned seed = 1;

	(void)state;
	need_mode();
	for (int i = 0; i < 3; i++) {
		region[i * 4096] ^= 1;
		section[i * 4096] ^= 1;
		in_use += 3 * HOST_PAGE;
		memset(region + in_use - 3 * HOST_PAGE, i, 3 * HOST_PAGE);
		s[i] = take();
		h[i] = host_world_digest();
	}
	for (int i = 0; i < 500; i++) {
		int k = rand_r(&seed) % 3;

		for (int n = rand_r(&seed) % 9; n > 0; n--)
			region[(size_t)rand_r(&seed) % in_use]++;
		section[(size_t)rand_r(&seed) % sizeof(section)]++;
		host_snapshot_restore(s[k]);
		in_use = (20 + 3 * ((size_t)k + 1)) * HOST_PAGE;
		assert_true(host_world_digest() == h[k]);
	}
	host_snapshot_free(s[0]);
	assert_false(host_snapshot_live(s[0]));
	host_snapshot_restore(s[2]);
	in_use = 29 * HOST_PAGE;
	assert_true(host_world_digest() == h[2]);
}

/* 0 when the child finds all well. */
static void
child(struct host_snapshot *s, uint64_t h)
{
	for (int i = 0; i < 5; i++) {
		region[(size_t)i * HOST_PAGE]++;
		section[5000]++;
		host_snapshot_restore(s);
		if (host_world_digest() != h)
			_exit(2);
		if (mode == HOST_TRACK && !host_world_tracks())
			_exit(3);
	}
	_exit(0);
}

static void
restore_in_a_child(void **state)
{
	struct host_snapshot *s;
	struct host_snapshot_stats stats;
	uint64_t h;
	int status;
	pid_t pid;

	(void)state;
	need_mode();
	s = take();
	h = host_world_digest();
	region[1]++;		/* before the fork: the child must see it */
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0)
		child(s, h);
	section[9]++;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	host_snapshot_restore(s);
	assert_true(host_world_digest() == h);
	host_snapshot_stats(s, &stats);
	if (mode == HOST_TRACK)
		assert_in_range(stats.copied, 2, 4);
}

static void
few_pages_are_looked_at(void **state)
{
	struct host_snapshot_stats stats;
	struct host_snapshot *s;

	(void)state;
	need_mode();
	s = take();
	region[5 * HOST_PAGE]++;
	region[9 * HOST_PAGE]++;
	host_snapshot_restore(s);
	host_snapshot_stats(s, &stats);
	assert_int_equal(stats.restores, 1);
	assert_int_equal(stats.bytes, in_use + sizeof(section) + sizeof(word));
	if (mode != HOST_TRACK)
		return;
	assert_int_equal(stats.copied, 2);
	assert_true(stats.compared <= 4);
	/* Left alone, pages are protected again. */
	for (int i = 0; i < 4; i++)
		host_snapshot_restore(s);
	host_snapshot_stats(s, &stats);
	assert_int_equal(stats.copied, 0);
	assert_true(stats.compared <= 2);
}

/* Where pages are dropped and not written: whoever does so must tell. */
static void
many_runs_of_pages(void **state)
{
	struct host_snapshot *s;
	uint64_t h;

	(void)state;
	need_mode();
	in_use = ROOM;
	s = take();
	h = host_world_digest();
	for (size_t p = 0; p < PAGES; p += 2)
		region[p * HOST_PAGE + p]++;
	host_snapshot_restore(s);
	assert_true(host_world_digest() == h);
}

/* Guards come, go and move; each snapshot has its own. */
static void
guard_pages_are_left_alone(void **state)
{
	struct host_snapshot *s[3];
	uint64_t h[3];

	(void)state;
	need_mode();
	for (int i = 0; i < 3; i++) {
		in_use = (20 + 4 * (size_t)i) * HOST_PAGE;
		vnh_protect(region + (19 + 4 * i) * 4096, HOST_PAGE, 1);
		region[(18 + 4 * i) * 4096] = (char)i;
		s[i] = take();
		h[i] = host_world_digest();
	}
	for (int i = 0; i < 12; i++) {
		int k = i * 5 % 3;

		in_use = 40 * HOST_PAGE;
		vnh_protect(region + 39 * HOST_PAGE, HOST_PAGE, 1);
		region[4096 * 3]++;
		host_snapshot_restore(s[k]);
		in_use = (20 + 4 * (size_t)k) * HOST_PAGE;
		assert_true(host_world_digest() == h[k]);
		assert_int_equal(__builtin_popcountll(guards[0]), k + 1);
	}
}

static void
tracking_stops_with_the_world(void **state)
{
	(void)state;
	need_mode();
	(void)take();
	(void)take();
	host_world_end();
	assert_false(host_world_tracks());
	region[0]++;
}

#define BOTH(f) \
	{ #f " (copied)", f, begin, end, &modes[0] }, \
	{ #f " (tracked)", f, begin, end, &modes[1] }

int
main(void)
{
	static enum host_mode modes[] = { HOST_COPY, HOST_TRACK };
	const struct CMUnitTest tests[] = {
		BOTH(restore_first_and_last_bytes),
		BOTH(restore_leaves_neighbours_alone),
		BOTH(restore_after_growth_clears_it),
		BOTH(restore_after_shrinking),
		BOTH(any_order_of_snapshots),
		BOTH(restore_in_a_child),
		BOTH(few_pages_are_looked_at),
		BOTH(many_runs_of_pages),
		BOTH(guard_pages_are_left_alone),
		BOTH(tracking_stops_with_the_world),
	};

	region = mmap(NULL, ROOM, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (region == MAP_FAILED)
		return (1);
	return (cmocka_run_group_tests(tests, NULL, NULL));
}
