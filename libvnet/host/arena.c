/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * jemalloc's arenas: one for each vnet, and one for what no vnet owns.  The
 * arena of a vnet that is gone is used again, as making one costs more than a
 * hundred times as much.  No thread cache: it would blur whose memory it is.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"

#define WEAK __attribute__((weak))
extern void *mallocx(size_t, int) WEAK;
extern void dallocx(void *, int) WEAK;
extern int mallctl(const char *, void *, size_t *, void *, size_t) WEAK;

/* jemalloc's MALLOCX_*; its header may not be there. */
#define FLAG_ALIGN(a) (__builtin_ctzl(a))
#define FLAG_NO_TCACHE (1 << 8)
#define FLAG_ARENA(a) (((int)(a) + 1) << 20)

#define ARENAS_MAX 4000		/* of 4095 that jemalloc can have */

struct owner {
	int vnet;
	unsigned arena;
	struct owner *next;
};
static struct owner *owners, *spare;
static int made;
static pthread_mutex_t arena_lock = PTHREAD_MUTEX_INITIALIZER;

bool
host_arena_present(void)
{
	return (mallocx != NULL && dallocx != NULL && mallctl != NULL);
}

static struct owner *
owner_new(void)
{
	struct owner *o = spare;
	size_t n = sizeof(o->arena);

	if (o != NULL) {
		spare = o->next;
		return (o);
	}
	if (made >= ARENAS_MAX)
		return (NULL);	/* the process's: its footprint is not told */
	o = calloc(1, sizeof(*o));
	if (o == NULL || mallctl("arenas.create", &o->arena, &n, NULL, 0) != 0) {
		free(o);
		return (NULL);
	}
	made++;
	return (o);
}

static struct owner *
owner_find(int vnet, bool make)
{
	struct owner *o;

	for (o = owners; o != NULL; o = o->next)
		if (o->vnet == vnet)
			return (o);
	if (!make || (o = owner_new()) == NULL)
		return (NULL);
	o->vnet = vnet;
	o->next = owners;
	owners = o;
	return (o);
}

void *
host_arena_alloc(size_t size, size_t align, int vnet)
{
	int flags = FLAG_NO_TCACHE | FLAG_ALIGN(align);
	struct owner *o;

	pthread_mutex_lock(&arena_lock);
	o = owner_find(vnet, true);
	if (o != NULL)
		flags |= FLAG_ARENA(o->arena);
	pthread_mutex_unlock(&arena_lock);
	return (mallocx(size, flags));
}

void
host_arena_free(void *p)
{
	dallocx(p, FLAG_NO_TCACHE);
}

/* What the vnet leaked stays where it is. */
void
host_arena_gone(int vnet)
{
	struct owner *o, **op;

	pthread_mutex_lock(&arena_lock);
	for (op = &owners; (o = *op) != NULL; op = &o->next)
		if (o->vnet == vnet) {
			*op = o->next;
			o->next = spare;
			spare = o;
			break;
		}
	pthread_mutex_unlock(&arena_lock);
}

void
host_arena_reset(void)
{
	while (owners != NULL)
		host_arena_gone(owners->vnet);
}

static size_t
arena_stat(unsigned arena, const char *what)
{
	char name[80];
	size_t bytes = 0, n = sizeof(bytes);

	snprintf(name, sizeof(name), "stats.arenas.%u.%s.allocated", arena,
	    what);
	if (mallctl(name, &bytes, &n, NULL, 0) != 0)
		return (0);
	return (bytes);
}

bool
host_arena_bytes(int vnet, size_t *bytes)
{
	uint64_t epoch = 1;
	size_t n = sizeof(epoch);
	struct owner *o;

	pthread_mutex_lock(&arena_lock);
	o = owner_find(vnet, false);
	pthread_mutex_unlock(&arena_lock);
	if (o == NULL)
		return (false);
	mallctl("epoch", &epoch, &n, &epoch, n);
	*bytes = arena_stat(o->arena, "small") + arena_stat(o->arena, "large");
	return (true);
}
