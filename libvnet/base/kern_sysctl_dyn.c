/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: sysctl_add_oid(9), sysctl_ctx_init(9): nodes made at run time.
 * Fidelity: exact
 * Differs: removal waits for a running handler by polling, and panics where
 * that handler is its own caller; an emptied context can be used again.
 *
 * A leaf belongs to the vnet that makes it: one that outlives its vnet points
 * into freed memory, and is reported as a leak.  Inner nodes belong to nobody,
 * since vnets share them by reference count.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/sx.h>
#include <sys/sysctl.h>

#undef malloc
#include <lvk.h>
#include "kern_sysctl.h"

static MALLOC_DEFINE(M_SYSCTLOID, "sysctloid", "sysctl dynamic oids");

static bool
is_node(const struct sysctl_oid *oid)
{
	return ((oid->oid_kind & CTLTYPE) == CTLTYPE_NODE);
}

static char *
copy_string(const char *s)
{
	size_t len;

	if (s == NULL)
		return (NULL);
	len = strlen(s) + 1;
	return (memcpy(malloc(len, M_SYSCTLOID, M_WAITOK), s, len));
}

/* ---- contexts */

int
sysctl_ctx_init(struct sysctl_ctx_list *ctx)
{
	if (ctx == NULL)
		return (EINVAL);
	TAILQ_INIT(ctx);
	return (0);
}

struct sysctl_ctx_entry *
sysctl_ctx_entry_add(struct sysctl_ctx_list *ctx, struct sysctl_oid *oid)
{
	struct sysctl_ctx_entry *e;

	sx_assert(&lvk_sysctl_lock, SA_XLOCKED);
	if (ctx == NULL || oid == NULL)
		return (NULL);
	e = malloc(sizeof(*e), M_SYSCTLOID, M_WAITOK);
	e->entry = oid;
	TAILQ_INSERT_HEAD(ctx, e, link);
	return (e);
}

struct sysctl_ctx_entry *
sysctl_ctx_entry_find(struct sysctl_ctx_list *ctx, struct sysctl_oid *oid)
{
	struct sysctl_ctx_entry *e;

	sx_assert(&lvk_sysctl_lock, SA_XLOCKED);
	if (ctx == NULL || oid == NULL)
		return (NULL);
	TAILQ_FOREACH(e, ctx, link)
		if (e->entry == oid)
			break;
	return (e);
}

int
sysctl_ctx_entry_del(struct sysctl_ctx_list *ctx, struct sysctl_oid *oid)
{
	struct sysctl_ctx_entry *e;

	if (ctx == NULL || oid == NULL)
		return (EINVAL);
	sysctl_wlock();
	e = sysctl_ctx_entry_find(ctx, oid);
	if (e != NULL)
		TAILQ_REMOVE(ctx, e, link);
	sysctl_wunlock();
	if (e == NULL)
		return (ENOENT);
	free(e, M_SYSCTLOID);
	return (0);
}

/* ---- making a node */

static struct sysctl_oid *
oid_new(int number, const char *name, int kind, const char *descr,
    const char *label)
{
	bool shared = (kind & CTLTYPE) == CTLTYPE_NODE;
	struct sysctl_oid *oid;

	if (shared)
		lvk_owner_none_enter();
	oid = malloc(sizeof(*oid), M_SYSCTLOID, M_WAITOK | M_ZERO);
	oid->oid_name = copy_string(name);
	oid->oid_descr = copy_string(descr);
	oid->oid_label = copy_string(label);
	if (shared)
		lvk_owner_none_exit();
	SLIST_INIT(&oid->oid_children);
	oid->oid_number = number;
	oid->oid_kind = (u_int)kind | CTLFLAG_DYN;
	oid->oid_refcnt = 1;
	return (oid);
}

/* With the lock held: a node that is there already gains a reference. */
static struct sysctl_oid *
oid_reuse(struct sysctl_ctx_list *ctx, struct sysctl_oid *oid)
{
	if (!is_node(oid)) {
		lvk_sysctl_warn_reuse("sysctl_add_oid", oid);
		return (NULL);
	}
	oid->oid_refcnt++;
	(void)sysctl_ctx_entry_add(ctx, oid);
	return (oid);
}

struct sysctl_oid *
sysctl_add_oid(struct sysctl_ctx_list *ctx, struct sysctl_oid_list *parent,
    int number, const char *name, int kind, void *arg1, intmax_t arg2,
    int (*handler)(SYSCTL_HANDLER_ARGS), const char *fmt, const char *descr,
    const char *label)
{
	struct sysctl_oid *oid;

	if (parent == NULL)
		return (NULL);
	sysctl_wlock();
	oid = lvk_sysctl_child(parent, name, strlen(name));
	if (oid != NULL)
		oid = oid_reuse(ctx, oid);
	else {
		oid = oid_new(number, name, kind, descr, label);
		oid->oid_parent = parent;
		oid->oid_handler = handler;
		oid->oid_arg1 = arg1;
		oid->oid_arg2 = arg2;
		oid->oid_fmt = fmt;
		(void)sysctl_ctx_entry_add(ctx, oid);
		sysctl_register_oid(oid);
	}
	sysctl_wunlock();
	return (oid);
}

/* ---- removing one */

/* With the lock held; it is dropped and taken again. */
static void
wait_for_handler(struct sysctl_oid *oid)
{
	struct lvk_turns turns = { 0 };

	oid->oid_kind |= CTLFLAG_DYING;
	while (atomic_load_int(&oid->oid_running) > 0) {
		sysctl_wunlock();
		if (!lvk_relinquish(&turns))
			panic("sysctl_remove_oid: waits for ever for the "
			    "handler of \"%s\" that is its own caller",
			    oid->oid_name);
		sysctl_wlock();
	}
}

static void
oid_free(struct sysctl_oid *oid)
{
	free(__DECONST(char *, oid->oid_name), M_SYSCTLOID);
	free(__DECONST(char *, oid->oid_descr), M_SYSCTLOID);
	free(__DECONST(char *, oid->oid_label), M_SYSCTLOID);
	free(oid, M_SYSCTLOID);
}

static int remove_locked(struct sysctl_oid *, int, int);

static int
remove_children(struct sysctl_oid *oid, int del, int recurse)
{
	struct sysctl_oid *p, *next;
	int error;

	SLIST_FOREACH_SAFE(p, SYSCTL_CHILDREN(oid), oid_link, next) {
		if (recurse == 0) {
			printf("Warning: failed attempt to remove oid %s with "
			    "child %s\n", oid->oid_name, p->oid_name);
			return (ENOTEMPTY);
		}
		error = remove_locked(p, del, recurse);
		if (error != 0)
			return (error);
	}
	return (0);
}

static int
remove_locked(struct sysctl_oid *oid, int del, int recurse)
{
	int error;

	if ((oid->oid_kind & CTLFLAG_DYN) == 0) {
		printf("Warning: can't remove non-dynamic nodes (%s)!\n",
		    oid->oid_name);
		return (EINVAL);
	}
	if (oid->oid_refcnt > 1) {
		oid->oid_refcnt--;
		return (0);
	}
	error = is_node(oid) ? remove_children(oid, del, recurse) : 0;
	if (error != 0)
		return (error);
	sysctl_unregister_oid(oid);
	if (del != 0) {
		wait_for_handler(oid);
		oid_free(oid);
	}
	return (0);
}

int
sysctl_remove_oid(struct sysctl_oid *oid, int del, int recurse)
{
	int error;

	if (oid == NULL)
		return (EINVAL);
	sysctl_wlock();
	error = remove_locked(oid, del, recurse);
	sysctl_wunlock();
	return (error);
}

int
sysctl_remove_name(struct sysctl_oid *parent, const char *name, int del,
    int recurse)
{
	struct sysctl_oid *oid;
	int error = ENOENT;

	sysctl_wlock();
	oid = lvk_sysctl_child(SYSCTL_CHILDREN(parent), name, strlen(name));
	if (oid != NULL)
		error = remove_locked(oid, del, recurse);
	sysctl_wunlock();
	return (error);
}

/* ---- removing all of a context */

/* Would the node go, when those marked as dying are gone? */
static bool
can_go(const struct sysctl_oid *oid)
{
	const struct sysctl_oid *p;

	if ((oid->oid_kind & CTLFLAG_DYN) == 0)
		return (false);
	if (oid->oid_refcnt > 1)
		return (true);
	SLIST_FOREACH(p, &oid->oid_children, oid_link)
		if ((p->oid_kind & CTLFLAG_DYING) == 0)
			return (false);
	return (true);
}

/*
 * First as a rehearsal, which is taken back from where it came to: either
 * everything can be removed or nothing is.
 */
static struct sysctl_oid *
rehearse(struct sysctl_ctx_list *ctx)
{
	struct sysctl_ctx_entry *e, *back;

	TAILQ_FOREACH(e, ctx, link) {
		if (!can_go(e->entry))
			break;
		if (e->entry->oid_refcnt > 1)
			e->entry->oid_refcnt--;
		else
			e->entry->oid_kind |= CTLFLAG_DYING;
	}
	back = e != NULL ? TAILQ_PREV(e, sysctl_ctx_list, link) :
	    TAILQ_LAST(ctx, sysctl_ctx_list);
	for (; back != NULL; back = TAILQ_PREV(back, sysctl_ctx_list, link)) {
		if ((back->entry->oid_kind & CTLFLAG_DYING) != 0)
			back->entry->oid_kind &= ~CTLFLAG_DYING;
		else
			back->entry->oid_refcnt++;
	}
	return (e != NULL ? e->entry : NULL);
}

int
sysctl_ctx_free(struct sysctl_ctx_list *ctx)
{
	struct sysctl_ctx_entry *e;
	struct sysctl_oid *stays;

	sysctl_wlock();
	stays = rehearse(ctx);
	if (stays != NULL) {
		printf("Warning: sysctl_ctx_free: %s cannot be removed\n",
		    stays->oid_name);
		sysctl_wunlock();
		return (EBUSY);
	}
	while ((e = TAILQ_FIRST(ctx)) != NULL) {
		TAILQ_REMOVE(ctx, e, link);
		if (remove_locked(e->entry, 1, 0) != 0)
			panic("sysctl_ctx_free: corrupt tree, entry: %s",
			    e->entry->oid_name);
		free(e, M_SYSCTLOID);
	}
	sysctl_wunlock();
	return (0);
}
