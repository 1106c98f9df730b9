/* SPDX-License-Identifier: BSD-2-Clause */
/* uma(9): life of zones and items, limits, and misuse. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/epoch.h>
#include <sys/errno.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/sysctl.h>
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

#define ITEM 48
#define BIG_ITEM 20000		/* one fills a slab */

static uma_zone_t zone;

static uma_zone_t
plain(const char *name)
{
	return (uma_zcreate(name, ITEM, NULL, NULL, NULL, NULL,
	    UMA_ALIGN_PTR, 0));
}

/* ---- constructors, in the order in which they were called */

static char calls[64];
static int refuse;		/* the call that fails */

static int
called(char who)
{
	size_t n = strlen(calls);

	if (n < sizeof(calls) - 1)
		calls[n] = who;
	return (refuse == who ? ENOMEM : 0);
}

static void *last_udata;
static int last_size;

static int
ctor(void *mem __unused, int size, void *udata, int flags __unused)
{
	last_udata = udata;
	last_size = size;
	return (called('c'));
}

static void
dtor(void *mem __unused, int size __unused, void *udata)
{
	last_udata = udata;
	called('d');
}

/* Fresh memory must be zero here. */
static int
init(void *mem, int size, int flags __unused)
{
	for (int i = 0; i < size; i++)
		if (((char *)mem)[i] != 0)
			called('!');
	memset(mem, 0x5a, (size_t)size);
	return (called('i'));
}

static void
fini(void *mem __unused, int size __unused)
{
	called('f');
}

static int
zinit(void *mem __unused, int size __unused, int flags __unused)
{
	return (called('z'));
}

static void
zfini(void *mem __unused, int size __unused)
{
	called('y');
}

static uma_zone_t
full(void)
{
	return (uma_zcreate("full", BIG_ITEM, ctor, dtor, init, fini,
	    UMA_ALIGN_PTR, 0));
}

LIBVNET_TEST(uma_calls_come_in_order)
{
	int udata;
	void *p;

	zone = full();
	p = uma_zalloc_arg(zone, &udata, M_WAITOK);
	assert_string_equal(calls, "ic");
	assert_ptr_equal(last_udata, &udata);
	assert_int_equal(last_size, BIG_ITEM);
	uma_zfree_arg(zone, p, NULL);
	assert_null(last_udata);
	uma_zdestroy(zone);
	assert_string_equal(calls, "icdf");
}

LIBVNET_TEST(uma_secondary_calls_come_between)
{
	uma_zone_t second;
	void *p;

	zone = full();
	second = uma_zsecond_create("second", NULL, NULL, zinit, zfini, zone);
	p = uma_zalloc(second, M_WAITOK);
	assert_string_equal(calls, "iz");
	uma_zfree(second, p);
	uma_zdestroy(second);
	uma_zdestroy(zone);
	assert_string_equal(calls, "izyf");
}

LIBVNET_TEST(uma_ctor_that_fails_gives_no_item)
{
	zone = full();
	refuse = 'c';
	assert_null(uma_zalloc(zone, M_WAITOK));
	assert_int_equal(uma_zone_get_cur(zone), 0);
	uma_zdestroy(zone);
	assert_string_equal(calls, "icf");
}

LIBVNET_TEST(uma_init_that_fails_gives_no_item)
{
	zone = full();
	refuse = 'i';
	assert_null(uma_zalloc(zone, M_WAITOK));
	assert_int_equal(uma_zone_get_cur(zone), 0);
	uma_zdestroy(zone);
	assert_string_equal(calls, "i");
}

LIBVNET_TEST(uma_zinit_that_fails_undoes_init)
{
	uma_zone_t second;

	zone = full();
	second = uma_zsecond_create("second", NULL, NULL, zinit, zfini, zone);
	refuse = 'z';
	assert_null(uma_zalloc(second, M_WAITOK));
	uma_zdestroy(second);
	uma_zdestroy(zone);
	assert_string_equal(calls, "izf");
}

static int
init_with_memory(void *mem, int size __unused, int flags __unused)
{
	*(void **)mem = malloc(16, M_TEMP, M_WAITOK);
	return (0);
}

static void
fini_with_memory(void *mem, int size __unused)
{
	free(*(void **)mem, M_TEMP);
}

static void
nested_make(void *arg __unused)
{
	zone = uma_zcreate("nested", ITEM, NULL, NULL, init_with_memory,
	    fini_with_memory, UMA_ALIGN_PTR, 0);
}
SYSINIT(nested_make, SI_SUB_INIT_IF, SI_ORDER_ANY, nested_make, NULL);

/* The item is kept for the next user, and its memory with it. */
LIBVNET_TEST_VNET(uma_what_init_allocates_is_no_leak_of_the_vnet, v)
{
	uma_zfree(zone, uma_zalloc(zone, M_WAITOK));
}

/* ---- contents */

LIBVNET_TEST(uma_m_zero_clears)
{
	char zero[ITEM] = { 0 };
	void *p;

	zone = full();
	p = uma_zalloc(zone, M_WAITOK | M_ZERO);
	assert_memory_equal(p, zero, ITEM);
	uma_zfree(zone, p);
	uma_zdestroy(zone);
}

LIBVNET_TEST(uma_zinit_zone_starts_with_zero)
{
	char zero[ITEM] = { 0 };
	void *p;

	zone = uma_zcreate("zinit", ITEM, NULL, NULL, NULL, NULL,
	    UMA_ALIGN_PTR, UMA_ZONE_ZINIT);
	p = uma_zalloc(zone, M_WAITOK);
	assert_memory_equal(p, zero, ITEM);
	uma_zfree(zone, p);
	uma_zdestroy(zone);
}

LIBVNET_TEST(uma_aligns_as_asked)
{
	/* -1 is what UMA_ALIGN_CACHE was before 14. */
	const int masks[] = { UMA_ALIGN_PTR, 63, 255, (int)UMA_ALIGN_CACHE,
	    -1 };
	void *p;

	for (size_t i = 0; i < nitems(masks); i++) {
		int mask = masks[i] == -1 ? CACHE_LINE_SIZE - 1 : masks[i];

		zone = uma_zcreate("aligned", 40, NULL, NULL, NULL, NULL,
		    masks[i], 0);
		p = uma_zalloc(zone, M_WAITOK);
		assert_int_equal((uintptr_t)p & (uintptr_t)mask, 0);
		uma_zfree(zone, p);
		uma_zdestroy(zone);
	}
}

LIBVNET_TEST(uma_align_cache_is_a_line)
{
	assert_int_equal(UMA_ALIGN_CACHE, CACHE_LINE_SIZE - 1);
	assert_int_equal(UMA_ALIGN_CACHE_AND_MASK(1023), 1023);
}

LIBVNET_TEST(uma_zfree_of_null_is_nothing)
{
	zone = plain("z");
	uma_zfree(zone, NULL);
	uma_zdestroy(zone);
}

LIBVNET_TEST(uma_zone_outlives_its_name)
{
	char name[8] = "brief";
	void *p;

	libvnet_expect("zone", "\"brief\"");
	zone = plain(name);
	memset(name, 'x', sizeof(name));
	p = uma_zalloc(zone, M_WAITOK);
	assert_non_null(p);
	uma_zdestroy(zone);
}

/* ---- counting and limits */

LIBVNET_TEST(uma_counts_what_is_in_use)
{
	void *p[3];

	zone = plain("z");
	assert_int_equal(uma_zone_get_max(zone), 0);
	for (int i = 0; i < 3; i++)
		p[i] = uma_zalloc(zone, M_WAITOK);
	assert_int_equal(uma_zone_get_cur(zone), 3);
	assert_true(uma_zone_memory(zone) >= 3 * ITEM);
	for (int i = 0; i < 3; i++)
		uma_zfree(zone, p[i]);
	assert_int_equal(uma_zone_get_cur(zone), 0);
	uma_zdestroy(zone);
}

static int acted;

static void
act(uma_zone_t z, int pending)
{
	assert_ptr_equal(z, zone);
	acted += pending;
}

LIBVNET_TEST(uma_limit_refuses_nowait)
{
	void *p[2];

	zone = plain("z");
	assert_int_equal(uma_zone_set_max(zone, 2), 2);
	assert_int_equal(uma_zone_get_max(zone), 2);
	uma_zone_set_warning(zone, "it is full");
	uma_zone_set_maxaction(zone, act);
	p[0] = uma_zalloc(zone, M_NOWAIT);
	assert_int_equal(uma_zone_exhausted(zone), 0);
	p[1] = uma_zalloc(zone, M_NOWAIT);
	assert_int_equal(uma_zone_exhausted(zone), 1);
	assert_null(uma_zalloc(zone, M_NOWAIT));
	assert_null(uma_zalloc(zone, M_NOWAIT));
	assert_int_equal(acted, 0);
	libvnet_run_until_idle();
	assert_int_equal(acted, 2);
	uma_zfree(zone, p[0]);
	p[0] = uma_zalloc(zone, M_NOWAIT);
	assert_non_null(p[0]);
	uma_zfree(zone, p[0]);
	uma_zfree(zone, p[1]);
	uma_zdestroy(zone);
}

static void *held;
static struct callout c;

static void
give_back(void *arg __unused)
{
	uma_zfree(zone, held);
}

LIBVNET_TEST(uma_waitok_at_the_limit_waits_for_an_item)
{
	void *p;

	zone = plain("z");
	uma_zone_set_max(zone, 1);
	held = uma_zalloc(zone, M_WAITOK);
	callout_init(&c, 1);
	callout_reset(&c, hz, give_back, NULL);
	p = uma_zalloc(zone, M_WAITOK);
	assert_non_null(p);
	uma_zfree(zone, p);
	uma_zdestroy(zone);
}

LIBVNET_TEST(uma_waitok_at_the_limit_for_ever_panics)
{
	libvnet_expect_panic("thread sleeps for ever on \"zonelimit\" \\(z\\)");
	zone = plain("z");
	uma_zone_set_max(zone, 1);
	(void)uma_zalloc(zone, M_WAITOK);
	(void)uma_zalloc(zone, M_WAITOK);
}

static uma_zone_t sysctl_zone;
SYSCTL_UMA_MAX(_kern, OID_AUTO, testmax, CTLFLAG_RW, &sysctl_zone, "test");
SYSCTL_UMA_CUR(_kern, OID_AUTO, testcur, 0, &sysctl_zone, "test");

LIBVNET_TEST_VNET(uma_sysctl_reads_and_sets_the_limit, v)
{
	int64_t value;
	void *p;

	sysctl_zone = plain("z");
	assert_int_equal(libvnet_sysctl_set(v, "kern.testmax", 7, NULL), 0);
	assert_int_equal(uma_zone_get_max(sysctl_zone), 7);
	assert_int_equal(libvnet_sysctl_get(v, "kern.testmax", &value, NULL),
	    0);
	assert_int_equal(value, 7);
	p = uma_zalloc(sysctl_zone, M_WAITOK);
	assert_int_equal(libvnet_sysctl_get(v, "kern.testcur", &value, NULL),
	    0);
	assert_int_equal(value, 1);
	uma_zfree(sysctl_zone, p);
	uma_zdestroy(sysctl_zone);
}

LIBVNET_TEST(uma_prealloc_and_reclaim_run_init_and_fini)
{
	zone = full();
	uma_prealloc(zone, 3);
	assert_memory_equal(calls, "iii", 3);
	uma_zone_reclaim(zone, UMA_RECLAIM_DRAIN);
	assert_string_equal(calls, "iiifff");
	uma_prealloc(zone, 1);
	uma_reclaim(UMA_RECLAIM_DRAIN);
	assert_string_equal(calls, "iiifffif");
	uma_zdestroy(zone);
}

/* ---- destroying */

LIBVNET_TEST(uma_zdestroy_with_live_items_is_found)
{
	libvnet_expect("zone", "UMA zone \"z\" destroyed with 2 items still "
	    "allocated");
	zone = plain("z");
	(void)uma_zalloc(zone, M_WAITOK);
	(void)uma_zalloc(zone, M_WAITOK);
	uma_zdestroy(zone);
}

#ifdef VIMAGE

LIBVNET_TEST_VNET(uma_zone_forgotten_in_a_vnet_is_a_leak, v)
{
	libvnet_expect("leak", "UMA zone \"UMA Zones: forgotten\"");
	(void)plain("forgotten");
}

LIBVNET_TEST_VNET(uma_zone_destroyed_in_its_vnet_is_no_leak, v)
{
	uma_zdestroy(plain("z"));
}

LIBVNET_TEST_VNETS(uma_kept_item_belongs_to_its_next_user, a, b)
{
	void *p;

	libvnet_expect("leak", "1 item of 48 bytes of UMA zone \"z\"");
	libvnet_expect("zone", "\"z\" destroyed with 1 item");
	zone = plain("z");
	LIBVNET_IN(a)
		uma_zfree(zone, uma_zalloc(zone, M_WAITOK));
	LIBVNET_IN(b)
		p = uma_zalloc(zone, M_WAITOK);
	assert_non_null(p);
	assert_int_equal(libvnet_destroy(a), 0);
	assert_int_equal(libvnet_finding_count(), 0);
	assert_int_equal(libvnet_destroy(b), 0);
	uma_zdestroy(zone);
}

#endif /* VIMAGE */

#ifdef INVARIANTS

/* ---- misuse of items */

LIBVNET_TEST(uma_zfree_to_another_zone_panics)
{
	uma_zone_t b = plain("b");

	libvnet_expect_panic("uma_zfree: .* belongs to \"a\"; give it back "
	    "there");
	zone = plain("a");
	uma_zfree(b, uma_zalloc(zone, M_WAITOK));
}

LIBVNET_TEST(uma_zfree_of_malloc_memory_panics)
{
	libvnet_expect_panic("uma_zfree: .* comes from malloc type \"temp\"");
	zone = plain("z");
	uma_zfree(zone, malloc(ITEM, M_TEMP, M_WAITOK));
}

LIBVNET_TEST(free_of_a_uma_item_panics)
{
	libvnet_expect_panic("free: .* comes from UMA zone \"z\"");
	zone = plain("z");
	free(uma_zalloc(zone, M_WAITOK), M_TEMP);
}

/* ---- what is written after free, and calls where none may be */

#ifndef SANITIZED

LIBVNET_TEST(uma_zfree_twice_panics)
{
	void *p;

	if (libvnet_heap_backend() != LIBVNET_HEAP_REGION)
		libvnet_skip("only the region knows of freed items");
	libvnet_expect_panic("uma_zfree: .*\\(z\\) was freed before");
	zone = plain("z");
	p = uma_zalloc(zone, M_WAITOK);
	uma_zfree(zone, p);
	uma_zfree(zone, p);
}

LIBVNET_TEST(uma_write_after_free_is_found_at_the_next_alloc)
{
	char *p;

	if (libvnet_heap_backend() != LIBVNET_HEAP_REGION)
		libvnet_skip("only the region knows of freed items");
	libvnet_expect_panic("Memory modified after free: zone \"z\", .* "
	    "offset 16 ");
	zone = plain("z");
	p = uma_zalloc(zone, M_WAITOK);
	uma_zfree(zone, p);
	p[16] = 1;
	(void)uma_zalloc(zone, M_WAITOK);
}

LIBVNET_TEST(uma_write_after_free_is_found_when_the_zone_goes)
{
	char *p;

	if (libvnet_heap_backend() != LIBVNET_HEAP_REGION)
		libvnet_skip("only the region knows of freed items");
	libvnet_expect_panic("Memory modified after free: zone \"z\"");
	zone = plain("z");
	p = uma_zalloc(zone, M_WAITOK);
	uma_zfree(zone, p);
	p[0] = 1;
	uma_zdestroy(zone);
}

LIBVNET_TEST(uma_zone_with_init_may_keep_its_items_contents)
{
	char *p;

	if (libvnet_heap_backend() != LIBVNET_HEAP_REGION)
		libvnet_skip("only the region knows of freed items");
	zone = full();
	p = uma_zalloc(zone, M_WAITOK);
	p[0] = 42;
	uma_zfree(zone, p);
	assert_ptr_equal(uma_zalloc(zone, M_WAITOK), p);
	assert_int_equal(p[0], 42);
	uma_zfree(zone, p);
	uma_zdestroy(zone);
}

#endif /* !SANITIZED */

LIBVNET_TEST(uma_zalloc_waitok_in_a_critical_section_panics)
{
	libvnet_expect_panic("uma_zalloc: zone \"z\": called with a spin lock "
	    "held or in a critical section");
	zone = plain("z");
	critical_enter();
	(void)uma_zalloc(zone, M_NOWAIT);
}

LIBVNET_TEST(uma_zfree_in_a_critical_section_panics)
{
	void *p;

	libvnet_expect_panic("uma_zfree: zone \"z\": called with a spin lock");
	zone = plain("z");
	p = uma_zalloc(zone, M_WAITOK);
	critical_enter();
	uma_zfree(zone, p);
}

LIBVNET_TEST(uma_zalloc_waitok_in_an_epoch_section_panics)
{
	struct epoch_tracker et;

	libvnet_expect_panic("uma_zalloc\\(M_WAITOK\\): may sleep");
	zone = plain("z");
	NET_EPOCH_ENTER(et);
	(void)uma_zalloc(zone, M_WAITOK);
}

LIBVNET_TEST(uma_zalloc_nowait_in_an_epoch_section_is_allowed)
{
	struct epoch_tracker et;

	zone = plain("z");
	NET_EPOCH_ENTER(et);
	uma_zfree(zone, uma_zalloc(zone, M_NOWAIT));
	NET_EPOCH_EXIT(et);
	uma_zdestroy(zone);
}

LIBVNET_TEST(uma_zcreate_with_a_crooked_alignment_panics)
{
	libvnet_expect_panic("alignment mask 0x18 is not");
	(void)uma_zcreate("z", 8, NULL, NULL, NULL, NULL, 24, 0);
}

LIBVNET_TEST(uma_zcreate_in_an_epoch_section_panics)
{
	struct epoch_tracker et;

	libvnet_expect_panic("uma_zcreate: may sleep");
	NET_EPOCH_ENTER(et);
	(void)plain("z");
}

LIBVNET_TEST(uma_zalloc_of_a_zone_destroyed_with_items_panics)
{
	libvnet_expect("zone", "\"z\"");
	libvnet_expect_panic("uma_zalloc: zone .* was destroyed");
	zone = plain("z");
	(void)uma_zalloc(zone, M_WAITOK);
	uma_zdestroy(zone);
	(void)uma_zalloc(zone, M_WAITOK);
}

#endif /* INVARIANTS */
