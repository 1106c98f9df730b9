/* SPDX-License-Identifier: BSD-2-Clause */
/* uma(9) as a kernel builds it: kegs, slabs, buckets. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/malloc.h>
#include <vm/uma.h>
#include <net/vnet.h>

#include <libvnet/test.h>

#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#define ADDRESS_SANITIZER 1
#endif

#define MANY 500

static int inits, finis, zinits, zfinis;

static int
init(void *mem, int size __unused, int flags __unused)
{
	*(int *)mem = 7;
	inits++;
	return (0);
}

static void
fini(void *mem, int size __unused)
{
	assert_int_equal(*(int *)mem, 7);
	finis++;
}

static int
zinit(void *mem __unused, int size __unused, int flags __unused)
{
	zinits++;
	return (0);
}

static void
zfini(void *mem __unused, int size __unused)
{
	zfinis++;
}

LIBVNET_TEST(uma_init_runs_once_for_each_item_of_a_slab)
{
	uma_zone_t z = uma_zcreate("z", 64, NULL, NULL, init, fini,
	    UMA_ALIGN_PTR, 0);
	void *p[MANY];

	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < MANY; i++) {
			p[i] = uma_zalloc(z, M_WAITOK);
			assert_int_equal(*(int *)p[i], 7);
		}
		assert_int_equal(uma_zone_get_cur(z), MANY);
		for (int i = 0; i < MANY; i++)
			uma_zfree(z, p[i]);
	}
	assert_int_equal(uma_zone_get_cur(z), 0);
#ifndef ADDRESS_SANITIZER	/* freed items wait in a quarantine */
	if (libvnet_heap_backend() == LIBVNET_HEAP_REGION)
		assert_true(inits < 2 * MANY);
#endif
	uma_zdestroy(z);
	assert_int_equal(inits, finis);
}

LIBVNET_TEST(uma_secondary_zone_shares_the_slabs)
{
	uma_zone_t z = uma_zcreate("z", 64, NULL, NULL, init, fini,
	    UMA_ALIGN_PTR, 0), second;
	void *p[10];

	second = uma_zsecond_create("s", NULL, NULL, zinit, zfini, z);
	for (int i = 0; i < 10; i++)
		p[i] = uma_zalloc(second, M_WAITOK);
	assert_true(zinits >= 10);
	assert_int_equal(uma_zone_memory(second), uma_zone_memory(z));
	for (int i = 0; i < 10; i++)
		uma_zfree(second, p[i]);
	uma_zone_reclaim(second, UMA_RECLAIM_DRAIN_CPU);
	assert_int_equal(zinits, zfinis);
	assert_int_equal(uma_zone_memory(z), 0);
	assert_int_equal(inits, finis);
	uma_zdestroy(second);
	uma_zdestroy(z);
}

static int
mark(void *mem, int size __unused, int flags __unused)
{
	*(int *)mem = 0x6d61726b;
	return (0);
}

/* As mbufs that keep their cluster while they wait in the cache. */
LIBVNET_TEST(uma_secondary_zone_keeps_what_its_init_made)
{
	uma_zone_t z = uma_zcreate("z", 64, NULL, NULL, NULL, NULL,
	    UMA_ALIGN_PTR, 0), second;
	int *p;

	second = uma_zsecond_create("s", NULL, NULL, mark, zfini, z);
	for (int i = 0; i < MANY; i++) {
		p = uma_zalloc(second, M_WAITOK);
		assert_int_equal(*p, 0x6d61726b);
		uma_zfree(second, p);
		assert_int_equal(libvnet_heap_check(), 0);
	}
	uma_zdestroy(second);
	p = uma_zalloc(z, M_WAITOK);
	uma_zfree(z, p);
	uma_zdestroy(z);
}

LIBVNET_TEST(uma_reclaim_gives_slabs_back_and_keeps_what_is_in_use)
{
	uma_zone_t z = uma_zcreate("z", 64, NULL, NULL, NULL, NULL,
	    UMA_ALIGN_PTR, 0);
	size_t full;
	void *p[MANY];

	for (int i = 0; i < MANY; i++)
		p[i] = uma_zalloc(z, M_WAITOK);
	full = uma_zone_memory(z);
	for (int i = 1; i < MANY; i++)
		uma_zfree(z, p[i]);
	uma_zone_reclaim(z, UMA_RECLAIM_DRAIN_CPU);
	assert_true(uma_zone_memory(z) > 0);
	assert_true(uma_zone_memory(z) < full / 2);
	uma_zfree(z, p[0]);
	uma_zdestroy(z);
}

/* ---- a zone over another allocator */

static char store[64][32];
static int in_store = 64, imports, releases;

static int
import(void *arg, void **items, int count, int domain __unused,
    int flags __unused)
{
	int n = 0;

	assert_ptr_equal(arg, store);
	imports++;
	while (n < count && in_store > 0)
		items[n++] = store[--in_store];
	return (n);
}

static void
release(void *arg __unused, void **items, int count)
{
	for (int i = 0; i < count; i++)
		assert_true((char *)items[i] >= store[0]);
	in_store += count;
	releases++;
}

LIBVNET_TEST(uma_cache_zone_imports_and_releases)
{
	uma_zone_t z = uma_zcache_create("c", 32, NULL, NULL, zinit, zfini,
	    import, release, store, 0);
	void *p[65];
	int n = 0;

	while ((p[n] = uma_zalloc(z, M_NOWAIT)) != NULL)
		n++;
	assert_int_equal(n, 64);
	assert_int_equal(uma_zone_get_cur(z), 64);
	while (n > 0)
		uma_zfree(z, p[--n]);
	uma_zdestroy(z);
	assert_int_equal(in_store, 64);
	assert_int_equal(zinits, zfinis);
	assert_true(releases > 0);
}

/* ---- reserves, and a zone's own allocator */

static int pages_left, pages_out;

static void *
page_alloc(uma_zone_t z __unused, vm_size_t size, int domain __unused,
    uint8_t *flags, int wait __unused)
{
	if (pages_left == 0)
		return (NULL);
	pages_left--;
	pages_out++;
	*flags = UMA_SLAB_PRIV;
	return (malloc(size, M_TEMP, M_WAITOK));
}

static void
page_free(void *mem, vm_size_t size __unused, uint8_t flags __unused)
{
	pages_out--;
	free(mem, M_TEMP);
}

LIBVNET_TEST(uma_reserve_is_for_those_who_may_use_it)
{
	uma_zone_t z = uma_zcreate("z", 64, NULL, NULL, NULL, NULL,
	    UMA_ALIGN_PTR, UMA_ZONE_NOBUCKET);
	void *p[MANY], *last;
	int n = 0;

	if (libvnet_heap_backend() != LIBVNET_HEAP_REGION)
		libvnet_skip("items have no slabs");
	pages_left = 1;
	uma_zone_set_allocf(z, page_alloc);
	uma_zone_set_freef(z, page_free);
	uma_zone_reserve(z, 4);
	uma_prealloc(z, 1);
	assert_int_equal(pages_out, 1);
	while ((p[n] = uma_zalloc(z, M_NOWAIT)) != NULL)
		n++;
	assert_true(n > 0);
	for (int i = 0; i < 4; i++) {
		p[n] = uma_zalloc(z, M_NOWAIT | M_USE_RESERVE);
		assert_non_null(p[n++]);
	}
	last = uma_zalloc(z, M_NOWAIT | M_USE_RESERVE);
	assert_null(last);
	while (n > 0)
		uma_zfree(z, p[--n]);
	uma_zdestroy(z);
	assert_int_equal(pages_out, 0);
}
