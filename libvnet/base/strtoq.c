/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: strtol, strtoul, strtoq, strtouq, of FreeBSD's libkern.
 * Fidelity: exact
 * Differs: --
 *
 * As in libc, but for errno: a number out of range is the nearest there is.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/limits.h>

CTASSERT(sizeof(long) == sizeof(quad_t));

static int
digit_value(char c)
{
	if (isdigit(c))
		return (c - '0');
	if (isupper(c))
		return (c - 'A' + 10);
	if (islower(c))
		return (c - 'a' + 10);
	return (INT_MAX);
}

/* Takes a prefix 0x or 0 off `s', where base allows it, and sets the base. */
static const char *
prefix(const char *s, int *base)
{
	if ((*base == 0 || *base == 16) && s[0] == '0' &&
	    (s[1] == 'x' || s[1] == 'X') && isxdigit(s[2])) {
		*base = 16;
		return (s + 2);
	}
	if (*base == 0)
		*base = s[0] == '0' ? 8 : 10;
	return (s);
}

/* The number without its sign; more than 64 bits is UQUAD_MAX. */
static u_quad_t
magnitude(const char *s, const char **end, int base, bool *negative,
    bool *overflow)
{
	const char *start = s;
	u_quad_t v = 0;
	int d;

	*end = start;
	*negative = *overflow = false;
	while (isspace(*s))
		s++;
	if (*s == '-' || *s == '+')
		*negative = *s++ == '-';
	s = prefix(s, &base);
	for (; (d = digit_value(*s)) < base; *end = ++s)
		if (__builtin_mul_overflow(v, (u_quad_t)base, &v) ||
		    __builtin_add_overflow(v, (u_quad_t)d, &v))
			*overflow = true;
	return (*overflow ? UQUAD_MAX : v);
}

quad_t
strtoq(const char *s, char **endp, int base)
{
	const u_quad_t limit = (u_quad_t)QUAD_MAX;
	bool negative, overflow;
	const char *end;
	u_quad_t v;

	v = magnitude(s, &end, base, &negative, &overflow);
	if (endp != NULL)
		*endp = __DECONST(char *, end);
	if (v > limit + negative)
		v = limit + negative;
	return ((quad_t)(negative ? 0 - v : v));
}

u_quad_t
strtouq(const char *s, char **endp, int base)
{
	bool negative, overflow;
	const char *end;
	u_quad_t v;

	v = magnitude(s, &end, base, &negative, &overflow);
	if (endp != NULL)
		*endp = __DECONST(char *, end);
	return (negative && !overflow ? 0 - v : v);
}

long
strtol(const char *s, char **endp, int base)
{
	return (strtoq(s, endp, base));
}

unsigned long
strtoul(const char *s, char **endp, int base)
{
	return (strtouq(s, endp, base));
}
