/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Who has seen what: vector clocks.
 *
 * xp_clocks[t][u] is how far thread t knows thread u.  Whatever orders threads
 * (a lock, an atomic, an epoch, ...) has a clock as well: who releases leaves
 * his there, who acquires takes it over.
 */
#include <stdlib.h>
#include <string.h>

#include "xp.h"

vclock xp_clocks[VNX_THREADS];
static vclock fence_rel[VNX_THREADS], fence_acq[VNX_THREADS];
uint32_t xp_generation;	/* of clocks and places: one a schedule */

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

		if (s->generation != xp_generation || s->key == key)
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
		if (old[i].generation == xp_generation)
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
	if (s->generation != xp_generation) {
		memset(s, 0, sizeof(*s));
		s->generation = xp_generation;
		s->key = (uintptr_t)object;
		nsyncs++;
	}
	return (s);
}

static void
acquire(const void *object, bool shared)
{
	struct sync *s = sync_of(object);

	join(xp_clocks[x.cur], s->w);
	if (!shared)
		join(xp_clocks[x.cur], s->r);
}

static void
release(const void *object, bool shared)
{
	struct sync *s = sync_of(object);

	join(shared ? s->r : s->w, xp_clocks[x.cur]);
	xp_clocks[x.cur][x.cur]++;
}

void
xp_race_begin(int id)
{
	memset(xp_clocks[id], 0, sizeof(xp_clocks[id]));
	memset(fence_rel[id], 0, sizeof(fence_rel[id]));
	memset(fence_acq[id], 0, sizeof(fence_acq[id]));
	if (x.cur >= 0) {
		memcpy(xp_clocks[id], xp_clocks[x.cur], sizeof(xp_clocks[id]));
		xp_clocks[x.cur][x.cur]++;
	}
	xp_clocks[id][id] = 1;
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
		join(acquires(order) ? xp_clocks[x.cur] : fence_acq[x.cur],
		    s->w);
	if (!store)
		return;
	if (!load)			/* nobody else's is left */
		memset(s->w, 0, sizeof(s->w));
	join(s->w, releases(order) ? xp_clocks[x.cur] : fence_rel[x.cur]);
	xp_clocks[x.cur][x.cur]++;
}

void
xp_race_fence(int order)
{
	if (x.cur < 0)
		return;
	if (acquires(order))
		join(xp_clocks[x.cur], fence_acq[x.cur]);
	if (releases(order)) {
		memcpy(fence_rel[x.cur], xp_clocks[x.cur],
		    sizeof(fence_rel[0]));
		xp_clocks[x.cur][x.cur]++;
	}
}

void
xp_clock_reset(void)
{
	nsyncs = 0;
}
