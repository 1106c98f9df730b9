/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS_MALLOC_H_
#define _SYS_MALLOC_H_

#include <sys/param.h>
#include <sys/kernel.h>
#include <sys/systm.h>

#define M_NOWAIT 0x0001
#define M_WAITOK 0x0002
#define M_NORECLAIM 0x0080
#define M_ZERO 0x0100
#define M_NOVM 0x0200
#define M_USE_RESERVE 0x0400
#define M_NODUMP 0x0800
#define M_NEVERFREED 0x10000

#define M_VERSION 2020110501

struct malloc_type_internal {
	u_long mti_live;
	void *mti_stats;
	u_long mti_spare[8];
};

struct malloc_type {
	struct malloc_type *ks_next;
	u_long ks_version;
	const char *ks_shortdesc;
	struct malloc_type_internal ks_mti;
};

#define MALLOC_DEFINE(type, shortdesc, longdesc)			\
	struct malloc_type type[1] = { {				\
		.ks_next = NULL,					\
		.ks_version = M_VERSION,				\
		.ks_shortdesc = shortdesc,				\
	} };								\
	SYSINIT(type##_init, SI_SUB_KMEM, SI_ORDER_THIRD, malloc_init,	\
	    type);							\
	SYSUNINIT(type##_uninit, SI_SUB_KMEM, SI_ORDER_ANY,		\
	    malloc_uninit, type)
#define MALLOC_DECLARE(type) extern struct malloc_type type[1]

MALLOC_DECLARE(M_CACHE);
MALLOC_DECLARE(M_DEVBUF);
MALLOC_DECLARE(M_TEMP);

void	malloc_init(void *);
void	malloc_uninit(void *);
struct domainset;
void	*malloc_domainset(size_t, struct malloc_type *, struct domainset *, int)
	    __malloc_like;
void	*malloc(size_t, struct malloc_type *, int) __malloc_like
	    __result_use_check __alloc_size(1);
void	*mallocarray(size_t, size_t, struct malloc_type *, int) __malloc_like
	    __result_use_check __alloc_size2(1, 2);
void	*malloc_aligned(size_t, size_t, struct malloc_type *, int)
	    __malloc_like __result_use_check __alloc_size(1);
void	*realloc(void *, size_t, struct malloc_type *, int)
	    __result_use_check __alloc_size(2);
void	*reallocf(void *, size_t, struct malloc_type *, int)
	    __result_use_check __alloc_size(2);
void	free(void *, struct malloc_type *);
void	zfree(void *, struct malloc_type *);
size_t	malloc_size(size_t);
size_t	malloc_usable_size(const void *);

static __inline bool
WOULD_OVERFLOW(size_t nmemb, size_t size)
{
	size_t product;

	return (__builtin_mul_overflow(nmemb, size, &product));
}

#endif /* _SYS_MALLOC_H_ */
