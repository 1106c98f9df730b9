/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The runner's own use of snapshots: whatever a test does, the next begins in
 * the same world, to the byte.  Tests that only look stand between those that
 * leave a mess; their order does not matter.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/callout.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/sx.h>
#include <vm/uma.h>
#include <net/vnet.h>

#include <libvnet/snapshot.h>
#include <libvnet/test.h>

/* restore_host.c: whether it is the first digest under this name, or equal. */
int	digest_is_as_first(int fixture, uint64_t digest);

VNET_DEFINE_STATIC(int, value) = 7;
#define V_value VNET(value)
static struct mtx lock;
static struct callout mess_later;
static int fired;
MTX_SYSINIT(snapshot_lock, &lock, "snapshot lock", MTX_DEF);

static void
look(int fixture)
{
	uint64_t digest;
	int error = libvnet_snapshot_digest(&digest);

	if (error == LIBVNET_ENOTSUP)
		libvnet_skip(libvnet_error());
	assert_int_equal(error, 0);
	assert_true(digest_is_as_first(fixture, digest));
}

static void
mess(void)
{
	uma_zone_t z = uma_zcreate("mess", 40, NULL, NULL, NULL, NULL, 0, 0);

	for (int i = 0; i < 50; i++) {
		memset(malloc(700, M_TEMP, M_WAITOK), i, 700);
		(void)uma_zalloc(z, M_WAITOK);
	}
	mtx_lock(&lock);
}

static void
fire(void *arg __unused)
{
	fired++;
	mtx_lock(&lock);
	panic("mess in a callout");
}

LIBVNET_TEST(looks_1) { look(0); }
LIBVNET_TEST_VNET(looks_at_one_vnet_1, v) { look(1); }
LIBVNET_TEST_VNETS(looks_at_two_vnets_1, a, b) { look(2); }

LIBVNET_TEST(panics_with_lock_held)
{
	libvnet_expect_panic("^mess$");
	look(0);
	mess();
	panic("mess");
}

LIBVNET_TEST(looks_2) { look(0); }
LIBVNET_TEST_VNET(looks_at_one_vnet_2, v) { look(1); }

LIBVNET_TEST_VNET(panics_in_a_callout, v)
{
	libvnet_expect_panic("^mess in a callout$");
	look(1);
	V_value = 8;
	callout_init(&mess_later, 1);
	callout_reset(&mess_later, 1, fire, NULL);
	assert_int_equal(libvnet_clock_advance_ns(10000000), 0);
}

LIBVNET_TEST(looks_3) { look(0); }
LIBVNET_TEST_VNETS(looks_at_two_vnets_2, a, b) { look(2); }

LIBVNET_TEST_VNETS(destroys_its_vnets, a, b)
{
	look(2);
#ifdef VIMAGE
	vnet_destroy(a);
	vnet_destroy(b);
	for (int i = 0; i < 5; i++) {
		CURVNET_SET(vnet_alloc());
		V_value = i;
		CURVNET_RESTORE();
	}
#endif
}

/* What the test takes itself is its own, and gone afterwards. */
LIBVNET_TEST_VNET(takes_a_snapshot_itself, v)
{
	struct libvnet_snapshot *s;
	uint64_t before, after;

	look(1);
	assert_int_equal(libvnet_snapshot_take(&s), 0);
	assert_int_equal(libvnet_snapshot_digest(&before), 0);
	V_value = 9;
	free(malloc(100, M_TEMP, M_WAITOK), M_TEMP);
	assert_int_equal(libvnet_snapshot_restore(s), 0);
	assert_int_equal(V_value, 7);
	assert_ptr_equal(curvnet, v);
	assert_int_equal(libvnet_snapshot_digest(&after), 0);
	assert_true(before == after);
}

LIBVNET_TEST(looks_4) { look(0); }
LIBVNET_TEST_VNET(looks_at_one_vnet_3, v) { look(1); }
LIBVNET_TEST_VNETS(looks_at_two_vnets_3, a, b) { look(2); }

static struct libvnet_snapshot *in_callout;
static int took, put;

static void
snapshot_in_callout(void *arg)
{
	struct libvnet_snapshot *other;

	took = libvnet_snapshot_take(&other);
	put = libvnet_snapshot_restore(in_callout);
}

LIBVNET_TEST_VNET(snapshot_in_a_callout_is_refused, v)
{
	static struct callout c;
	int error;

	error = libvnet_snapshot_take(&in_callout);
	if (error == LIBVNET_ENOTSUP)
		libvnet_skip("no snapshots with this heap or these threads");
	assert_int_equal(error, 0);
	callout_init(&c, 1);
	callout_reset(&c, 1, snapshot_in_callout, NULL);
	libvnet_clock_advance_ns(LIBVNET_NS_PER_SECOND);
	assert_int_equal(took, LIBVNET_EBUSY);
	assert_int_equal(put, LIBVNET_EBUSY);
	assert_int_equal(libvnet_snapshot_free(in_callout), 0);
}

LIBVNET_TEST(shutdown_in_a_test_is_its_end)
{
	assert_int_equal(libvnet_shutdown(), 0);
	assert_false(libvnet_booted());
}

LIBVNET_TEST_VNET(test_after_a_shutdown_is_booted, v)
{
	assert_true(libvnet_booted());
}
