/* SPDX-License-Identifier: BSD-2-Clause */
/* The types of sys/types.h that network code uses. */
#ifndef _SYS_TYPES_H_
#define _SYS_TYPES_H_

#include <sys/cdefs.h>
#include <sys/_types.h>
#include <machine/endian.h>

typedef __int8_t int8_t;
typedef __uint8_t uint8_t;
typedef __int16_t int16_t;
typedef __uint16_t uint16_t;
typedef __int32_t int32_t;
typedef __uint32_t uint32_t;
typedef __int64_t int64_t;
typedef __uint64_t uint64_t;
typedef __intmax_t intmax_t;
typedef __uintmax_t uintmax_t;
typedef __intptr_t intptr_t;
typedef __uintptr_t uintptr_t;
typedef __size_t size_t;
typedef __int64_t ssize_t;
typedef __ptrdiff_t ptrdiff_t;
typedef __uint8_t u_int8_t;
typedef __uint16_t u_int16_t;
typedef __uint32_t u_int32_t;
typedef __uint64_t u_int64_t;

typedef unsigned char u_char;
typedef unsigned short u_short;
typedef unsigned int u_int;
typedef unsigned long u_long;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef __int64_t quad_t;
typedef __uint64_t u_quad_t;
typedef char *caddr_t;
typedef const char *c_caddr_t;
typedef __int32_t pid_t;
typedef __int32_t lwpid_t;
typedef __uint32_t uid_t;
typedef __uint32_t gid_t;
typedef __uint16_t mode_t;
typedef __int64_t off_t;
typedef __int64_t vm_ooffset_t;
typedef __int64_t time_t;
typedef long suseconds_t;
typedef __int64_t sbintime_t;
typedef __uint64_t cap_ioctl_t;
typedef __uint64_t vm_paddr_t;
typedef __uintptr_t vm_offset_t;
typedef __size_t vm_size_t;
typedef __uint64_t vm_pindex_t;
typedef __int64_t vm_ooffset_t;
typedef int boolean_t;
typedef __int64_t rlim_t;
typedef __uint8_t sa_family_t;
typedef __uint32_t socklen_t;
typedef __uint32_t in_addr_t;
typedef __uint16_t in_port_t;
typedef __uint32_t fflags_t;
typedef __int64_t register_t;

#if __STDC_VERSION__ < 202311L && !defined(__cplusplus)
typedef _Bool bool;
#define true 1
#define false 0
#endif

#ifndef NULL
#define NULL ((void *)0)
#endif

struct vnet;

#endif /* _SYS_TYPES_H_ */
