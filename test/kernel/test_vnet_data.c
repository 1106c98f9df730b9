/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The reserve for loaded modules' V_ variables: room just under, at and over
 * its size, in all orders, and no byte lost.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <net/vnet.h>

#include <libvnet/test.h>

#define RESERVE (8 * PAGE_SIZE)

LIBVNET_TEST(reserve_is_exactly_as_large_as_said)
{
	void *p;

	assert_null(vnet_data_alloc(RESERVE + 1));
	p = vnet_data_alloc(RESERVE);
	assert_non_null(p);
	assert_null(vnet_data_alloc(1));
	vnet_data_free(p, RESERVE);
	p = vnet_data_alloc(RESERVE - (int)sizeof(void *));
	assert_non_null(p);
	assert_non_null(vnet_data_alloc(1));
	assert_null(vnet_data_alloc(1));
}

LIBVNET_TEST(nothing_is_allocated_for_no_bytes)
{
	assert_null(vnet_data_alloc(0));
	assert_null(vnet_data_alloc(-8));
}

/* Three pieces freed in each of the six orders leave one whole reserve. */
LIBVNET_TEST(pieces_join_again_in_every_order)
{
	static const int order[6][3] = {
		{ 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 },
		{ 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 }
	};
	static const int size[3] = { 100, PAGE_SIZE, 20000 };
	void *p[3], *all;

	for (int i = 0; i < 6; i++) {
		for (int j = 0; j < 3; j++)
			assert_non_null(p[j] = vnet_data_alloc(size[j]));
		for (int j = 0; j < 3; j++)
			vnet_data_free(p[order[i][j]], size[order[i][j]]);
		all = vnet_data_alloc(RESERVE);
		assert_non_null(all);
		vnet_data_free(all, RESERVE);
	}
}

LIBVNET_TEST_VNETS(copy_reaches_every_vnet, a, b)
{
	int *master = vnet_data_alloc(sizeof(int));

	*master = 42;
	vnet_data_copy(master, sizeof(int));
	assert_int_equal(*(int *)(a->vnet_data_base + (uintptr_t)master), 42);
	assert_int_equal(*(int *)(b->vnet_data_base + (uintptr_t)master), 42);
	assert_int_equal(*(int *)(vnet0->vnet_data_base + (uintptr_t)master),
	    42);
}

LIBVNET_TEST(double_free_panics)
{
	void *p = vnet_data_alloc(64);

	libvnet_expect_panic("vnet_data_free: .* is free already");
	vnet_data_free(p, 64);
	vnet_data_free(p, 64);
}

LIBVNET_TEST(free_of_a_foreign_address_panics)
{
	static int elsewhere;

	libvnet_expect_panic("vnet_data_free: .* is not module space");
	vnet_data_free(&elsewhere, sizeof(elsewhere));
}

/* As sysctl(9) of 15 does when the tunable of a V_ variable is unset. */
VNET_DEFINE_STATIC(int, tunable) = 5;
#define V_tunable VNET(tunable)

static int
tunable_of_a_new_vnet(void)
{
	struct vnet *v;
	int value;

	assert_int_equal(libvnet_create(&v), 0);
	CURVNET_SET_QUIET(v);
	value = V_tunable;
	CURVNET_RESTORE();
	assert_int_equal(libvnet_destroy(v), 0);
	return (value);
}

LIBVNET_TEST(masters_get_their_initial_value_back)
{
	assert_int_equal(tunable_of_a_new_vnet(), 5);
	VNET_NAME(tunable) = 7;
	assert_int_equal(tunable_of_a_new_vnet(), 7);
	vnet_restore_init(&VNET_NAME(tunable), sizeof(int));
	assert_int_equal(tunable_of_a_new_vnet(), 5);
	VNET_NAME(tunable) = 8;
	vnet_save_init(&VNET_NAME(tunable), sizeof(int));
	VNET_NAME(tunable) = 9;
	vnet_restore_init(&VNET_NAME(tunable), sizeof(int));
	assert_int_equal(tunable_of_a_new_vnet(), 8);
}

LIBVNET_TEST(what_is_no_master_has_no_initial_value)
{
	int x = 0;

	libvnet_expect_panic("^vnet_restore_init: .* no master copy");
	vnet_restore_init(&x, sizeof(x));
}
