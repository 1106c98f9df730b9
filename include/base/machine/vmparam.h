/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _MACHINE_VMPARAM_H_
#define _MACHINE_VMPARAM_H_

#include <sys/types.h>

#endif
