/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS_PRNG_H_
#define _SYS_PRNG_H_

#include <sys/types.h>

uint32_t prng32(void);
uint32_t prng32_bounded(uint32_t);
uint64_t prng64(void);
uint64_t prng64_bounded(uint64_t);

#endif
