/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _VM_UMA_H_
#define _VM_UMA_H_

#include <sys/param.h>
#include <sys/malloc.h>
#include <sys/_smr.h>

struct uma_zone;
typedef struct uma_zone *uma_zone_t;

typedef int (*uma_ctor)(void *, int, void *, int);
typedef void (*uma_dtor)(void *, int, void *);
typedef int (*uma_init)(void *, int, int);
typedef void (*uma_fini)(void *, int);
typedef int (*uma_import)(void *, void **, int, int, int);
typedef void (*uma_release)(void *, void **, int);
typedef void *(*uma_alloc)(uma_zone_t, vm_size_t, int, uint8_t *, int);
typedef void (*uma_free)(void *, vm_size_t, uint8_t);
typedef void (*uma_maxaction_t)(uma_zone_t, int);

#define UMA_ZONE_ZINIT 0x0002
#define UMA_ZONE_CONTIG 0x0004
#define UMA_ZONE_NOTOUCH 0x0008
#define UMA_ZONE_MALLOC 0x0010
#define UMA_ZONE_NOFREE 0x0020
#define UMA_ZONE_MTXCLASS 0x0040
#define UMA_ZONE_VM 0x0080
#define UMA_ZONE_NOTPAGE 0x0100
#define UMA_ZONE_SECONDARY 0x0200
#define UMA_ZONE_NOBUCKET 0x0400
#define UMA_ZONE_MAXBUCKET 0x0800
#define UMA_ZONE_CACHESPREAD 0x2000
#define UMA_ZONE_NODUMP 0x4000
#define UMA_ZONE_PCPU 0x8000
#define UMA_ZONE_SMR 0x40000

#define UMA_ALIGN_PTR (sizeof(void *) - 1)
#define UMA_ALIGN_LONG (sizeof(long) - 1)
#define UMA_ALIGN_INT (sizeof(int) - 1)
#define UMA_ALIGN_SHORT (sizeof(short) - 1)
#define UMA_ALIGN_CHAR (sizeof(char) - 1)
#define UMA_ALIGN_CACHE (uma_get_cache_align_mask())
#define UMA_ALIGN_CACHE_AND_MASK(mask) (uma_get_cache_align_mask() | (mask))
#define UMA_ALIGNOF(type) (_Alignof(type) - 1)

#define UMA_SLAB_BOOT 0x01
#define UMA_SLAB_KERNEL 0x04
#define UMA_SLAB_PRIV 0x08

#define UMA_RECLAIM_DRAIN 1
#define UMA_RECLAIM_DRAIN_CPU 2
#define UMA_RECLAIM_TRIM 3

unsigned int uma_get_cache_align_mask(void) __pure;
uma_zone_t uma_zcreate(const char *, size_t, uma_ctor, uma_dtor, uma_init,
	    uma_fini, int, uint32_t);
uma_zone_t uma_zsecond_create(const char *, uma_ctor, uma_dtor, uma_init,
	    uma_fini, uma_zone_t);
uma_zone_t uma_zcache_create(const char *, int, uma_ctor, uma_dtor, uma_init,
	    uma_fini, uma_import, uma_release, void *, int);
void	uma_zdestroy(uma_zone_t);
void	*uma_zalloc_arg(uma_zone_t, void *, int);
void	uma_zfree_arg(uma_zone_t, void *, void *);
void	*uma_zalloc_pcpu_arg(uma_zone_t, void *, int);
void	uma_zfree_pcpu_arg(uma_zone_t, void *, void *);
/* UMA_ZONE_SMR: readers in a section may look at what was freed since. */
void	*uma_zalloc_smr(uma_zone_t, int);
void	uma_zfree_smr(uma_zone_t, void *);
void	uma_zone_set_smr(uma_zone_t, smr_t);
smr_t	uma_zone_get_smr(uma_zone_t);
#define uma_zalloc(zone, flags) uma_zalloc_arg((zone), NULL, (flags))
#define uma_zfree(zone, item) uma_zfree_arg((zone), (item), NULL)
#define uma_zalloc_pcpu(zone, flags) uma_zalloc_pcpu_arg((zone), NULL, (flags))
#define uma_zfree_pcpu(zone, item) uma_zfree_pcpu_arg((zone), (item), NULL)

void	uma_reclaim(int);
void	uma_zone_reclaim(uma_zone_t, int);
int	uma_zone_set_max(uma_zone_t, int);
int	uma_zone_get_max(uma_zone_t);
void	uma_zone_set_maxcache(uma_zone_t, int);
int	uma_zone_get_cur(uma_zone_t);
void	uma_zone_set_warning(uma_zone_t, const char *);
void	uma_zone_set_maxaction(uma_zone_t, uma_maxaction_t);
void	uma_zone_set_allocf(uma_zone_t, uma_alloc);
void	uma_zone_set_freef(uma_zone_t, uma_free);
void	uma_zone_reserve(uma_zone_t, int);
void	uma_prealloc(uma_zone_t, int);
int	uma_zone_exhausted(uma_zone_t);
size_t	uma_zone_memory(uma_zone_t);

extern uma_zone_t pcpu_zone_4;
extern uma_zone_t pcpu_zone_8;
extern uma_zone_t pcpu_zone_16;
extern uma_zone_t pcpu_zone_32;
extern uma_zone_t pcpu_zone_64;

#endif /* _VM_UMA_H_ */
