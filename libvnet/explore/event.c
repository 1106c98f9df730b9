/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The steps of a schedule: accesses of instrumented code, and what kernel
 * world tells of what it does and of its threads.
 */
#include <stdio.h>
#include <string.h>

#include "xp.h"

int xp_on;

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

static bool
stack_local(uintptr_t addr)
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
	if (stack_local(addr)) {
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
		xp_ask();
	if (x.trace)
		xp_trace(x.step, (int)kind, addr, size, pc, NULL);
	if (x.races || x.strategy->filters)
		xp_race_access(addr, size, kind, pc);
	if (x.freed && vnk_explorer_freed((const void *)addr))
		use_of_freed(addr, kind);
	if (__asan_region_is_poisoned != NULL)
		poisoned(addr, size, kind);
	if (x.verdict != XP_RUNNING)
		xp_go_home();
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
		xp_ask();
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
