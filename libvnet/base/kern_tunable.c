/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: the numbers in the kernel environment: getenv_*() and TUNABLE_*.
 * Fidelity: exact
 * Differs: --
 *
 * A number is decimal, hexadecimal after 0x or octal after 0, and may end in
 * one of the suffixes k, m, g and t of either case: powers of 1024.  What does
 * not parse to its end counts as not set.  As in FreeBSD the narrower kinds
 * take the low bits of a 64-bit number; only getenv_array() checks the range.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/kenv.h>
#include <sys/limits.h>

#define VALUE_MAX (KENV_MVALLEN + 1)

/* Bits that the suffix at `s' shifts by, -1 if it is none. */
static int
suffix_shift(char s)
{
	switch (s) {
	case 'k': case 'K':
		return (10);
	case 'm': case 'M':
		return (20);
	case 'g': case 'G':
		return (30);
	case 't': case 'T':
		return (40);
	default:
		return (-1);
	}
}

int
getenv_quad(const char *name, quad_t *data)
{
	char text[VALUE_MAX], *end;
	int shift = 0;
	quad_t v;

	if (!getenv_string(name, text, sizeof(text)))
		return (0);
	v = strtoq(text, &end, 0);
	if (end == text)
		return (0);
	if (*end != '\0') {
		shift = suffix_shift(*end);
		if (shift < 0 || end[1] != '\0')
			return (0);
	}
	*data = (quad_t)((u_quad_t)v << shift);
	return (1);
}

#define GETENV(kind, type)						\
int									\
getenv_##kind(const char *name, type *data)				\
{									\
	quad_t v;							\
									\
	if (!getenv_quad(name, &v))					\
		return (0);						\
	*data = (type)v;						\
	return (1);							\
}
GETENV(int, int)
GETENV(uint, unsigned int)
GETENV(long, long)
GETENV(ulong, unsigned long)
GETENV(int64, int64_t)
GETENV(uint64, uint64_t)

int
getenv_bool(const char *name, bool *data)
{
	char text[VALUE_MAX];

	if (!getenv_string(name, text, sizeof(text)))
		return (0);
	if (strcmp(text, "1") == 0 || strcasecmp(text, "true") == 0)
		*data = true;
	else if (strcmp(text, "0") == 0 || strcasecmp(text, "false") == 0)
		*data = false;
	else {
		printf("Environment variable %s has non-boolean value "
		    "\"%s\"\n", name, text);
		return (0);
	}
	return (1);
}

#define TUNABLE_INIT(kind)						\
void									\
tunable_##kind##_init(void *data)					\
{									\
	struct tunable_##kind *t = data;				\
									\
	(void)getenv_##kind(t->path, t->var);				\
}
TUNABLE_INIT(int)
TUNABLE_INIT(long)
TUNABLE_INIT(ulong)
TUNABLE_INIT(int64)
TUNABLE_INIT(uint64)
TUNABLE_INIT(quad)
TUNABLE_INIT(bool)

/* ---- arrays */

static bool
in_range(int64_t v, int size, bool is_signed)
{
	int bits = size * NBBY;

	if (bits == 64)
		return (true);
	if (is_signed)
		return (v >= -(INT64_C(1) << (bits - 1)) &&
		    v < INT64_C(1) << (bits - 1));
	return (v >= 0 && v < INT64_C(1) << bits);
}

/* One number at *s, with suffix and what parts it from the next. */
static bool
array_item(const char **s, int64_t *v)
{
	char *end;
	int shift;

	*v = strtoq(*s, &end, 0);
	if (end == *s)
		return (false);
	shift = suffix_shift(*end);
	if (shift >= 0) {
		if (*v > (INT64_MAX >> shift) || *v < (INT64_MIN >> shift))
			return (false);
		*v = (int64_t)((uint64_t)*v << shift);
		end++;
	} else if (*end != '\0' && strchr(" \t,", *end) == NULL)
		return (false);
	*s = end + strspn(end, " \t,");
	return (true);
}

int
getenv_array(const char *name, void *data, int size, int *psize, int type_size,
    bool allow_signed)
{
	char text[VALUE_MAX];
	const char *s = text;
	int64_t v;
	int n;

	if (!getenv_string(name, text, sizeof(text)))
		return (0);
	for (n = 0; *s != '\0'; n++) {
		if (!array_item(&s, &v) || (v < 0 && !allow_signed) ||
		    !in_range(v, type_size, allow_signed) ||
		    (n + 1) * type_size > size)
			return (0);
		switch (type_size) {
		case 1: ((uint8_t *)data)[n] = (uint8_t)v; break;
		case 2: ((uint16_t *)data)[n] = (uint16_t)v; break;
		case 4: ((uint32_t *)data)[n] = (uint32_t)v; break;
		case 8: ((uint64_t *)data)[n] = (uint64_t)v; break;
		default: return (0);
		}
	}
	*psize = n * type_size;
	return (n != 0);
}
