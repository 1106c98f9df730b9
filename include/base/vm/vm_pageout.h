/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _VM_VM_PAGEOUT_H_
#define _VM_VM_PAGEOUT_H_
#include <vm/vm.h>
void	vm_wait(vm_object_t);
#endif
