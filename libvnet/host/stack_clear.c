/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How much of a stack was used: it is zero before use, and a word that is not
 * was written.  Only what is not zero is written, so that memory which nobody
 * touched stays untouched.  Compiled without sanitizers, see copy.c: this is
 * other people's stack.
 */
#include "coroutine.h"

#define LINE 8			/* words looked at together */

static bool
zero(const vnh_u64 *p)
{
	/* Written out: the compilers make a loop of a loop. */
	return ((p[0] | p[1] | p[2] | p[3] | p[4] | p[5] | p[6] | p[7]) == 0);
}

void
host_stack_clear(char *stack, size_t size)
{
	vnh_u64 *p = (vnh_u64 *)(void *)stack, *end = p + size / sizeof(*p);

	for (; p < end; p += LINE)
		if (!zero(p))
			for (int i = 0; i < LINE; i++)
				p[i] = 0;
}

vnh_size_t
vnh_stack_used(const char *stack, vnh_size_t size)
{
	const vnh_u64 *p = (const vnh_u64 *)(const void *)stack;
	vnh_size_t i = 0;

	while (i < size / sizeof(*p) && zero(p + i))
		i += LINE;
	while (i < size / sizeof(*p) && p[i] == 0)
		i++;
	return (size - i * sizeof(*p));
}
