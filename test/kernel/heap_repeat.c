/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Property: the addresses of a sequence of allocations are the same in every
 * boot and every process.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/counter.h>
#include <sys/kernel.h>
#include <sys/malloc.h>
#include <vm/uma.h>

#include "heap_repeat.h"

#define SLOTS 512

static uint64_t state, hash;

static uint64_t
next_random(void)
{
	state = state * 6364136223846793005ul + 1442695040888963407ul;
	return (state >> 33);
}

static void
note(const void *p)
{
	hash = (hash ^ (uintptr_t)p) * 1099511628211ul;
}

static void *
item_new(uma_zone_t z, int kind)
{
	switch (kind) {
	case 0:
		return (uma_zalloc(z, M_WAITOK));
	case 1:
		return (uma_zalloc_pcpu(pcpu_zone_8, M_WAITOK));
	default:
		return (malloc(1 + next_random() % (next_random() % 50 == 0 ?
		    200000 : 3000), M_TEMP, M_WAITOK));
	}
}

static void
item_free(uma_zone_t z, int kind, void *p)
{
	if (kind == 0)
		uma_zfree(z, p);
	else if (kind == 1)
		uma_zfree_pcpu(pcpu_zone_8, p);
	else
		free(p, M_TEMP);
}

unsigned long
heap_repeat(int allocations)
{
	uma_zone_t z = uma_zcreate("repeat", 200, NULL, NULL, NULL, NULL,
	    UMA_ALIGN_PTR, 0);
	static void *slot[SLOTS];
	static int kind[SLOTS];

	state = 1;
	for (int n = 0; n < allocations; n++) {
		u_int i = (u_int)(next_random() % SLOTS);

		if (slot[i] != NULL)
			item_free(z, kind[i], slot[i]);
		kind[i] = (int)(next_random() % 4);
		slot[i] = item_new(z, kind[i]);
		note(slot[i]);
	}
	for (u_int i = 0; i < SLOTS; i++)
		if (slot[i] != NULL)
			item_free(z, kind[i], slot[i]);
	uma_zdestroy(z);
	return (hash);
}
