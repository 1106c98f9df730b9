/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the sanitizers linked into the process offer, if any: all of it is
 * weak, so that one library serves every build.
 */
#include "host.h"

#define WEAK __attribute__((weak))

extern void __asan_poison_memory_region(const volatile void *, size_t) WEAK;
extern void __asan_unpoison_memory_region(const volatile void *, size_t) WEAK;
extern void __asan_init(void) WEAK;
extern void __msan_init(void) WEAK;
extern void __tsan_init(void) WEAK;
extern void __msan_allocated_memory(const volatile void *, size_t) WEAK;
extern void __msan_unpoison(const volatile void *, size_t) WEAK;
extern void __msan_scoped_disable_interceptor_checks(void) WEAK;
extern void __msan_scoped_enable_interceptor_checks(void) WEAK;

int
vnh_sanitized(void)
{
	return (__asan_init != NULL || __msan_init != NULL);
}

bool
host_sanitizer(void)
{
	return (vnh_sanitized() != 0 || __tsan_init != NULL);
}

void
vnh_poison(const void *p, vnh_size_t n)
{
	if (__asan_poison_memory_region != NULL)
		__asan_poison_memory_region(p, n);
}

void
vnh_unpoison(const void *p, vnh_size_t n)
{
	if (__asan_unpoison_memory_region != NULL)
		__asan_unpoison_memory_region(p, n);
}

void
vnh_uninit(const void *p, vnh_size_t n)
{
	if (__msan_allocated_memory != NULL)
		__msan_allocated_memory(p, n);
}

void
host_initialised(const void *p, size_t n)
{
	if (__msan_unpoison != NULL)
		__msan_unpoison(p, n);
}

void
host_initialised_string(const char *s)
{
	size_t n = 0;

	if (__msan_unpoison == NULL)
		return;
	do {
		__msan_unpoison(s + n, 1);
	} while (s[n++] != '\0');
}

void
host_foreign_enter(void)
{
	if (__msan_scoped_disable_interceptor_checks != NULL)
		__msan_scoped_disable_interceptor_checks();
}

void
host_foreign_exit(void)
{
	if (__msan_scoped_enable_interceptor_checks != NULL)
		__msan_scoped_enable_interceptor_checks();
}
