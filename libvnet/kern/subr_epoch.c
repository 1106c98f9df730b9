/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: epoch(9), FreeBSD's kern/subr_epoch.c.
 * Fidelity: modelled
 * Differs: each epoch keeps one list of the sections open in it, not one a
 * CPU, so that who is in is known exactly: leaving a section that was not
 * entered, or that another thread entered, panics.  For callbacks see
 * epoch_call.c.
 *
 * A grace period is a mark on the list.  Sections are entered at the tail,
 * so that those open when the mark was set are the ones before it: when
 * there are none left, the period has passed, whatever was entered since.
 * Non-preemptible sections have no tracker to list; they are short, and a
 * period passes only when none is open.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/epoch.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/queue.h>

#undef malloc
#include <lvk.h>
#include "epoch_int.h"
#include "lvk_explore.h"
#include "lvk_point.h"

static MALLOC_DEFINE(M_EPOCH, "epoch", "epochs");

epoch_t global_epoch;
epoch_t global_epoch_preempt;
#ifdef LIBVNET_BASE
epoch_t net_epoch_preempt;
#endif

struct epoch_list epochs = TAILQ_HEAD_INITIALIZER(epochs);
struct lvk_spin epochs_lock;

/* ---- making and unmaking */

epoch_t
epoch_alloc(const char *name, int flags)
{
	struct epoch *e;

	KASSERT(name != NULL, ("epoch_alloc: no name"));
	e = malloc(sizeof(*e), M_EPOCH, M_WAITOK | M_ZERO);
	e->e_name = name;
	e->e_flags = flags;
	TAILQ_INIT(&e->e_sections);
	STAILQ_INIT(&e->e_new);
	STAILQ_INIT(&e->e_waiting);
	lvk_spin_lock(&epochs_lock);
	TAILQ_INSERT_TAIL(&epochs, e, e_link);
	lvk_spin_unlock(&epochs_lock);
	return (e);
}

static void
epoch_init(void *arg __unused)
{
	lvk_owner_none_enter();
	global_epoch = epoch_alloc("Global", 0);
	global_epoch_preempt = epoch_alloc("Global preemptible",
	    EPOCH_PREEMPT);
#ifdef LIBVNET_BASE
	net_epoch_preempt = epoch_alloc("Net preemptible", EPOCH_PREEMPT);
#endif
	lvk_owner_none_exit();
}
SYSINIT(lvk_epoch, SI_SUB_EPOCH, SI_ORDER_FIRST, epoch_init, NULL);

void
epoch_free(epoch_t e)
{
	bool open;

	epoch_drain_callbacks(e);
	lvk_spin_lock(&e->e_lock);
	open = !TAILQ_EMPTY(&e->e_sections) || e->e_critical != 0;
	lvk_spin_unlock(&e->e_lock);
	if (open)
		panic("epoch_free: epoch \"%s\" has open sections", e->e_name);
	lvk_spin_lock(&epochs_lock);
	TAILQ_REMOVE(&epochs, e, e_link);
	lvk_spin_unlock(&epochs_lock);
	free(e, M_EPOCH);
}

/* ---- preemptible sections */

void
_epoch_enter_preempt(epoch_t e, epoch_tracker_t et)
{
	struct thread *td = curthread;

	KASSERT(cold || e != NULL, ("epoch_enter_preempt: no epoch"));
	if (__predict_false(e == NULL))
		return;
	KASSERT((e->e_flags & EPOCH_PREEMPT) != 0,
	    ("epoch_enter_preempt: epoch \"%s\" is not preemptible",
	    e->e_name));
	LVK_EVENT(VNH_EV_EPOCH_ENTERING, e);
	td->td_no_sleeping++;
	td->td_pinned++;
	et->et_td = td;
	lvk_spin_lock(&e->e_lock);
	TAILQ_INSERT_TAIL(&e->e_sections, et, et_link);
	lvk_spin_unlock(&e->e_lock);
	LVK_EVENT(VNH_EV_EPOCH_ENTER, e);
}

/* Where `et' is on the list, entered by this thread. */
static bool
section_remove(struct epoch *e, struct epoch_tracker *et)
{
	struct epoch_tracker *t;

	lvk_spin_lock(&e->e_lock);
	TAILQ_FOREACH_REVERSE(t, &e->e_sections, sections, et_link)
		if (t == et && t->et_td == curthread) {
			TAILQ_REMOVE(&e->e_sections, t, et_link);
			break;
		}
	lvk_epoch_kick(e);
	lvk_spin_unlock(&e->e_lock);
	return (t != NULL);
}

void
_epoch_exit_preempt(epoch_t e, epoch_tracker_t et)
{
	struct thread *td = curthread;

	if (__predict_false(e == NULL))
		return;
	if (!section_remove(e, et))
		panic("epoch_exit_preempt: thread \"%s\" has not entered epoch "
		    "\"%s\" with tracker %p", td->td_name, e->e_name, et);
	td->td_no_sleeping--;
	td->td_pinned--;
	LVK_EVENT(VNH_EV_EPOCH_EXIT, e);
	lvk_point();
}

/* ---- non-preemptible sections */

/* The current thread's entry, or NULL; with the epoch locked. */
static struct critical *
critical_of(struct epoch *e)
{
	for (u_int i = 0; i < e->e_critical; i++)
		if (e->e_threads[i].c_td == curthread)
			return (&e->e_threads[i]);
	return (NULL);
}

void
epoch_enter(epoch_t e)
{
	struct critical *c;
	bool full = false;

	KASSERT(cold || e != NULL, ("epoch_enter: no epoch"));
	if (__predict_false(e == NULL))
		return;
	LVK_EVENT(VNH_EV_EPOCH_ENTERING, e);
	critical_enter();
	lvk_spin_lock(&e->e_lock);
	c = critical_of(e);
	if (c != NULL)
		c->c_depth++;
	else if (e->e_critical < EPOCH_CRITICAL_MAX)
		e->e_threads[e->e_critical++] =
		    (struct critical){ curthread, 1 };
	else
		full = true;
	lvk_spin_unlock(&e->e_lock);
	if (full)
		panic("epoch_enter: more than %d threads in epoch \"%s\"",
		    EPOCH_CRITICAL_MAX, e->e_name);
	LVK_EVENT(VNH_EV_EPOCH_ENTER, e);
}

void
epoch_exit(epoch_t e)
{
	struct critical *c;

	if (__predict_false(e == NULL))
		return;
	lvk_spin_lock(&e->e_lock);
	c = critical_of(e);
	if (c != NULL && --c->c_depth == 0)
		*c = e->e_threads[--e->e_critical];
	lvk_epoch_kick(e);
	lvk_spin_unlock(&e->e_lock);
	if (c == NULL)
		panic("epoch_exit: thread \"%s\" has not entered epoch \"%s\"",
		    curthread->td_name, e->e_name);
	LVK_EVENT(VNH_EV_EPOCH_EXIT, e);
	critical_exit();
}

/* ---- asking */

static bool
section_of(const struct epoch *e)
{
	const struct epoch_tracker *t;

	TAILQ_FOREACH(t, &e->e_sections, et_link)
		if (t->et_td == curthread)
			return (true);
	return (false);
}

int
in_epoch(epoch_t e)
{
	bool in;

	if (__predict_false(e == NULL))
		return (0);
	/* In a section a thread may not sleep: mostly that says enough. */
	if (curthread->td_no_sleeping == 0 && curthread->td_critnest == 0)
		return (0);
	lvk_spin_lock(&e->e_lock);
	in = (e->e_flags & EPOCH_PREEMPT) != 0 ? section_of(e) :
	    critical_of(e) != NULL;
	lvk_spin_unlock(&e->e_lock);
	return (in);
}

int
in_epoch_verbose(epoch_t e, int dump_onfail)
{
	int in = in_epoch(e);

	if (in == 0 && dump_onfail != 0 && e != NULL)
		printf("thread \"%s\" is not in epoch \"%s\"\n",
		    curthread->td_name, e->e_name);
	return (in);
}

/* ---- grace periods */

bool
epoch_period_passed(const struct epoch *e, const struct epoch_tracker *mark)
{
	const struct epoch_tracker *t;

	if (e->e_critical != 0)
		return (false);
	for (t = TAILQ_FIRST(&e->e_sections); t != mark;
	    t = TAILQ_NEXT(t, et_link))
		if (t->et_td != NULL)	/* not a mark */
			return (false);
	return (true);
}

void
epoch_mark_set(struct epoch *e, struct epoch_tracker *mark)
{
	mark->et_td = NULL;
	TAILQ_INSERT_TAIL(&e->e_sections, mark, et_link);
}

void
epoch_yield(const struct epoch *e, struct lvk_turns *turns, const char *what)
{
	if (!lvk_relinquish(turns))
		panic("deadlock: %s: a section of epoch \"%s\" is open and no "
		    "other thread runs that could end it", what, e->e_name);
}

static void
wait_period(struct epoch *e, const char *what)
{
	struct lvk_turns turns = { .lt_object = e };
	struct epoch_tracker mark;
	bool passed;

	KASSERT(!in_epoch(e), ("%s() called in the middle of a section of the "
	    "same epoch \"%s\"", what, e->e_name));
	LVK_EVENT(VNH_EV_EPOCH_WAITING, e);
	lvk_spin_lock(&e->e_lock);
	epoch_mark_set(e, &mark);
	for (;;) {
		passed = epoch_period_passed(e, &mark);
		if (passed)
			TAILQ_REMOVE(&e->e_sections, &mark, et_link);
		lvk_spin_unlock(&e->e_lock);
		if (passed) {
			LVK_EVENT(VNH_EV_EPOCH_WAITED, e);
			return;
		}
		epoch_yield(e, &turns, what);
		lvk_spin_lock(&e->e_lock);
	}
}

void
epoch_wait_preempt(epoch_t e)
{
	KASSERT(cold || e != NULL, ("epoch_wait_preempt: no epoch"));
	if (__predict_false(e == NULL))
		return;
	KASSERT((e->e_flags & EPOCH_PREEMPT) != 0,
	    ("epoch_wait_preempt: epoch \"%s\" is not preemptible",
	    e->e_name));
	KASSERT(curthread->td_critnest == 0,
	    ("epoch_wait_preempt: epoch \"%s\", in a critical section",
	    e->e_name));
	wait_period(e, "epoch_wait_preempt");
}

void
epoch_wait(epoch_t e)
{
	KASSERT(cold || e != NULL, ("epoch_wait: no epoch"));
	if (__predict_false(e == NULL))
		return;
	KASSERT((e->e_flags & EPOCH_PREEMPT) == 0,
	    ("epoch_wait: epoch \"%s\" is preemptible", e->e_name));
	wait_period(e, "epoch_wait");
}
