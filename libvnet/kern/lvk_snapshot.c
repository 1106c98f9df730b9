/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: nothing of FreeBSD's; what a snapshot cannot see in memory.
 * Fidelity: exact
 * Differs: --
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/counter.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/pcpu.h>
#include <sys/proc.h>

#include <lvk.h>
#include <seam_snapshot.h>

void
vnk_local_save(struct vnk_local *l)
{
	int depth = lvk_owner_none_set(0);

	lvk_owner_none_set(depth);
	l->thread = lvk_curthread;
	l->cpu = lvk_curpcpu;
	l->owner_none = (vnh_u64)depth;
}

void
vnk_local_load(const struct vnk_local *l)
{
	lvk_curthread = l->thread;
	lvk_curpcpu = l->cpu;
	lvk_owner_none_set((int)l->owner_none);
#ifdef INVARIANTS
	lvk_counter_depth = 0;
#endif
}
