/* SPDX-License-Identifier: BSD-2-Clause */
/* Host world, with a name that kernel world has too. */
struct vnet;
struct vnet *vnet_alloc(void);

struct vnet *
vnet_alloc(void)
{
	return ((struct vnet *)0);
}
