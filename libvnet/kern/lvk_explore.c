/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: preemption.
 * Fidelity: modelled
 * Differs: happens at points only: where a lock is taken or released, a
 * section is entered or left, and so on; with free-running host threads when
 * another thread has waited for a CPU for a while, else where host world says
 * so.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/pcpu.h>
#include <sys/proc.h>
#include <sys/smp.h>

#include "lvk_cpu.h"
#include "lvk_point.h"
#include "lvk_sched.h"

#define SLICE 32		/* points before a thread makes room */

volatile u_int lvk_watch;
__thread int lvk_points_off;

void
lvk_watch_set(u_int bit, bool on)
{
	if (((atomic_load_int(&lvk_watch) & bit) != 0) == on)
		return;
	if (on)
		atomic_set_int(&lvk_watch, bit);
	else
		atomic_clear_int(&lvk_watch, bit);
}

static bool
preemptible(void)
{
	return (curthread->td_critnest == 0 && !lvk_in_intr());
}

void
lvk_point_watched(enum vnh_event event, const void *object)
{
	struct lvk_ctx *self = lvk_ctx_self();

	if (lvk_points_off != 0)
		return;
	if (lvk_carrier != VNH_HOST) {
		if ((lvk_watch & LVK_WATCH_EXPLORE) != 0)
			vnh_explore_event(event, object);
		return;
	}
	if (self->lc_kind == LVK_ATTACHED)
		return;
	if ((lvk_watch & LVK_WATCH_IPI) != 0)
		lvk_cpu_attend();
	if ((lvk_watch & LVK_WATCH_WAITERS) != 0 && preemptible() &&
	    ++self->lc_slice >= SLICE) {
		self->lc_slice = 0;
		lvk_sched_preempt();
	}
}

/* ---- for host world */

void
vnk_explore(int on)
{
	lvk_watch_set(LVK_WATCH_EXPLORE, on != 0);
}

static void
choice_add(struct vnk_choice *choices, int *n, int max,
    const struct lvk_ctx *c, const struct pcpu *pc, bool preempts)
{
	if (*n >= max)
		return;
	choices[(*n)++] = (struct vnk_choice){
		.thread = c->lc_td, .name = c->lc_worn->td_name,
		.cpu = (int)pc->pc_cpuid, .preempts = preempts,
		.waits = c->lc_lock
	};
}

/* Where it is, or on each idle CPU, or in place of the caller. */
int
vnk_explore_choices(struct vnk_choice *choices, int max)
{
	struct lvk_ctx *self = lvk_ctx_self(), *c, *holder;
	struct pcpu *pc;
	int n = 0;

	lvk_spin_lock(&lvk_sched_lock);
	TAILQ_FOREACH(c, &lvk_contexts, lc_link) {
		if (c == self || c->lc_state != LVK_READY)
			continue;
		if (c->lc_oncpu) {
			choice_add(choices, &n, max, c, c->lc_pcpu, false);
			continue;
		}
		STAILQ_FOREACH(pc, &cpuhead, pc_allcpu) {
			holder = lvk_solo ? self : lvk_cpu_holder(pc);
			if (!lvk_cpu_suits(c, pc))
				continue;
			if (holder == NULL)
				choice_add(choices, &n, max, c, pc, false);
			else if (holder == self && preemptible())
				choice_add(choices, &n, max, c, pc, true);
		}
	}
	lvk_spin_unlock(&lvk_sched_lock);
	return (n);
}

void
vnk_explore_run(const struct vnk_choice *choice)
{
	lvk_sched_switch(LVK_CTX((struct thread *)choice->thread),
	    cpuid_to_pcpu[choice->cpu], choice->preempts != 0);
}
