/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How much of a stack was used: it is zero before use, and a word that is not
 * was written.  Only what is not zero is written, so that memory which nobody
 * touched stays untouched.  Compiled without sanitizers, see copy.c: this is
 * other people's stack.
 */
#include "coroutine.h"

void
host_stack_clear(char *stack, size_t size)
{
	volatile vnh_u64 *p = (vnh_u64 *)(void *)stack;

	for (vnh_size_t i = 0; i < size / sizeof(*p); i++)
		if (p[i] != 0)
			p[i] = 0;
}

vnh_size_t
vnh_stack_used(const char *stack, vnh_size_t size)
{
	const volatile vnh_u64 *p = (const vnh_u64 *)(const void *)stack;
	vnh_size_t i = 0;

	while (i < size / sizeof(*p) && p[i] == 0)
		i++;
	return (size - i * sizeof(*p));
}
