/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: what each user id consumes, of FreeBSD's kern/kern_resource.c.
 * Fidelity: exact
 * Differs: a list, not a hash table; a count below zero, and releasing what
 * is not held, panic.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/resourcevar.h>
#include <sys/rwlock.h>

#undef malloc
#include "lvk_cred.h"

static MALLOC_DEFINE(M_UIDINFO, "uidinfo", "uidinfo structures");

static LIST_HEAD(, uidinfo) users = LIST_HEAD_INITIALIZER(users);
static struct rwlock users_lock;
RW_SYSINIT(users_lock, &users_lock, "uidinfo hash");

void
uihashinit(void)
{
}

static struct uidinfo *
uilookup(uid_t uid)
{
	struct uidinfo *ui;

	LIST_FOREACH(ui, &users, ui_hash) {
		if (ui->ui_uid != uid)
			continue;
		atomic_add_int(&ui->ui_ref, 1);
		return (ui);
	}
	return (NULL);
}

struct uidinfo *
uifind(uid_t uid)
{
	struct uidinfo *ui, *new;

	rw_rlock(&users_lock);
	ui = uilookup(uid);
	rw_runlock(&users_lock);
	if (ui != NULL)
		return (ui);
	lvk_owner_none_enter();
	new = malloc(sizeof(*new), M_UIDINFO, M_WAITOK | M_ZERO);
	lvk_owner_none_exit();
	rw_wlock(&users_lock);
	ui = uilookup(uid);
	if (ui == NULL) {
		ui = new;
		new = NULL;
		ui->ui_uid = uid;
		ui->ui_ref = 1;
		LIST_INSERT_HEAD(&users, ui, ui_hash);
	}
	rw_wunlock(&users_lock);
	if (new != NULL)
		free(new, M_UIDINFO);
	return (ui);
}

void
uihold(struct uidinfo *ui)
{
	u_int was __unused = atomic_fetchadd_int(&ui->ui_ref, 1);

	KASSERT(was > 0, ("uihold: uid %u is freed already", ui->ui_uid));
}

void
uifree(struct uidinfo *ui)
{
	u_int was;

	rw_wlock(&users_lock);
	was = ui->ui_ref--;
	KASSERT(was > 0, ("uifree: uid %u released more often than held",
	    ui->ui_uid));
	if (was == 1)
		LIST_REMOVE(ui, ui_hash);
	rw_wunlock(&users_lock);
	if (was != 1)
		return;
	if (ui->ui_sbsize != 0)
		printf("freeing uidinfo: uid = %u, sbsize = %ld\n",
		    ui->ui_uid, ui->ui_sbsize);
	if (ui->ui_proccnt != 0)
		printf("freeing uidinfo: uid = %u, proccnt = %ld\n",
		    ui->ui_uid, ui->ui_proccnt);
	free(ui, M_UIDINFO);
}

/* 1, or 0 where it would go beyond `max', 0 for no limit. */
static int
chglimit(struct uidinfo *ui, long *count, int diff, rlim_t max,
    const char *what __unused)
{
	long now = (long)atomic_fetchadd_long((volatile u_long *)count,
	    (u_long)(long)diff) + diff;

	if (diff > 0 && max != 0 && (now < 0 || (rlim_t)now > max)) {
		atomic_subtract_long((volatile u_long *)count, (u_long)diff);
		return (0);
	}
	KASSERT(diff >= 0 || now >= 0, ("negative %s for uid = %u", what,
	    ui->ui_uid));
	return (1);
}

int
chgsbsize(struct uidinfo *ui, u_int *hiwat, u_int to, rlim_t max)
{
	int diff = (int)(to - *hiwat);

	/* A limit of zero is one, for what grows. */
	if (diff > 0 && max == 0)
		return (0);
	if (chglimit(ui, &ui->ui_sbsize, diff, max, "sbsize") == 0)
		return (0);
	*hiwat = to;
	return (1);
}

int
chgproccnt(struct uidinfo *ui, int diff, rlim_t max)
{
	return (chglimit(ui, &ui->ui_proccnt, diff, max, "proccnt"));
}

int
chgptscnt(struct uidinfo *ui, int diff, rlim_t max)
{
	return (chglimit(ui, &ui->ui_ptscnt, diff, max, "ptscnt"));
}

int
chgkqcnt(struct uidinfo *ui, int diff, rlim_t max)
{
	return (chglimit(ui, &ui->ui_kqcnt, diff, max, "kqcnt"));
}

int
chgumtxcnt(struct uidinfo *ui, int diff, rlim_t max)
{
	return (chglimit(ui, &ui->ui_umtxcnt, diff, max, "umtxcnt"));
}
