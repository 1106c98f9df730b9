/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The last accesses of each place, and what races with them.
 *
 * An access is remembered with its thread's own time (clock.c); a later one of
 * another thread that does not know of that time, where one of them writes, is
 * a race.  A place is 8 bytes; it keeps the last few accesses, so a race may
 * be missed and none is made up.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coroutine.h"
#include "xp.h"

/* ---- places */

#define SLOTS 4
struct seen {
	uintptr_t pc;
	uint32_t time;
	uint32_t locks;
	uint8_t	 thread, kind, bytes, cpu;
	bool	 used, critical;
};
struct place {
	uintptr_t key;
	uint32_t generation;
	unsigned next;
	uint64_t readers, writers;
	struct seen seen[SLOTS];
};
static struct place *places;
static unsigned places_room, nplaces;

static struct place *
place_slot(uintptr_t key)
{
	unsigned i = (unsigned)(key * 0x9e3779b97f4a7c15u >> 40);

	for (;; i++) {
		struct place *p = &places[i & (places_room - 1)];

		if (p->generation != xp_generation || p->key == key)
			return (p);
	}
}

static void
places_grow(void)
{
	struct place *old = places;
	unsigned n = places_room;

	places_room = n != 0 ? 2 * n : 1024;
	places = calloc(places_room, sizeof(*places));
	if (places == NULL)
		abort();
	for (unsigned i = 0; i < n; i++)
		if (old[i].generation == xp_generation)
			*place_slot(old[i].key) = old[i];
	free(old);
}

static struct place *
place_of(uintptr_t key)
{
	struct place *p;

	if (2 * nplaces >= places_room)
		places_grow();
	p = place_slot(key);
	if (p->generation != xp_generation) {
		memset(p, 0, sizeof(*p));
		p->key = key;
		p->generation = xp_generation;
		nplaces++;
	}
	return (p);
}

void
xp_race_reset(void)
{
	xp_generation++;
	xp_clock_reset();
	nplaces = 0;
	xp_held_reset();
}

/* ---- races */

static void
describe(char *buf, size_t size, const struct seen *s)
{
	char locks[160];

	xp_held_names(s->locks, locks, sizeof(locks));
	snprintf(buf, size, "thread \"%s\" on CPU %d %s%s in %s, %s%s",
	    x.thread[s->thread].name, s->cpu,
	    (s->kind & XP_ATOMIC) != 0 ? "atomically " : "",
	    (s->kind & XP_FREES) != 0 ? "frees it" : XP_ISWRITE(s->kind) ?
	    "writes" : "reads", host_symbol(s->pc),
	    locks, s->critical ? ", in a critical section" : "");
}

/* The one that ended this schedule. */
static struct {
	uintptr_t addr;
	struct seen old, new;
	int	 cpu;
} raced;

static void
race(uintptr_t addr, const struct seen *old, const struct seen *new, int cpu)
{
	raced.addr = addr;
	raced.old = *old;
	raced.new = *new;
	raced.cpu = cpu;
	xp_stop(cpu >= 0 ? XP_PERCPU : XP_RACE, "a race");
}

/* For home: to find functions and lines takes more stack than a thread has. */
void
xp_race_describe(char *buf, size_t size)
{
	char a[420], b[420], place[200];

	describe(a, sizeof(a), &raced.old);
	describe(b, sizeof(b), &raced.new);
	xp_place(raced.addr, place, sizeof(place));
	if (raced.cpu >= 0)
		snprintf(buf, size, "unprotected per-CPU update: data of CPU "
		    "%d at %s: %s; %s", raced.cpu, place, a, b);
	else
		snprintf(buf, size, "data race at %s: %s; %s; nothing "
		    "orders them", place, a, b);
}

/* Of two that conflict: do we let it pass as a habit of kernel code? */
static bool
habit(uintptr_t addr, const struct seen *a, const struct seen *b, int *cpu)
{
	const struct seen *r = !XP_ISWRITE(a->kind) ? a :
	    !XP_ISWRITE(b->kind) ? b : NULL;
	const struct seen *w = r == a ? b : a;

	*cpu = vnk_explorer_percpu((const void *)addr);
	if (x.o->strict || r == NULL)
		return (false);
	if ((w->kind & XP_ATOMIC) != 0)
		return (true);
	/* Adding up what CPUs have counted. */
	return (*cpu >= 0 && r->cpu != *cpu);
}

/* ---- places that the test knows of */

#define IGNORED_MAX 512
static struct host_regex *ignored;
static struct {
	uintptr_t pc;
	bool	 is;
} ignored_pcs[IGNORED_MAX];		/* as asked so far */

const char *
xp_race_ignore(const char *pattern)
{
	static char reason[128];

	if (ignored != NULL)
		host_regex_free(ignored);
	ignored = NULL;
	memset(ignored_pcs, 0, sizeof(ignored_pcs));
	if (pattern == NULL)
		return (NULL);
	ignored = host_regex_new(pattern, reason, sizeof(reason));
	return (ignored == NULL ? reason : NULL);
}

static void
look_up(void *arg)
{
	unsigned i = *(unsigned *)arg;

	ignored_pcs[i].is = host_regex_matches(ignored,
	    host_symbol(ignored_pcs[i].pc));
}

static bool
ignores(uintptr_t pc)
{
	unsigned i = (unsigned)(pc * 0x9e3779b97f4a7c15u >> 40) % IGNORED_MAX;

	if (ignored_pcs[i].pc != pc) {
		ignored_pcs[i].pc = pc;
		host_home_call(look_up, &i);
	}
	return (ignored_pcs[i].is);
}

static void
compare(uintptr_t addr, struct place *p, const struct seen *new)
{
	const uint32_t *known = xp_clocks[x.cur];
	int cpu;

	for (int i = 0; i < SLOTS; i++) {
		const struct seen *old = &p->seen[i];

		if (!old->used || old->thread == new->thread ||
		    (old->bytes & new->bytes) == 0 ||
		    !XP_ISWRITE(old->kind | new->kind) ||
		    (old->kind & new->kind & XP_ATOMIC) != 0 ||
		    known[old->thread] >= old->time)
			continue;
		if (habit(addr, old, new, &cpu) || (ignored != NULL &&
		    (ignores(old->pc) || ignores(new->pc))))
			continue;
		race(addr, old, new, cpu);
		return;
	}
}

static void
remember(struct place *p, const struct seen *new)
{
	int free = -1;

	for (int i = 0; i < SLOTS; i++) {
		struct seen *s = &p->seen[i];

		if (!s->used) {
			free = free < 0 ? i : free;
			continue;
		}
		if (s->thread == new->thread && s->kind == new->kind &&
		    s->bytes == new->bytes) {
			*s = *new;
			return;
		}
		if (xp_clocks[x.cur][s->thread] >= s->time &&
		    s->thread != new->thread)
			free = i;	/* ordered before: never news again */
	}
	if (free < 0)
		free = (int)(p->next++ % SLOTS);
	p->seen[free] = *new;
}

static void
place_access(uintptr_t granule, unsigned bytes, struct seen *new)
{
	struct place *p = place_of(granule);
	uint64_t me = BIT(x.cur);
	bool write = XP_ISWRITE(new->kind);

	if (x.strategy->filters && ((p->writers & ~me) != 0 ||
	    (write && (p->readers & ~me) != 0)))
		xp_conflict_add(granule);
	if (write)
		p->writers |= me;
	else
		p->readers |= me;
	if (!x.races)
		return;
	new->bytes = (uint8_t)bytes;
	compare(granule << 3, p, new);
	remember(p, new);
}

void
xp_race_access(uintptr_t addr, unsigned size, unsigned kind, uintptr_t pc)
{
	const struct xp_thread *t = &x.thread[x.cur];
	struct seen new = { .pc = pc, .time = xp_clocks[x.cur][x.cur],
	    .locks = t->locks, .thread = (uint8_t)x.cur,
	    .kind = (uint8_t)kind, .cpu = (uint8_t)t->cpu, .used = true,
	    .critical = t->critical > 0 };
	uintptr_t end = addr + size;

	for (uintptr_t g = addr >> 3; g <= (end - 1) >> 3; g++) {
		unsigned from = g << 3 < addr ? (unsigned)(addr & 7) : 0;
		unsigned to = (g + 1) << 3 > end ? (unsigned)(end & 7) : 8;

		place_access(g, (1u << to) - (1u << from), &new);
	}
}

static void
place_forget(struct place *p)
{
	p->readers = p->writers = 0;
	memset(p->seen, 0, sizeof(p->seen));
}

void
xp_race_forget(uintptr_t addr, size_t size)
{
	uintptr_t first = addr >> 3, last = (addr + size - 1) >> 3;

	if (size == 0 || places_room == 0)
		return;
	if (last - first < places_room) {
		for (uintptr_t g = first; g <= last; g++) {
			struct place *p = place_slot(g);

			if (p->generation == xp_generation)
				place_forget(p);
		}
		return;
	}
	for (unsigned i = 0; i < places_room; i++)
		if (places[i].generation == xp_generation &&
		    places[i].key >= first && places[i].key <= last)
			place_forget(&places[i]);
}
