/* SPDX-License-Identifier: BSD-2-Clause */
/* What happened in a schedule, step by step, for people. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xp.h"

#define LINES_MAX 60

struct trace {
	uintptr_t pc, addr;
	const char *name;
	uint64_t value;
	uint32_t step, size;
	int	 kind;		/* of access, or -1 - event */
	uint8_t	 thread, cpu;
	bool	 known;		/* value */
};
static struct trace *traces;
static unsigned ntraces, room;

void
xp_trace_reset(void)
{
	ntraces = 0;
}

static void
value_of(struct trace *t)
{
	if (t->size > 8 || t->size == 0)
		return;
	t->value = 0;
	vnh_copy(&t->value, (const void *)t->addr, t->size);
	t->known = true;
}

/* A write's value is there when the next step is made. */
static void
written(void)
{
	struct trace *t;

	if (ntraces == 0)
		return;
	t = &traces[ntraces - 1];
	if (t->kind >= 0 && XP_ISWRITE(t->kind))
		value_of(t);
}

void
xp_trace(uint32_t step, int kind, uintptr_t addr, unsigned size, uintptr_t pc,
    const char *name)
{
	struct trace *t;

	written();
	if (ntraces == room) {
		room = room != 0 ? 2 * room : 1024;
		traces = realloc(traces, room * sizeof(*traces));
		if (traces == NULL)
			abort();
	}
	t = &traces[ntraces++];
	*t = (struct trace){ .pc = pc, .addr = addr, .name = name,
	    .step = step, .size = size, .kind = kind,
	    .thread = (uint8_t)x.cur,
	    .cpu = (uint8_t)x.thread[x.cur].cpu };
	if (kind >= 0 && !XP_ISWRITE(kind))
		value_of(t);
}

static bool
counts(const struct trace *t)
{
	return (t->kind >= 0 || xp_is_point(-1 - t->kind));
}

struct xp_stretch *
xp_stretches(unsigned *n)
{
	struct xp_stretch *s = calloc(ntraces + 1, sizeof(*s));

	if (s == NULL)
		abort();
	*n = 0;
	for (unsigned i = 0; i < ntraces; i++) {
		if (!counts(&traces[i]))
			continue;
		if (*n == 0 || s[*n - 1].thread != traces[i].thread)
			s[(*n)++].thread = traces[i].thread;
		s[*n - 1].n++;
	}
	return (s);
}

/* ---- as text */

const char *
xp_event_name(int event)
{
	static const char *const names[] = {
		[VNH_EV_LOCK] = "wants lock", [VNH_EV_LOCKED] = "has lock",
		[VNH_EV_RLOCKED] = "shares lock",
		[VNH_EV_UNLOCK] = "gives back lock",
		[VNH_EV_RUNLOCK] = "gives back shared lock",
		[VNH_EV_EPOCH_ENTER] = "enters epoch",
		[VNH_EV_EPOCH_EXIT] = "leaves epoch",
		[VNH_EV_EPOCH_CALLING] = "defers with epoch_call()",
		[VNH_EV_EPOCH_CALLBACK] = "runs epoch callback",
		[VNH_EV_EPOCH_WAITING] = "waits for epoch",
		[VNH_EV_EPOCH_WAITED] = "has waited for epoch",
		[VNH_EV_SLEEP] = "sleeps on", [VNH_EV_WOKEN] = "was woken from",
		[VNH_EV_WAKING] = "wakes up",
		[VNH_EV_CRITICAL_ENTER] = "enters a critical section",
		[VNH_EV_CRITICAL_EXIT] = "leaves the critical section",
		[VNH_EV_INTR_ENTER] = "begins an interrupt context",
		[VNH_EV_INTR_EXIT] = "ends the interrupt context",
		[VNH_EV_RENDEZVOUS] = "acts on CPU at",
		[VNH_EV_IPI] = "acts there", [VNH_EV_EXIT] = "ends",
		[VNH_EV_YIELD] = "yields", [VNH_EV_CREATE] = "makes thread",
		[VNH_EV_FREE] = "frees", [VNH_EV_BEGIN] = "begins", [VNH_EV_OVER] = "is done"
	};

	if (event < 0 || event >= (int)(sizeof(names) / sizeof(names[0])))
		return (NULL);
	return (names[event]);
}

/*
 * Places: who was there.  A step at one that another thread was at too, one of
 * them writing, is worth a line.
 */
struct place {
	uintptr_t granule;
	uint64_t readers, writers;
};
static struct place *places;
static unsigned places_room;

static struct place *
place_of(uintptr_t granule)
{
	unsigned i = (unsigned)(granule * 0x9e3779b97f4a7c15u >> 32);

	for (;; i++) {
		struct place *p = &places[i & (places_room - 1)];

		if (p->granule == 0 || p->granule == granule)
			return (p);
	}
}

#define GRANULES_MAX 64		/* of one step that are looked at */

static uintptr_t
last_granule(const struct trace *t)
{
	uintptr_t first = t->addr >> 3, last = (t->addr + t->size - 1) >> 3;

	return (last - first < GRANULES_MAX ? last : first + GRANULES_MAX - 1);
}

static void
places_note(const struct trace *t)
{
	for (uintptr_t g = t->addr >> 3; g <= last_granule(t); g++) {
		struct place *p = place_of(g);

		p->granule = g;
		if (XP_ISWRITE(t->kind))
			p->writers |= BIT(t->thread);
		else
			p->readers |= BIT(t->thread);
	}
}

static void
places_make(void)
{
	size_t n = 1;

	for (unsigned i = 0; i < ntraces; i++)
		if (traces[i].kind >= 0)
			n += last_granule(&traces[i]) -
			    (traces[i].addr >> 3) + 1;
	for (places_room = 64; places_room < 2 * n; places_room *= 2)
		;
	places = calloc(places_room, sizeof(*places));
	if (places == NULL)
		abort();
	for (unsigned i = 0; i < ntraces; i++)
		if (traces[i].kind >= 0)
			places_note(&traces[i]);
}

static bool
shared(const struct trace *t)
{
	uint64_t me = BIT(t->thread);

	for (uintptr_t g = t->addr >> 3; g <= last_granule(t); g++) {
		const struct place *p = place_of(g);

		if ((p->writers & ~me) != 0 || ((p->writers & me) != 0 &&
		    (p->readers & ~me) != 0))
			return (true);
	}
	return (false);
}

static bool
shown(const struct trace *t)
{
	if (t->kind < 0)
		return (xp_event_name(-1 - t->kind) != NULL);
	return (shared(t));
}

/* A variable by name, memory by what it was made for, or the address. */
void
xp_place(uintptr_t addr, char *buf, size_t size)
{
	struct vnh_heap_sites sites;
	char what[400], *start, *end;

	if (host_symbol_data((uintptr_t)vnk_explorer_master(
	    (const void *)addr), what, sizeof(what))) {
		start = strncmp(what, "vnet_entry_", 11) == 0 ||
		    strncmp(what, "pcpu_entry_", 11) == 0 ? what + 11 : what;
		snprintf(buf, size, "%s%s", strncmp(what, "vnet_", 5) == 0 &&
		    start != what ? "V_" : "", start);
		return;
	}
	/* "0x.. is 4 bytes inside a live item of 16 bytes of malloc type "x" at" */
	if (vnk_heap_describe((const void *)addr, what, sizeof(what),
	    &sites) != 0 && (start = strstr(what, " is ")) != NULL &&
	    (end = strrchr(start, '"')) != NULL) {
		end[1] = '\0';
		snprintf(buf, size, "%#lx, %s", (unsigned long)addr, start + 4);
		return;
	}
	snprintf(buf, size, "%#lx", (unsigned long)addr);
}

static bool
names_object(int event)
{
	return (event == VNH_EV_SLEEP || event == VNH_EV_WOKEN ||
	    event == VNH_EV_WAKING || event == VNH_EV_RENDEZVOUS ||
	    event == VNH_EV_EPOCH_CALLING || event == VNH_EV_FREE ||
	    event == VNH_EV_EPOCH_CALLBACK);
}

static void
line(FILE *f, const struct trace *t, bool switched)
{
	const char *base, *where = host_symbol(t->pc);
	char place[200];

	base = strrchr(where, '/');
	fprintf(f, "%s %5u  %-12s CPU %d  ", switched ? "->" : "  ", t->step,
	    x.thread[t->thread].name, t->cpu);
	if (t->kind < 0) {
		fprintf(f, "%s", xp_event_name(-1 - t->kind));
		if (t->name != NULL)
			fprintf(f, " \"%s\"", t->name);
		else if (names_object(-1 - t->kind))
			fprintf(f, " %#lx", (unsigned long)t->addr);
		fputc('\n', f);
		return;
	}
	xp_place(t->addr, place, sizeof(place));
	fprintf(f, "%s%s %u bytes at %s",
	    (t->kind & XP_ATOMIC) != 0 ? "atomic " : "",
	    XP_ISWRITE(t->kind) ? "write" : "read", t->size, place);
	if (t->known)
		fprintf(f, " = %#lx", (unsigned long)t->value);
	if (base != NULL)
		fprintf(f, "  %.*s at %s\n", (int)strcspn(where, " "), where,
		    base + 1);
	else
		fprintf(f, "  %s\n", where);
}

char *
xp_report(const struct xp_schedule *s)
{
	unsigned n = 0, skip;
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	int last = -1;

	(void)s;
	if (f == NULL)
		abort();
	places_make();
	for (unsigned i = 0; i < ntraces; i++)
		n += shown(&traces[i]);
	skip = n > LINES_MAX ? n - LINES_MAX : 0;
	if (skip > 0)
		fprintf(f, "   ... %u steps before\n", skip);
	for (unsigned i = 0; i < ntraces; i++) {
		if (!shown(&traces[i]))
			continue;
		if (skip > 0)
			skip--;
		else
			line(f, &traces[i], traces[i].thread != last);
		last = traces[i].thread;
	}
	fclose(f);
	free(places);
	return (text);
}
