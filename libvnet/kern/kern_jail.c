/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: prisons and credentials, as far as CRED_TO_VNET needs them.
 * Fidelity: modelled
 * Differs: one prison and one credential (root's) for each vnet; privileges
 * are always granted.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/jail.h>
#include <sys/priv.h>
#include <sys/proc.h>
#include <sys/refcount.h>
#include <sys/ucred.h>
#include <net/vnet.h>

#undef malloc
#include <lvk.h>

struct prison prison0 = { .pr_id = 0 };
static struct ucred cred0;
MALLOC_DEFINE(M_PRISON, "prison", "Prison structures");
static MALLOC_DEFINE(M_CRED, "cred", "credentials");

static void
cred_setup(struct ucred *cr, struct prison *pr)
{
	refcount_init(&cr->cr_ref, 1);
	cr->cr_prison = pr;
}

static void
lvk_prison0_init(void *arg __unused)
{
	mtx_init(&prison0.pr_mtx, "jail mutex", NULL, MTX_DEF | MTX_DUPOK);
	prison0.pr_ref = 1;
	prison0.pr_flags = PR_HOST | PR_VNET;
	strlcpy(prison0.pr_name, "0", sizeof(prison0.pr_name));
	cred_setup(&cred0, &prison0);
	proc0.p_ucred = &cred0;
	curthread->td_ucred = curthread->td_realucred = &cred0;
}
SYSINIT(lvk_prison0, SI_SUB_LOCK, SI_ORDER_ANY, lvk_prison0_init, NULL);

#ifdef VIMAGE
/* The first vnet is prison0's, each later one gets a prison of its own. */
void
lvk_prison_create(struct vnet *v)
{
	struct prison *pr;

	if (v->vnet_number == 0) {
		v->vnet_prison = &prison0;
		v->vnet_cred = &cred0;
		prison0.pr_vnet = v;
		return;
	}
	lvk_owner_none_enter();
	pr = malloc(sizeof(*pr), M_PRISON, M_WAITOK | M_ZERO);
	v->vnet_cred = malloc(sizeof(*v->vnet_cred), M_CRED,
	    M_WAITOK | M_ZERO);
	lvk_owner_none_exit();
	mtx_init(&pr->pr_mtx, "jail mutex", NULL, MTX_DEF | MTX_DUPOK);
	pr->pr_id = v->vnet_number;
	pr->pr_ref = 1;
	pr->pr_flags = PR_HOST | PR_VNET;
	pr->pr_parent = &prison0;
	pr->pr_vnet = v;
	snprintf(pr->pr_name, sizeof(pr->pr_name), "%d", v->vnet_number);
	cred_setup(v->vnet_cred, pr);
	v->vnet_prison = pr;
}

void
lvk_prison_destroy(struct vnet *v)
{
	if (v->vnet_cred->cr_ref != 1)
		lvk_finding("reference", "ucred", v->vnet_number, NULL, 0, 0,
		    "vnet %d is destroyed while %u references to its "
		    "credential are held", v->vnet_number,
		    v->vnet_cred->cr_ref - 1);
	if (v->vnet_prison == &prison0)
		return;
	mtx_destroy(&v->vnet_prison->pr_mtx);
	free(v->vnet_cred, M_CRED);
	free(v->vnet_prison, M_PRISON);
}
#endif

struct ucred *
crhold(struct ucred *cr)
{
	refcount_acquire(&cr->cr_ref);
	return (cr);
}

void
crfree(struct ucred *cr)
{
	/* The vnet's own reference goes with the vnet. */
	if (refcount_release(&cr->cr_ref))
		panic("crfree: credential %p released more often than held",
		    cr);
}

void
prison_hold(struct prison *pr)
{
	refcount_acquire(&pr->pr_ref);
}

void
prison_free(struct prison *pr)
{
	if (refcount_release(&pr->pr_ref))
		panic("prison_free: prison %d released more often than held",
		    pr->pr_id);
}

int
jailed_without_vnet(struct ucred *cr __unused)
{
	return (0);
}

int
priv_check(struct thread *td __unused, int priv __unused)
{
	return (0);
}

int
priv_check_cred(struct ucred *cr __unused, int priv __unused)
{
	return (0);
}
