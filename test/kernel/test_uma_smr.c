/* SPDX-License-Identifier: BSD-2-Clause */
/* uma(9) zones with UMA_ZONE_SMR: what readers see is kept for them. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/errno.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/smp.h>
#include <sys/smr.h>
#include <vm/uma.h>

#include <libvnet/test.h>

#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#define ADDRESS_SANITIZER 1
#endif

struct item {
	int i_value;
	char i_rest[60];
};

static uma_zone_t zone;
static smr_t smr;
static int ctors, dtors;

static int
ctor(void *mem, int size, void *udata, int flags)
{
	ctors++;
	((struct item *)mem)->i_value = 1;
	return (0);
}

static void
dtor(void *mem, int size, void *udata)
{
	dtors++;
	((struct item *)mem)->i_value = -1;
}

static void
make(void)
{
	zone = uma_zcreate("smr zone", sizeof(struct item), ctor, dtor, NULL,
	    NULL, UMA_ALIGN_PTR, UMA_ZONE_SMR);
	smr = uma_zone_get_smr(zone);
	assert_non_null(smr);
}

/* A reader on another CPU, as far as anybody can tell. */
static void
reader(bool in)
{
	zpcpu_get_cpu(smr, (int)mp_maxid)->c_seq = in ? smr_current(smr) :
	    SMR_SEQ_INVALID;
}

/* ---- reuse */

LIBVNET_TEST(uma_smr_item_is_kept_for_a_reader)
{
	struct item *it, *other;

	make();
	it = uma_zalloc_smr(zone, M_WAITOK);
	it->i_value = 42;
	reader(true);
	uma_zfree_smr(zone, it);
	assert_int_equal(it->i_value, 42);
	libvnet_run_until_idle();
	for (int i = 0; i < 8; i++) {
		other = uma_zalloc_smr(zone, M_WAITOK);
		assert_ptr_not_equal(other, it);
		uma_zfree_smr(zone, other);
	}
	assert_int_equal(it->i_value, 42);
	assert_int_equal(dtors, 0);
	reader(false);
	libvnet_run_until_idle();
	assert_int_equal(dtors, 9);
	uma_zdestroy(zone);
}

LIBVNET_TEST(uma_smr_item_is_used_again_when_readers_are_gone)
{
	struct item *it;

	make();
	it = uma_zalloc_smr(zone, M_WAITOK);
	uma_zfree_smr(zone, it);
	assert_int_equal(dtors, 0);
	it = uma_zalloc_smr(zone, M_WAITOK);
	assert_int_equal(dtors, 1);
	assert_int_equal(ctors, 2);
	assert_int_equal(it->i_value, 1);
	uma_zfree_smr(zone, it);
	uma_zdestroy(zone);
	assert_int_equal(dtors, 2);
}

LIBVNET_TEST(uma_smr_own_section_is_a_reader)
{
	struct item *it;
	int value;

	make();
	it = uma_zalloc_smr(zone, M_WAITOK);
	it->i_value = 42;
	smr_enter(smr);
	value = it->i_value;
	smr_exit(smr);
	uma_zfree_smr(zone, it);
	assert_int_equal(value, 42);
	uma_zdestroy(zone);
}

#ifdef INVARIANTS
LIBVNET_TEST(uma_smr_free_in_a_section_panics)
{
	struct item *it;

	make();
	it = uma_zalloc_smr(zone, M_WAITOK);
	smr_enter(smr);
	libvnet_expect_panic("uma_zfree: zone \"smr zone\".*critical section");
	uma_zfree_smr(zone, it);
}
#endif

#ifdef ADDRESS_SANITIZER
int	__asan_address_is_poisoned(const volatile void *);

LIBVNET_TEST(uma_smr_item_is_poison_behind_its_grace_period)
{
	struct item *it;

	make();
	it = uma_zalloc_smr(zone, M_WAITOK);
	reader(true);
	uma_zfree_smr(zone, it);
	libvnet_run_until_idle();
	assert_false(__asan_address_is_poisoned(it));
	reader(false);
	libvnet_run_until_idle();
	assert_true(__asan_address_is_poisoned(it));
}
#elif defined(INVARIANTS) && !__has_feature(memory_sanitizer)
static void
write_late(bool late)
{
	struct item *it;

	make();
	it = uma_zalloc_smr(zone, M_WAITOK);
	reader(true);
	uma_zfree_smr(zone, it);
	libvnet_run_until_idle();
	if (!late)
		it->i_value = 3;
	reader(false);
	libvnet_run_until_idle();
	if (late)
		it->i_value = 3;
	(void)!uma_zalloc_smr(zone, M_WAITOK);
}

LIBVNET_TEST(uma_smr_write_behind_the_grace_period_is_found)
{
	if (libvnet_heap_backend() != LIBVNET_HEAP_REGION)
		libvnet_skip("only the region knows of freed items");
	libvnet_expect_panic("Memory modified after free: zone \"smr zone\"");
	write_late(true);
}

LIBVNET_TEST(uma_smr_write_in_the_grace_period_is_fine)
{
	write_late(false);
}
#endif

/* ---- who may do what */

#ifdef INVARIANTS
LIBVNET_TEST(uma_smr_zone_wants_its_own_functions)
{
	make();
	libvnet_expect_panic("uma_zalloc: zone \"smr zone\" is protected by "
	    "smr\\(9\\): use uma_zalloc_smr");
	(void)!uma_zalloc(zone, M_WAITOK);
}

LIBVNET_TEST(uma_smr_functions_want_such_a_zone)
{
	zone = uma_zcreate("plain", 64, NULL, NULL, NULL, NULL, UMA_ALIGN_PTR,
	    0);
	libvnet_expect_panic("zone \"plain\" is not protected by smr");
	(void)!uma_zalloc_smr(zone, M_WAITOK);
}

LIBVNET_TEST(uma_smr_free_twice_panics)
{
	struct item *it;

	make();
	it = uma_zalloc_smr(zone, M_WAITOK);
	uma_zfree_smr(zone, it);
	libvnet_expect_panic("was freed before");
	uma_zfree_smr(zone, it);
}
#endif

/* ---- contexts */

LIBVNET_TEST(uma_zone_can_share_a_context)
{
	struct item *it;

	smr = smr_create("shared", 0, 0);
	zone = uma_zcreate("sharing", sizeof(struct item), NULL, dtor, NULL,
	    NULL, UMA_ALIGN_PTR, 0);
	assert_null(uma_zone_get_smr(zone));
	uma_zone_set_smr(zone, smr);
	assert_ptr_equal(uma_zone_get_smr(zone), smr);
	it = uma_zalloc_smr(zone, M_WAITOK);
	reader(true);
	uma_zfree_smr(zone, it);
	libvnet_run_until_idle();
	assert_int_equal(dtors, 0);
	reader(false);
	uma_zdestroy(zone);
	assert_int_equal(dtors, 1);
	smr_destroy(smr);
}

#ifdef INVARIANTS
LIBVNET_TEST(uma_zone_set_smr_twice_panics)
{
	make();
	libvnet_expect_panic("uma_zone_set_smr: zone \"smr zone\" has one");
	uma_zone_set_smr(zone, smr);
}
#endif

LIBVNET_TEST(uma_smr_item_in_its_grace_period_is_no_leak)
{
	struct vnet *v = NULL;
	struct item *it;

	make();
	libvnet_create(&v);
	LIBVNET_IN(v) {
		it = uma_zalloc_smr(zone, M_WAITOK);
		assert_int_equal(uma_zone_get_cur(zone), 1);
		uma_zfree_smr(zone, it);
		assert_int_equal(uma_zone_get_cur(zone), 0);
	}
	libvnet_destroy(v);
}

LIBVNET_TEST(uma_smr_item_not_freed_is_a_leak)
{
	struct vnet *v = NULL;

	make();
	libvnet_create(&v);
	libvnet_expect("leak", "1 item of 64 bytes of UMA zone \"smr zone\"");
	LIBVNET_IN(v)
		(void)!uma_zalloc_smr(zone, M_WAITOK);
	libvnet_destroy(v);
}

LIBVNET_TEST(uma_smr_limit_counts_what_is_in_use)
{
	struct item *it;

	make();
	uma_zone_set_max(zone, 1);
	it = uma_zalloc_smr(zone, M_NOWAIT);
	assert_non_null(it);
	assert_null(uma_zalloc_smr(zone, M_NOWAIT));
	reader(true);
	uma_zfree_smr(zone, it);
	it = uma_zalloc_smr(zone, M_NOWAIT);
	assert_non_null(it);
	reader(false);
	uma_zfree_smr(zone, it);
	uma_zdestroy(zone);
}

LIBVNET_TEST(uma_smr_many_items_come_back_in_order)
{
	static struct item *it[300];

	make();
	for (int i = 0; i < 300; i++)
		it[i] = uma_zalloc_smr(zone, M_WAITOK);
	reader(true);
	for (int i = 0; i < 300; i++)
		uma_zfree_smr(zone, it[i]);
	libvnet_run_until_idle();
	assert_int_equal(dtors, 0);
	reader(false);
	uma_zone_reclaim(zone, UMA_RECLAIM_DRAIN);
	assert_int_equal(dtors, 300);
	uma_zdestroy(zone);
}
