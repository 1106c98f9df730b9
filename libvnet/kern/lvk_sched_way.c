/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: the scheduler, where a thread makes way for others.
 * Fidelity: modelled
 * Differs: see lvk_sched.c.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/pcpu.h>
#include <sys/proc.h>
#include <sys/smp.h>

#include "lvk_cpu.h"
#include "lvk_explore.h"
#include "lvk_point.h"
#include "lvk_sched.h"
#include "lvk_sched_int.h"

/*
 * Interrupt threads may keep each other busy for ever, and home would never
 * come to notice: so it does every now and then (lvk_sched.c), and in the end
 * calls it off.
 */
#define INTR_STORM 5000000

static void
lvk_intr_storm(void)
{
	char who[MAXCOMLEN + 1] = "?";
	struct lvk_ctx *c;

	lvk_spin_lock(&lvk_sched_lock);
	TAILQ_FOREACH(c, &lvk_runq, lc_runq)
		if (c->lc_intr)
			break;
	if (c != NULL)
		strlcpy(who, c->lc_td->td_name, sizeof(who));
	lvk_spin_unlock(&lvk_sched_lock);
	panic("interrupt storm: interrupt threads, \"%s\" among them, keep "
	    "each other busy for ever; nothing else runs and time stands still",
	    who);
}

/* VNH_HOST: called with the lock held, returns without. */
static bool
others_stop(struct lvk_ctx *self)
{
	if (lvk_running == 0) {
		lvk_spin_unlock(&lvk_sched_lock);
		lvk_reap();
		return (false);
	}
	lvk_home_waits = true;
	self->lc_worn = curthread;
	self->lc_state = LVK_PARKED;
	lvk_cpu_give(self);
	lvk_dispatch();
	while (lvk_running != 0 && !lvk_home_called) {
		lvk_spin_unlock(&lvk_sched_lock);
		vnh_co_park(&self->lc_co);
		lvk_spin_lock(&lvk_sched_lock);
	}
	lvk_home_waits = lvk_home_called = false;
	lvk_requeue(self);
	return (true);
}

bool
lvk_others(void)
{
	struct lvk_ctx *self = lvk_ctx_self();
	u_long before = atomic_load_long(&lvk_progress);

	if (self->lc_kind != LVK_HOME || (lvk_keeps_cpu() && lvk_solo))
		return (false);
	if (__predict_false(atomic_load_int(&lvk_epoch_wanted) != 0) &&
	    !lvk_in_intr() && !lvk_keeps_cpu() && lvk_epoch_run_wanted() > 0) {
		lvk_progressed();
		return (true);
	}
	lvk_spin_lock(&lvk_sched_lock);
	if (lvk_carrier == VNH_HOST)
		return (others_stop(self));
	lvk_enqueue(self, true);
	lvk_leave_cpu(self);
	if (atomic_load_long(&lvk_progress) == before)
		lvk_intr_streak = 0;
	else if (__predict_false(lvk_intr_streak > INTR_STORM))
		lvk_intr_storm();
	return (atomic_load_long(&lvk_progress) != before);
}

/* A flow stays ready; `polls' where it only wants to look again. */
static void
give_way(struct lvk_ctx *self, bool polls)
{
	if (self->lc_kind == LVK_ATTACHED)
		vnh_yield();
	else if (lvk_carrier == VNH_HOST)
		lvk_sched_preempt();
	else if (self->lc_kind == LVK_HOME)
		(void)lvk_others();
	else if (lvk_keeps_cpu() && lvk_solo)
		vnh_yield();
	else {
		lvk_spin_lock(&lvk_sched_lock);
		lvk_enqueue(self, polls);
		lvk_leave_cpu(self);
	}
}

void
lvk_sched_preempt(void)
{
	struct lvk_ctx *self = lvk_ctx_self();

	if (!lvk_keeps_cpu()) {
		lvk_spin_lock(&lvk_sched_lock);
		if (!TAILQ_EMPTY(&lvk_runq))
			lvk_requeue(self);
		else
			lvk_spin_unlock(&lvk_sched_lock);
	}
	lvk_cpu_attend();
	vnh_yield();
}

void
lvk_sched_move(struct pcpu *to)
{
	struct lvk_ctx *self = lvk_ctx_self();

	if (lvk_explored) {
		self->lc_pcpu = to;
		lvk_come_on(self);
		LVK_EVENT(VNH_EV_CPU, to);
		return;
	}
	if (lvk_solo || self->lc_kind == LVK_ATTACHED) {
		lvk_curpcpu = to;
		return;
	}
	lvk_spin_lock(&lvk_sched_lock);
	lvk_cpu_give(self);
	self->lc_pcpu = to;
	self->lc_fixed = true;
	if (lvk_carrier == VNH_HOST)
		lvk_requeue(self);
	else if (lvk_cpu_take(self)) {
		lvk_spin_unlock(&lvk_sched_lock);
		lvk_come_on(self);
	} else {
		lvk_enqueue(self, false);
		lvk_switch_away(self);
	}
	self->lc_fixed = false;
}

void
lvk_sched_give_way(void)
{
	struct lvk_ctx *self = lvk_ctx_self();

	lvk_spin_lock(&lvk_sched_lock);
	lvk_enqueue(self, false);
	lvk_switch_away(self);
}

void
lvk_sched_yield(void)
{
	if (lvk_explored) {
		LVK_EVENT(VNH_EV_YIELD, NULL);
		return;
	}
	lvk_progressed();
	give_way(lvk_ctx_self(), false);
}

/* Whether an event could end home's wait for something that a thread has. */
static bool
others_alive(void)
{
	struct lvk_ctx *c;

	lvk_spin_lock(&lvk_sched_lock);
	TAILQ_FOREACH(c, &lvk_contexts, lc_link)
		if (c->lc_kind == LVK_FLOW && c->lc_state != LVK_NEW &&
		    c->lc_state != LVK_DEAD && !c->lc_idle)
			break;
	lvk_spin_unlock(&lvk_sched_lock);
	return (c != NULL);
}

static bool
any_running(void)
{
	bool any;

	lvk_spin_lock(&lvk_sched_lock);
	any = lvk_running != 0;
	lvk_spin_unlock(&lvk_sched_lock);
	return (any);
}

bool
lvk_relinquish(struct lvk_turns *t)
{
	struct lvk_ctx *self = lvk_ctx_self();
	u_long before;

	if (lvk_explored) {
		lvk_explorer_block(t->lt_object);
		return (true);
	}
	if (t->lt_turns++ == 0) {
		t->lt_since = lvk_clock();
		lvk_progressed();
	}
	before = atomic_load_long(&lvk_progress);
	give_way(self, true);
	if (lvk_keeps_cpu() && lvk_solo && vnh_threads() == 1)
		return (false);
	if (self->lc_kind != LVK_HOME || atomic_load_long(&lvk_progress) != before)
		return (true);
	if (lvk_carrier == VNH_HOST && any_running())
		return (true);
	if (!lvk_in_intr() && (t->lt_events || others_alive()) &&
	    lvk_clock() - t->lt_since < LVK_FOREVER && lvk_event(SBT_MAX) > 0)
		return (true);
	if (vnh_threads() > 1) {
		t->lt_alone = false;
		return (true);
	}
	/* The last of the others may have let go since our caller looked. */
	if (t->lt_alone)
		return (false);
	t->lt_alone = true;
	return (true);
}
