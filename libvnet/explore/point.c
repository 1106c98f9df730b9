/* SPDX-License-Identifier: BSD-2-Clause */
/* At a step of a schedule: who could go on, and that somebody else does. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xp.h"

#define IDLE_EVENTS 2000	/* in a row that wake nobody: none will */

void
xp_schedule_reset(void)
{
	x.step = 0;
	x.ask = 1;
	x.hash = 2166136261u;
	x.full = 0;
	x.cur = x.next = XP_NONE;
	x.ready = x.blocked = x.gone = x.waits = 0;
	x.nthreads = 0;
	x.verdict = XP_RUNNING;
	x.message[0] = '\0';
	x.switches = x.preemptions = x.idle_events = x.early = 0;
	x.sched.n = 0;
	x.lost = 0;
	for (int i = 0; i < x.ncpus; i++)
		x.holder[i] = XP_NONE;
}

void
xp_stop(enum xp_verdict v, const char *fmt, ...)
{
	va_list ap;

	if (x.verdict != XP_RUNNING)
		return;
	x.verdict = v;
	va_start(ap, fmt);
	vsnprintf(x.message, sizeof(x.message), fmt, ap);
	va_end(ap);
	x.ask = 0;
}

/* ---- who could go on */

/* Polls anything: worth another look once somebody else did something. */
static uint64_t
pollers(void)
{
	uint64_t mask = 0;

	for (uint64_t m = x.blocked; m != 0; m &= m - 1) {
		int i = __builtin_ctzll(m);

		if (x.thread[i].blocked == NULL && x.thread[i].seen != x.step)
			mask |= BIT(i);
	}
	return (mask);
}

/* A thread that keeps its CPU keeps all others from it. */
static uint64_t
cpus_allow(uint64_t mask)
{
	uint64_t held = 0;

	for (int c = 0; c < x.ncpus; c++)
		if (x.holder[c] >= 0)
			held = 1;
	if (held == 0)
		return (mask);
	for (uint64_t m = mask; m != 0; m &= m - 1) {
		int i = __builtin_ctzll(m), h = x.holder[x.thread[i].cpu];

		if (h >= 0 && h != i)
			mask &= ~BIT(i);
	}
	return (mask);
}

bool
xp_cpu_free(int cpu)
{
	return (cpu >= 0 && cpu < x.ncpus && x.holder[cpu] == XP_NONE &&
	    !vnk_explorer_cpu_absent(cpu));
}

/* In the middle of an instruction, too. */
bool
xp_stays(int thread)
{
	return (x.thread[thread].critical > 0 || vnk_explorer_stays(thread));
}

/* Who asked in vain lets those go first that could. */
static uint64_t
fair(uint64_t mask)
{
	uint64_t back = 0;

	for (uint64_t m = x.waits & mask; m != 0; m &= m - 1) {
		int i = __builtin_ctzll(m);

		if ((x.thread[i].before & mask & ~BIT(i)) != 0)
			back |= BIT(i);
	}
	return (mask != back ? mask & ~back : mask);
}

uint64_t
xp_enabled(void)
{
	uint64_t mask = x.ready & ~x.blocked;

	if (x.blocked != 0)
		mask |= x.ready & pollers();
	mask &= ~BIT(XP_EVENTS);
	mask = cpus_allow(mask);
	if (x.waits != 0)
		mask = fair(mask);
	return (mask);
}

/* Events come when the strategy wants them, and when nobody can go on. */
static uint64_t
with_events(uint64_t mask)
{
	const struct xp_thread *t = &x.thread[XP_EVENTS];
	uint64_t bit = BIT(XP_EVENTS);

	if ((x.ready & bit) == 0)
		return (mask);
	if (t->idle) {
		if (mask != 0 && (int)x.early >= x.o->events)
			return (mask);
		return (vnk_explorer_event_due() ? mask | bit : mask);
	}
	if ((x.blocked & bit) == 0 || (t->blocked == NULL &&
	    t->seen != x.step))
		return (mask | cpus_allow(bit));
	return (mask);
}

static int
default_of(uint64_t mask, int cur)
{
	uint64_t others = mask & ~BIT(XP_EVENTS), above;

	if (cur >= 0 && (mask & BIT(cur)) != 0)
		return (cur);
	if (others == 0)
		return (XP_EVENTS);
	above = cur >= 0 ? others & ~(BIT(cur + 1) - 1) : others;
	if (cur == VNX_THREADS - 1)
		above = 0;
	return (__builtin_ctzll(above != 0 ? above : others));
}

/* ---- going on */

static void
deviate(struct xp_choice c)
{
	struct xp_schedule *s = &x.sched;

	if (s->n == s->room) {
		s->room = s->room != 0 ? 2 * s->room : 1024;
		s->dev = realloc(s->dev, s->room * sizeof(*s->dev));
		if (s->dev == NULL)
			abort();
	}
	s->dev[s->n++] = (struct xp_deviation){ x.step, (int16_t)c.thread,
	    (int16_t)c.cpu };
}

static void
migrate(struct xp_choice c)
{
	if (c.cpu < 0 || c.cpu == x.thread[c.thread].cpu)
		return;
	if (!xp_cpu_free(c.cpu) || xp_stays(c.thread)) {
		x.lost = x.lost != 0 ? x.lost : x.step;
		return;		/* a token's, which is not of this code */
	}
	vnk_explorer_migrate(c.thread, c.cpu);
	x.thread[c.thread].cpu = c.cpu;
}

/* The thread `to' goes on after `from' (XP_NONE: it could not). */
static void
came_to_run(int to, int from)
{
	uint64_t bit = BIT(to);

	x.blocked &= ~bit;
	x.thread[to].idle = false;
	if (to != x.cur) {
		x.switches++;
		if (from >= 0)
			x.preemptions++;
	}
	for (uint64_t m = x.waits & ~bit; m != 0; m &= m - 1) {
		int i = __builtin_ctzll(m);

		x.thread[i].before &= ~bit;
		if (x.thread[i].before == 0)
			x.waits &= ~BIT(i);
	}
	x.cur = to;
}

/* Whom the strategy chooses; `cur' is XP_NONE where it cannot go on. */
static int
decide(uint64_t mask, int cur)
{
	struct xp_choice c;
	int def = default_of(mask, x.cur);

	c = x.strategy->pick(mask, cur, def);
	if (c.thread != def || c.cpu >= 0)
		deviate(c);
	migrate(c);
	if (c.thread == XP_EVENTS && x.thread[XP_EVENTS].idle &&
	    (mask & ~BIT(XP_EVENTS)) != 0)
		x.early++;
	if (x.ask > x.budget)
		x.ask = x.budget + 1;
	return (c.thread);
}

static void
over_budget(void)
{
	char who[400];

	vnk_explorer_waiters(who, sizeof(who));
	xp_stop(XP_LIVELOCK, "livelock: %u steps, and thread \"%s\" still "
	    "runs%s", x.step, x.thread[x.cur].name, who);
}

void
xp_go_home(void)
{
	x.next = VNX_HOME;
	vnk_explorer_switch();
	abort();
}

/* The current thread could go on: does it? */
void
xp_ask(void)
{
	struct xp_thread *self = &x.thread[x.cur];
	uint64_t mask;
	int to;

	if (x.verdict != XP_RUNNING)
		xp_go_home();
	if (x.step > x.budget) {
		over_budget();
		xp_go_home();
	}
	mask = with_events(xp_enabled());
	if (mask == BIT(x.cur) && !x.o->migrate)
		return;
	if ((mask & BIT(x.cur)) == 0 && (x.waits & BIT(x.cur)) == 0)
		mask |= BIT(x.cur);
	to = decide(mask, (mask & BIT(x.cur)) != 0 ? x.cur : XP_NONE);
	if (to == x.cur)
		return;
	came_to_run(to, (x.waits & BIT(x.cur)) != 0 ? XP_NONE : x.cur);
	x.next = to;
	self->stopped = true;
	vnk_explorer_switch();
	self->stopped = false;
}

static bool
all_over(void)
{
	uint64_t test = BIT(x.ntest) - 1;

	return ((x.gone & test) == test && x.thread[XP_EVENTS].idle &&
	    (x.ready & ~x.blocked & ~BIT(XP_EVENTS) & ~test) == 0);
}

static void
deadlock(void)
{
	char who[800];

	vnk_explorer_waiters(who, sizeof(who));
	xp_stop(XP_DEADLOCK, "deadlock: no thread can go on%s", who);
}

int
vnh_explore_choose(void)
{
	uint64_t mask;
	int to = x.next;

	x.next = XP_NONE;
	if (to != XP_NONE)
		return (to);
	x.step++;
	if (x.verdict != XP_RUNNING)
		return (VNX_HOME);
	if (all_over()) {
		x.verdict = XP_OK;
		return (VNX_HOME);
	}
	if (x.step > x.budget) {
		over_budget();
		return (VNX_HOME);
	}
	mask = xp_enabled();
	if (mask == 0 && ++x.idle_events > IDLE_EVENTS) {
		deadlock();
		return (VNX_HOME);
	}
	if (mask != 0)
		x.idle_events = 0;
	mask = with_events(mask);
	if (mask == 0) {
		deadlock();
		return (VNX_HOME);
	}
	to = decide(mask, XP_NONE);
	came_to_run(to, XP_NONE);
	return (to);
}
