/* SPDX-License-Identifier: BSD-2-Clause */
/* Host world, around the seam. */
struct vnet;
struct vnet *vnet_alloc(void);
struct vnet *host_calls_kernel(void);

struct vnet *
host_calls_kernel(void)
{
	return (vnet_alloc());
}
