/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: random(9), arc4random(9).
 * Fidelity: modelled
 * Differs: everything comes from one stream that the test seeds, so that the
 * same seed gives the same run; srandom() and reseeding change nothing.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/libkern.h>

#include <lvk.h>

int arc4rand_iniseed_state;

void
srandom(u_long seed __unused)
{
}

u_long
random(void)
{
	return ((u_long)(vnh_random() >> 33));
}

uint32_t
arc4random(void)
{
	return ((uint32_t)(vnh_random() >> 32));
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

void
arc4random_buf(void *buf, size_t len)
{
	char *p = buf;
	uint64_t word;
	size_t n;

	for (; len > 0; p += n, len -= n) {
		word = vnh_random();
		n = MIN(len, sizeof(word));
		memcpy(p, &word, n);
	}
}

void
arc4rand(void *buf, u_int len, int reseed __unused)
{
	arc4random_buf(buf, len);
}

int
is_random_seeded(void)
{
	return (1);
}
