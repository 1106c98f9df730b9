/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _VM_EXTERN_H_
#define _VM_EXTERN_H_

#include <vm/vm.h>

int	vm_fault_disable_pagefaults(void);
void	vm_fault_enable_pagefaults(int);
int	vm_fault_quick_hold_pages(vm_map_t, vm_offset_t, vm_size_t, vm_prot_t,
	    vm_page_t *, int);
struct thread;
int	vm_mmap_object(vm_map_t, vm_offset_t *, vm_size_t, vm_prot_t,
	    vm_prot_t, int, vm_object_t, vm_ooffset_t, boolean_t,
	    struct thread *);
int	vslock(void *, size_t);
void	vsunlock(void *, size_t);

#endif
