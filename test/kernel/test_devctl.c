/* SPDX-License-Identifier: BSD-2-Clause */
/* devctl(4): what a kernel tells user land, and the one other listener. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/devctl.h>

#include <libvnet/test.h>

static char heard[64];
static int told;

static void
listen(const char *system, const char *subsystem, const char *type,
    const char *data)
{
	told++;
	snprintf(heard, sizeof(heard), "%s %s %s %s", system, subsystem, type,
	    data != NULL ? data : "-");
}

LIBVNET_TEST(devctl_tells_its_hook_while_there_is_one)
{
	devctl_notify("IFNET", "lo0", "LINK_UP", NULL);
	assert_int_equal(told, 0);
	devctl_set_notify_hook(listen);
	devctl_notify("IFNET", "lo0", "LINK_UP", NULL);
	assert_string_equal(heard, "IFNET lo0 LINK_UP -");
	devctl_notify("CARP", "1@lo0", "MASTER", "x=1");
	assert_string_equal(heard, "CARP 1@lo0 MASTER x=1");
	devctl_notify("CARP", NULL, "MASTER", "x=1");
	assert_int_equal(told, 2);
	devctl_unset_notify_hook();
	devctl_notify("IFNET", "lo0", "LINK_DOWN", NULL);
	assert_int_equal(told, 2);
}
