/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: inet_pton, of FreeBSD's libkern.
 * Fidelity: exact
 * Differs: --
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <netinet/in.h>

#define WORDS 8

/* Exactly four decimal bytes, no leading zeroes. */
static bool
pton4(const char *s, uint8_t *a)
{
	int v, digits;

	for (int i = 0; i < 4; i++) {
		v = 0;
		for (digits = 0; isdigit(*s); digits++) {
			if (digits > 0 && v == 0)
				return (false);
			v = v * 10 + (*s++ - '0');
			if (v > 255)
				return (false);
		}
		if (digits == 0 || *s++ != (i < 3 ? '.' : '\0'))
			return (false);
		a[i] = (uint8_t)v;
	}
	return (true);
}

static int
hex_value(char c)
{
	if (isdigit(c))
		return (c - '0');
	return ((isupper(c) ? c - 'A' : c - 'a') + 10);
}

struct pton6 {
	uint8_t a[16];
	int n;			/* bytes in a */
	int gap;		/* where the :: was, -1 nowhere yet */
};

/* One group and what follows it; NULL when that is no address. */
static const char *
group(const char *s, struct pton6 *p)
{
	const char *start = s;
	u_int v = 0;

	while (isxdigit(*s)) {
		v = v << 4 | (u_int)hex_value(*s++);
		if (s - start > 4)
			return (NULL);
	}
	if (*s == '.') {
		if (p->n > 12 || !pton4(start, p->a + p->n))
			return (NULL);
		p->n += 4;
		return (s + strlen(s));
	}
	if (s == start || p->n > 14)
		return (NULL);
	p->a[p->n++] = (uint8_t)(v >> 8);
	p->a[p->n++] = (uint8_t)v;
	if (*s == '\0')
		return (s);
	if (*s++ != ':' || *s == '\0')
		return (NULL);
	return (s);
}

static bool
pton6(const char *s, uint8_t *out)
{
	struct pton6 p = { .n = 0, .gap = -1 };

	if (s[0] == ':' && *++s != ':')
		return (false);
	while (s != NULL && *s != '\0') {
		if (*s == ':') {
			if (p.gap >= 0)
				return (false);
			p.gap = p.n;
			s++;
			continue;
		}
		s = group(s, &p);
	}
	if (s == NULL || (p.gap < 0 ? p.n != 16 : p.n > 14))
		return (false);
	if (p.gap >= 0) {
		memmove(p.a + 16 - (p.n - p.gap), p.a + p.gap,
		    (size_t)(p.n - p.gap));
		memset(p.a + p.gap, 0, (size_t)(16 - p.n));
	}
	memcpy(out, p.a, sizeof(p.a));
	return (true);
}

/* 1 done, 0 not an address of the family, -1 unknown family. */
int
inet_pton(int af, const char *src, void *dst)
{
	uint8_t v4[4];

	switch (af) {
	case AF_INET:
		if (!pton4(src, v4))
			return (0);
		memcpy(dst, v4, sizeof(v4));
		return (1);
	case AF_INET6:
		return (pton6(src, dst) ? 1 : 0);
	default:
		return (-1);
	}
}
