/* SPDX-License-Identifier: BSD-2-Clause */
/* The smallest test program, for the time from start to test. */
#include <sys/param.h>
#include <net/vnet.h>

#include <libvnet/test.h>

LIBVNET_TEST_VNET(first, v)
{
}
