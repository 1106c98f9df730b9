/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Allocations that fail, and what they are for: a module whose error path
 * forgets something is found by trying every n, its twin is not.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/malloc.h>
#include <vm/uma.h>
#include <net/vnet.h>

#include <libvnet/test.h>

static MALLOC_DEFINE(M_PAIR, "pair", "test");
static MALLOC_DEFINE(M_OTHER, "other", "test");

/* ---- the module */

struct pair {
	void *name, *table, *spare;
};

static struct pair *
pair_new(bool good)
{
	struct pair *p = malloc(sizeof(*p), M_PAIR, M_NOWAIT | M_ZERO);

	if (p == NULL)
		return (NULL);
	p->name = malloc(20, M_PAIR, M_NOWAIT);
	if (p->name == NULL)
		goto fail;
	p->table = malloc(300, M_PAIR, M_NOWAIT);
	if (p->table == NULL)
		goto fail;
	p->spare = malloc(20000, M_PAIR, M_NOWAIT);
	if (p->spare == NULL)
		goto fail;
	return (p);
fail:
	free(p->table, M_PAIR);
	if (good)
		free(p->name, M_PAIR);	/* the other leaks it */
	free(p, M_PAIR);
	return (NULL);
}

static void
pair_free(struct pair *p)
{
	free(p->spare, M_PAIR);
	free(p->table, M_PAIR);
	free(p->name, M_PAIR);
	free(p, M_PAIR);
}

/* Returns how many allocations the call makes. */
static uint64_t
sweep(bool good)
{
	struct pair *p;
	uint64_t n;

	for (n = 1;; n++) {
		libvnet_fail_nth(n, NULL);
		p = pair_new(good);
		libvnet_fail_off();
		if (libvnet_fail_hits() == 0)
			break;
		assert_null(p);
	}
	assert_non_null(p);
	pair_free(p);
	return (n - 1);
}

LIBVNET_TEST_VNET(fail_sweep_finds_a_leak_in_an_error_path, v)
{
	libvnet_expect("leak", "2 items of 20 bytes of malloc type \"pair\"");
	assert_int_equal(sweep(false), 4);
}

LIBVNET_TEST_VNET(fail_sweep_of_the_twin_finds_nothing, v)
{
	assert_int_equal(sweep(true), 4);
}

/* ---- the plans */

static int
failures(int times, struct malloc_type *type)
{
	int n = 0;

	for (int i = 0; i < times; i++) {
		void *p = malloc(16, type, M_NOWAIT);

		n += p == NULL;
		free(p, type);
	}
	return (n);
}

LIBVNET_TEST_VNET(fail_every_fails_every_nth, v)
{
	assert_int_equal(libvnet_fail_every(3, NULL), 0);
	assert_int_equal(failures(30, M_PAIR), 10);
	assert_int_equal(libvnet_fail_hits(), 10);
	assert_int_equal(libvnet_fail_count(), 30);
	libvnet_fail_off();
	assert_int_equal(failures(30, M_PAIR), 0);
}

LIBVNET_TEST_VNET(fail_by_name_leaves_others_alone, v)
{
	assert_int_equal(libvnet_fail_every(1, "pair"), 0);
	assert_int_equal(failures(5, M_OTHER), 0);
	assert_int_equal(failures(5, M_PAIR), 5);
	assert_int_equal(libvnet_fail_count(), 5);
}

LIBVNET_TEST_VNET(fail_random_repeats_by_seed, v)
{
	int a, b, c;

	libvnet_fail_random(200, 42, NULL);
	a = failures(1000, M_PAIR);
	libvnet_fail_random(200, 42, NULL);
	b = failures(1000, M_PAIR);
	libvnet_fail_random(200, 43, NULL);
	c = failures(1000, M_PAIR);
	assert_int_equal(a, b);
	assert_true(a > 100 && a < 300 && c > 100 && c < 300);
}

LIBVNET_TEST_VNET(fail_spares_those_who_wait, v)
{
	void *p;

	libvnet_fail_every(1, NULL);
	p = malloc(16, M_PAIR, M_WAITOK);
	assert_non_null(p);
	free(p, M_PAIR);
}

LIBVNET_TEST_VNET(fail_reaches_zones_and_counters, v)
{
	uma_zone_t z = uma_zcreate("failing", 32, NULL, NULL, NULL, NULL,
	    UMA_ALIGN_PTR, 0);
	void *p;

	libvnet_fail_nth(2, "failing");
	p = uma_zalloc(z, M_NOWAIT);
	assert_non_null(p);
	assert_null(uma_zalloc(z, M_NOWAIT));
	uma_zfree(z, p);
	libvnet_fail_nth(1, NULL);
	assert_null(uma_zalloc_pcpu(pcpu_zone_8, M_NOWAIT));
	libvnet_fail_off();
	uma_zdestroy(z);
}

LIBVNET_TEST(fail_refuses_what_is_no_number)
{
	assert_int_equal(libvnet_fail_nth(0, NULL), LIBVNET_EINVAL);
	assert_int_equal(libvnet_fail_every(0, NULL), LIBVNET_EINVAL);
	assert_int_equal(libvnet_fail_random(1001, 1, NULL), LIBVNET_EINVAL);
}
