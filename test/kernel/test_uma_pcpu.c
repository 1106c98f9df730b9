/* SPDX-License-Identifier: BSD-2-Clause */
/* uma(9): zones whose items every CPU has a copy of. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/counter.h>
#include <sys/epoch.h>
#include <sys/errno.h>
#include <sys/kernel.h>
#include <sys/malloc.h>
#include <sys/pcpu.h>
#include <sys/smp.h>
#include <vm/uma.h>
#include <net/vnet.h>

#include <libvnet/test.h>

/* Then free items are watched by it, not by us. */
#ifdef __SANITIZE_ADDRESS__
#define SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define SANITIZED
#endif
#endif

static uma_zone_t zone;

static char calls[8];
static bool refuse;

static int
ctor(void *mem __unused, int size __unused, void *udata __unused,
    int flags __unused)
{
	calls[strlen(calls)] = 'c';
	return (refuse ? ENOMEM : 0);
}

static void
dtor(void *mem __unused, int size __unused, void *udata __unused)
{
	calls[strlen(calls)] = 'd';
}

/* 3: slabs are then smaller than their alignment. */
static const int cpu_counts[] = { 1, 3, LIBVNET_MAXCPU };

static void
reboot_with(int ncpus)
{
	struct libvnet_options options = { .ncpus = ncpus };

	assert_int_equal(libvnet_shutdown(), 0);
	assert_int_equal(libvnet_boot(&options), 0);
}

static void
zero_clears(void)
{
	uint64_t *p[2];
	u_int cpu;

	p[0] = uma_zalloc_pcpu(pcpu_zone_8, M_WAITOK);
	CPU_FOREACH(cpu)
		*zpcpu_get_cpu(p[0], cpu) = ~0ULL;
	uma_zfree_pcpu(pcpu_zone_8, p[0]);
	p[1] = uma_zalloc_pcpu(pcpu_zone_8, M_WAITOK | M_ZERO);
	CPU_FOREACH(cpu)
		assert_int_equal(*zpcpu_get_cpu(p[1], cpu), 0);
	uma_zfree_pcpu(pcpu_zone_8, p[1]);
}

LIBVNET_TEST(uma_m_zero_clears_the_copies_of_all_cpus)
{
	for (size_t i = 0; i < nitems(cpu_counts); i++) {
		reboot_with(cpu_counts[i]);
		zero_clears();
	}
}

#define MANY 2000

static void
never_overlap(void)
{
	static uint64_t *p[MANY];
	u_int cpu;

	for (u_int i = 0; i < MANY; i++) {
		p[i] = uma_zalloc_pcpu(pcpu_zone_8, M_WAITOK | M_ZERO);
		CPU_FOREACH(cpu)
			*zpcpu_get_cpu(p[i], cpu) = i * 100 + cpu;
	}
	/* Holes, filled again. */
	for (u_int i = 0; i < MANY; i += 3)
		uma_zfree_pcpu(pcpu_zone_8, p[i]);
	for (u_int i = 0; i < MANY; i += 3) {
		p[i] = uma_zalloc_pcpu(pcpu_zone_8, M_WAITOK | M_ZERO);
		CPU_FOREACH(cpu)
			*zpcpu_get_cpu(p[i], cpu) = i * 100 + cpu;
	}
	for (u_int i = 0; i < MANY; i++)
		CPU_FOREACH(cpu)
			assert_int_equal(*zpcpu_get_cpu(p[i], cpu),
			    i * 100 + cpu);
	for (u_int i = 0; i < MANY; i++)
		uma_zfree_pcpu(pcpu_zone_8, p[i]);
}

LIBVNET_TEST(uma_items_per_cpu_never_overlap)
{
	for (size_t i = 0; i < nitems(cpu_counts); i++) {
		reboot_with(cpu_counts[i]);
		never_overlap();
	}
}

LIBVNET_TEST(uma_items_per_cpu_are_aligned)
{
	uma_zone_t z[] = { pcpu_zone_4, pcpu_zone_8, pcpu_zone_16,
	    pcpu_zone_32, pcpu_zone_64 };

	for (size_t i = 0; i < nitems(z); i++) {
		void *a = uma_zalloc_pcpu(z[i], M_WAITOK);
		void *b = uma_zalloc_pcpu(z[i], M_WAITOK);

		assert_int_equal((uintptr_t)a % ((size_t)4 << i), 0);
		assert_int_equal((uintptr_t)b % ((size_t)4 << i), 0);
		uma_zfree_pcpu(z[i], a);
		uma_zfree_pcpu(z[i], b);
	}
}

LIBVNET_TEST(uma_zone_per_cpu_calls_ctor_and_dtor)
{
	zone = uma_zcreate("z", 24, ctor, dtor, NULL, NULL, UMA_ALIGN_PTR,
	    UMA_ZONE_PCPU);
	uma_zfree_pcpu(zone, uma_zalloc_pcpu(zone, M_WAITOK));
	assert_string_equal(calls, "cd");
	refuse = true;
	assert_null(uma_zalloc_pcpu(zone, M_WAITOK));
	assert_int_equal(uma_zone_get_cur(zone), 0);
	uma_zdestroy(zone);
}

LIBVNET_TEST(uma_zfree_pcpu_of_null_is_nothing)
{
	uma_zfree_pcpu(pcpu_zone_8, NULL);
}

LIBVNET_TEST(uma_zone_per_cpu_has_a_limit)
{
	void *p;

	zone = uma_zcreate("z", 8, NULL, NULL, NULL, NULL, UMA_ALIGN_PTR,
	    UMA_ZONE_PCPU);
	uma_zone_set_max(zone, 1);
	p = uma_zalloc_pcpu(zone, M_NOWAIT);
	assert_null(uma_zalloc_pcpu(zone, M_NOWAIT));
	uma_zfree_pcpu(zone, p);
	uma_zdestroy(zone);
}

LIBVNET_TEST(uma_item_per_cpu_that_is_too_large_panics)
{
	libvnet_expect_panic("zone \"z\": 4097 bytes .* too many");
	(void)uma_zcreate("z", 4097, NULL, NULL, NULL, NULL, UMA_ALIGN_PTR,
	    UMA_ZONE_PCPU);
}

#ifdef INVARIANTS

LIBVNET_TEST(uma_zfree_pcpu_twice_panics)
{
	void *p = uma_zalloc_pcpu(pcpu_zone_8, M_WAITOK);

	libvnet_expect_panic("uma_zfree_pcpu: .*\\(pcpu-8\\) was freed before");
	uma_zfree_pcpu(pcpu_zone_8, p);
	uma_zfree_pcpu(pcpu_zone_8, p);
}

LIBVNET_TEST(uma_zfree_pcpu_to_another_zone_panics)
{
	libvnet_expect_panic("uma_zfree_pcpu: .* belongs to \"pcpu-8\"");
	uma_zfree_pcpu(pcpu_zone_16, uma_zalloc_pcpu(pcpu_zone_8, M_WAITOK));
}

LIBVNET_TEST(uma_zfree_pcpu_of_the_middle_panics)
{
	char *p = uma_zalloc_pcpu(pcpu_zone_16, M_WAITOK);

	libvnet_expect_panic("is not the start of an item");
	uma_zfree_pcpu(pcpu_zone_16, p + 8);
}

#endif /* INVARIANTS */

LIBVNET_TEST(uma_zdestroy_with_one_live_item_per_cpu_is_found)
{
	libvnet_expect("zone", "UMA zone \"z\" destroyed with 1 item still");
	zone = uma_zcreate("z", 8, NULL, NULL, NULL, NULL, UMA_ALIGN_PTR,
	    UMA_ZONE_PCPU);
	(void)uma_zalloc_pcpu(zone, M_WAITOK);
	uma_zdestroy(zone);
}

#ifdef VIMAGE

LIBVNET_TEST_VNETS(uma_item_per_cpu_is_charged_to_its_vnet, a, b)
{
	char text[96];
	void *p;

	snprintf(text, sizeof(text), "1 item of 16 bytes of UMA zone "
	    "\"pcpu-16\" still allocated after vnet %d", libvnet_number(b));
	libvnet_expect("leak", text);
	LIBVNET_IN(a)
		p = uma_zalloc_pcpu(pcpu_zone_16, M_WAITOK);
	LIBVNET_IN(b)
		(void)uma_zalloc_pcpu(pcpu_zone_16, M_WAITOK);
	uma_zfree_pcpu(pcpu_zone_16, p);
}

#endif /* VIMAGE */

#ifdef INVARIANTS

#ifndef SANITIZED

LIBVNET_TEST(counter_written_after_free_is_found)
{
	counter_u64_t n;

	libvnet_expect_panic("Memory modified after free: zone \"pcpu-8\"");
	n = counter_u64_alloc(M_WAITOK);
	counter_u64_free(n);
	counter_u64_add(n, 1);
	(void)counter_u64_alloc(M_WAITOK);
}

#endif /* !SANITIZED */

LIBVNET_TEST(counter_alloc_waitok_in_an_epoch_section_panics)
{
	struct epoch_tracker et;

	libvnet_expect_panic("uma_zalloc_pcpu\\(M_WAITOK\\): may sleep");
	NET_EPOCH_ENTER(et);
	(void)counter_u64_alloc(M_WAITOK);
}

LIBVNET_TEST(uma_zalloc_of_a_zone_per_cpu_panics)
{
	libvnet_expect_panic("zone \"pcpu-8\" is per CPU");
	(void)uma_zalloc(pcpu_zone_8, M_WAITOK);
}

LIBVNET_TEST(uma_zalloc_pcpu_of_a_plain_zone_panics)
{
	libvnet_expect_panic("zone \"z\" is not per CPU");
	(void)uma_zalloc_pcpu(uma_zcreate("z", 8, NULL, NULL, NULL,
	    NULL, UMA_ALIGN_PTR, 0), M_WAITOK);
}

#endif /* INVARIANTS */
