/* SPDX-License-Identifier: BSD-2-Clause */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/queue.h>
#include <net/vnet.h>
#include <netinet/quota.h>
#include <libvnet/test.h>

LIBVNET_TEST_VNET(input_within_the_quota_logs_nothing, v)
{
	assert_int_equal(quota_input(1, 3), 0);
}

LIBVNET_TEST_VNET(input_over_the_quota_calls_what_is_not_there, v)
{
	V_quota_verbose = 1;
#ifdef GIVEN
	assert_int_equal(quota_input(1, 30), GIVEN);
#else
#ifndef WHOLE
	libvnet_expect("stub", "quota_log");
#endif
	libvnet_expect_panic("quota_log\\(\\)");
	quota_input(1, 30);
#endif
}

#ifdef GIVEN
int
quota_log(uint32_t addr, const char *what)
{

	assert_string_equal(what, "over its quota");
	return (GIVEN);
}
#endif
