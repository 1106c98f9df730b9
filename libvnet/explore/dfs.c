/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every schedule with at most so many preemptions, depth first.
 *
 * Each run repeats the choices of the last up to the deepest one that has an
 * alternative left, takes that, and goes on by default.
 *
 * The reduction.  Threads are preempted before accesses of places that
 * threads conflict about (two of them, one writing) and at events only.  A
 * preemption before any other access can be put off to the thread's next such
 * place without anybody seeing it, and their number does not grow.  Which
 * places these are is learned on the way: a conflict about another place
 * begins the search anew.  So the search that ends is one in which no explored
 * schedule had a conflict about a place that is not among them.  Claim: then
 * no schedule has one.  Take the first such access in any schedule; all
 * preemptions before it can be put off, which makes the beginning of an
 * explored schedule, and in that one both accesses happen.
 *
 * All of this is about what instrumented code does and what kernel world tells
 * of.  The rest of libvnet/kern runs in one piece: that the order of two
 * allocations, say, makes no difference is taken for granted.
 */
#include <stdlib.h>
#include <string.h>

#include "xp.h"

struct node {
	uint32_t step;
	int16_t	 chosen;
	int16_t	 cpu;
	uint64_t left;		/* threads not tried yet */
	unsigned preemptions;	/* so far, without this choice */
	bool	 could;		/* the current thread could go on */
	int8_t	 cur;
};

static struct node *nodes;
static unsigned nnodes, room, at;
static bool complete, learned;

/* Places of conflict: a table of granules of 8 bytes. */
static uintptr_t *places;
static unsigned nplaces, places_room;

bool
xp_dfs_complete(void)
{
	return (complete);
}

void
xp_dfs_reset(void)
{
	nnodes = 0;
	complete = learned = false;
	nplaces = 0;
	if (places != NULL)
		memset(places, 0, places_room * sizeof(*places));
}

/* ---- places */

static unsigned
place_of(uintptr_t granule)
{
	unsigned i = (unsigned)(granule * 0x9e3779b97f4a7c15u >> 32) &
	    (places_room - 1);

	while (places[i] != 0 && places[i] != granule)
		i = (i + 1) & (places_room - 1);
	return (i);
}

static void
places_grow(void)
{
	uintptr_t *old = places;
	unsigned n = places_room;

	places_room = n != 0 ? 2 * n : 256;
	places = calloc(places_room, sizeof(*places));
	if (places == NULL)
		abort();
	for (unsigned i = 0; i < n; i++)
		if (old[i] != 0)
			places[place_of(old[i])] = old[i];
	free(old);
}

void
xp_conflict_add(uintptr_t granule)
{
	unsigned i;

	if (2 * nplaces >= places_room)
		places_grow();
	i = place_of(granule);
	if (places[i] != 0)
		return;
	places[i] = granule;
	nplaces++;
	learned = true;
}

bool
xp_conflicts(uintptr_t addr, unsigned size)
{
	if (places_room == 0)
		return (false);
	for (uintptr_t g = addr >> 3; g <= (addr + size - 1) >> 3; g++)
		if (places[place_of(g)] != 0)
			return (true);
	return (false);
}

/* ---- the tree */

static unsigned
costs(const struct node *n, int thread)
{
	return (n->could && thread != n->cur ? 1 : 0);
}

static bool
allowed(const struct node *n, int thread)
{
	return (x.o->preemptions < 0 ||
	    n->preemptions + costs(n, thread) <= (unsigned)x.o->preemptions);
}

static bool
dfs_begin(void)
{
	if (x.schedules >= x.o->schedules)
		return (false);
	at = 0;
	if (learned) {			/* see above */
		nnodes = 0;
		learned = false;
		return (true);
	}
	if (x.schedules == 0)
		return (true);
	for (; nnodes > 0; nnodes--) {
		struct node *n = &nodes[nnodes - 1];

		for (; n->left != 0; n->left &= n->left - 1) {
			int i = __builtin_ctzll(n->left);

			if (!allowed(n, i))
				continue;
			n->chosen = (int16_t)i;
			n->left &= n->left - 1;
			return (true);
		}
	}
	complete = true;
	return (false);
}

static struct node *
node_new(void)
{
	if (nnodes == room) {
		room = room != 0 ? 2 * room : 1024;
		nodes = realloc(nodes, room * sizeof(*nodes));
		if (nodes == NULL)
			abort();
	}
	return (&nodes[nnodes++]);
}

static struct xp_choice
dfs_pick(uint64_t enabled, int cur, int def)
{
	struct node *n;

	x.ask = 0;
	if (at < nnodes) {
		n = &nodes[at];
		if (n->step != x.step)
			return ((struct xp_choice){ def, -1 });
		at++;
		return ((struct xp_choice){ n->chosen, -1 });
	}
	if ((enabled & (enabled - 1)) == 0)
		return ((struct xp_choice){ def, -1 });
	n = node_new();
	at = nnodes;
	*n = (struct node){ .step = x.step, .chosen = (int16_t)def,
	    .cpu = -1, .left = enabled & ~BIT(def),
	    .preemptions = x.preemptions, .could = cur >= 0,
	    .cur = (int8_t)cur };
	if (x.o->preemptions >= 0 && n->could &&
	    n->preemptions >= (unsigned)x.o->preemptions) {
		nnodes--;	/* no alternative is allowed */
		at = nnodes;
	}
	return ((struct xp_choice){ def, -1 });
}

static void
nothing(void)
{
}

const struct xp_strategy xp_dfs =
    { "depth first", dfs_begin, dfs_pick, nothing, true };
