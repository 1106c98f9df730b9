/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: nothing of FreeBSD's; when epoch callbacks run.
 * Fidelity: exact
 * Differs: --
 *
 * A kernel runs them some time after their grace period has passed, and code
 * must not care when: so a test can say it.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/proc.h>

#include <lvk.h>
#include "epoch_int.h"

#define RANDOM_TICKS 100

static int when;			/* enum vnh_epoch_when */
static int delay;			/* ticks */

/* Home is to look at the next opportunity. */
volatile u_int lvk_epoch_wanted;

void
vnk_epoch_when(int how, int count)
{
	when = how;
	delay = count;
}

void
epoch_plan(struct epoch *e)
{
	int how = when, count = delay;
	uint64_t r;

	if (how == VNH_EPOCH_RANDOM) {
		r = vnh_random();
		how = (int)(r % 3);
		if (count == 0)
			count = RANDOM_TICKS;
		count = 1 + (int)((r >> 8) % (u_int)count);
	}
	e->e_eager = how == VNH_EPOCH_EAGER;
	e->e_due = 0;
	if (how == VNH_EPOCH_DELAYED)
		e->e_due = lvk_clock() + count * tick_sbt;
	lvk_epoch_kick(e);
}

void
lvk_epoch_kick(const struct epoch *e)
{
	if (e->e_eager)
		atomic_store_rel_int(&lvk_epoch_wanted, 1);
}

/* The next time that callbacks wait for, SBT_MAX where there is none. */
sbintime_t
lvk_epoch_next(void)
{
	sbintime_t now = lvk_clock(), next = SBT_MAX;
	struct epoch *e;

	if (when == VNH_EPOCH_IDLE || when == VNH_EPOCH_EAGER)
		return (SBT_MAX);
	lvk_spin_lock(&epochs_lock);
	TAILQ_FOREACH(e, &epochs, e_link) {
		lvk_spin_lock(&e->e_lock);
		if (!STAILQ_EMPTY(&e->e_waiting) && e->e_due > now)
			next = MIN(next, e->e_due);
		lvk_spin_unlock(&e->e_lock);
	}
	lvk_spin_unlock(&epochs_lock);
	return (next);
}
