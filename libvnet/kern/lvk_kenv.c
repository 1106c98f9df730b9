/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: the loader, which hands the kernel its environment, where a tree's
 * kern_environment.c is in use.
 * Fidelity: exact
 * Differs: the environment is the lines that boot is given; there are no
 * hints.
 */
#include <sys/param.h>
#include <sys/systm.h>

#ifndef LIBVNET_BASE

#include <sys/kenv.h>

#include <lvk.h>
#include "lvk_boot.h"

#define KENV_BYTES 16384

char static_env[2];
char static_hints[2];

/* Of words that end with a NUL; an empty one ends them all. */
static char env[KENV_BYTES];

void
lvk_kenv_init(const char *lines)
{
	size_t n = 0;

	for (; lines != NULL && *lines != '\0'; lines++) {
		if (n + 2 >= sizeof(env))
			panic("the kernel environment has more than %d bytes",
			    KENV_BYTES);
		if (*lines != '\n')
			env[n++] = *lines;
		else if (n > 0 && env[n - 1] != '\0')
			env[n++] = '\0';
	}
	env[n] = env[n + 1] = '\0';
	init_static_kenv(env, 0);
}

#endif /* !LIBVNET_BASE */
