/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _PMAP_VM_
#define _PMAP_VM_
#include <vm/vm.h>
#endif
