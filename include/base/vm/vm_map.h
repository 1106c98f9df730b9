/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _VM_MAP_
#define _VM_MAP_
#include <vm/vm.h>
int	vm_map_remove(vm_map_t, vm_offset_t, vm_offset_t);
#endif
