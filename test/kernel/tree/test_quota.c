/* SPDX-License-Identifier: BSD-2-Clause */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/queue.h>
#include <net/vnet.h>
#include <netinet/quota.h>
#include <libvnet/test.h>

#ifndef LIMIT
#define LIMIT 10
#endif

LIBVNET_TEST_VNETS(quota_of_one_vnet_is_not_the_others, a, b)
{
	int64_t limit = 0;

	assert_int_equal(libvnet_sysctl_get(a, "kern.quota.limit", &limit, NULL), 0);
	LIBVNET_IN(a)
		assert_int_equal(quota_take(1, limit), 0);
#ifdef STRICT
	LIBVNET_IN(a)
		assert_int_equal(quota_take(1, 1), EACCES);
#else
	LIBVNET_IN(a)
		assert_int_equal(quota_take(1, 1), 0);
#endif
	LIBVNET_IN(b)
		assert_int_equal(quota_take(1, limit), 0);
	assert_int_equal(limit, LIMIT);
}

LIBVNET_TEST_VNET(quota_is_full_again_after_a_second, v)
{
	quota_take(1, LIMIT);
	libvnet_clock_advance_ns(1100000000);
	assert_int_equal(quota_take(1, LIMIT), 0);
}
