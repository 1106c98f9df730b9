/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _MACHINE_PARAM_H_
#define _MACHINE_PARAM_H_

#ifndef MAXCPU
#define MAXCPU 64
#endif
#define CACHE_LINE_SHIFT 6
#define CACHE_LINE_SIZE (1 << CACHE_LINE_SHIFT)
/* The modelled machine's page, whatever the host's is. */
#define PAGE_SHIFT 12
#define PAGE_SIZE (1 << PAGE_SHIFT)
#define PAGE_MASK (PAGE_SIZE - 1)

#endif
