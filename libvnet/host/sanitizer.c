/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the sanitizers linked into the process offer, if any: all of it is
 * weak, so that one library serves every build.
 */
#include "host.h"
#ifdef LIBVNET_HAVE_VALGRIND
#include <valgrind/memcheck.h>
#else
#define RUNNING_ON_VALGRIND 0
#define VALGRIND_GET_VBITS(p, bits, n) ((void)(p), (void)(bits), 0)
#define VALGRIND_MAKE_MEM_NOACCESS(p, n) 0
#define VALGRIND_MAKE_MEM_DEFINED(p, n) 0
#define VALGRIND_MAKE_MEM_UNDEFINED(p, n) 0
#define VALGRIND_MALLOCLIKE_BLOCK(p, n, red, zero) ((void)0)
#define VALGRIND_FREELIKE_BLOCK(p, red) ((void)0)
#endif

#define WEAK __attribute__((weak))

extern void __asan_poison_memory_region(const volatile void *, size_t) WEAK;
extern void __asan_unpoison_memory_region(const volatile void *, size_t) WEAK;
extern void __asan_init(void) WEAK;
extern void __msan_init(void) WEAK;
extern void *__tsan_create_fiber(unsigned) WEAK;	/* an explorer has none */
extern void __ubsan_handle_type_mismatch_v1(void) WEAK;
extern void __msan_allocated_memory(const volatile void *, size_t) WEAK;
extern void __msan_unpoison(const volatile void *, size_t) WEAK;
extern void __msan_scoped_disable_interceptor_checks(void) WEAK;
extern void __msan_scoped_enable_interceptor_checks(void) WEAK;

/*
 * Whether undefined behaviour and uninitialised values end the program is for
 * sanitizer_report.c, where the program was linked with it.
 */
extern void __real___ubsan_handle_type_mismatch_v1(void) WEAK;
extern void __real___msan_warning_with_origin(void) WEAK;
extern const char *__ubsan_default_options(void);
extern const char *__msan_default_options(void);
const char *
__ubsan_default_options(void)
{
	return (__real___ubsan_handle_type_mismatch_v1 == NULL ?
	    "halt_on_error=1" : "halt_on_error=0");
}

const char *
__msan_default_options(void)
{
	return (__real___msan_warning_with_origin == NULL ?
	    "halt_on_error=1" : "halt_on_error=0");
}

static bool on_valgrind;

static void __attribute__((constructor))
look_for_valgrind(void)
{
	char byte = 0, bits;

	/* Its other tools, callgrind say, want to see what always runs. */
	on_valgrind = RUNNING_ON_VALGRIND != 0 &&
	    VALGRIND_GET_VBITS(&byte, &bits, 1) == 1;
}

int
vnh_sanitized(void)
{
	return ((__asan_init != NULL ? VNH_ASAN : 0) |
	    (__msan_init != NULL ? VNH_MSAN : 0) |
	    (on_valgrind ? VNH_VALGRIND : 0));
}

bool
host_sanitizer(void)
{
	return (vnh_sanitized() != 0 || __tsan_create_fiber != NULL ||
	    __ubsan_handle_type_mismatch_v1 != NULL);
}

void
vnh_poison(const void *p, vnh_size_t n)
{
	if (__asan_poison_memory_region != NULL)
		__asan_poison_memory_region(p, n);
	if (on_valgrind)
		(void)VALGRIND_MAKE_MEM_NOACCESS(p, n);
}

void
vnh_unpoison(const void *p, vnh_size_t n)
{
	if (__asan_unpoison_memory_region != NULL)
		__asan_unpoison_memory_region(p, n);
	if (on_valgrind)
		(void)VALGRIND_MAKE_MEM_DEFINED(p, n);
}

void
vnh_uninit(const void *p, vnh_size_t n)
{
	if (__msan_allocated_memory != NULL)
		__msan_allocated_memory(p, n);
	if (on_valgrind)
		(void)VALGRIND_MAKE_MEM_UNDEFINED(p, n);
}

void
vnh_item_born(void *p, vnh_size_t n, int fresh)
{
	if (on_valgrind)
		VALGRIND_MALLOCLIKE_BLOCK(p, n, 0, !fresh);
	vnh_unpoison(p, n);
	if (fresh)
		vnh_uninit(p, n);
}

/* AddressSanitizer's unit is 8 bytes, and no item shares one with another. */
void
vnh_item_died(void *p, vnh_size_t n, int fresh)
{
	if (fresh)
		vnh_uninit(p, n);
	vnh_poison(p, (n + 7) & ~(vnh_size_t)7);
	if (on_valgrind)
		VALGRIND_FREELIKE_BLOCK(p, 0);
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
