/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The tree's own, with another direct map: in a process, memory's physical
 * address is where it lies.
 */
#ifndef LVK_MACHINE_VMPARAM_H
#define LVK_MACHINE_VMPARAM_H

#include_next <machine/vmparam.h>

#undef PMAP_HAS_DMAP
#undef PHYS_TO_DMAP
#undef DMAP_TO_PHYS
#define PMAP_HAS_DMAP 1
#define PHYS_TO_DMAP(x) ((vm_offset_t)(x))
#define DMAP_TO_PHYS(x) ((vm_paddr_t)(x))

#endif /* LVK_MACHINE_VMPARAM_H */
