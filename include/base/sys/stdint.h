/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS_STDINT_H_
#define _SYS_STDINT_H_

#include <sys/types.h>

#define INT8_MAX __INT8_MAX__
#define INT16_MAX __INT16_MAX__
#define INT32_MAX __INT32_MAX__
#define INT64_MAX __INT64_MAX__
#define INT8_MIN (-INT8_MAX - 1)
#define INT16_MIN (-INT16_MAX - 1)
#define INT32_MIN (-INT32_MAX - 1)
#define INT64_MIN (-INT64_MAX - 1)
#define UINT8_MAX __UINT8_MAX__
#define UINT16_MAX __UINT16_MAX__
#define UINT32_MAX __UINT32_MAX__
#define UINT64_MAX __UINT64_MAX__
#define INTPTR_MAX __INTPTR_MAX__
#define UINTPTR_MAX __UINTPTR_MAX__
#define INTMAX_MAX __INTMAX_MAX__
#define UINTMAX_MAX __UINTMAX_MAX__
#define SIZE_MAX __SIZE_MAX__
#define INT64_C(c) __INT64_C(c)
#define UINT64_C(c) __UINT64_C(c)
#ifndef __INT64_C
#define __INT64_C(c) c##L
#endif
#ifndef __UINT64_C
#define __UINT64_C(c) c##UL
#endif

#endif /* _SYS_STDINT_H_ */
