/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: credentials, FreeBSD's kern/kern_prot.c: making, copying, holding
 * and releasing them.
 * Fidelity: exact
 * Differs: a thread counts no references of its own; audit, MAC and login
 * classes are left out.  Holding what was freed, and releasing what is not
 * held, panic.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/jail.h>
#include <sys/proc.h>
#include <sys/resourcevar.h>
#include <sys/ucred.h>

#undef malloc
#include "lvk_cred.h"

#define REF_MAX 0x40000000	/* beyond it, what was freed or never was */

static MALLOC_DEFINE(M_CRED, "cred", "credentials");

struct ucred *lvk_cred0;

/* ---- references */

/* Several threads may do so at once, and the type is a version's own. */
#define REF_ADD(cr, n) __atomic_fetch_add(&(cr)->cr_ref, (n), __ATOMIC_ACQ_REL)

u_int
lvk_cred_shared(const struct ucred *cr)
{
	return ((u_int)__atomic_load_n(&cr->cr_ref, __ATOMIC_RELAXED) - 1);
}

struct ucred *
crget(void)
{
	struct ucred *cr;

	cr = malloc(sizeof(*cr), M_CRED, M_WAITOK | M_ZERO);
	mtx_init(&cr->cr_mtx, "cred", NULL, MTX_DEF);
	cr->cr_ref = 1;
	cr->cr_groups = cr->cr_smallgroups;
	cr->cr_agroups = nitems(cr->cr_smallgroups);
	return (cr);
}

struct ucred *
crhold(struct ucred *cr)
{
	long was = (long)REF_ADD(cr, 1);

	if (was <= 0 || was > REF_MAX)
		panic("crhold: credential %p is freed already", cr);
	return (cr);
}

static void
crfree_final(struct ucred *cr)
{
	if (cr == lvk_cred0)
		panic("crfree: root's credential released more often than "
		    "held");
	lvk_cred_gone(cr);
	if (cr->cr_uidinfo != NULL)
		uifree(cr->cr_uidinfo);
	if (cr->cr_ruidinfo != NULL)
		uifree(cr->cr_ruidinfo);
	if (cr->cr_prison != NULL)
		prison_free(cr->cr_prison);
	mtx_destroy(&cr->cr_mtx);
	if (cr->cr_groups != cr->cr_smallgroups)
		free(cr->cr_groups, M_CRED);
	free(cr, M_CRED);
}

void
crfree(struct ucred *cr)
{
	long was = (long)REF_ADD(cr, -1);

	if (was <= 0 || was > REF_MAX)
		panic("crfree: credential %p released more often than held",
		    cr);
	if (was == 1)
		crfree_final(cr);
}

struct ucred *
crcowget(struct ucred *cr)
{
	return (crhold(cr));
}

void
crcowfree(struct thread *td)
{
	crfree(td->td_ucred);
}

/* ---- contents */

void
crextend(struct ucred *cr, int n)
{
	int room;

	if (n <= cr->cr_agroups)
		return;
	for (room = cr->cr_agroups; room < n;)
		room *= 2;
	if (cr->cr_groups != cr->cr_smallgroups)
		free(cr->cr_groups, M_CRED);
	cr->cr_groups = malloc((size_t)room * sizeof(gid_t), M_CRED,
	    M_WAITOK | M_ZERO);
	cr->cr_agroups = room;
}

/* Sorted from the second on; the first is the effective group. */
void
crsetgroups(struct ucred *cr, int n, LVK_CRED_CONST gid_t *groups)
{
	int i, j;

	n = MIN(n, ngroups_max + 1);
	crextend(cr, n);
	for (i = 0; i < n; i++) {
		for (j = i; j >= 2 && cr->cr_groups[j - 1] > groups[i]; j--)
			cr->cr_groups[j] = cr->cr_groups[j - 1];
		cr->cr_groups[j] = groups[i];
	}
	cr->cr_ngroups = n;
}

void
crcopy(struct ucred *dest, struct ucred *src)
{
	KASSERT(dest->cr_ref == 1, ("crcopy of shared ucred"));
	memcpy(&dest->cr_startcopy, &src->cr_startcopy,
	    (size_t)((caddr_t)&src->cr_endcopy -
	    (caddr_t)&src->cr_startcopy));
	crsetgroups(dest, src->cr_ngroups, src->cr_groups);
	uihold(dest->cr_uidinfo);
	uihold(dest->cr_ruidinfo);
	prison_hold(dest->cr_prison);
}

struct ucred *
crdup(struct ucred *cr)
{
	struct ucred *new = crget();

	crcopy(new, cr);
	return (new);
}

struct ucred *
crcopysafe(struct proc *p, struct ucred *cr)
{
	PROC_LOCK_ASSERT(p, MA_OWNED);
	while (cr->cr_agroups < p->p_ucred->cr_agroups) {
		int n = p->p_ucred->cr_agroups;

		PROC_UNLOCK(p);
		crextend(cr, n);
		PROC_LOCK(p);
	}
	crcopy(cr, p->p_ucred);
	return (p->p_ucred);
}

void
change_euid(struct ucred *cr, struct uidinfo *ui)
{
	cr->cr_uid = ui->ui_uid;
	uihold(ui);
	uifree(cr->cr_uidinfo);
	cr->cr_uidinfo = ui;
}

void
change_ruid(struct ucred *cr, struct uidinfo *ui)
{
	cr->cr_ruid = ui->ui_uid;
	uihold(ui);
	uifree(cr->cr_ruidinfo);
	cr->cr_ruidinfo = ui;
}

void
change_svuid(struct ucred *cr, uid_t uid)
{
	cr->cr_svuid = uid;
}

void
change_egid(struct ucred *cr, gid_t gid)
{
	cr->cr_groups[0] = gid;
}

void
change_rgid(struct ucred *cr, gid_t gid)
{
	cr->cr_rgid = gid;
}

void
change_svgid(struct ucred *cr, gid_t gid)
{
	cr->cr_svgid = gid;
}

/* ---- root's */

struct ucred *
lvk_cred_new(struct prison *pr)
{
	struct ucred *cr = crget();

	cr->cr_uidinfo = uifind(0);
	cr->cr_ruidinfo = uifind(0);
	cr->cr_ngroups = 1;
	prison_hold(pr);
	cr->cr_prison = pr;
	return (cr);
}

void
lvk_cred0_init(void)
{
	lvk_cred0 = lvk_cred_new(&prison0);
	proc0.p_ucred = lvk_cred0;
	thread0.td_ucred = thread0.td_realucred = lvk_cred0;
}
