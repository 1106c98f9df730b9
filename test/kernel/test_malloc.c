/* SPDX-License-Identifier: BSD-2-Clause */
/* malloc(9): contents, alignment, sizes, and misuse. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/callout.h>
#include <sys/kernel.h>
#include <sys/limits.h>
#include <sys/malloc.h>
#include <net/vnet.h>

#include <libvnet/test.h>

/* Then freed memory is watched by it, not by us. */
#ifdef __SANITIZE_ADDRESS__
#define SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || \
    __has_feature(thread_sanitizer)
#define SANITIZED
#endif
#endif

static MALLOC_DEFINE(M_MINE, "mine", "test");
static MALLOC_DEFINE(M_OTHER, "other", "test");

/* ---- contents */

LIBVNET_TEST(malloc_m_zero_clears)
{
	char zero[100] = { 0 };
	void *p = malloc(sizeof(zero), M_MINE, M_WAITOK | M_ZERO);

	assert_memory_equal(p, zero, sizeof(zero));
	free(p, M_MINE);
}

LIBVNET_TEST(realloc_keeps_the_contents)
{
	char *p = malloc(8, M_MINE, M_WAITOK);

	memcpy(p, "contents", 8);
	p = realloc(p, 1000, M_MINE, M_WAITOK);
	assert_memory_equal(p, "contents", 8);
	p = realloc(p, 4, M_MINE, M_WAITOK);
	assert_memory_equal(p, "cont", 4);
	p = reallocf(p, 16, M_MINE, M_NOWAIT);
	assert_memory_equal(p, "cont", 4);
	free(p, M_MINE);
}

LIBVNET_TEST(realloc_of_null_allocates)
{
	free(realloc(NULL, 8, M_MINE, M_WAITOK), M_MINE);
}

LIBVNET_TEST(free_of_null_is_nothing)
{
	free(NULL, M_MINE);
	zfree(NULL, M_MINE);
}

LIBVNET_TEST(zfree_gives_back)
{
	char *p = malloc(8, M_MINE, M_WAITOK);

	memcpy(p, "password", 8);
	zfree(p, M_MINE);
}

/* ---- sizes and alignment */

LIBVNET_TEST(malloc_aligns_powers_of_two_to_themselves)
{
	for (size_t size = 16; size <= 8 * PAGE_SIZE; size *= 2) {
		size_t align = size < PAGE_SIZE ? size : PAGE_SIZE;
		void *p = malloc(size, M_MINE, M_WAITOK);

		assert_int_equal((uintptr_t)p % align, 0);
		free(p, M_MINE);
	}
}

LIBVNET_TEST(malloc_aligned_aligns)
{
	for (size_t align = 16; align <= 4 * PAGE_SIZE; align *= 2) {
		void *p = malloc_aligned(40, align, M_MINE, M_WAITOK);

		assert_int_equal((uintptr_t)p % align, 0);
		free(p, M_MINE);
	}
}

LIBVNET_TEST(malloc_gives_what_was_asked_and_no_more)
{
	void *p = malloc(13, M_MINE, M_WAITOK);

	assert_int_equal(malloc_usable_size(p), 13);
	free(p, M_MINE);
	assert_int_equal(malloc_usable_size(NULL), 0);
}

LIBVNET_TEST(malloc_of_no_bytes_is_a_place_of_its_own)
{
	void *a = malloc(0, M_MINE, M_WAITOK), *b = malloc(0, M_MINE, M_WAITOK);

	assert_non_null(a);
	assert_ptr_not_equal(a, b);
	free(a, M_MINE);
	free(b, M_MINE);
}

LIBVNET_TEST(mallocarray_multiplies)
{
	void *p = mallocarray(7, 9, M_MINE, M_WAITOK);

	assert_int_equal(malloc_usable_size(p), 63);
	free(p, M_MINE);
}

LIBVNET_TEST(mallocarray_that_overflows_panics)
{
	volatile size_t n = ULONG_MAX / 2;

	libvnet_expect_panic("mallocarray: [0-9]+ \\* 3 overflowed");
	(void)!mallocarray(n, 3, M_MINE, M_WAITOK);
}

/* ---- misuse */

#ifdef INVARIANTS

LIBVNET_TEST(free_with_another_type_panics)
{
	libvnet_expect_panic("free: .* belongs to \"mine\"; give it back "
	    "there");
	free(malloc(8, M_MINE, M_WAITOK), M_OTHER);
}

LIBVNET_TEST(realloc_with_another_type_panics)
{
	libvnet_expect_panic("realloc: .* belongs to \"mine\"");
	(void)!realloc(malloc(8, M_MINE, M_WAITOK), 16, M_OTHER, M_WAITOK);
}

#ifndef SANITIZED

LIBVNET_TEST(free_twice_panics)
{
	void *p = malloc(8, M_MINE, M_WAITOK);

	if (libvnet_heap_backend() != LIBVNET_HEAP_REGION)
		libvnet_skip("only the region knows of freed items");
	libvnet_expect_panic("free: .*\\(mine\\) was freed before");
	free(p, M_MINE);
	free(p, M_MINE);
}

LIBVNET_TEST(free_of_what_malloc_never_gave_panics)
{
	static char mine[256] __aligned(16);

	libvnet_expect_panic("free: .* was never allocated here");
	free(mine + 128, M_MINE);
}

LIBVNET_TEST(malloc_without_m_zero_is_not_zero)
{
	u_char *p = malloc(8, M_MINE, M_WAITOK);

	for (int i = 0; i < 8; i++)
		assert_int_not_equal(p[i], 0);
	free(p, M_MINE);
}
#endif /* !SANITIZED */
#endif /* INVARIANTS */

#ifdef INVARIANTS

static volatile int flags;

LIBVNET_TEST(malloc_without_a_wait_flag_panics)
{
	libvnet_expect_panic("malloc\\(\"mine\"\\): give M_WAITOK or M_NOWAIT");
	(void)!malloc(8, M_MINE, flags | M_ZERO);
}

LIBVNET_TEST(malloc_with_both_wait_flags_panics)
{
	libvnet_expect_panic("malloc\\(\"mine\"\\): give M_WAITOK or M_NOWAIT");
	(void)!malloc(8, M_MINE, flags | M_WAITOK | M_NOWAIT);
}

LIBVNET_TEST(malloc_with_a_type_that_is_none_panics)
{
	static struct malloc_type none[1];

	libvnet_expect_panic("is not one made by MALLOC_DEFINE");
	(void)!malloc(8, none, M_WAITOK);
}

LIBVNET_TEST(malloc_aligned_to_no_power_of_two_panics)
{
	libvnet_expect_panic("alignment 24 is not a power of two");
	(void)!malloc_aligned(8, 24, M_MINE, M_WAITOK);
}

static void
allocate(void *arg)
{
	free(malloc(8, M_MINE, *(int *)arg), M_MINE);
}

static void
allocate_in_a_callout(int wait)
{
	static struct callout c;

	callout_init(&c, 1);
	callout_reset(&c, 1, allocate, &wait);
	libvnet_clock_advance_ns(LIBVNET_NS_PER_SECOND);
}

LIBVNET_TEST(malloc_waitok_in_an_interrupt_panics)
{
	libvnet_expect_panic("malloc\\(M_WAITOK\\): may sleep, in an interrupt "
	    "context");
	allocate_in_a_callout(M_WAITOK);
}

LIBVNET_TEST(malloc_nowait_in_an_interrupt_is_allowed)
{
	allocate_in_a_callout(M_NOWAIT);
}

#endif /* INVARIANTS */

#ifdef INVARIANTS
LIBVNET_TEST(malloc_in_a_critical_section_panics)
{
	libvnet_expect_panic("malloc.*in a critical section");
	critical_enter();
	free(malloc(8, M_TEMP, M_NOWAIT), M_TEMP);
}

LIBVNET_TEST(free_in_a_critical_section_panics)
{
	void *p = malloc(8, M_TEMP, M_NOWAIT);

	libvnet_expect_panic("free.*in a critical section");
	critical_enter();
	free(p, M_TEMP);
}
#endif

LIBVNET_TEST(malloc_and_free_outside_a_critical_section_are_silent)
{
	critical_enter();
	critical_exit();
	free(malloc(8, M_TEMP, M_NOWAIT), M_TEMP);
}

LIBVNET_TEST_VNET(strdup_copies_and_belongs_to_its_type, v)
{
	char *all = strdup("four", M_TEMP), *part = strndup("four", 2, M_TEMP);
	char *less = strndup("four", 10, M_TEMP);

	assert_string_equal(all, "four");
	assert_string_equal(part, "fo");
	assert_string_equal(less, "four");
	free(all, M_TEMP);
	free(part, M_TEMP);
	free(less, M_TEMP);
}
