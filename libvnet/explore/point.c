/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The steps of a schedule: where one is, who could go on, and that somebody
 * else does.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xp.h"

int xp_on;

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

static void
go_home(void)
{
	x.next = VNX_HOME;
	vnk_explorer_switch();
	abort();
}

/* The current thread could go on: does it? */
static void
ask(void)
{
	struct xp_thread *self = &x.thread[x.cur];
	uint64_t mask;
	int to;

	if (x.verdict != XP_RUNNING)
		go_home();
	if (x.step > x.budget) {
		over_budget();
		go_home();
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

/* ---- steps */

static inline void
hash_step(unsigned what)
{
	x.hash = (x.hash ^ (what << 8 | (unsigned)x.cur)) * 16777619u;
}

static inline void
hash_full(uint64_t a, uint64_t b)
{
	x.full = (x.full ^ a ^ b << 20) * 0x9e3779b97f4a7c15u;
	x.full ^= x.full >> 29;
}

bool
xp_stack_local(uintptr_t addr)
{
	const struct xp_thread *t = &x.thread[x.cur];

	return (addr >= t->stack && addr < t->stack_end);
}

/* Somebody else's stack: then stacks are memory like any other. */
static void
foreign_stack(uintptr_t addr)
{
	for (int i = 0; i < x.nthreads; i++)
		if (addr >= x.thread[i].stack && addr < x.thread[i].stack_end)
		{
			x.stacks = true;
			xp_conflict_add(addr >> 3);
		}
}

extern void *__asan_region_is_poisoned(void *, size_t) __attribute__((weak));
extern const int xp_coverage;

/* AddressSanitizer would end the program here; so it is asked before. */
static void
poisoned(uintptr_t addr, unsigned size, unsigned kind)
{
	struct vnh_heap_sites sites;
	char what[400];
	void *at;

	at = __asan_region_is_poisoned((void *)addr, size);
	if (at == NULL || xp_coverage == 0)
		return;
	if (vnk_heap_describe(at, what, sizeof(what), &sites) == 0)
		snprintf(what, sizeof(what), "%p", at);
	xp_stop(XP_FREED, "thread \"%s\" %s memory that is poisoned: %s",
	    x.thread[x.cur].name, XP_ISWRITE(kind) ? "writes to" : "reads",
	    what);
}

static void
use_of_freed(uintptr_t addr, unsigned kind)
{
	struct vnh_heap_sites sites;
	char what[400];

	if (vnk_heap_describe((const void *)addr, what, sizeof(what),
	    &sites) == 0)
		snprintf(what, sizeof(what), "%#lx", (unsigned long)addr);
	xp_stop(XP_FREED, "thread \"%s\" %s freed memory: %s",
	    x.thread[x.cur].name, XP_ISWRITE(kind) ? "writes to" : "reads",
	    what);
}

void
xp_access(uintptr_t addr, unsigned size, unsigned kind, uintptr_t pc)
{
	if (addr - x.own < x.own_size || x.thread[x.cur].over ||
	    (!XP_ISWRITE(kind) && addr - x.pcpus < x.pcpus_size))
		return;
	if (xp_stack_local(addr)) {
		if (!x.stacks)
			return;
	} else if (addr - VNH_REGION_BASE >= VNH_REGION_BYTES / 2 &&
	    addr - VNH_REGION_BASE < VNH_REGION_BYTES)
		foreign_stack(addr);
	x.step++;
	x.thread[x.cur].steps++;
	hash_step(size << 3 | kind);
	hash_full(pc, addr);
	if (x.twice != XP_ONCE)
		xp_twice_step(pc);
	if (x.step >= x.ask && (!x.strategy->filters ||
	    xp_conflicts(addr, size) || x.verdict != XP_RUNNING ||
	    x.step > x.budget))
		ask();
	if (x.trace)
		xp_trace(x.step, (int)kind, addr, size, pc, NULL);
	if (x.races || x.strategy->filters)
		xp_race_access(addr, size, kind, pc);
	if (x.freed && vnk_explorer_freed((const void *)addr))
		use_of_freed(addr, kind);
	if (__asan_region_is_poisoned != NULL)
		poisoned(addr, size, kind);
	if (x.verdict != XP_RUNNING)
		go_home();
}

/* ---- events */

static void
unblock(const void *object)
{
	for (uint64_t m = x.blocked; m != 0; m &= m - 1) {
		int i = __builtin_ctzll(m);

		if (x.thread[i].blocked == object && object != NULL) {
			x.blocked &= ~BIT(i);
			x.ask = 0;
		}
	}
}

static void
keeps_cpu(void)
{
	struct xp_thread *t = &x.thread[x.cur];

	x.holder[t->cpu] = t->critical > 0 || t->intr > 0 ? x.cur : XP_NONE;
	x.ask = 0;
}

static void
changed(int event, const void *object)
{
	struct xp_thread *t = &x.thread[x.cur];

	switch (event) {
	case VNH_EV_UNLOCK:
	case VNH_EV_RUNLOCK:
	case VNH_EV_UNSPIN:
	case VNH_EV_EPOCH_EXIT:
		unblock(object);
		break;
	case VNH_EV_CRITICAL_ENTER:
	case VNH_EV_CRITICAL_EXIT:
		t->critical += event == VNH_EV_CRITICAL_ENTER ? 1 : -1;
		keeps_cpu();
		break;
	case VNH_EV_INTR_ENTER:
	case VNH_EV_INTR_EXIT:
		t->intr += event == VNH_EV_INTR_ENTER ? 1 : -1;
		keeps_cpu();
		break;
	case VNH_EV_INSN:
	case VNH_EV_INSN_END:
		t->insn = event == VNH_EV_INSN;
		t->critical += event == VNH_EV_INSN ? 1 : -1;
		keeps_cpu();
		break;
	case VNH_EV_IPI:
		t->home_cpu = t->cpu;
		t->cpu = vnk_cpu();
		t->held_there = x.holder[t->cpu];
		x.holder[t->cpu] = x.cur;
		break;
	case VNH_EV_IPI_END:
		x.holder[t->cpu] = t->held_there;
		t->cpu = t->home_cpu;
		keeps_cpu();
		break;
	case VNH_EV_CPU:
		if (x.holder[t->cpu] == x.cur)
			x.holder[t->cpu] = XP_NONE;
		t->cpu = vnk_cpu();
		keeps_cpu();
		break;
	case VNH_EV_YIELD:
		t->before = xp_enabled() & ~BIT(x.cur);
		if (t->before != 0)
			x.waits |= BIT(x.cur);
		break;
	case VNH_EV_OVER:
		t->over = true;
		break;
	}
}

/* What is told before it happens, so that another thread may go first. */
static const uint64_t points = BIT(VNH_EV_LOCK) | BIT(VNH_EV_SPIN) |
    BIT(VNH_EV_EPOCH_ENTERING) | BIT(VNH_EV_EPOCH_CALLING) |
    BIT(VNH_EV_EPOCH_WAITING) | BIT(VNH_EV_SLEEPING) | BIT(VNH_EV_WAKING) |
    BIT(VNH_EV_YIELD) | BIT(VNH_EV_RENDEZVOUS) |
    BIT(VNH_EV_CRITICAL_ENTER) | BIT(VNH_EV_INSN) |
    BIT(VNH_EV_FREE) | BIT(VNH_EV_POINT);

bool
xp_is_point(int event)
{
	return ((BIT(event) & points) != 0);
}

static void
point(int event, const void *object, uintptr_t pc)
{
	if (x.thread[x.cur].over)
		return;
	x.step++;
	x.thread[x.cur].steps++;
	hash_step((unsigned)event | 1u << 16);
	hash_full((uintptr_t)object, (unsigned)event);
	if (x.twice != XP_ONCE)
		xp_twice_step(pc);
	if (x.step >= x.ask)
		ask();
}

/* To free an item is to write to all of it; a new one has no past. */
static void
item(int event, const void *object, uintptr_t pc)
{
	vnh_size_t size, apart;
	int copies;

	if ((!x.races && !x.strategy->filters) ||
	    vnk_explorer_item(object, &size, &copies, &apart) == 0)
		return;
	for (int i = 0; i < copies; i++) {
		uintptr_t at = (uintptr_t)object + (uintptr_t)i * apart;

		if (event == VNH_EV_ALLOC)
			xp_race_forget(at, size);
		else
			xp_race_access(at, (unsigned)size,
			    XP_WRITE | XP_FREES, pc);
	}
}

void
vnh_explore_event(int event, const void *object)
{
	uintptr_t pc = (uintptr_t)__builtin_return_address(0);

	if (x.cur < 0)
		return;
	if (event == VNH_EV_YIELD)
		x.ask = 0;
	else if (xp_is_point(event))
		point(event, object, pc);
	changed(event, object);
	if (event == VNH_EV_YIELD)
		point(event, object, pc);
	if (event == VNH_EV_FREE || event == VNH_EV_ALLOC)
		item(event, object, pc);
	if (x.trace && !x.thread[x.cur].over)
		xp_trace(x.step, -1 - event, (uintptr_t)object, 0, pc,
		    vnk_explorer_name(event, object));
	if (x.races)
		xp_race_event(event, object);
}

int
vnh_explore_closed(int cpu)
{
	for (int i = 0; i < x.nthreads; i++)
		if (x.thread[i].cpu == cpu && i != x.cur &&
		    x.thread[i].insn != 0)
			return (1);
	return (0);
}

/* ---- what kernel world's scheduler tells */

void
vnh_explore_thread(int id, const struct vnx_thread *t)
{
	struct xp_thread *p = &x.thread[id];

	memset(p, 0, sizeof(*p));
	p->name = t->name;
	p->key = t->key;
	p->stack = (uintptr_t)t->stack;
	p->stack_end = p->stack + t->stack_size;
	p->cpu = t->cpu;
	p->idle = id == XP_EVENTS;
	x.nthreads = id + 1;
	if (x.races)
		xp_race_begin(id);
}

void
vnh_explore_ready(int id)
{
	if ((x.ready & BIT(id)) == 0)
		x.ask = 0;
	x.ready |= BIT(id);
}

void
vnh_explore_parked(int id, int gone)
{
	x.ready &= ~BIT(id);
	if (gone)
		x.gone |= BIT(id);
}

void
vnh_explore_block(const void *object)
{
	struct xp_thread *t = &x.thread[x.cur];

	t->idle = object == t->key;
	t->blocked = object;
	t->seen = x.step + 1;
	x.blocked |= BIT(x.cur);
	if (t->intr > 0)
		x.holder[t->cpu] = XP_NONE;
}
