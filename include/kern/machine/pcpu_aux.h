/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What comes after struct pcpu.  sys/pcpu.h's own fallbacks for zpcpu_*
 * (base plus CPU times UMA_PCPU_ALLOC_SIZE) are the ones used.
 */
#ifndef _MACHINE_PCPU_AUX_H_
#define _MACHINE_PCPU_AUX_H_
#endif
