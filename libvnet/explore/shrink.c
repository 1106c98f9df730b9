/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A failing schedule made shorter, while it fails in the same way.
 *
 * It is taken as a row of stretches, each a thread and how many accesses and
 * events it comes to.  A stretch is put off to the next of its thread, or
 * drawn into the one before: either way two switches less.  What came of it
 * is written down anew, as what differs from the default.  Then, if there is
 * more than one preemption left, a search for a failure with fewer.
 */
#include <stdlib.h>
#include <string.h>

#include "xp.h"

#define TRIES 400
#define STEPS 5000000		/* of all tries */

static struct xp_stretch *try;
static unsigned ntry, room, at, left;
static unsigned long steps;

static bool
stretch_begin(void)
{
	at = left = 0;
	return (true);
}

static struct xp_choice
stretch_pick(uint64_t enabled, int cur, int def)
{
	x.ask = 0;
	if (cur >= 0 && left > 0) {
		left--;
		return ((struct xp_choice){ cur, -1 });
	}
	while (at < ntry) {
		const struct xp_stretch *s = &try[at++];

		if ((enabled & BIT(s->thread)) == 0)
			continue;
		left = s->n;
		/* Stopped before an access: that is the first. */
		if (x.thread[s->thread].stopped && left > 0)
			left--;
		return ((struct xp_choice){ s->thread, -1 });
	}
	return ((struct xp_choice){ def, -1 });
}

static void
nothing(void)
{
}

static const struct xp_strategy stretches =
    { "stretches", stretch_begin, stretch_pick, nothing, false };

/* The row without stretch `i'; false where there is none to join. */
static bool
without(const struct xp_stretch *s, unsigned n, unsigned i, bool later)
{
	unsigned j = i;

	if (room < n) {
		room = n;
		try = realloc(try, room * sizeof(*try));
		if (try == NULL)
			abort();
	}
	do {
		if (later ? j + 1 >= n : j == 0)
			return (false);
		j = later ? j + 1 : j - 1;
	} while (s[j].thread != s[i].thread);
	memcpy(try, s, n * sizeof(*s));
	try[j].n += s[i].n;
	memmove(&try[i], &try[i + 1], (n - i - 1) * sizeof(*s));
	ntry = n - 1;
	/* Neighbours of one thread are one. */
	if (i > 0 && i < ntry && try[i - 1].thread == try[i].thread) {
		try[i - 1].n += try[i].n;
		memmove(&try[i], &try[i + 1], (ntry - i - 1) * sizeof(*s));
		ntry--;
	}
	return (true);
}

static bool
better(unsigned preemptions, unsigned switches, unsigned ndev,
    const struct xp_schedule *best)
{
	if (x.preemptions != preemptions)
		return (x.preemptions < preemptions);
	if (x.switches != switches)
		return (x.switches < switches);
	(void)ndev;
	return (x.sched.n < best->n);
}

/* One stretch less, if that is possible. */
static bool
step(struct xp_schedule *best, enum xp_verdict v, unsigned *tries,
    unsigned *preemptions, unsigned *switches)
{
	static struct xp_stretch *row;
	unsigned n;

	free(row);
	row = xp_stretches(&n);
	for (unsigned i = n; i-- > 0;)
		for (int later = 0; later < 2; later++) {
			if (!without(row, n, i, later != 0))
				continue;
			if (++*tries > TRIES || steps > STEPS)
				return (false);
			x.strategy = &stretches;
			(void)stretch_begin();
			steps += x.step;
			if (xp_run() != v || !better(*preemptions, *switches,
			    0, best))
				continue;
			xp_schedule_copy(best, &x.sched);
			*preemptions = x.preemptions;
			*switches = x.switches;
			return (true);
		}
	return (false);
}

void
xp_shrink(struct xp_schedule *s, enum xp_verdict v)
{
	unsigned tries = 0, preemptions, switches;

	steps = 0;
	x.trace = true;
	if (xp_replay_run(s) == v) {
		preemptions = x.preemptions;
		switches = x.switches;
		while (step(s, v, &tries, &preemptions, &switches) &&
		    preemptions + switches > 1)
			;
		if (preemptions > 0)
			xp_search_fewer(s, v, preemptions, switches);
	}
	x.trace = false;
}
