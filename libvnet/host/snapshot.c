/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>
#include <sys/mman.h>

#include "world.h"

#define AGE_MAX 2		/* unchanged so often: protect again */
#define DROP_MIN ((size_t)1 << 20)	/* give so much back to the system */

static void *
pages_alloc(size_t n)
{
	void *p = mmap(NULL, n, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return (p != MAP_FAILED ? p : NULL);
}

/* The copy has the same offset in its page: equal alignment copies faster. */
static size_t
skew(const struct world_range *w)
{
	return ((uintptr_t)w->r.start - w->first);
}

/* The bytes of a page of the range that lie in [0, len). */
static void
page_bounds(const struct world_range *w, size_t len, size_t page,
    uintptr_t *from, uintptr_t *to)
{
	uintptr_t start = (uintptr_t)w->r.start;

	*from = w->first + page * HOST_PAGE;
	*to = *from + HOST_PAGE;
	if (*from < start)
		*from = start;
	if (*to > start + len)
		*to = start + len;
}

/* The copy is zero already, and stays without memory where the range is. */
static void
piece_copy(struct world_range *w, struct piece *p)
{
	static const char zero[HOST_PAGE];
	uintptr_t from, to;

	for (size_t i = 0; i < WORLD_PAGES(w, p->len); i++) {
		bool differ = false;	/* set by code without MSan */

		if (guarded(p->guards, i))
			continue;
		page_bounds(w, p->len, i, &from, &to);
		host_compare((void *)from, zero, to - from, &differ);
		if (differ)
			host_copy(p->copy + (from - (uintptr_t)w->r.start),
			    (void *)from, to - from);
	}
}

static bool
piece_take(struct world_range *w, struct piece *p)
{
	size_t pages = WORLD_PAGES(w, w->len);

	if (w->len == 0)
		return (true);
	p->copy = pages_alloc(pages * HOST_PAGE);
	if (p->copy == NULL)
		return (false);
	p->copy += skew(w);
	p->len = w->len;
	if (w->tracked) {
		p->differs = calloc((pages + 63) / 64, sizeof(uint64_t));
		if (p->differs == NULL)
			return (false);
	}
	if (!guards_take(w, p))
		return (false);
	piece_copy(w, p);
	if (w->r.shadow && p->len < w->r.room)
		host_copy(&p->fill, w->r.start + p->len, 1);
	return (true);
}

static void
piece_free(struct world_range *w, struct piece *p)
{
	if (p->copy != NULL)
		munmap(p->copy - skew(w), WORLD_PAGES(w, p->len) * HOST_PAGE);
	free(p->differs);
	free(p->guards);
}

struct host_snapshot *
host_snapshot_take(void)
{
	struct host_snapshot *s = calloc(1, sizeof(*s));
	bool first = world_snapshots == NULL;

	if (s == NULL)
		return (NULL);
	world_look();
	s->next = world_snapshots;
	world_snapshots = s;
	for (int i = 0; i < world_nranges; i++) {
		struct world_range *w = &world_ranges[i];

		if (!piece_take(w, &s->piece[i])) {
			host_snapshot_free(s);
			return (NULL);
		}
		s->stats.bytes += w->len;
		if (w->tracked)
			s->stats.pages += WORLD_PAGES(w, w->len);
	}
	if (first)
		world_protect();
	return (s);
}

void
host_snapshot_free(struct host_snapshot *s)
{
	struct host_snapshot **link = &world_snapshots;

	while (*link != s)
		link = &(*link)->next;
	*link = s->next;
	for (int i = 0; i < world_nranges; i++)
		piece_free(&world_ranges[i], &s->piece[i]);
	free(s);
}

bool
host_snapshot_live(const struct host_snapshot *s)
{
	const struct host_snapshot *i = world_snapshots;

	while (i != NULL && i != s)
		i = i->next;
	return (i != NULL);
}

void
host_snapshot_stats(const struct host_snapshot *s,
    struct host_snapshot_stats *stats)
{
	*stats = s->stats;
}

/* ---- putting back */

/* Pages to protect again, gathered in runs. */
struct run {
	uintptr_t start, end;
};

static void
run_add(struct run *run, uintptr_t page)
{
	if (run->end != page) {
		world_protect_run(run->start, run->end);
		run->start = page;
	}
	run->end = page + HOST_PAGE;
}

/* True when it differed. */
static bool
page_restore(struct world_range *w, struct piece *p, size_t page,
    struct run *run)
{
	uintptr_t start = (uintptr_t)w->r.start, from, to;
	bool differ = false;

	page_bounds(w, p->len, page, &from, &to);
	host_compare((void *)from, p->copy + (from - start), to - from,
	    &differ);
	if (differ) {
		host_copy((void *)from, p->copy + (from - start), to - from);
		w->age[page] = 0;
	} else if (++w->age[page] == AGE_MAX) {
		w->age[page] = 0;
		run_add(run, HOST_PAGE_DOWN(from));
	}
	return (differ);
}

static void
pages_restore(struct host_snapshot *s, struct world_range *w, struct piece *p)
{
	size_t words = (WORLD_PAGES(w, p->len) + 63) / 64;
	struct run run = { 0, 0 };

	for (size_t i = 0; i < words; i++) {
		uint64_t bits = p->differs[i];

		p->differs[i] = 0;
		for (; bits != 0; bits &= bits - 1) {
			size_t page = i * 64 + (size_t)__builtin_ctzll(bits);

			if (guarded(p->guards, page))
				continue;
			s->stats.compared++;
			s->stats.copied += page_restore(w, p, page, &run);
		}
	}
	world_protect_run(run.start, run.end);
}

/* All of it, whatever was written. */
static void
piece_restore(struct world_range *w, struct piece *p)
{
	uintptr_t from, to;

	if (p->guards == NULL) {
		if (p->len != 0)
			host_copy(w->r.start, p->copy, p->len);
		return;
	}
	for (size_t i = 0; i < WORLD_PAGES(w, p->len); i++) {
		if (guarded(p->guards, i))
			continue;
		page_bounds(w, p->len, i, &from, &to);
		host_copy((void *)from, p->copy + (from -
		    (uintptr_t)w->r.start), to - from);
	}
}

/* What was put to use since. */
static void
grown_reset(int i, struct world_range *w, struct piece *p)
{
	const struct host_snapshot *s;
	char *from = w->r.start + p->len, *to = w->r.start + w->high;
	char *whole = (char *)HOST_PAGE_UP(from);

	world_written(i, (HOST_PAGE_DOWN(from) - w->first) / HOST_PAGE,
	    SIZE_MAX);
	if (!w->r.shadow && to > whole && (size_t)(to - whole) >= DROP_MIN &&
	    madvise(whole, HOST_PAGE_UP(to) - (uintptr_t)whole,
	    MADV_DONTNEED) == 0)
		to = whole;
	host_fill(from, p->fill, (size_t)(to - from));
	w->high = p->len;
	for (s = world_snapshots; s != NULL; s = s->next)
		if (w->high < s->piece[i].len)
			w->high = s->piece[i].len;
}

void
host_snapshot_restore(struct host_snapshot *s)
{
	world_look();
	s->stats.restores++;
	s->stats.compared = s->stats.copied = 0;
	for (int i = 0; i < world_nranges; i++) {
		struct world_range *w = &world_ranges[i];
		struct piece *p = &s->piece[i];

		guards_restore(w, p);
		if (w->high > p->len)
			grown_reset(i, w, p);
		if (p->differs != NULL && host_world_tracks())
			pages_restore(s, w, p);
		else
			piece_restore(w, p);
	}
}
