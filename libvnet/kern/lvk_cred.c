/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: nothing of FreeBSD's; privileges that a test takes away.
 * Fidelity: exact
 * Differs: --
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/priv.h>
#include <sys/proc.h>

#include "lvk_cred.h"

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
		memset(r, 0, sizeof(*r));
	lvk_spin_unlock(&rules_lock);
}
