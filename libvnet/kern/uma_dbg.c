/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: trash_*() and mtrash_*(), FreeBSD's vm/uma_dbg.c, for zones that
 * name them.
 * Fidelity: exact
 * Differs: freed memory that was written is a finding, and then a panic.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/malloc.h>
#include <vm/uma.h>
#ifndef LIBVNET_BASE
#include <vm/uma_dbg.h>
#endif

#include <lvk.h>

#define JUNK 0xdeadc0deu

static void
junk_fill(void *mem, int size)
{
	uint32_t *p = mem;

	for (int n = size / (int)sizeof(*p); n > 0; n--)
		*p++ = JUNK;
}

static void
junk_check(void *mem, int size)
{
	uint32_t *p = mem;

	for (int n = size / (int)sizeof(*p); n > 0; n--, p++) {
		if (*p == JUNK)
			continue;
		lvk_finding("useafterfree", "trash_ctor", lvk_owner(), NULL, 0,
		    0, "item %p of %d bytes was written after it was freed: "
		    "%#x at offset %d", mem, size, *p,
		    (int)((char *)p - (char *)mem));
		panic("Memory modified after free %p(%d) val=%x @ %p", mem,
		    size, *p, p);
	}
}

int
trash_ctor(void *mem, int size, void *arg __unused, int flags __unused)
{
	junk_check(mem, size);
	return (0);
}

void
trash_dtor(void *mem, int size, void *arg __unused)
{
	junk_fill(mem, size);
}

int
trash_init(void *mem, int size, int flags __unused)
{
	junk_fill(mem, size);
	return (0);
}

void
trash_fini(void *mem, int size)
{
	junk_check(mem, size);
}

/* The last word of an item of malloc(9) is its type's. */
#define BODY(size) ((size) - (int)sizeof(struct malloc_type *))

int
mtrash_ctor(void *mem, int size, void *arg __unused, int flags __unused)
{
	junk_check(mem, BODY(size));
	return (0);
}

void
mtrash_dtor(void *mem, int size, void *arg __unused)
{
	junk_fill(mem, BODY(size));
}

int
mtrash_init(void *mem, int size, int flags __unused)
{
	junk_fill(mem, BODY(size));
	memset((char *)mem + BODY(size), 0, sizeof(struct malloc_type *));
	return (0);
}

void
mtrash_fini(void *mem, int size)
{
	junk_check(mem, BODY(size));
}
