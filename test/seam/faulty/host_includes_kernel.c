/* SPDX-License-Identifier: BSD-2-Clause */
/* Host world that looks into the kernel's headers. */
#include <kern/kern_names.h>
