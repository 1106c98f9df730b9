/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: strlcpy, strlcat; libkern/strlcpy.c, strlcat.c.
 * Fidelity: exact
 * Differs: --
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/libkern.h>

size_t
strlcpy(char *restrict dst, const char *restrict src, size_t size)
{
	size_t len = strlen(src);

	if (size != 0) {
		size_t n = len < size ? len : size - 1;

		memcpy(dst, src, n);
		dst[n] = '\0';
	}
	return (len);
}

size_t
strlcat(char *restrict dst, const char *restrict src, size_t size)
{
	size_t used = strnlen(dst, size);

	if (used == size)
		return (size + strlen(src));
	return (used + strlcpy(dst + used, src, size - used));
}
