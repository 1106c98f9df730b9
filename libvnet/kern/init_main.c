/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: mi_startup() and the SYSUNINITs.
 * Fidelity: exact
 * Differs: the set is never sorted in place (it may be read-only): a copy of
 * pointers is.  SYSUNINITs, which a kernel runs when a module is unloaded,
 * run at shutdown, but for those of a whole stack.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/linker_set.h>
#include <sys/lock.h>
#include <sys/sx.h>
#ifndef LIBVNET_BASE
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/socket.h>
#include <net/if.h>
#include <net/if_var.h>
#pragma weak ifnet_detach_sxlock
#endif

#include <lvk.h>
#include "lvk_boot.h"

SET_DECLARE(sysinit_set, struct sysinit);
SET_DECLARE(sysuninit_set, struct sysinit);

typedef int before_fn(const struct sysinit *, const struct sysinit *);

static int
before_up(const struct sysinit *a, const struct sysinit *b)
{
	if (a->subsystem != b->subsystem)
		return (a->subsystem < b->subsystem);
	return (a->order < b->order);
}

static int
before_down(const struct sysinit *a, const struct sysinit *b)
{
	return (before_up(b, a));
}

/* Stable merge sort: members of equal rank keep their link order. */
static void
merge_sort(struct sysinit **v, struct sysinit **tmp, size_t n,
    before_fn *before)
{
	size_t half = n / 2, i = 0, j = half, k = 0;

	if (n < 2)
		return;
	merge_sort(v, tmp, half, before);
	merge_sort(v + half, tmp, n - half, before);
	while (i < half && j < n)
		tmp[k++] = before(v[j], v[i]) ? v[j++] : v[i++];
	while (i < half)
		tmp[k++] = v[i++];
	while (j < n)
		tmp[k++] = v[j++];
	memcpy(v, tmp, n * sizeof(*v));
}

static void
run_sorted(struct sysinit **start, struct sysinit **stop, before_fn *before)
{
	size_t n = (size_t)(stop - start);
	struct sysinit **v;

	if (n == 0)
		return;
	v = lvk_block_alloc(2 * n * sizeof(*v), 16);
	for (size_t i = 0; i < n; i++)
		v[i] = start[i];
	merge_sort(v, v + n, n, before);
	for (size_t i = 0; i < n; i++)
		if (v[i]->subsystem != SI_SUB_DUMMY)
			(*v[i]->func)(v[i]->udata);
	lvk_block_free(v, 16);
}

void
lvk_mi_startup(void)
{
	run_sorted(SET_BEGIN(sysinit_set), SET_LIMIT(sysinit_set), before_up);
}

struct sx *
lvk_detach_lock(void)
{
#ifdef LIBVNET_BASE
	return (NULL);
#else
	if (&ifnet_detach_sxlock == NULL ||
	    !lock_initialized(&ifnet_detach_sxlock.lock_object))
		return (NULL);
	return (&ifnet_detach_sxlock);
#endif
}

/*
 * No kernel takes down its first stack, and none could: interfaces would leave
 * after the protocols that they know.
 */
void
lvk_sysuninit(void)
{
	if (lvk_detach_lock() != NULL)
		return;
	run_sorted(SET_BEGIN(sysuninit_set), SET_LIMIT(sysuninit_set),
	    before_down);
}
