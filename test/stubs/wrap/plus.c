/* SPDX-License-Identifier: BSD-2-Clause */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/malloc.h>

#include "wrap.h"

static MALLOC_DEFINE(M_KEEP, "keep", "kept");

int
twice_plus_one(int n)
{
	return (twice(n) + 1);
}

void *
keep(int n)
{
	return (malloc((size_t)n, M_KEEP, M_NOWAIT));
}
