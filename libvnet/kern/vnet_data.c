/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: the module side of VNET: vnet_data_alloc, _copy, _free; and what 15
 * has for tunables of V_ variables, vnet_save_init, _restore_init.
 * Fidelity: exact
 * Differs: freeing space that is not allocated panics.
 *
 * A loaded module's V_ variables need room in every vnet's copy.  The kernel
 * keeps a reserve for them, itself a V_ variable; a sorted list of free
 * pieces says what of it is unused.  When the reserve is full the loader
 * refuses the module with ENOSPC, and no space is lost.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/sx.h>
#include <net/vnet.h>

#undef malloc
#include <lvk.h>

#ifdef VIMAGE

#ifndef LIBVNET_VNET_MODMIN
#define LIBVNET_VNET_MODMIN (8 * PAGE_SIZE)
#endif

VNET_DEFINE_STATIC(char, modspace[LIBVNET_VNET_MODMIN]
    __aligned(__alignof__(void *)));

struct piece {
	uintptr_t start;
	size_t len;
	TAILQ_ENTRY(piece) link;
};

static MALLOC_DEFINE(M_VNET_DATA_FREE, "vnet_data_free",
    "VNET resource accounting");
TAILQ_HEAD(piecehead, piece);
static struct piecehead pieces = TAILQ_HEAD_INITIALIZER(pieces);
static struct sx vnet_data_lock;

static struct piece *
piece_new(uintptr_t start, size_t len)
{
	struct piece *p;

	lvk_owner_none_enter();
	p = malloc(sizeof(*p), M_VNET_DATA_FREE, M_WAITOK);
	lvk_owner_none_exit();
	p->start = start;
	p->len = len;
	return (p);
}

static void
piece_drop(struct piece *p)
{
	TAILQ_REMOVE(&pieces, p, link);
	free(p, M_VNET_DATA_FREE);
}

static void
vnet_data_startup(void *dummy __unused)
{
	struct piece *all = piece_new((uintptr_t)&VNET_NAME(modspace),
	    LIBVNET_VNET_MODMIN);

	sx_init(&vnet_data_lock, "vnet_data alloc lock");
	TAILQ_INSERT_HEAD(&pieces, all, link);
}
SYSINIT(vnet_data, SI_SUB_KLD, SI_ORDER_FIRST, vnet_data_startup, NULL);

/* ---- initial values of the masters */

static char *initial;

static void
vnet_initial_keep(void *dummy __unused)
{
	initial = lvk_block_alloc(VNET_STOP - VNET_START, 16);
	vnh_copy(initial, (void *)VNET_START, VNET_STOP - VNET_START);
}
SYSINIT(vnet_initial, SI_SUB_VNET_PRELINK, SI_ORDER_FIRST, vnet_initial_keep,
    NULL);

static void
vnet_initial_free(void *dummy __unused)
{
	lvk_block_free(initial, 16);
	initial = NULL;
}
SYSUNINIT(vnet_initial, SI_SUB_VNET_PRELINK, SI_ORDER_FIRST,
    vnet_initial_free, NULL);

static char *
initial_of(const char *who, void *start, size_t size)
{
	uintptr_t p = (uintptr_t)start;

	if (p < VNET_START || p > VNET_STOP || size > VNET_STOP - p)
		panic("%s: %p and %zu bytes are no master copy of a V_ "
		    "variable: give &VNET_NAME(x)", who, start, size);
	return (initial + (p - VNET_START));
}

void
vnet_save_init(void *start, size_t size)
{
	vnh_copy(initial_of(__func__, start, size), start, size);
}

void
vnet_restore_init(void *start, size_t size)
{
	vnh_copy(start, initial_of(__func__, start, size), size);
}

void *
vnet_data_alloc(int size)
{
	struct piece *p;
	size_t want;
	void *s = NULL;

	if (size <= 0)
		return (NULL);
	want = roundup2((size_t)size, sizeof(void *));
	sx_xlock(&vnet_data_lock);
	TAILQ_FOREACH(p, &pieces, link) {
		if (p->len < want)
			continue;
		s = (void *)p->start;
		p->start += want;
		p->len -= want;
		if (p->len == 0)
			piece_drop(p);
		break;
	}
	sx_xunlock(&vnet_data_lock);
	return (s);
}

/* Join `p' with its right neighbour where they touch. */
static void
piece_join(struct piece *p)
{
	struct piece *next;

	if (p == NULL || (next = TAILQ_NEXT(p, link)) == NULL ||
	    p->start + p->len != next->start)
		return;
	p->len += next->len;
	piece_drop(next);
}

void
vnet_data_free(void *start_arg, int size)
{
	uintptr_t start = (uintptr_t)start_arg;
	uintptr_t base = (uintptr_t)&VNET_NAME(modspace);
	size_t len = roundup2((size_t)size, sizeof(void *));
	struct piece *p, *after, *before;

	if (size <= 0)
		return;
	if (start < base || len > LIBVNET_VNET_MODMIN ||
	    start - base > LIBVNET_VNET_MODMIN - len)
		panic("vnet_data_free: %p+%d is not module space", start_arg,
		    size);
	p = piece_new(start, len);
	sx_xlock(&vnet_data_lock);
	before = NULL;
	TAILQ_FOREACH(after, &pieces, link) {
		if (after->start >= start)
			break;
		before = after;
	}
	if ((after != NULL && start + len > after->start) ||
	    (before != NULL && before->start + before->len > start))
		panic("vnet_data_free: %p+%d is free already", start_arg, size);
	if (after != NULL)
		TAILQ_INSERT_BEFORE(after, p, link);
	else
		TAILQ_INSERT_TAIL(&pieces, p, link);
	piece_join(p);
	piece_join(before);
	sx_xunlock(&vnet_data_lock);
}

void
vnet_data_copy(void *start, int size)
{
	struct vnet *vnet;

	VNET_LIST_RLOCK();
	LIST_FOREACH(vnet, &vnet_head, vnet_le)
		memcpy((void *)(vnet->vnet_data_base + (uintptr_t)start), start,
		    (size_t)size);
	VNET_LIST_RUNLOCK();
}

#endif /* VIMAGE */
