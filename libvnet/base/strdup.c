/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: strdup, strndup; libkern/strdup.c, strndup.c.
 * Fidelity: exact
 * Differs: --
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/libkern.h>
#include <sys/malloc.h>

char *
strndup(const char *restrict string, size_t most, struct malloc_type *type)
{
	size_t len = strnlen(string, most);
	char *copy = malloc(len + 1, type, M_WAITOK);

	memcpy(copy, string, len);
	copy[len] = '\0';
	return (copy);
}

char *
strdup(const char *restrict string, struct malloc_type *type)
{
	return (strndup(string, strlen(string), type));
}
