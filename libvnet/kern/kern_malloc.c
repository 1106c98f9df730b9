/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: malloc(9), FreeBSD's kern/kern_malloc.c.
 * Fidelity: modelled
 * Differs: there is no memory pressure; M_WAITOK where sleeping is forbidden
 * panics always, not only when memory is short; with INVARIANTS bytes beyond
 * the size asked for are guarded.
 *
 * Sizes up to KMEM_ZMAX come from zones of powers of two, larger ones are
 * runs of pages.  Blocks whose size is a power of two are aligned to it up to
 * PAGE_SIZE, and those of a page or more to PAGE_SIZE.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/proc.h>

#undef malloc
#include <lvk.h>
#include "lvk_boot.h"
#include "lvk_explore.h"
#include "lvk_heap.h"
#include "uma_cache.h"
#include "uma_int.h"

#define KMEM_ZMIN_SHIFT 4
#define KMEM_ZMAX_SHIFT 14
#define KMEM_ZMAX ((size_t)1 << KMEM_ZMAX_SHIFT)
#define KMEM_ZONES (KMEM_ZMAX_SHIFT - KMEM_ZMIN_SHIFT + 1)

static struct uma_zone *zones[KMEM_ZONES];

MALLOC_DEFINE(M_CACHE, "cache", "Various Dynamically allocated caches");
MALLOC_DEFINE(M_DEVBUF, "devbuf", "device driver memory");
MALLOC_DEFINE(M_TEMP, "temp", "misc temporary data buffers");

void
lvk_malloc_init(void)
{
	static char name[] = "malloc-xxxxx";

	for (u_int i = 0; i < KMEM_ZONES; i++) {
		size_t size = (size_t)1 << (i + KMEM_ZMIN_SHIFT);

		snprintf(name, sizeof(name), "malloc-%zu", size);
		zones[i] = uma_zcreate(name, size, NULL, NULL, NULL, NULL,
		    (int)MIN(size, PAGE_SIZE) - 1, UMA_ZONE_MALLOC);
		zones[i]->uz_keg->uk_malloc = true;
	}
}

static __always_inline struct uma_zone *
zone_for(size_t size)
{
	if (size <= (size_t)1 << KMEM_ZMIN_SHIFT)
		return (zones[0]);
	return (zones[flsl((long)(size - 1)) - KMEM_ZMIN_SHIFT]);
}

#ifdef INVARIANTS
static void
call_check(struct malloc_type *type, int flags)
{
	KASSERT(type->ks_version == M_VERSION,
	    ("malloc: type %p is not one made by MALLOC_DEFINE", type));
	KASSERT((flags & (M_WAITOK | M_NOWAIT)) != (M_WAITOK | M_NOWAIT) &&
	    (flags & (M_WAITOK | M_NOWAIT)) != 0,
	    ("malloc(\"%s\"): give M_WAITOK or M_NOWAIT, one of them",
	    type->ks_shortdesc));
	KASSERT(curthread->td_critnest == 0,
	    ("malloc(\"%s\"): called with a spin lock held or in a critical "
	    "section", type->ks_shortdesc));
	if ((flags & M_WAITOK) != 0)
		lvk_sleep_check("malloc(M_WAITOK)");
}
#else
#define call_check(type, flags) do { } while (0)
#endif

static __noinline void *
allocate_large(size_t size, size_t align, struct malloc_type *type, int flags,
    struct lvk_tag **tag)
{
	if (size > LVK_HEAP_BYTES / 2 && (flags & M_WAITOK) == 0)
		return (NULL);
	if (size > LVK_HEAP_BYTES / 2)
		panic("allocation of %zu bytes for %s cannot fit in memory",
		    size, type->ks_shortdesc);
	return (uma_large_alloc(size, align, type, tag));
}

static __always_inline void *
allocate(size_t size, size_t align, struct malloc_type *type, int flags,
    vnh_uptr pc)
{
	const struct uma_keg *keg;
	struct uma_zone *zone;
	struct lvk_tag *tag;
	void *p;

	call_check(type, flags);
	if ((flags & M_WAITOK) == 0 && lvk_fail(type->ks_shortdesc))
		return (NULL);
	if (__predict_false(MAX(size, align) > KMEM_ZMAX || align > PAGE_SIZE)) {
		p = allocate_large(size, align, type, flags, &tag);
		if (p == NULL)
			return (NULL);
		keg = &uma_large_keg;
	} else {
		zone = zone_for(MAX(size, align));
		keg = zone->uz_keg;
		p = uma_get(zone, flags, &tag);
		uma_item_look(keg, keg->uk_trash, p, tag);
		tag->tg_origin = type;
		tag->tg_size = (uint32_t)size;
	}
	lvk_tag_live(tag, p, pc, lvk_owner());
	uma_item_arrive(keg, true, p, size, tag);
	LVK_EVENT(VNH_EV_ALLOC, p);
	if ((flags & M_ZERO) != 0)
		memset(p, 0, size);
	return (p);
}

void *
malloc(size_t size, struct malloc_type *type, int flags)
{
	return (allocate(size, 0, type, flags, LVK_PC));
}

void *
malloc_aligned(size_t size, size_t align, struct malloc_type *type, int flags)
{
	KASSERT(align != 0 && powerof2(align),
	    ("malloc_aligned: alignment %zu is not a power of two", align));
	return (allocate(size, align, type, flags,
	    LVK_PC));
}

void *
mallocarray(size_t nmemb, size_t size, struct malloc_type *type, int flags)
{
	if (WOULD_OVERFLOW(nmemb, size))
		panic("mallocarray: %zu * %zu overflowed", nmemb, size);
	size *= nmemb;
	return (allocate(size, 0, type, flags, LVK_PC));
}

static __always_inline struct lvk_tag *
tag_of(void *addr, struct malloc_type *type __unused, const char *what __unused,
    struct uma_slab **slp)
{
#ifdef INVARIANTS
	struct lvk_tag *tag;

	KASSERT(curthread->td_critnest == 0,
	    ("free(\"%s\"): called with a spin lock held or in a critical "
	    "section", type->ks_shortdesc));
	tag = lvk_item_check(addr, type, what, slp);
	if ((*slp)->us_keg->uk_red != 0)
		lvk_red_check(*slp, (uint32_t)(tag - (*slp)->us_tag));
	return (tag);
#else
	*slp = lvk_item_slab(addr);
	return (&(*slp)->us_tag[lvk_slab_index(*slp, addr)]);
#endif
}

static __noinline void
release_large(void *addr, struct uma_slab *sl)
{
	if ((lvk_hooks & LVK_HOOK_SANITIZER) != 0)
		vnh_item_died(addr, sl->us_large, 1);
	if ((lvk_hooks & LVK_HOOK_QUARANTINE) != 0)
		uma_put_quarantined(NULL, addr);
	else
		uma_large_free(sl);
}

static __always_inline void
release(void *addr, struct uma_slab *sl, struct lvk_tag *tag, vnh_uptr pc)
{
	struct uma_keg *keg = sl->us_keg;

	lvk_tag_free(tag, pc);
	if (__predict_false(keg == &uma_large_keg)) {
		release_large(addr, sl);
		return;
	}
	uma_item_leave(keg, true, keg->uk_trash, addr);
	if (__predict_false((lvk_hooks & LVK_HOOK_QUARANTINE) != 0))
		uma_put_quarantined(keg->uk_zone, addr);
	else
		uma_put(keg->uk_zone, addr, tag);
}

void
free(void *addr, struct malloc_type *type)
{
	struct uma_slab *sl;
	struct lvk_tag *tag;

	if (addr == NULL)
		return;
	LVK_EVENT(VNH_EV_FREE, addr);
	tag = tag_of(addr, type, "free", &sl);
	release(addr, sl, tag, LVK_PC);
}

void
zfree(void *addr, struct malloc_type *type)
{
	struct uma_slab *sl;
	struct lvk_tag *tag;

	if (addr == NULL)
		return;
	LVK_EVENT(VNH_EV_FREE, addr);
	tag = tag_of(addr, type, "zfree", &sl);
	memset(addr, 0, lvk_item_bytes(sl, (uint32_t)(tag - sl->us_tag)));
	release(addr, sl, tag, LVK_PC);
}

static void *
resize(void *addr, size_t size, struct malloc_type *type, int flags,
    vnh_uptr pc)
{
	struct uma_slab *sl;
	struct lvk_tag *tag;
	void *p;

	p = allocate(size, 0, type, flags, pc);
	if (p == NULL || addr == NULL)
		return (p);
	tag = tag_of(addr, type, "realloc", &sl);
	memcpy(p, addr, ulmin(size,
	    lvk_item_bytes(sl, (uint32_t)(tag - sl->us_tag))));
	release(addr, sl, tag, pc);
	return (p);
}

void *
realloc(void *addr, size_t size, struct malloc_type *type, int flags)
{
	return (resize(addr, size, type, flags, LVK_PC));
}

void *
reallocf(void *addr, size_t size, struct malloc_type *type, int flags)
{
	struct uma_slab *sl;
	struct lvk_tag *tag;
	void *p = resize(addr, size, type, flags, LVK_PC);

	if (p == NULL && addr != NULL) {
		tag = tag_of(addr, type, "reallocf", &sl);
		release(addr, sl, tag, LVK_PC);
	}
	return (p);
}

size_t
malloc_size(size_t size)
{
	return (size);
}

size_t
malloc_usable_size(const void *addr)
{
	struct uma_slab *sl;

	if (addr == NULL)
		return (0);
	sl = lvk_item_slab(addr);
	return (lvk_item_bytes(sl, lvk_slab_index(sl, addr)));
}

void
malloc_init(void *data)
{
	struct malloc_type *type __unused = data;

	KASSERT(type->ks_version == M_VERSION,
	    ("malloc_init: type %p is not one made by MALLOC_DEFINE", type));
}

void
malloc_uninit(void *data __unused)
{
}
