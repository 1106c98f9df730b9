/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS_STDDEF_H_
#define _SYS_STDDEF_H_
#include <sys/types.h>
#ifndef offsetof
#define offsetof(type, field) __offsetof(type, field)
#endif
#endif
