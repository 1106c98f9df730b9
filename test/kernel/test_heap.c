/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Faults of memory: each is found, and names who allocated and who freed;
 * its twin is silent.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/malloc.h>
#include <sys/pcpu.h>
#include <sys/smp.h>
#include <vm/uma.h>
#include <net/vnet.h>

#include <libvnet/test.h>

#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#define ADDRESS_SANITIZER 1
#endif

static MALLOC_DEFINE(M_HEAP, "heap", "test");
static MALLOC_DEFINE(M_OTHER, "other", "test");

/* Not inlined: reports name them. */
static __noinline char *
grab(size_t size)
{
	return (malloc(size, M_HEAP, M_WAITOK));
}

static __noinline void
drop(void *p)
{
	free(p, M_HEAP);
}

static __noinline void *
take(uma_zone_t z)
{
	return (uma_zalloc(z, M_WAITOK));
}

static __noinline void
give(uma_zone_t z, void *p)
{
	uma_zfree(z, p);
}

#if defined(INVARIANTS) && !defined(ADDRESS_SANITIZER)
static __noinline void *
take_pcpu(uma_zone_t z)
{
	return (uma_zalloc_pcpu(z, M_WAITOK));
}
#endif

static uma_zone_t
make(size_t size)
{
	return (uma_zcreate("heapzone", size, NULL, NULL, NULL, NULL,
	    UMA_ALIGN_PTR, 0));
}

static void
region_only(void)
{
	if (libvnet_heap_backend() != LIBVNET_HEAP_REGION)
		libvnet_skip("only the region knows of freed items");
}

#ifdef INVARIANTS

/* ---- given back twice, or elsewhere */

LIBVNET_TEST_VNET(heap_double_free_names_both_sites, v)
{
	void *p = grab(40);

	region_only();
	libvnet_expect("doublefree", "free: .* of malloc type \"heap\" was freed "
	    "before, allocated by grab at .*, freed by drop at ");
	libvnet_expect_panic("was freed before");
	drop(p);
	free(p, M_HEAP);
}

LIBVNET_TEST_VNET(heap_double_free_of_a_large_item_is_found, v)
{
	void *p = grab(100000);

	region_only();
	libvnet_expect_panic("was freed before|never allocated here, or its "
	    "pages");
	drop(p);
	free(p, M_HEAP);
}

LIBVNET_TEST_VNET(heap_uma_double_free_names_both_sites, v)
{
	uma_zone_t z = make(48);
	void *p = take(z);

	region_only();
	libvnet_expect("doublefree", "uma_zfree: .* of UMA zone \"heapzone\" was "
	    "freed before, allocated by take at .*, freed by give at ");
	libvnet_expect_panic("was freed before");
	give(z, p);
	uma_zfree(z, p);
}

LIBVNET_TEST_VNET(heap_free_with_another_type_names_who_allocated, v)
{
	libvnet_expect("badfree", "belongs to malloc type \"heap\".*, allocated "
	    "by grab at ");
	libvnet_expect_panic("give it back there");
	free(grab(40), M_OTHER);
}

LIBVNET_TEST_VNET(heap_uma_free_to_another_zone_names_who_allocated, v)
{
	uma_zone_t z = make(48), other = make(48);

	libvnet_expect("badfree", "belongs to UMA zone \"heapzone\".*, allocated "
	    "by take at ");
	libvnet_expect_panic("give it back there");
	uma_zfree(other, take(z));
}

LIBVNET_TEST_VNET(heap_free_of_the_middle_is_found, v)
{
	char *p = grab(40);

	region_only();
	libvnet_expect("badfree", "is not the start of an item: .* is 8 bytes "
	    "inside a live item of 40 bytes of malloc type \"heap\" at .*, "
	    "allocated by grab at ");
	libvnet_expect_panic("is not the start of an item: .* item of 40 bytes");
	drop(p + 8);
}

LIBVNET_TEST_VNET(heap_free_of_the_middle_of_a_large_item_is_found, v)
{
	char *p = grab(3 << 20);

	region_only();
	libvnet_expect("badfree", "is 2097152 bytes inside a live item of "
	    "3145728 bytes of malloc type \"heap\" at .*, allocated by grab at ");
	libvnet_expect_panic("is not the start of an item");
	drop(p + (2 << 20));
}

LIBVNET_TEST_VNET(heap_uma_free_of_the_middle_names_who_allocated, v)
{
	uma_zone_t z = make(48);
	char *p = take(z);

	region_only();
	libvnet_expect("badfree", "is 16 bytes inside a live item of 48 bytes of "
	    "UMA zone \"heapzone\" at .*, allocated by take at ");
	libvnet_expect_panic("is not the start of an item");
	give(z, p + 16);
}

LIBVNET_TEST_VNET(heap_free_of_the_start_is_no_finding, v)
{
	uma_zone_t z = make(48);

	drop(grab(40));
	drop(grab(3 << 20));
	give(z, take(z));
	uma_zdestroy(z);
}

static char foreign[64] __aligned(16);

LIBVNET_TEST_VNET(heap_free_of_a_variable_is_found, v)
{
	region_only();
	libvnet_expect("badfree", "was never allocated here");
	libvnet_expect_panic("was never allocated here");
	drop(foreign + 32);
}

/* ---- written where it should not be */

#ifndef ADDRESS_SANITIZER

static __noinline void
scribble(volatile char *p, long at)
{
	p[at] = 1;
}

static const size_t sizes[] = { 1, 13, 16, 40, 64, 100, 128, 1000, 2048, 4000,
	4096, 5000, 16384, 20000, 20480, 65536, 100000 };

LIBVNET_TEST_VNET(heap_overflow_by_one_is_found_at_free, v)
{
	if (libvnet_heap_backend() != LIBVNET_HEAP_REGION)
		libvnet_skip("only the region has red zones at both ends");
	for (size_t i = 0; i < nitems(sizes); i++) {
		char *p = grab(sizes[i]), text[128];

		snprintf(text, sizeof(text), "byte 1 behind an item of %zu "
		    "bytes of malloc type \"heap\".*, allocated by grab at ",
		    sizes[i]);
		libvnet_expect("overrun", text);
		scribble(p, (long)sizes[i]);
		drop(p);
	}
}

LIBVNET_TEST_VNET(heap_underflow_by_one_is_found_at_free, v)
{
	if (libvnet_heap_backend() != LIBVNET_HEAP_REGION)
		libvnet_skip("only the region has red zones at both ends");
	for (size_t i = 0; i < nitems(sizes); i++) {
		char *p = grab(sizes[i]), text[128];

		snprintf(text, sizeof(text), "byte 1 before an item of %zu "
		    "bytes of malloc type \"heap\".*, allocated by grab at ",
		    sizes[i]);
		libvnet_expect("overrun", text);
		scribble(p, -1);
		drop(p);
	}
}

LIBVNET_TEST_VNET(heap_writes_to_the_ends_are_no_finding, v)
{
	for (size_t i = 0; i < nitems(sizes); i++) {
		char *p = grab(sizes[i]);

		scribble(p, 0);
		scribble(p, (long)sizes[i] - 1);
		assert_int_equal(libvnet_heap_check(), 0);
		drop(p);
	}
}

LIBVNET_TEST_VNET(heap_uma_overflow_is_found_at_both_ends, v)
{
	uma_zone_t z = make(48);
	char *p = take(z);

	region_only();
	libvnet_expect("overrun", "byte 1 behind an item of 48 bytes of UMA zone "
	    "\"heapzone\".*, allocated by take at ");
	libvnet_expect("overrun", "byte 1 before an item of 48 bytes of UMA zone "
	    "\"heapzone\"");
	scribble(p, 48);
	scribble(p, -1);
	give(z, p);
	uma_zdestroy(z);
}

LIBVNET_TEST_VNET(heap_overflow_of_a_copy_per_cpu_is_found_at_both_ends, v)
{
	static const size_t bytes[] = { 4, 8, 24, 64, 4000 };

	region_only();
	for (size_t i = 0; i < nitems(bytes); i++) {
		uma_zone_t z = uma_zcreate("heapcopies", bytes[i], NULL, NULL,
		    NULL, NULL, UMA_ALIGN_PTR, UMA_ZONE_PCPU);
		char *p = take_pcpu(z), text[128];

		scribble(p, 0);
		scribble(zpcpu_get_cpu(p, mp_maxid), (long)bytes[i] - 1);
		assert_int_equal(libvnet_heap_check(), 0);
		snprintf(text, sizeof(text), "byte 1 behind an item of %zu "
		    "bytes of UMA zone \"heapcopies\".*, allocated by take_pcpu "
		    "at ", bytes[i]);
		libvnet_expect("overrun", text);
		libvnet_expect("overrun", "byte 1 before an item of");
		scribble(p, -1);
		scribble(zpcpu_get_cpu(p, mp_maxid), (long)bytes[i]);
		uma_zfree_pcpu(z, p);
		uma_zdestroy(z);
	}
}

LIBVNET_TEST_VNET(heap_overflow_is_found_by_a_look_around, v)
{
	char *p = grab(40);

	region_only();
	libvnet_expect("overrun", "byte 2 behind an item of 40 bytes");
	scribble(p, 41);
	assert_int_equal(libvnet_heap_check(), 1);
	assert_int_equal(libvnet_heap_check(), 0);	/* it is mended */
	drop(p);
}

LIBVNET_TEST_VNET(heap_overflow_of_a_leak_is_found_with_the_vnet, v)
{
	region_only();
	libvnet_expect("overrun", "byte 1 behind an item of 40 bytes");
	libvnet_expect("leak", "1 item of 40 bytes");
	scribble(grab(40), 40);
}

#if !__has_feature(memory_sanitizer)
LIBVNET_TEST_VNET(heap_use_after_free_names_both_sites, v)
{
	char *p = grab(40);

	region_only();
	libvnet_expect("useafterfree", "of malloc type \"heap\" was written "
	    "after it was freed: .*, allocated by grab at .*, freed by drop at ");
	libvnet_expect_panic("Memory modified after free");
	drop(p);
	scribble(p, 8);
	(void)grab(40);
}

static const size_t large[] = { 20000, 65537, 100000, 3 << 20 };

LIBVNET_TEST_VNET(heap_use_after_free_of_a_large_item_is_found_by_a_look, v)
{
	region_only();
	for (size_t i = 0; i < nitems(large); i++) {
		char *p = grab(large[i]);

		libvnet_expect("useafterfree", "of malloc type \"heap\" was "
		    "written after it was freed: offset 16384 holds .*, allocated "
		    "by grab at .*, freed by drop at ");
		drop(p);
		scribble(p, 16384);
		assert_int_equal(libvnet_heap_check(), 1);
		assert_int_equal(libvnet_heap_check(), 0);
	}
}

/* It is noticed when the pages are taken, and told by the next look. */
LIBVNET_TEST_VNET(heap_use_after_free_of_a_large_item_is_found_when_reused, v)
{
	char *p = grab(100000);

	region_only();
	libvnet_expect("useafterfree", "offset 16384 holds .*, freed by drop at ");
	drop(p);
	scribble(p, 16384);
	assert_ptr_equal(grab(100000), p);
	drop(p);
	assert_int_equal(libvnet_heap_check(), 1);
}

LIBVNET_TEST_VNET(heap_large_items_used_in_turn_are_no_finding, v)
{
	for (int round = 0; round < 40; round++) {
		char *p[nitems(large)];

		for (size_t i = 0; i < nitems(large); i++) {
			p[i] = grab(large[i]);
			memset(p[i], round, large[i]);
		}
		assert_int_equal(libvnet_heap_check(), 0);
		for (size_t i = 0; i < nitems(large); i++)
			drop(p[i]);
		p[0] = grab(200);	/* other pages, of a slab perhaps */
		assert_int_equal(libvnet_heap_check(), 0);
		drop(p[0]);
	}
}
#endif

#endif /* !ADDRESS_SANITIZER */
#endif /* INVARIANTS */

/* ---- what is right */

LIBVNET_TEST_VNET(heap_alignment_is_natural, v)
{
	void *p[40];
	int n = 0;

	for (size_t size = 16; size <= 65536; size *= 2) {
		p[n] = grab(size);
		assert_int_equal((uintptr_t)p[n] % MIN(size, PAGE_SIZE), 0);
		p[++n] = grab(size + 1);
		assert_int_equal((uintptr_t)p[n++] % (size < PAGE_SIZE ? 16 :
		    PAGE_SIZE), 0);
	}
	while (n > 0)
		drop(p[--n]);
	p[0] = malloc_aligned(100, 32768, M_HEAP, M_WAITOK);
	assert_int_equal((uintptr_t)p[0] % 32768, 0);
	drop(p[0]);
}

LIBVNET_TEST_VNET(heap_huge_items_come_and_go, v)
{
	for (int i = 0; i < 3; i++) {
		char *a = malloc((5 << 20) + 17, M_HEAP, M_WAITOK | M_ZERO);
		char *b = grab(2 << 20);

		assert_int_equal(a[(5 << 20) + 16], 0);
		a[(5 << 20) + 16] = 1;
		b[(2 << 20) - 1] = 1;
		drop(a);
		drop(b);
	}
}
