/* SPDX-License-Identifier: BSD-2-Clause */
/* Event tracing is compiled out. */
#ifndef _SYS_KTR_H_
#define _SYS_KTR_H_
#define CTR0(m, d) (void)0
#define CTR1(m, d, ...) (void)0
#define CTR2 CTR1
#define CTR3 CTR1
#define CTR4 CTR1
#define CTR5 CTR1
#define CTR6 CTR1
#endif
