/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: jenkins_hash, jenkins_hash32, of FreeBSD's libkern.
 * Fidelity: exact
 * Differs: --
 *
 * Bob Jenkins' lookup3 (public domain, 2006): hashlittle() and hashword().
 * Three words of state take in twelve bytes at a time; the last twelve or
 * fewer go through the final mixing only.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/hash.h>

struct state {
	uint32_t a, b, c;
};

static uint32_t
rot(uint32_t x, int k)
{
	return (x << k | x >> (32 - k));
}

static void
mix(struct state *s)
{
	s->a -= s->c; s->a ^= rot(s->c, 4); s->c += s->b;
	s->b -= s->a; s->b ^= rot(s->a, 6); s->a += s->c;
	s->c -= s->b; s->c ^= rot(s->b, 8); s->b += s->a;
	s->a -= s->c; s->a ^= rot(s->c, 16); s->c += s->b;
	s->b -= s->a; s->b ^= rot(s->a, 19); s->a += s->c;
	s->c -= s->b; s->c ^= rot(s->b, 4); s->b += s->a;
}

static void
final(struct state *s)
{
	s->c ^= s->b; s->c -= rot(s->b, 14);
	s->a ^= s->c; s->a -= rot(s->c, 11);
	s->b ^= s->a; s->b -= rot(s->a, 25);
	s->c ^= s->b; s->c -= rot(s->b, 16);
	s->a ^= s->c; s->a -= rot(s->c, 4);
	s->b ^= s->a; s->b -= rot(s->a, 14);
	s->c ^= s->b; s->c -= rot(s->b, 24);
}

static struct state
start(size_t bytes, uint32_t init)
{
	uint32_t v = 0xdeadbeef + (uint32_t)bytes + init;

	return ((struct state){ v, v, v });
}

/* Up to four bytes, the first one lowest. */
static uint32_t
word(const uint8_t *p, size_t len)
{
	uint32_t w = 0;

	for (size_t i = 0; i < len && i < 4; i++)
		w |= (uint32_t)p[i] << (8 * i);
	return (w);
}

static void
absorb(struct state *s, const uint8_t *p, size_t len)
{
	s->a += word(p, len);
	if (len > 4)
		s->b += word(p + 4, len - 4);
	if (len > 8)
		s->c += word(p + 8, len - 8);
}

uint32_t
jenkins_hash(const void *key, size_t len, uint32_t init)
{
	struct state s = start(len, init);
	const uint8_t *p = key;

	for (; len > 12; p += 12, len -= 12) {
		absorb(&s, p, 12);
		mix(&s);
	}
	if (len > 0) {
		absorb(&s, p, len);
		final(&s);
	}
	return (s.c);
}

uint32_t
jenkins_hash32(const uint32_t *k, size_t n, uint32_t init)
{
	struct state s = start(n * sizeof(*k), init);

	for (; n > 3; k += 3, n -= 3) {
		s.a += k[0];
		s.b += k[1];
		s.c += k[2];
		mix(&s);
	}
	if (n == 0)
		return (s.c);
	s.a += k[0];
	s.b += n > 1 ? k[1] : 0;
	s.c += n > 2 ? k[2] : 0;
	final(&s);
	return (s.c);
}
