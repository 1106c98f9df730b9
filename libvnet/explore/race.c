/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Who has seen what: vector clocks, and the last accesses of each place.
 *
 * clock[t][u] is how far thread t knows thread u.  Whatever orders threads
 * (a lock, an atomic, an epoch, ...) has a clock as well: who releases leaves
 * his there, who acquires takes it over.  An access is remembered with its
 * thread's own time; a later one of another thread that does not know of that
 * time, where one of them writes, is a race.  A place is 8 bytes; it keeps
 * the last few accesses, so a race may be missed and none is made up.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xp.h"

typedef uint32_t vclock[VNX_THREADS];

static vclock clocks[VNX_THREADS];
static vclock fence_rel[VNX_THREADS], fence_acq[VNX_THREADS];
static uint32_t generation;

static void
join(uint32_t *to, const uint32_t *from)
{
	for (int i = 0; i < x.nthreads; i++)
		if (to[i] < from[i])
			to[i] = from[i];
}

/* ---- what orders threads */

struct sync {
	uintptr_t key;
	uint32_t generation;
	vclock	 w, r;		/* left by all; by those that shared it */
};
static struct sync *syncs;
static unsigned syncs_room, nsyncs;

static struct sync *
sync_slot(uintptr_t key)
{
	unsigned i = (unsigned)(key * 0x9e3779b97f4a7c15u >> 40);

	for (;; i++) {
		struct sync *s = &syncs[i & (syncs_room - 1)];

		if (s->generation != generation || s->key == key)
			return (s);
	}
}

static void
syncs_grow(void)
{
	struct sync *old = syncs;
	unsigned n = syncs_room;

	syncs_room = n != 0 ? 2 * n : 256;
	syncs = calloc(syncs_room, sizeof(*syncs));
	if (syncs == NULL)
		abort();
	for (unsigned i = 0; i < n; i++)
		if (old[i].generation == generation)
			*sync_slot(old[i].key) = old[i];
	free(old);
}

static struct sync *
sync_of(const void *object)
{
	struct sync *s;

	if (2 * nsyncs >= syncs_room)
		syncs_grow();
	s = sync_slot((uintptr_t)object);
	if (s->generation != generation) {
		memset(s, 0, sizeof(*s));
		s->generation = generation;
		s->key = (uintptr_t)object;
		nsyncs++;
	}
	return (s);
}

static void
acquire(const void *object, bool shared)
{
	struct sync *s = sync_of(object);

	join(clocks[x.cur], s->w);
	if (!shared)
		join(clocks[x.cur], s->r);
}

static void
release(const void *object, bool shared)
{
	struct sync *s = sync_of(object);

	join(shared ? s->r : s->w, clocks[x.cur]);
	clocks[x.cur][x.cur]++;
}

void
xp_race_begin(int id)
{
	memset(clocks[id], 0, sizeof(clocks[id]));
	memset(fence_rel[id], 0, sizeof(fence_rel[id]));
	memset(fence_acq[id], 0, sizeof(fence_acq[id]));
	if (x.cur >= 0) {
		memcpy(clocks[id], clocks[x.cur], sizeof(clocks[id]));
		clocks[x.cur][x.cur]++;
	}
	clocks[id][id] = 1;
}

static void
took(int event, const void *object)
{
	acquire(object, event == VNH_EV_RLOCKED);
	xp_held(object, vnk_explorer_name(event, object), true);
}

static void
gave_back(int event, const void *object)
{
	release(object, event == VNH_EV_RUNLOCK);
	xp_held(object, NULL, false);
}

void
xp_race_event(int event, const void *object)
{
	switch (event) {
	case VNH_EV_LOCKED:
	case VNH_EV_RLOCKED:
	case VNH_EV_SPUN:
		took(event, object);
		break;
	case VNH_EV_UNLOCK:
	case VNH_EV_RUNLOCK:
	case VNH_EV_UNSPIN:
		gave_back(event, object);
		break;
	case VNH_EV_EPOCH_WAITED:
	case VNH_EV_EPOCH_CALLBACK:
	case VNH_EV_WOKEN:
		acquire(object, false);
		break;
	case VNH_EV_EPOCH_EXIT:
	case VNH_EV_EPOCH_CALLING:
	case VNH_EV_WAKING:
	case VNH_EV_EXIT:
		release(object, false);
		break;
	case VNH_EV_CRITICAL_ENTER:
	case VNH_EV_INTR_ENTER:
		acquire(&x.holder[x.thread[x.cur].cpu], false);
		break;
	case VNH_EV_CRITICAL_EXIT:
	case VNH_EV_INTR_EXIT:
		release(&x.holder[x.thread[x.cur].cpu], false);
		break;
	}
}

/* ---- atomics, as C11 has it */

static bool
acquires(int order)
{
	return (order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE);
}

static bool
releases(int order)
{
	return (order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL ||
	    order == __ATOMIC_SEQ_CST);
}

void
xp_race_atomic(uintptr_t addr, bool load, bool store, int order)
{
	struct sync *s;

	if (x.cur < 0)
		return;
	s = sync_of((const void *)addr);
	if (load)
		join(acquires(order) ? clocks[x.cur] : fence_acq[x.cur],
		    s->w);
	if (!store)
		return;
	if (!load)			/* nobody else's is left */
		memset(s->w, 0, sizeof(s->w));
	join(s->w, releases(order) ? clocks[x.cur] : fence_rel[x.cur]);
	clocks[x.cur][x.cur]++;
}

void
xp_race_fence(int order)
{
	if (x.cur < 0)
		return;
	if (acquires(order))
		join(clocks[x.cur], fence_acq[x.cur]);
	if (releases(order)) {
		memcpy(fence_rel[x.cur], clocks[x.cur],
		    sizeof(fence_rel[0]));
		clocks[x.cur][x.cur]++;
	}
}

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

		if (p->generation != generation || p->key == key)
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
		if (old[i].generation == generation)
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
	if (p->generation != generation) {
		memset(p, 0, sizeof(*p));
		p->key = key;
		p->generation = generation;
		nplaces++;
	}
	return (p);
}

void
xp_race_reset(void)
{
	generation++;
	nplaces = nsyncs = 0;
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

static void
compare(uintptr_t addr, struct place *p, const struct seen *new)
{
	const uint32_t *known = clocks[x.cur];
	int cpu;

	for (int i = 0; i < SLOTS; i++) {
		const struct seen *old = &p->seen[i];

		if (!old->used || old->thread == new->thread ||
		    (old->bytes & new->bytes) == 0 ||
		    !XP_ISWRITE(old->kind | new->kind) ||
		    (old->kind & new->kind & XP_ATOMIC) != 0 ||
		    known[old->thread] >= old->time)
			continue;
		if (habit(addr, old, new, &cpu))
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
		if (clocks[x.cur][s->thread] >= s->time &&
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
	struct seen new = { .pc = pc, .time = clocks[x.cur][x.cur],
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

			if (p->generation == generation)
				place_forget(p);
		}
		return;
	}
	for (unsigned i = 0; i < places_room; i++)
		if (places[i].generation == generation &&
		    places[i].key >= first && places[i].key <= last)
			place_forget(&places[i]);
}
