/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: random(9) and arc4random_uniform(9), of FreeBSD's libkern.
 * Fidelity: exact
 * Differs: srandom() changes nothing, as the test seeds.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/libkern.h>
#include <sys/prng.h>

void
srandom(u_long seed __unused)
{
}

u_long
random(void)
{
	return (prng32() & 0x7fffffff);
}

/* Without the bias that a plain remainder has. */
uint32_t
arc4random_uniform(uint32_t upper)
{
	uint32_t r, first;

	if (upper < 2)
		return (0);
	first = (0 - upper) % upper;	/* 2^32 mod upper */
	do
		r = arc4random();
	while (r < first);
	return (r % upper);
}
