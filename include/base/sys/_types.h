/* SPDX-License-Identifier: BSD-2-Clause */
/* The names FreeBSD gives the compiler's own types. */
#ifndef _SYS__TYPES_H_
#define _SYS__TYPES_H_

#include <sys/cdefs.h>

typedef __INT8_TYPE__ __int8_t;
typedef __UINT8_TYPE__ __uint8_t;
typedef __INT16_TYPE__ __int16_t;
typedef __UINT16_TYPE__ __uint16_t;
typedef __INT32_TYPE__ __int32_t;
typedef __UINT32_TYPE__ __uint32_t;
typedef __INT64_TYPE__ __int64_t;
typedef __UINT64_TYPE__ __uint64_t;
typedef __INTMAX_TYPE__ __intmax_t;
typedef __UINTMAX_TYPE__ __uintmax_t;
typedef __INTPTR_TYPE__ __intptr_t;
typedef __UINTPTR_TYPE__ __uintptr_t;
typedef __SIZE_TYPE__ __size_t;
typedef __PTRDIFF_TYPE__ __ptrdiff_t;
typedef __builtin_va_list __va_list;

#endif /* _SYS__TYPES_H_ */
