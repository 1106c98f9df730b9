/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS_LIMITS_H_
#define _SYS_LIMITS_H_

#define CHAR_BIT __CHAR_BIT__
#define SCHAR_MAX __SCHAR_MAX__
#define UCHAR_MAX (SCHAR_MAX * 2 + 1)
#define SHRT_MAX __SHRT_MAX__
#define USHRT_MAX (SHRT_MAX * 2 + 1)
#define INT_MAX __INT_MAX__
#define INT_MIN (-INT_MAX - 1)
#define UINT_MAX (INT_MAX * 2U + 1U)
#define LONG_MAX __LONG_MAX__
#define LONG_MIN (-LONG_MAX - 1L)
#define ULONG_MAX (LONG_MAX * 2UL + 1UL)
#define QUAD_MAX __INT64_MAX__
#define UQUAD_MAX __UINT64_MAX__
#define NGROUPS_MAX 1023
#define SSIZE_MAX __INT64_MAX__
#define OFF_MAX __INT64_MAX__

#endif
