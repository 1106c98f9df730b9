/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The one source of randomness: SplitMix64 (Steele, Lea, Flood, "Fast
 * Splittable Pseudorandom Number Generators", OOPSLA 2014).  The same seed
 * gives the same run.
 */
#include <stdatomic.h>

#include "host.h"

#define GOLDEN 0x9e3779b97f4a7c15ULL

static uint64_t seed = 1;
static _Atomic uint64_t state = 1;

void
host_random_seed(uint64_t s)
{
	seed = s;
	atomic_store(&state, s);
}

uint64_t
host_random_seed_get(void)
{
	return (seed);
}

void *
host_random_state(size_t *size)
{
	*size = sizeof(state);
	return (&state);
}

vnh_u64
vnh_random(void)
{
	uint64_t z = atomic_fetch_add(&state, GOLDEN) + GOLDEN;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return (z ^ (z >> 31));
}
