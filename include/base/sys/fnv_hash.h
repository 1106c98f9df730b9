/* SPDX-License-Identifier: BSD-2-Clause */
/* Fowler/Noll/Vo FNV-1. */
#ifndef _SYS_FNV_HASH_H_
#define _SYS_FNV_HASH_H_

#include <sys/types.h>

typedef uint32_t Fnv32_t;
typedef uint64_t Fnv64_t;
#define FNV1_32_INIT ((Fnv32_t)33554467UL)
#define FNV1_64_INIT ((Fnv64_t)0xcbf29ce484222325ULL)
#define FNV_32_PRIME ((Fnv32_t)0x01000193UL)
#define FNV_64_PRIME ((Fnv64_t)0x100000001b3ULL)

static __inline Fnv32_t
fnv_32_buf(const void *buf, size_t len, Fnv32_t hash)
{
	const uint8_t *p = buf;

	while (len-- != 0)
		hash = (hash * FNV_32_PRIME) ^ *p++;
	return (hash);
}

static __inline Fnv32_t
fnv_32_str(const char *str, Fnv32_t hash)
{
	while (*str != '\0')
		hash = (hash * FNV_32_PRIME) ^ (uint8_t)*str++;
	return (hash);
}

#endif
