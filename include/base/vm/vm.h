/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef VM_H
#define VM_H

#include <sys/types.h>
#include <machine/param.h>

typedef u_char vm_prot_t;
#define VM_PROT_READ ((vm_prot_t)0x01)
#define VM_PROT_WRITE ((vm_prot_t)0x02)

struct vm_map;
typedef struct vm_map *vm_map_t;
struct vm_object;
typedef struct vm_object *vm_object_t;
struct vm_page;
typedef struct vm_page *vm_page_t;

extern int vm_ndomains;

#define trunc_page(x) ((x) & ~(vm_offset_t)PAGE_MASK)
#define round_page(x) (((x) + PAGE_MASK) & ~(vm_offset_t)PAGE_MASK)

#endif
