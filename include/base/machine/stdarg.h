/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _MACHINE_STDARG_H_
#define _MACHINE_STDARG_H_

typedef __builtin_va_list va_list;
#define va_start(ap, last) __builtin_va_start(ap, last)
#define va_arg(ap, type) __builtin_va_arg(ap, type)
#define va_copy(d, s) __builtin_va_copy(d, s)
#define va_end(ap) __builtin_va_end(ap)

#endif
