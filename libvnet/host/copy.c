/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Copying that no sanitizer sees.  This file is compiled without any, and
 * with -fno-builtin so that the loop does not become a call of memcpy, whose
 * interceptor stops at red zones inside the section.
 *
 * Nothing here returns a value: MSan would look for its shadow.
 */
#include "host.h"
#include "snapshot.h"

extern void __msan_unpoison(const volatile void *, size_t)
    __attribute__((weak));

#ifdef __clang__
#define UNSEEN \
	__attribute__((no_sanitize("address", "memory", "thread", "undefined")))
#else
#define UNSEEN __attribute__((no_sanitize("address", "thread", "undefined")))
#endif

UNSEEN void
host_copy(void *dst, const void *src, size_t n)
{
#if defined(__x86_64__)
	__asm__ volatile("rep movsb"
	    : "+D"(dst), "+S"(src), "+c"(n) : : "memory");
#else
	volatile char *d = dst;
	const volatile char *s = src;

	while (n-- > 0)
		*d++ = *s++;
#endif
}

UNSEEN void
host_fill(void *dst, unsigned char byte, size_t n)
{
#if defined(__x86_64__)
	__asm__ volatile("rep stosb"
	    : "+D"(dst), "+c"(n) : "a"(byte) : "memory");
#else
	volatile unsigned char *d = dst;

	while (n-- > 0)
		*d++ = byte;
#endif
}

/* A word of any alignment that may be anything. */
typedef uint64_t word __attribute__((aligned(1), may_alias));

UNSEEN void
host_compare(const void *a, const void *b, size_t n, bool *differ)
{
	const word *x = a, *y = b;
	const unsigned char *p, *q;

	for (; n >= 64; n -= 64, x += 8, y += 8)
		if (((x[0] ^ y[0]) | (x[1] ^ y[1]) | (x[2] ^ y[2]) |
		    (x[3] ^ y[3]) | (x[4] ^ y[4]) | (x[5] ^ y[5]) |
		    (x[6] ^ y[6]) | (x[7] ^ y[7])) != 0) {
			*differ = true;
			return;
		}
	p = (const unsigned char *)x;
	q = (const unsigned char *)y;
	while (n-- > 0)
		if (*p++ != *q++) {
			*differ = true;
			return;
		}
	*differ = false;
}

UNSEEN void
vnh_copy(void *dst, const void *src, vnh_size_t n)
{
	/* What is copied here was initialised: the image of a section. */
	if (__msan_unpoison != NULL)
		__msan_unpoison(dst, n);
	host_copy(dst, src, n);
}
