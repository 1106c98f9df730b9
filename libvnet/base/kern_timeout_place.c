/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: nothing of FreeBSD's; the pending callouts by address.
 * Fidelity: exact
 * Differs: --
 *
 * Only so can be known that memory holds a pending callout without reading
 * the memory, which may be new or be gone.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/callout.h>

#include <lvk.h>
#include "kern_timeout.h"

#ifdef INVARIANTS

/*
 * How the tree grows depends on addresses, which differ from run to run: no
 * business of a fuzzer's that judges inputs by the paths they take.
 */
#if defined(__clang__) && __clang_major__ >= 13
#pragma clang attribute push(__attribute__((no_sanitize("coverage"))), \
    apply_to = function)
#define PLACES_UNCOVERED
#endif

RB_HEAD(places, callout);
static struct places places;

static int
by_address(struct callout *a, struct callout *b)
{
	return (a < b ? -1 : a > b);
}
RB_GENERATE_STATIC(places, callout, c_where, by_address)

void
callout_place_insert(struct callout *c)
{
	RB_INSERT(places, &places, c);
}

void
callout_place_remove(struct callout *c)
{
	RB_REMOVE(places, &places, c);
}

bool
lvk_callout_pending_in(const void *mem, size_t size, vnh_uptr *func)
{
	uintptr_t start = (uintptr_t)mem, at;
	struct callout *c;

	lvk_spin_lock(&lvk_callout_lock);
	for (c = RB_ROOT(&places); c != NULL;) {
		at = (uintptr_t)c;
		if (at >= start && at - start < size)
			break;
		c = at < start ? RB_RIGHT(c, c_where) : RB_LEFT(c, c_where);
	}
	if (c != NULL)
		*func = (vnh_uptr)c->c_func;
	lvk_spin_unlock(&lvk_callout_lock);
	return (c != NULL);
}

#ifdef PLACES_UNCOVERED
#pragma clang attribute pop
#endif

#else

bool
lvk_callout_pending_in(const void *mem __unused, size_t size __unused,
    vnh_uptr *func __unused)
{
	return (false);
}

#endif
