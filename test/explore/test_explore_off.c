/* SPDX-License-Identifier: BSD-2-Clause */
/* A build that does not explore says how to make one that does. */
#include <sys/param.h>
#include <sys/systm.h>
#include <libvnet/test.h>

static void
nothing(void *arg)
{
}

static bool
fine(void *arg)
{
	return (true);
}

LIBVNET_TEST(exploration_needs_its_build)
{
	struct libvnet_explore what = {
		.threads = { { "a", nothing } }, .check = fine,
	};

	assert_int_equal(libvnet_explore(&what, NULL), LIBVNET_ENOTSUP);
	assert_non_null(strstr(libvnet_error(), "LIBVNET_EXPLORE=tsan"));
}
