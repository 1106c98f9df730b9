/* SPDX-License-Identifier: BSD-2-Clause */
#include "api.h"

static int
set(const char *who, const struct vnh_fail *f, bool valid)
{
	int error = api_ready(who);

	if (error != 0)
		return (error);
	if (!valid)
		return (api_fail(LIBVNET_EINVAL, "%s: give a number from 1 on "
		    "(to 1000 for a chance)", who));
	vnk_fail_set(f);
	return (0);
}

int
libvnet_fail_nth(uint64_t n, const char *name)
{
	return (set("libvnet_fail_nth",
	    &(struct vnh_fail){ .nth = n, .name = name }, n != 0));
}

int
libvnet_fail_every(uint64_t n, const char *name)
{
	return (set("libvnet_fail_every",
	    &(struct vnh_fail){ .every = n, .name = name }, n != 0));
}

int
libvnet_fail_random(unsigned permille, uint64_t seed, const char *name)
{
	return (set("libvnet_fail_random", &(struct vnh_fail){
	    .permille = permille, .seed = seed, .name = name },
	    permille != 0 && permille <= 1000));
}

int
libvnet_fail_off(void)
{
	int error = api_ready("libvnet_fail_off");

	if (error == 0)
		vnk_fail_off();
	return (error);
}

uint64_t
libvnet_fail_hits(void)
{
	return (vnk_fail_hits());
}

uint64_t
libvnet_fail_count(void)
{
	return (vnk_fail_asked());
}
