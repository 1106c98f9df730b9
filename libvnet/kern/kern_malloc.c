/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: malloc(9), FreeBSD's kern/kern_malloc.c.
 * Fidelity: modelled
 * Differs: sizes are not rounded up to malloc zones, so that an overrun by
 * one byte is one; there is no memory pressure; M_WAITOK where sleeping is
 * forbidden panics always, not only when memory is short.
 *
 * Blocks whose size is a power of two are aligned to it up to PAGE_SIZE, and
 * those of a page or more to PAGE_SIZE, as UMA's malloc zones happen to do
 * and as structs with __aligned() rely on.
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

#define TRASH_BYTE 0xde

MALLOC_DEFINE(M_CACHE, "cache", "Various Dynamically allocated caches");
MALLOC_DEFINE(M_DEVBUF, "devbuf", "device driver memory");
MALLOC_DEFINE(M_TEMP, "temp", "misc temporary data buffers");

static size_t
natural_alignment(size_t size)
{
	if (size >= PAGE_SIZE)
		return (PAGE_SIZE);
	if (size >= 16 && powerof2(size))
		return (size);
	return (16);
}

static void
trash(void *p, size_t size)
{
#ifdef INVARIANTS
	if (vnh_sanitized() == 0)
		memset(p, TRASH_BYTE, size);
#endif
}

static void *
allocate(size_t size, size_t align, struct malloc_type *type, int flags,
    vnh_uptr pc)
{
	void *p;

	KASSERT(type->ks_version == M_VERSION,
	    ("malloc: type %p is not one made by MALLOC_DEFINE", type));
	KASSERT((flags & (M_WAITOK | M_NOWAIT)) != (M_WAITOK | M_NOWAIT) &&
	    (flags & (M_WAITOK | M_NOWAIT)) != 0,
	    ("malloc(\"%s\"): give M_WAITOK or M_NOWAIT, one of them",
	    type->ks_shortdesc));
	KASSERT(curthread->td_critnest == 0,
	    ("malloc(\"%s\"): called with a spin lock held or in a critical "
	    "section", type->ks_shortdesc));
#ifdef INVARIANTS
	if ((flags & M_WAITOK) != 0)
		lvk_sleep_check("malloc(M_WAITOK)");
#endif
	p = lvk_item_alloc(size, align, LVK_MALLOC, type, type->ks_shortdesc,
	    pc);
	if ((flags & M_ZERO) != 0)
		memset(p, 0, size);
	else
		trash(p, size);
	return (p);
}

void *
malloc(size_t size, struct malloc_type *type, int flags)
{
	return (allocate(size, natural_alignment(size), type, flags, LVK_PC));
}

void *
malloc_aligned(size_t size, size_t align, struct malloc_type *type, int flags)
{
	KASSERT(align != 0 && powerof2(align),
	    ("malloc_aligned: alignment %zu is not a power of two", align));
	return (allocate(size, MAX(align, natural_alignment(size)), type, flags,
	    LVK_PC));
}

void *
mallocarray(size_t nmemb, size_t size, struct malloc_type *type, int flags)
{
	if (WOULD_OVERFLOW(nmemb, size))
		panic("mallocarray: %zu * %zu overflowed", nmemb, size);
	size *= nmemb;
	return (allocate(size, natural_alignment(size), type, flags, LVK_PC));
}

static void
release(void *addr, struct malloc_type *type)
{
	KASSERT(curthread->td_critnest == 0,
	    ("free(\"%s\"): called with a spin lock held or in a critical "
	    "section", type->ks_shortdesc));
	lvk_item_check(addr, LVK_MALLOC, type, "free");
	trash(addr, lvk_item_size(addr));
	lvk_item_retire(addr);
	lvk_item_release(addr);
}

void
free(void *addr, struct malloc_type *type)
{
	if (addr != NULL)
		release(addr, type);
}

void
zfree(void *addr, struct malloc_type *type)
{
	if (addr == NULL)
		return;
	lvk_item_check(addr, LVK_MALLOC, type, "zfree");
	memset(addr, 0, lvk_item_size(addr));
	release(addr, type);
}

static void *
resize(void *addr, size_t size, struct malloc_type *type, int flags,
    vnh_uptr pc)
{
	void *p;

	p = allocate(size, natural_alignment(size), type, flags, pc);
	if (addr != NULL) {
		lvk_item_check(addr, LVK_MALLOC, type, "realloc");
		memcpy(p, addr, ulmin(size, lvk_item_size(addr)));
		release(addr, type);
	}
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
	return (resize(addr, size, type, flags, LVK_PC));
}

size_t
malloc_size(size_t size)
{
	return (size);
}

size_t
malloc_usable_size(const void *addr)
{
	return (addr == NULL ? 0 : lvk_item_size(addr));
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
