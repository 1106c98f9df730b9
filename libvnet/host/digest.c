/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * XXH64 (Yann Collet, "xxHash fast digest algorithm", specification 0.1.1).
 * Ours, though Debian has a library of it: this must run unseen by every
 * sanitizer, as copy.c does, and is compiled like it.
 */
#include <string.h>

#include "snapshot.h"

#define P1 0x9e3779b185ebca87ULL
#define P2 0xc2b2ae3d27d4eb4fULL
#define P3 0x165667b19e3779f9ULL
#define P4 0x85ebca77c2b2ae63ULL
#define P5 0x27d4eb2f165667c5ULL

#ifdef __clang__
#define UNSEEN \
	__attribute__((no_sanitize("address", "memory", "thread", "undefined")))
#else
#define UNSEEN __attribute__((no_sanitize("address", "thread", "undefined")))
#endif

typedef uint64_t word64 __attribute__((aligned(1), may_alias));
typedef uint32_t word32 __attribute__((aligned(1), may_alias));
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define READ64(p) (*(const word64 *)(p))
#define READ32(p) (*(const word32 *)(p))
#else
#define READ64(p) __builtin_bswap64(*(const word64 *)(p))
#define READ32(p) __builtin_bswap32(*(const word32 *)(p))
#endif
#define ROTATE(x, n) ((x) << (n) | (x) >> (64 - (n)))
#define ROUND(acc, in) (ROTATE((acc) + (in) * P2, 31) * P1)
#define MERGE(acc, v) (((acc) ^ ROUND(0, v)) * P1 + P4)

/* The last bytes, fewer than 32. */
UNSEEN static uint64_t
finish(uint64_t h, const unsigned char *p, size_t n)
{
	for (; n >= 8; n -= 8, p += 8)
		h = ROTATE(h ^ ROUND(0, READ64(p)), 27) * P1 + P4;
	for (; n >= 4; n -= 4, p += 4)
		h = ROTATE(h ^ READ32(p) * P1, 23) * P2 + P3;
	for (; n > 0; n--, p++)
		h = ROTATE(h ^ *p * P5, 11) * P1;
	h = (h ^ h >> 33) * P2;
	h = (h ^ h >> 29) * P3;
	return (h ^ h >> 32);
}

UNSEEN void
host_digest(const void *data, size_t n, uint64_t seed, uint64_t *digest)
{
	const unsigned char *p = data;
	uint64_t h, a = seed + P1 + P2, b = seed + P2, c = seed, d = seed - P1;
	uint64_t total = n;

	if (n < 32) {
		*digest = finish(seed + P5 + total, p, n);
		return;
	}
	for (; n >= 32; n -= 32, p += 32) {
		a = ROUND(a, READ64(p));
		b = ROUND(b, READ64(p + 8));
		c = ROUND(c, READ64(p + 16));
		d = ROUND(d, READ64(p + 24));
	}
	h = ROTATE(a, 1) + ROTATE(b, 7) + ROTATE(c, 12) + ROTATE(d, 18);
	h = MERGE(h, a);
	h = MERGE(h, b);
	h = MERGE(h, c);
	h = MERGE(h, d);
	*digest = finish(h + total, p, n);
}
