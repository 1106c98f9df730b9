/* SPDX-License-Identifier: BSD-2-Clause */
#include "api.h"

int
libvnet_heap_check(void)
{
	int error = api_ready("libvnet_heap_check");

	return (error != 0 ? error : (int)vnk_heap_check());
}

enum libvnet_heap
libvnet_heap_backend(void)
{
	struct vnh_heap_options o;

	vnh_heap_options(&o);
	return ((enum libvnet_heap)o.backend);
}

int
libvnet_heap_footprint(const struct vnet *vnet, size_t *bytes)
{
	int error = api_vnet("libvnet_heap_footprint", vnet);

	if (error != 0)
		return (error);
	if (libvnet_heap_backend() != LIBVNET_HEAP_JEMALLOC)
		return (api_fail(LIBVNET_ENOTSUP, "libvnet_heap_footprint: boot "
		    "with heap LIBVNET_HEAP_JEMALLOC for this"));
	if (!host_arena_bytes(vnk_vnet_number(vnet), bytes))
		*bytes = 0;
	return (0);
}
