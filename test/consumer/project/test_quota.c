/* SPDX-License-Identifier: BSD-2-Clause */
#include <sys/param.h>
#include <sys/systm.h>
#include <net/vnet.h>

#include <libvnet/test.h>
#include "quota.h"

LIBVNET_TEST_VNETS(quota_is_each_vnets_own, a, b)
{
	LIBVNET_IN(a)
		assert_int_equal(quota_take(8), 0);
	LIBVNET_IN(b) {
		assert_int_equal(V_quota_left, 10);
		assert_int_equal(quota_take(11), ENOSPC);
	}
	LIBVNET_IN(a)
		assert_int_equal(V_quota_left, 2);
}

LIBVNET_TEST(quota_without_vnet_panics)
{
	libvnet_expect_panic("V_quota_left used with no vnet set at .*quota.c:");
	(void)quota_take(1);
}
