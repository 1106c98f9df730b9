/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What most calls ask first.  By itself, so that error.c needs no kernel
 * world: programs that only read captures link without one.
 */
#include "api.h"

int
api_ready(const char *who)
{
	if (!libvnet_booted())
		return (api_fail(LIBVNET_ENOTBOOTED,
		    "%s: call libvnet_boot() first", who));
	if (!vnk_thread_attached())
		return (api_fail(LIBVNET_ETHREAD, "%s: this thread did not "
		    "boot; call libvnet_thread_attach() in it first", who));
	return (0);
}

int
api_vnet(const char *who, const struct vnet *vnet)
{
	int error = api_ready(who);

	if (error != 0)
		return (error);
	if (vnet == NULL || !vnk_vnet_alive(vnet))
		return (api_fail(LIBVNET_ENOVNET, "%s: %p is not a vnet, or "
		    "was destroyed", who, (const void *)vnet));
	return (0);
}
