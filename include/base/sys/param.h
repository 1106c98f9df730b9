/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS_PARAM_H_
#define _SYS_PARAM_H_

#include <sys/types.h>
#include <sys/limits.h>
#include <sys/errno.h>
#include <sys/time.h>
#include <sys/priority.h>
#include <machine/param.h>

/* Base models stable/14; LIBVNET_BASE tells it from a tree. */
#define LIBVNET_BASE 1
#define __FreeBSD_version 1400500

#define MAXPATHLEN 1024
#define MAXCOMLEN 19
#define MAXHOSTNAMELEN 256
#define DEV_BSIZE 512

#define PRIMASK 0x0ff
#define PCATCH 0x100
#define PDROP 0x200

#define MCLBYTES 2048
#define MSIZE 256

#define nitems(x) (sizeof((x)) / sizeof((x)[0]))
#define roundup(x, y) ((((x) + ((y) - 1)) / (y)) * (y))
#define roundup2(x, y) (((x) + ((y) - 1)) & ~((__typeof(x))((y) - 1)))
#define rounddown(x, y) (((x) / (y)) * (y))
#define rounddown2(x, y) ((x) & ~((__typeof(x))((y) - 1)))
#define howmany(x, y) (((x) + ((y) - 1)) / (y))
#define powerof2(x) ((((x) - 1) & (x)) == 0)
#define MIN(a, b) (((a) < (b)) ? (a) : (b))
#define MAX(a, b) (((a) > (b)) ? (a) : (b))
#ifndef offsetof
#define offsetof(type, field) __offsetof(type, field)
#endif

#define NBBY 8
#define setbit(a, i) \
	(((unsigned char *)(a))[(i) / NBBY] |= 1 << ((i) % NBBY))
#define clrbit(a, i) \
	(((unsigned char *)(a))[(i) / NBBY] &= ~(1 << ((i) % NBBY)))
#define isset(a, i) \
	(((const unsigned char *)(a))[(i) / NBBY] & (1 << ((i) % NBBY)))
#define isclr(a, i) (isset(a, i) == 0)

#if _BYTE_ORDER == _LITTLE_ENDIAN
#define htons(x) ((uint16_t)__builtin_bswap16(x))
#define htonl(x) ((uint32_t)__builtin_bswap32(x))
#else
#define htons(x) ((uint16_t)(x))
#define htonl(x) ((uint32_t)(x))
#endif
#define ntohs(x) htons(x)
#define ntohl(x) htonl(x)

#endif /* _SYS_PARAM_H_ */
