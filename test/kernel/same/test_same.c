/* SPDX-License-Identifier: BSD-2-Clause */
/* Files of one name in two folders link, and their variables are apart. */
#include <sys/param.h>
#include <sys/systm.h>
#include <net/vnet.h>

#include <libvnet/test.h>

VNET_DECLARE(int, same_a);
VNET_DECLARE(int, same_b);

LIBVNET_TEST_VNET(files_of_one_name_keep_their_variables_apart, v)
{
	VNET(same_a) = 2;
	assert_int_equal(VNET(same_b), 1);
}
