/* SPDX-License-Identifier: BSD-2-Clause */
#include <sys/param.h>
#include <sys/systm.h>
#include <libvnet/test.h>

int	quota_dev_methods(void);

LIBVNET_TEST(methods_come_from_the_generated_header)
{
	assert_int_equal(quota_dev_methods(), METHODS);
}
