/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "world.h"

/* Below this a range is copied as it is: that is cheaper than asking. */
#define SMALL (16 * HOST_PAGE)

struct world_range world_ranges[HOST_RANGES_MAX];
int world_nranges;
struct host_snapshot *world_snapshots;

static bool tracking;
static const char *why = "";

static size_t
in_use(const struct host_range *r)
{
	size_t n;

	if (r->used == NULL)
		return (r->room);
	n = r->used();
	return ((n + ((size_t)1 << r->shift) - 1) >> r->shift);
}

static void *
zeroed_pages(size_t n)
{
	void *p = mmap(NULL, n, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return (p != MAP_FAILED ? p : NULL);
}

static void
give_up(const char *reason)
{
	tracking = false;
	why = reason;
	host_track_stop();
}

/* NULL, or what the system does not let us. */
static const char *
track(void)
{
	const char *reason = host_track_start();

	if (reason != NULL)
		return (reason);
	for (int i = 0; i < world_nranges; i++) {
		struct world_range *w = &world_ranges[i];

		if (w->r.room < SMALL)
			continue;
		if (w->age == NULL)
			w->age = zeroed_pages(WORLD_PAGES(w, w->r.room));
		if (w->age == NULL || !host_track_add(w->first,
		    HOST_PAGE_UP(w->r.start + w->r.room)))
			return ("userfaultfd refuses a range");
		w->tracked = true;
	}
	return (NULL);
}

const char *
host_world_begin(const struct host_range *ranges, int n, enum host_mode mode)
{
	const char *reason = NULL;

	if (n > HOST_RANGES_MAX)
		abort();
	world_nranges = n;
	for (int i = 0; i < n; i++)
		world_ranges[i] = (struct world_range){ .r = ranges[i],
		    .first = HOST_PAGE_DOWN(ranges[i].start) };
	tracking = mode != HOST_COPY;
	why = "";
	if (tracking && (reason = track()) != NULL)
		give_up(reason);
	if (reason == NULL || mode != HOST_TRACK)
		return (NULL);
	host_world_end();
	return (reason);
}

void
host_world_end(void)
{
	while (world_snapshots != NULL)
		host_snapshot_free(world_snapshots);
	for (int i = 0; i < world_nranges; i++) {
		struct world_range *w = &world_ranges[i];

		if (w->age != NULL)
			munmap(w->age, WORLD_PAGES(w, w->r.room));
	}
	world_nranges = 0;
	tracking = false;
	host_track_stop();
}

bool
host_world_tracks(void)
{
	return (tracking);
}

const char *
host_world_why(void)
{
	return (why);
}

/* Bits [from, to). */
static void
bits_set(uint64_t *bits, size_t from, size_t to)
{
	while (from < to) {
		size_t n = 64 - from % 64;
		uint64_t mask = ~0ULL << from % 64;

		if (n > to - from) {
			n = to - from;
			mask &= ~0ULL >> (64 - (from + n) % 64);
		}
		bits[from / 64] |= mask;
		from += n;
	}
}

void
world_written(int i, size_t from, size_t to)
{
	struct world_range *w = &world_ranges[i];

	for (struct host_snapshot *s = world_snapshots; s; s = s->next) {
		struct piece *p = &s->piece[i];
		size_t pages = WORLD_PAGES(w, p->len);

		if (p->differs != NULL)
			bits_set(p->differs, from, to < pages ? to : pages);
	}
}

static void
written(uintptr_t start, uintptr_t end, void *arg)
{
	struct world_range *w = arg;

	world_written((int)(w - world_ranges), (start - w->first) / HOST_PAGE,
	    (end - w->first) / HOST_PAGE);
}

/* In a child: nothing is known, and the parent's descriptors are no use. */
static void
look_after_fork(void)
{
	const char *reason = track();

	if (reason != NULL) {
		give_up(reason);
		return;
	}
	for (int i = 0; i < world_nranges; i++)
		if (world_ranges[i].tracked)
			world_written(i, 0, SIZE_MAX);
	world_protect();
}

void
world_look(void)
{
	for (int i = 0; i < world_nranges; i++) {
		struct world_range *w = &world_ranges[i];

		w->len = in_use(&w->r);
		if (w->high < w->len)
			w->high = w->len;
	}
	if (!tracking)
		return;
	if (host_track_stale()) {
		look_after_fork();
		return;
	}
	for (int i = 0; i < world_nranges; i++) {
		struct world_range *w = &world_ranges[i];

		if (w->tracked && !host_track_scan(w->first,
		    HOST_PAGE_UP(w->r.start + w->high), written, w)) {
			give_up("the system does not say any more which pages "
			    "were written");
			return;
		}
	}
}

void
world_protect_run(uintptr_t start, uintptr_t end)
{
	/* A page that stays unprotected is only compared more often. */
	if (start < end)
		(void)host_track_protect(start, end);
}

void
world_protect(void)
{
	if (!tracking)
		return;
	for (int i = 0; i < world_nranges; i++) {
		struct world_range *w = &world_ranges[i];

		if (w->tracked)
			world_protect_run(w->first,
			    HOST_PAGE_UP(w->r.start + w->high));
	}
}

static void
range_digest(const struct world_range *w, size_t len, uint64_t *h)
{
	if (w->r.guards == NULL) {
		host_digest(w->r.start, len, *h, h);
		return;
	}
	for (size_t at = 0; at < len; at += HOST_PAGE)
		if (!guarded(w->r.guards, at / HOST_PAGE))
			host_digest(w->r.start + at, len - at < HOST_PAGE ?
			    len - at : HOST_PAGE, *h, h);
}

uint64_t
host_world_digest(void)
{
	uint64_t h = 0;

	for (int i = 0; i < world_nranges; i++) {
		const struct host_range *r = &world_ranges[i].r;

		if (r->digest)
			range_digest(&world_ranges[i], in_use(r), &h);
	}
	return (h);
}
