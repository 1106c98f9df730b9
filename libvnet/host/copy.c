/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Copying that no sanitizer sees.  This file is compiled without any, and
 * with -fno-builtin so that the loop does not become a call of memcpy, whose
 * interceptor stops at red zones inside the section.
 */
#include "host.h"

extern void __msan_unpoison(const volatile void *, size_t)
    __attribute__((weak));

#ifdef __clang__
__attribute__((no_sanitize("address", "memory", "thread", "undefined")))
#else
__attribute__((no_sanitize("address", "thread", "undefined")))
#endif
void
vnh_copy(void *dst, const void *src, vnh_size_t n)
{
	/* What is copied here was initialised: the image of a section. */
	if (__msan_unpoison != NULL)
		__msan_unpoison(dst, n);
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
