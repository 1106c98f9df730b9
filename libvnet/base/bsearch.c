/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: bsearch, of FreeBSD's libkern.
 * Fidelity: exact
 * Differs: --
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/libkern.h>

void *
bsearch(const void *key, const void *base, size_t n, size_t size,
    int (*cmp)(const void *, const void *))
{
	const char *low = base, *mid;
	int c;

	for (; n > 0; n /= 2) {
		mid = low + n / 2 * size;
		c = cmp(key, mid);
		if (c == 0)
			return (__DECONST(void *, mid));
		if (c > 0) {
			low = mid + size;
			n--;
		}
	}
	return (NULL);
}
