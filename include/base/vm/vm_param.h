/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _VM_PARAM_
#define _VM_PARAM_

#include <machine/vmparam.h>

#define KERN_SUCCESS 0
#define KERN_INVALID_ADDRESS 1
#define KERN_INVALID_ARGUMENT 4

extern unsigned long vm_kmem_size;

#endif
