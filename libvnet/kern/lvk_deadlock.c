/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: nothing of FreeBSD's; who waits for whose lock.
 * Fidelity: exact
 * Differs: --
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/proc.h>

#include "lvk_sched.h"

static struct thread *
owner_of(const struct lock_object *lo)
{
	struct thread *owner = NULL;

	if (LOCK_CLASS(lo)->lc_owner(lo, &owner) == 0)
		return (NULL);
	return (owner);
}

void
lvk_waiters(char *buf, size_t size)
{
	struct thread *owner;
	struct lvk_ctx *c;
	size_t n = 0;

	buf[0] = '\0';
	TAILQ_FOREACH(c, &lvk_contexts, lc_link) {
		if (c->lc_lock == NULL || n + 1 >= size)
			continue;
		owner = owner_of(c->lc_lock);
		n += (size_t)snprintf(buf + n, size - n, "; thread \"%s\" "
		    "waits for lock \"%s\" of %s%s%s", c->lc_worn->td_name,
		    c->lc_lock->lo_name, owner != NULL ? "thread \"" :
		    "its readers", owner != NULL ? owner->td_name : "",
		    owner != NULL ? "\"" : "");
	}
}

void
lvk_contend(const struct lock_object *lo, struct lvk_turns *t,
    const char *file, int line)
{
	struct lvk_ctx *self = lvk_ctx_self();
	char who[256];

	self->lc_lock = lo;
	self->lc_worn = curthread;
	t->lt_object = lo;
	if (!lvk_relinquish(t)) {
		lvk_waiters(who, sizeof(who));
		panic("deadlock: lock \"%s\" is held and no other thread runs "
		    "that could release it, at %s:%d%s", lo->lo_name, file,
		    line, who);
	}
	self->lc_lock = NULL;
}

/* The context that `c' waits for, where that is known. */
static struct lvk_ctx *
waits_for(const struct lvk_ctx *c)
{
	struct thread *owner = c->lc_lock != NULL ? owner_of(c->lc_lock) : NULL;

	return (owner != NULL ? LVK_CTX(owner) : NULL);
}

/* With lvk_sched_lock held: `c' is in a circle, or leads into one. */
static bool
circle(struct lvk_ctx *c)
{
	struct lvk_ctx *slow = c, *fast = c;

	while (fast != NULL) {
		fast = waits_for(fast);
		if (fast == NULL)
			break;
		fast = waits_for(fast);
		slow = waits_for(slow);
		if (fast != NULL && fast == slow)
			return (true);
	}
	return (false);
}

void
lvk_deadlock_check(void)
{
	struct lvk_ctx *c;
	char who[400];

	if (lvk_carrier == VNH_HOST)
		return;
	lvk_spin_lock(&lvk_sched_lock);
	TAILQ_FOREACH(c, &lvk_contexts, lc_link)
		if (c->lc_lock != NULL && circle(c))
			break;
	lvk_spin_unlock(&lvk_sched_lock);
	if (c == NULL)
		return;
	lvk_waiters(who, sizeof(who));
	panic("deadlock: threads wait for each other%s", who);
}
