/* SPDX-License-Identifier: BSD-2-Clause */
/* VNET: variables, the current vnet, the list. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/malloc.h>
#include <net/vnet.h>

#include <libvnet/test.h>

VNET_DEFINE_STATIC(int, zero);
#define V_zero VNET(zero)
VNET_DEFINE(int, seven) = 7;
#define V_seven VNET(seven)

LIBVNET_TEST_VNET(variable_starts_with_its_initial_value, v)
{
	assert_int_equal(V_zero, 0);
	assert_int_equal(V_seven, 7);
}

LIBVNET_TEST_VNETS(variable_is_separate_in_each_vnet, a, b)
{
	LIBVNET_IN(a)
		V_seven = 8;
	LIBVNET_IN(b)
		assert_int_equal(V_seven, 7);
	LIBVNET_IN(a)
		assert_int_equal(V_seven, 8);
}

LIBVNET_TEST(variable_without_vnet_panics)
{
	libvnet_expect_panic("V_seven used with no vnet set at .*test_vnet.c:");
	V_seven++;
}
