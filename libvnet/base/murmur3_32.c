/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: murmur3_32_hash, murmur3_32_hash32, of FreeBSD's libkern.
 * Fidelity: exact
 * Differs: --
 *
 * Austin Appleby's MurmurHash3_x86_32 (public domain).  The variant for words
 * mixes in the number of words, not of bytes, at its end.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/endian.h>
#include <sys/hash.h>

static uint32_t
rot(uint32_t x, int k)
{
	return (x << k | x >> (32 - k));
}

static uint32_t
scramble(uint32_t k)
{
	return (rot(k * 0xcc9e2d51, 15) * 0x1b873593);
}

static uint32_t
absorb(uint32_t h, uint32_t k)
{
	return (rot(h ^ scramble(k), 13) * 5 + 0xe6546b64);
}

static uint32_t
final(uint32_t h, uint32_t len)
{
	h ^= len;
	h = (h ^ h >> 16) * 0x85ebca6b;
	h = (h ^ h >> 13) * 0xc2b2ae35;
	return (h ^ h >> 16);
}

uint32_t
murmur3_32_hash(const void *data, size_t len, uint32_t seed)
{
	const uint8_t *p = data;
	uint32_t h = seed, k;
	size_t n;

	for (n = len; n >= 4; p += 4, n -= 4) {
		memcpy(&k, p, sizeof(k));
		h = absorb(h, le32toh(k));
	}
	k = 0;
	while (n-- > 0)
		k = k << 8 | p[n];
	return (final(h ^ scramble(k), (uint32_t)len));
}

uint32_t
murmur3_32_hash32(const uint32_t *data, size_t count, uint32_t seed)
{
	uint32_t h = seed;

	for (size_t i = 0; i < count; i++)
		h = absorb(h, le32toh(data[i]));
	return (final(h, (uint32_t)count));
}
