/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: nothing of FreeBSD's; fail(9)'s use for allocations.
 * Fidelity: exact
 * Differs: --
 *
 * An allocation that may fail (without M_WAITOK) asks here first.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/proc.h>

#include <lvk.h>
#include "lvk_heap.h"

bool lvk_fail_armed;
uint64_t lvk_fail_seen;

static struct vnh_fail plan;
static char only[64];		/* malloc type or zone, "" any */
static volatile uint64_t asked;	/* since it was armed */
static volatile uint64_t hits;
static volatile uint64_t state;	/* of the random sequence */

/* splitmix64 */
static uint64_t
next_random(void)
{
	uint64_t z = atomic_fetchadd_64(&state, 0x9e3779b97f4a7c15ul);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ul;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebul;
	return (z ^ (z >> 31));
}

bool
lvk_fail_hit(const char *name)
{
	bool hit = false;
	uint64_t n;

	if (only[0] != '\0' && strcmp(only, name) != 0)
		return (false);
	n = atomic_fetchadd_64(&asked, 1) + 1;
	if (plan.nth != 0)
		hit = n == plan.nth;
	else if (plan.every != 0)
		hit = n % plan.every == 0;
	else if (plan.permille != 0)
		hit = next_random() % 1000 < plan.permille;
	if (hit)
		atomic_add_64(&hits, 1);
	return (hit);
}

void
vnk_fail_set(const struct vnh_fail *f)
{
	plan = *f;
	only[0] = '\0';
	if (f->name != NULL)
		strlcpy(only, f->name, sizeof(only));
	plan.name = NULL;
	asked = hits = 0;
	state = f->seed;
	lvk_fail_armed = true;
}

void
vnk_fail_off(void)
{
	lvk_fail_armed = false;
}

vnh_u64
vnk_fail_hits(void)
{
	return (hits);
}

vnh_u64
vnk_fail_asked(void)
{
	return (lvk_fail_armed ? asked : lvk_fail_seen);
}
