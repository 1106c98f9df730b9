/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _VM_PAGE_
#define _VM_PAGE_

#include <vm/vm.h>

struct vm_page {
	vm_paddr_t phys_addr;
	u_int ref_count;
};

#define VM_ALLOC_NORMAL 0
#define VM_ALLOC_WIRED 0x0020
#define VM_ALLOC_ZERO 0x0040
#define VM_ALLOC_NOOBJ 0x0100
#define VM_ALLOC_NODUMP 0x2000
#define VM_ALLOC_WAITFAIL 0x0010
#define VM_ALLOC_NOWAIT 0x8000
#define VM_ALLOC_WAITOK 0x0008

#define VM_PAGE_TO_PHYS(m) ((m)->phys_addr)
vm_page_t PHYS_TO_VM_PAGE(vm_paddr_t);
vm_page_t vm_page_alloc(vm_object_t, vm_pindex_t, int);
vm_page_t vm_page_alloc_noobj(int);
void	vm_page_free(vm_page_t);
void	vm_page_unwire(vm_page_t, uint8_t);
bool	vm_page_unwire_noq(vm_page_t);
void	vm_page_unhold_pages(vm_page_t *, int count);
void	vm_page_wire(vm_page_t);

#endif
