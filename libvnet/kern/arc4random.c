/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: arc4random(9), read_random(9), prng(9): FreeBSD's
 * libkern/arc4random.c, dev/random and kern/subr_prng.c.
 * Fidelity: modelled
 * Differs: everything comes from one stream that the test seeds, so that the
 * same seed gives the same run; it is seeded from the start, and reseeding
 * changes nothing.  Entropy is not harvested.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/libkern.h>
#include <sys/random.h>

#include <lvk.h>

int arc4rand_iniseed_state;

uint32_t prng32(void);
uint32_t prng32_bounded(uint32_t);
uint64_t prng64(void);
uint64_t prng64_bounded(uint64_t);

uint32_t
arc4random(void)
{
	return ((uint32_t)(vnh_random() >> 32));
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

/* ---- random(4) */

bool
is_random_seeded(void)
{
	return (true);
}

void
read_random(void *buf, u_int len)
{
	arc4random_buf(buf, len);
}

/*
 * Nobody gathers entropy: no source is in the mask, so that the inlines of
 * sys/random.h do not come here.
 */
u_int hc_source_mask;

#ifndef LIBVNET_BASE
void
random_harvest_queue_(const void *entropy __unused, u_int size __unused,
    enum random_entropy_source source __unused)
{
}

void
random_harvest_fast_(const void *entropy __unused, u_int size __unused)
{
}

void
random_harvest_direct_(const void *entropy __unused, u_int size __unused,
    enum random_entropy_source source __unused)
{
}

void
random_harvest_register_source(enum random_entropy_source source __unused)
{
}

void
random_harvest_deregister_source(enum random_entropy_source source __unused)
{
}
#endif

/* ---- prng(9) */

uint32_t
prng32(void)
{
	return (arc4random());
}

uint64_t
prng64(void)
{
	return (vnh_random());
}

uint32_t
prng32_bounded(uint32_t bound)
{
	return ((uint32_t)prng64_bounded(bound));
}

/* Without the bias that a plain remainder has. */
uint64_t
prng64_bounded(uint64_t bound)
{
	uint64_t r, first;

	if (bound < 2)
		return (0);
	first = (0 - bound) % bound;	/* 2^64 mod bound */
	do
		r = prng64();
	while (r < first);
	return (r % bound);
}
