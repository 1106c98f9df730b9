/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: EVENTHANDLER(9), FreeBSD's kern/subr_eventhandler.c.
 * Fidelity: exact
 * Differs: deregistering what is not registered panics, and so does waiting
 * for a handler that can never return; the wait is a poll, not a sleep.
 *
 * The lists are the kernel's: whatever vnet is current when one is made, it
 * is nobody's.  So are entries of the vimage kind, which serve every vnet.  A
 * plain entry belongs to the vnet that registered it, and is a leak when it
 * survives that vnet.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/eventhandler.h>

#undef malloc
#include <lvk.h>

static MALLOC_DEFINE(M_EVENTHANDLER, "eventhandler", "Event handler records");

struct entry_generic {
	struct eventhandler_entry ee;
	void *func;
};

/* The handler is the iterator, its argument what was registered. */
struct entry_vimage {
	struct eventhandler_entry ee;
	vimage_iterator_func_t func;
	struct eventhandler_entry_vimage v_ee;
};

static TAILQ_HEAD(, eventhandler_list) lists;
static struct mtx lists_mtx;
static bool lists_ready;

static void
eventhandler_init(void *dummy __unused)
{
	TAILQ_INIT(&lists);
	mtx_init(&lists_mtx, "eventhandler", NULL, MTX_DEF);
	lists_ready = true;
}
SYSINIT(eventhandlers, SI_SUB_EVENTHANDLER, SI_ORDER_FIRST, eventhandler_init,
    NULL);

static struct eventhandler_list *
list_find(const char *name)
{
	struct eventhandler_list *list;

	mtx_assert(&lists_mtx, MA_OWNED);
	TAILQ_FOREACH(list, &lists, el_link)
		if (strcmp(list->el_name, name) == 0)
			break;
	return (list);
}

static struct eventhandler_list *
list_alloc(const char *name)
{
	struct eventhandler_list *list;

	lvk_owner_none_enter();
	list = malloc(sizeof(*list) + strlen(name) + 1, M_EVENTHANDLER,
	    M_WAITOK | M_ZERO);
	lvk_owner_none_exit();
	TAILQ_INIT(&list->el_entries);
	list->el_name = (char *)(list + 1);
	strcpy(list->el_name, name);
	mtx_init(&list->el_lock, list->el_name, "eventhandler list", MTX_DEF);
	return (list);
}

/* Allocating sleeps, so the lock is dropped for it and the search repeated. */
struct eventhandler_list *
eventhandler_create_list(const char *name)
{
	struct eventhandler_list *list, *fresh;

	KASSERT(lists_ready, ("eventhandler list \"%s\" created too early: "
	    "before SI_SUB_EVENTHANDLER", name));
	mtx_lock(&lists_mtx);
	list = list_find(name);
	mtx_unlock(&lists_mtx);
	if (list != NULL)
		return (list);
	fresh = list_alloc(name);
	mtx_lock(&lists_mtx);
	list = list_find(name);
	if (list == NULL)
		TAILQ_INSERT_HEAD(&lists, fresh, el_link);
	mtx_unlock(&lists_mtx);
	if (list == NULL)
		return (fresh);
	mtx_destroy(&fresh->el_lock);
	free(fresh, M_EVENTHANDLER);
	return (list);
}

struct eventhandler_list *
eventhandler_find_list(const char *name)
{
	struct eventhandler_list *list;

	if (!lists_ready)
		return (NULL);
	mtx_lock(&lists_mtx);
	list = list_find(name);
	if (list != NULL)
		mtx_lock(&list->el_lock);
	mtx_unlock(&lists_mtx);
	return (list);
}

/* ---- entries */

/* In order of priority, behind those of the same. */
static eventhandler_tag
entry_insert(struct eventhandler_list *list, const char *name,
    eventhandler_tag ee)
{
	eventhandler_tag pos;

	KASSERT(lists_ready, ("eventhandler for \"%s\" registered too early: "
	    "before SI_SUB_EVENTHANDLER", name));
	KASSERT(ee->ee_priority != EHE_DEAD_PRIORITY,
	    ("eventhandler for \"%s\" registered with the priority that marks "
	    "dead ones (%d)", name, EHE_DEAD_PRIORITY));
	if (list == NULL)
		list = eventhandler_create_list(name);
	mtx_lock(&list->el_lock);
	TAILQ_FOREACH(pos, &list->el_entries, ee_link)
		if (pos->ee_priority != EHE_DEAD_PRIORITY &&
		    ee->ee_priority < pos->ee_priority)
			break;
	if (pos != NULL)
		TAILQ_INSERT_BEFORE(pos, ee, ee_link);
	else
		TAILQ_INSERT_TAIL(&list->el_entries, ee, ee_link);
	mtx_unlock(&list->el_lock);
	return (ee);
}

eventhandler_tag
eventhandler_register(struct eventhandler_list *list, const char *name,
    void *func, void *arg, int priority)
{
	struct entry_generic *eg;

	eg = malloc(sizeof(*eg), M_EVENTHANDLER, M_WAITOK | M_ZERO);
	eg->func = func;
	eg->ee.ee_arg = arg;
	eg->ee.ee_priority = priority;
	return (entry_insert(list, name, &eg->ee));
}

#ifdef VIMAGE
eventhandler_tag
vimage_eventhandler_register(struct eventhandler_list *list, const char *name,
    void *func, void *arg, int priority, vimage_iterator_func_t iterator)
{
	struct entry_vimage *ev;

	lvk_owner_none_enter();
	ev = malloc(sizeof(*ev), M_EVENTHANDLER, M_WAITOK | M_ZERO);
	lvk_owner_none_exit();
	ev->func = iterator;
	ev->v_ee.func = (void (*)(void))func;
	ev->v_ee.ee_arg = arg;
	ev->ee.ee_arg = &ev->v_ee;
	ev->ee.ee_priority = priority;
	return (entry_insert(list, name, &ev->ee));
}
#endif

static void
entry_check(struct eventhandler_list *list, eventhandler_tag tag)
{
#ifdef INVARIANTS
	eventhandler_tag ee;

	TAILQ_FOREACH(ee, &list->el_entries, ee_link)
		if (ee == tag && ee->ee_priority != EHE_DEAD_PRIORITY)
			return;
	panic("eventhandler_deregister: %p is not registered for \"%s\"; was "
	    "it deregistered before?", tag, list->el_name);
#endif
}

/* While somebody walks the list an entry is only marked. */
static void
entry_kill(struct eventhandler_list *list, eventhandler_tag ee)
{
	if (list->el_runcount > 0) {
		ee->ee_priority = EHE_DEAD_PRIORITY;
		return;
	}
	TAILQ_REMOVE(&list->el_entries, ee, ee_link);
	free(ee, M_EVENTHANDLER);
}

/* The last walker prunes, and clears the run count, under the same lock. */
static void
wait_for_walkers(struct eventhandler_list *list)
{
	struct lvk_turns turns = { 0 };

	while (list->el_runcount > 0) {
		mtx_unlock(&list->el_lock);
		if (!lvk_relinquish(&turns))
			panic("eventhandler_deregister: waits for ever for a "
			    "handler of \"%s\" that is its own caller; use "
			    "eventhandler_deregister_nowait()", list->el_name);
		mtx_lock(&list->el_lock);
	}
}

/* The list comes locked, and is left unlocked.  No tag means all of them. */
static void
deregister(struct eventhandler_list *list, eventhandler_tag tag, bool wait)
{
	eventhandler_tag ee, next;

	mtx_assert(&list->el_lock, MA_OWNED);
	if (tag != NULL) {
		entry_check(list, tag);
		entry_kill(list, tag);
	} else
		TAILQ_FOREACH_SAFE(ee, &list->el_entries, ee_link, next)
			entry_kill(list, ee);
	if (wait)
		wait_for_walkers(list);
	mtx_unlock(&list->el_lock);
}

void
eventhandler_deregister(struct eventhandler_list *list, eventhandler_tag tag)
{
	deregister(list, tag, true);
}

void
eventhandler_deregister_nowait(struct eventhandler_list *list,
    eventhandler_tag tag)
{
	deregister(list, tag, false);
}

void
eventhandler_prune_list(struct eventhandler_list *list)
{
	eventhandler_tag ee, next;

	mtx_assert(&list->el_lock, MA_OWNED);
	TAILQ_FOREACH_SAFE(ee, &list->el_entries, ee_link, next)
		if (ee->ee_priority == EHE_DEAD_PRIORITY)
			entry_kill(list, ee);
}
