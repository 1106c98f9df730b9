/* SPDX-License-Identifier: BSD-2-Clause */
/* Who goes on: at random, by priorities that change, in turn, as told. */
#include <string.h>

#include "xp.h"

/* xorshift64* */
uint64_t
xp_random(void)
{
	x.random ^= x.random >> 12;
	x.random ^= x.random << 25;
	x.random ^= x.random >> 27;
	return (x.random * 0x2545f4914f6cdd1du);
}

static unsigned
below(unsigned n)
{
	return ((unsigned)((xp_random() >> 32) * n >> 32));
}

/* The n-th of the set. */
static int
nth(uint64_t set, unsigned n)
{
	while (n-- > 0)
		set &= set - 1;
	return (__builtin_ctzll(set));
}

static int
any(uint64_t set)
{
	return (nth(set, below((unsigned)__builtin_popcountll(set))));
}

/* Now and then a thread goes on elsewhere. */
static struct xp_choice
somewhere(int thread)
{
	struct xp_choice c = { thread, -1 };

	int cpu;

	if (!x.o->migrate || x.ncpus == 1 || (xp_random() & 3) != 0 ||
	    xp_stays(thread))
		return (c);
	cpu = (int)below((unsigned)x.ncpus);
	if (xp_cpu_free(cpu))
		c.cpu = cpu;
	return (c);
}

static void
nothing(void)
{
}

static bool
enough(void)
{
	return (x.schedules < x.o->schedules);
}

/* ---- random walk: each schedule has its own mean length of a run */

static uint32_t walk_next;
static unsigned walk_mask;

static void
walk_step(void)
{
	walk_next = x.step + 1 + ((unsigned)(xp_random() >> 40) & walk_mask);
	x.ask = walk_next;
}

static bool
walk_begin(void)
{
	if (!enough())
		return (false);
	walk_mask = (1u << below(8)) - 1;
	walk_next = 0;
	return (true);
}

static struct xp_choice
walk_pick(uint64_t enabled, int cur, int def)
{
	(void)def;
	if (cur >= 0 && x.step < walk_next) {
		x.ask = walk_next;
		return ((struct xp_choice){ cur, -1 });
	}
	walk_step();
	return (somewhere(any(enabled)));
}

/*
 * ---- PCT (Burckhardt et al. 2010): random priorities; at depth - 1 random
 * steps the thread that runs falls below all others.  Every other schedule
 * draws these steps evenly from the threads, not from all steps: what is wrong
 * in a short thread would be found too seldom beside a long one.
 */

#define PCT_CHANGES 32
struct pct_change {
	int	 thread;	/* XP_NONE: whoever runs then */
	uint32_t at;
	bool	 done;
};
static struct pct_change pct_changes[PCT_CHANGES];
static unsigned pct_n, pct_below, pct_priority[VNX_THREADS];
static uint32_t pct_length[VNX_THREADS + 1];	/* longest seen; the last: all */

static void
pct_reset(void)
{
	for (int i = 0; i <= VNX_THREADS; i++)
		pct_length[i] = 16;
}

static void
pct_draw(struct pct_change *c, bool evenly)
{
	int t = VNX_THREADS;

	c->thread = XP_NONE;
	if (evenly)
		c->thread = t = (int)below((unsigned)x.ntest);
	c->at = 1 + below(pct_length[t]);
	c->done = false;
}

static bool
pct_begin(void)
{
	if (!enough())
		return (false);
	if (x.schedules == 0)
		pct_reset();
	pct_n = (unsigned)x.o->depth - 1;
	pct_below = PCT_CHANGES;
	for (int i = 0; i < VNX_THREADS; i++)
		pct_priority[i] = PCT_CHANGES + 1 +
		    (unsigned)(xp_random() >> 33);
	for (unsigned i = 0; i < pct_n; i++)
		pct_draw(&pct_changes[i], (x.schedules & 1) != 0);
	return (true);
}

/* How many steps until this change, seen from the thread that runs. */
static uint32_t
pct_until(const struct pct_change *c)
{
	uint32_t now = c->thread == XP_NONE ? x.step :
	    x.thread[c->thread].steps;

	if (c->done || (c->thread != XP_NONE && c->thread != x.cur))
		return (UINT32_MAX);
	return (c->at > now ? c->at - now : 0);
}

static int
pct_best(uint64_t enabled)
{
	int best = __builtin_ctzll(enabled);

	for (uint64_t m = enabled; m != 0; m &= m - 1) {
		int i = __builtin_ctzll(m);

		if (pct_priority[i] > pct_priority[best])
			best = i;
	}
	return (best);
}

static struct xp_choice
pct_pick(uint64_t enabled, int cur, int def)
{
	uint32_t next = UINT32_MAX - x.step, until;
	int was = x.cur, to;

	(void)cur;
	(void)def;
	for (unsigned i = 0; i < pct_n; i++)
		if (was >= 0 && pct_until(&pct_changes[i]) == 0) {
			pct_changes[i].done = true;
			pct_priority[was] = pct_below--;
		}
	to = pct_best(enabled);
	x.cur = to;
	for (unsigned i = 0; i < pct_n; i++)
		if ((until = pct_until(&pct_changes[i])) < next)
			next = until;
	x.cur = was;
	x.ask = x.step + next;
	return (somewhere(to));
}

static void
pct_end(void)
{
	for (int i = 0; i < x.nthreads; i++)
		if (x.thread[i].steps > pct_length[i])
			pct_length[i] = x.thread[i].steps;
	if (x.step > pct_length[VNX_THREADS])
		pct_length[VNX_THREADS] = x.step;
}

/* ---- round robin */

static uint32_t turn_next, turn_length;

static bool
turn_begin(void)
{
	/* From the second on, other lengths of the turns. */
	turn_length = (uint32_t)x.o->quantum + (uint32_t)x.schedules;
	turn_next = 0;
	return (enough());
}

static struct xp_choice
turn_pick(uint64_t enabled, int cur, int def)
{
	uint64_t above;
	int to = def;

	if (cur >= 0 && x.step >= turn_next && turn_next != 0) {
		above = cur < VNX_THREADS - 1 ?
		    enabled & ~(BIT(cur + 1) - 1) : 0;
		to = __builtin_ctzll(above != 0 ? above : enabled);
	}
	if (to != cur || x.step >= turn_next)
		turn_next = x.step + turn_length;
	x.ask = turn_next;
	return ((struct xp_choice){ to, -1 });
}

/* ---- replay */

static struct xp_schedule replay;
static unsigned replay_at;

void
xp_replay_set(const struct xp_schedule *s)
{
	xp_schedule_copy(&replay, s);
}

static bool
replay_begin(void)
{
	replay_at = 0;
	return (true);
}

static struct xp_choice
replay_pick(uint64_t enabled, int cur, int def)
{
	struct xp_choice c = { def, -1 };
	const struct xp_deviation *d;

	(void)cur;
	while (replay_at < replay.n && replay.dev[replay_at].step < x.step)
		replay_at++;
	if (replay_at < replay.n && replay.dev[replay_at].step == x.step) {
		d = &replay.dev[replay_at++];
		if (d->thread < VNX_THREADS &&
		    (enabled & BIT(d->thread)) != 0)
			c = (struct xp_choice){ d->thread, d->cpu };
		else
			x.lost = x.lost != 0 ? x.lost : x.step;
	}
	x.ask = replay_at < replay.n ? replay.dev[replay_at].step :
	    UINT32_MAX;
	return (c);
}

/* ---- all */

static const struct xp_strategy walk =
    { "random", walk_begin, walk_pick, nothing, false };
static const struct xp_strategy pct =
    { "pct", pct_begin, pct_pick, pct_end, false };
static const struct xp_strategy turn =
    { "round robin", turn_begin, turn_pick, nothing, false };
const struct xp_strategy xp_replay =
    { "replay", replay_begin, replay_pick, nothing, false };

const struct xp_strategy *
xp_strategy_of(enum libvnet_strategy s)
{
	switch (s) {
	case LIBVNET_PCT:
		return (&pct);
	case LIBVNET_DFS:
		return (&xp_dfs);
	case LIBVNET_ROUND_ROBIN:
		return (&turn);
	default:
		return (&walk);
	}
}
