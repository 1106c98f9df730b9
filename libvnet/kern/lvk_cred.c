/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: nothing of FreeBSD's; credentials that a test makes, and privileges
 * that it takes away.
 * Fidelity: exact
 * Differs: --
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/jail.h>
#include <sys/priv.h>
#include <sys/proc.h>
#include <sys/resourcevar.h>
#include <sys/ucred.h>
#include <net/vnet.h>

#include "lvk_cred.h"
#include <seam_user.h>

#define RULES_MAX 32
#define WORDS howmany(_PRIV_HIGHEST, 64)

/* Of one credential; under rules_lock. */
static struct rule {
	const struct ucred *r_cred;	/* NULL: unused */
	uint64_t r_denied[WORDS];
} rules[RULES_MAX];
static int nrules;		/* used, or were once */
static struct lvk_spin rules_lock;

static struct rule *
rule_find(const struct ucred *cr)
{
	for (int i = 0; i < nrules; i++)
		if (rules[i].r_cred == cr)
			return (&rules[i]);
	return (NULL);
}

int
lvk_cred_denied(const struct ucred *cr, int priv)
{
	struct rule *r;
	int error = 0;

	if (atomic_load_int(&nrules) == 0)
		return (0);
	lvk_spin_lock(&rules_lock);
	r = rule_find(cr);
	if (r != NULL && (r->r_denied[priv / 64] >> (priv % 64) & 1) != 0)
		error = EPERM;
	lvk_spin_unlock(&rules_lock);
	return (error);
}

void
lvk_cred_gone(const struct ucred *cr)
{
	struct rule *r;

	lvk_spin_lock(&rules_lock);
	r = rule_find(cr);
	if (r != NULL)
		*r = (struct rule){ 0 };
	lvk_spin_unlock(&rules_lock);
}

/* ---- for the test */

struct ucred *
vnk_cred_create(const struct vnet *v, unsigned uid, unsigned gid)
{
	struct prison *pr = &prison0;
	struct uidinfo *ui;
	struct ucred *cr;

#ifdef VIMAGE
	if (v != NULL)
		pr = v->vnet_prison;
#endif
	lvk_owner_none_enter();
	cr = lvk_cred_new(pr);
	ui = uifind(uid);
	lvk_owner_none_exit();
	change_euid(cr, ui);
	change_ruid(cr, ui);
	change_svuid(cr, uid);
	uifree(ui);
	change_egid(cr, gid);
	change_rgid(cr, gid);
	change_svgid(cr, gid);
	return (cr);
}

void
vnk_cred_free(struct ucred *cr)
{
	crfree(cr);
}

struct ucred *
vnk_cred_switch(struct ucred *cr)
{
	struct ucred *old = curthread->td_ucred;

	if (cr != NULL)
		curthread->td_ucred = cr;
	return (old);
}

struct vnet *
vnk_cred_vnet(const struct ucred *cr)
{
#ifdef VIMAGE
	return (cr->cr_prison->pr_vnet);
#else
	return (NULL);
#endif
}

static struct rule *
rule_make(const struct ucred *cr)
{
	for (int i = 0; i < RULES_MAX; i++) {
		if (rules[i].r_cred != NULL)
			continue;
		rules[i].r_cred = cr;
		if (i >= nrules)
			nrules = i + 1;
		return (&rules[i]);
	}
	return (NULL);
}

int
vnk_cred_deny(const struct ucred *cr, int priv, int deny)
{
	struct rule *r;

	if (priv != VNK_PRIV_ALL && !PRIV_VALID(priv))
		return (VNK_CRED_NOPRIV);
	lvk_spin_lock(&rules_lock);
	r = rule_find(cr);
	if (r == NULL && deny)
		r = rule_make(cr);
	if (r != NULL && priv == VNK_PRIV_ALL)
		memset(r->r_denied, deny ? 0xff : 0, sizeof(r->r_denied));
	else if (r != NULL && deny)
		r->r_denied[priv / 64] |= 1ull << (priv % 64);
	else if (r != NULL)
		r->r_denied[priv / 64] &= ~(1ull << (priv % 64));
	lvk_spin_unlock(&rules_lock);
	return (r == NULL && deny ? VNK_CRED_FULL : VNK_CRED_DONE);
}
