/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS_HASH_H_
#define _SYS_HASH_H_

#include <sys/types.h>

/* Bob Jenkins' lookup3 and MurmurHash3, over words and over bytes. */
uint32_t jenkins_hash(const void *, size_t, uint32_t);
uint32_t jenkins_hash32(const uint32_t *, size_t, uint32_t);
uint32_t murmur3_32_hash(const void *, size_t, uint32_t);
uint32_t murmur3_32_hash32(const uint32_t *, size_t, uint32_t);

#define HASHINIT 5381
#define HASHSTEP(x, c) (((x << 5) + x) + (c))

static __inline uint32_t
hash32_buf(const void *buf, size_t len, uint32_t hash)
{
	const unsigned char *p = buf;

	while (len--)
		hash = HASHSTEP(hash, *p++);
	return (hash);
}

static __inline uint32_t
hash32_str(const void *buf, uint32_t hash)
{
	const unsigned char *p = buf;

	while (*p)
		hash = HASHSTEP(hash, *p++);
	return (hash);
}

#endif
