/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: prisons, FreeBSD's kern/kern_jail.c: their list, their references,
 * how they are found.
 * Fidelity: modelled
 * Differs: each vnet has a prison of its own, made and ended with it, whose
 * identity (name, host id, host UUID) follows from the vnet's number; there
 * is no jail(2), and none has a directory.  Releasing what is not held
 * panics.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/jail.h>
#include <sys/proc.h>
#include <sys/refcount.h>
#include <sys/sx.h>
#include <sys/ucred.h>
#include <net/vnet.h>

#undef malloc
#include "lvk_cred.h"
#include "lvk_holders.h"
#include "lvk_sched.h"
#include <seam_thread.h>

#define HOSTID_BASE 0x6c760000ul	/* "lv" */
#define SECURELEVEL_NONE (-1)

MALLOC_DEFINE(M_PRISON, "prison", "Prison structures");

struct prisonlist allprison = TAILQ_HEAD_INITIALIZER(allprison);
struct sx allprison_lock;
SX_SYSINIT(allprison_lock, &allprison_lock, "allprison");

struct prison prison0 = { .pr_id = 0 };

static void
prison_alive_set(struct prison *pr)
{
#if __FreeBSD_version >= 1400000
	pr->pr_state = PRISON_STATE_ALIVE;
#endif
	refcount_init(&pr->pr_uref, 1);
	refcount_init(&pr->pr_ref, 1);
}

/* What configure_host() and the loader would set from the machine. */
static void
prison_setup(struct prison *pr, int id)
{
	mtx_init(&pr->pr_mtx, "jail mutex", NULL, MTX_DEF | MTX_DUPOK);
	pr->pr_id = id;
	prison_alive_set(pr);
	pr->pr_flags = PR_HOST | PR_VNET;
	pr->pr_allow = PR_ALLOW_ALL_STATIC;
	pr->pr_securelevel = SECURELEVEL_NONE;
	pr->pr_childmax = JAIL_MAX;
	pr->pr_hostid = HOSTID_BASE + (u_long)id;
	LIST_INIT(&pr->pr_children);
	snprintf(pr->pr_name, sizeof(pr->pr_name), "%d", id);
	snprintf(pr->pr_hostname, sizeof(pr->pr_hostname), "vnet%d", id);
	snprintf(pr->pr_hostuuid, sizeof(pr->pr_hostuuid),
	    "6c696276-6e65-7400-8000-%012x", (u_int)id);
	strlcpy(pr->pr_path, "/", sizeof(pr->pr_path));
	strlcpy(pr->pr_osrelease, osrelease, sizeof(pr->pr_osrelease));
	pr->pr_osreldate = osreldate;
}

static void
prison_link(struct prison *pr, struct prison *parent)
{
	sx_xlock(&allprison_lock);
	pr->pr_parent = parent;
	TAILQ_INSERT_TAIL(&allprison, pr, pr_list);
	if (parent != NULL) {
		LIST_INSERT_HEAD(&parent->pr_children, pr, pr_sibling);
		prison_hold(parent);
		for (; parent != NULL; parent = parent->pr_parent)
			parent->pr_childcount++;
	}
	sx_xunlock(&allprison_lock);
}

static void
lvk_prison0_init(void *arg __unused)
{
	prison_setup(&prison0, 0);
	prison_link(&prison0, NULL);
	lvk_cred0_init();
}
SYSINIT(lvk_prison0, SI_SUB_LOCK, SI_ORDER_ANY, lvk_prison0_init, NULL);

/* ---- references */

void
prison_hold(struct prison *pr)
{
	u_int was __unused = atomic_fetchadd_int(&pr->pr_ref, 1);

	KASSERT(was > 0 && was < 0x40000000,
	    ("prison_hold: prison %p (jid %d) is freed already", pr,
	    pr->pr_id));
}

void
prison_hold_locked(struct prison *pr)
{
#if __FreeBSD_version < 1400000
	mtx_assert(&pr->pr_mtx, MA_OWNED);
#endif
	prison_hold(pr);
}

/* The last reference is gone: off the list, and free. */
static void
prison_end(struct prison *pr)
{
	struct prison *parent = pr->pr_parent, *up;

	if (pr == &prison0)
		panic("prison_free: prison0 released more often than held");
	sx_xlock(&allprison_lock);
	TAILQ_REMOVE(&allprison, pr, pr_list);
	LIST_REMOVE(pr, pr_sibling);
	for (up = parent; up != NULL; up = up->pr_parent)
		up->pr_childcount--;
	sx_xunlock(&allprison_lock);
	mtx_destroy(&pr->pr_mtx);
#ifndef LIBVNET_BASE
	osd_jail_exit(pr);
#endif
	free(pr, M_PRISON);
	prison_free(parent);
}

void
prison_free(struct prison *pr)
{
	u_int was = atomic_fetchadd_int(&pr->pr_ref, -1);

	if (was == 0 || was > 0x40000000)
		panic("prison_free: prison %p (jid %d) released more often "
		    "than held", pr, pr->pr_id);
	if (was == 1)
		prison_end(pr);
}

void
prison_free_locked(struct prison *pr)
{
	mtx_assert(&pr->pr_mtx, MA_OWNED);
	mtx_unlock(&pr->pr_mtx);
	prison_free(pr);
}

void
prison_proc_hold(struct prison *pr)
{
	refcount_acquire(&pr->pr_uref);
	prison_hold(pr);
}

void
prison_proc_free(struct prison *pr)
{
	if (refcount_release(&pr->pr_uref))
		panic("prison_proc_free: prison %p (jid %d) released more "
		    "often than held", pr, pr->pr_id);
	prison_free(pr);
}

/* ---- finding one; what is found is locked */

bool
prison_isvalid(struct prison *pr)
{
	return (pr->pr_ref > 0);
}

#if __FreeBSD_version >= 1400000
bool
prison_isalive(const struct prison *pr)
{
	return (pr->pr_state == PRISON_STATE_ALIVE);
}
#elif defined(PR_REMOVE)
bool
prison_isalive(struct prison *pr)
{
	return (pr->pr_ref > 0 && pr->pr_uref > 0 &&
	    (pr->pr_flags & PR_REMOVE) == 0);
}
#endif

struct prison *
prison_find(int prid)
{
	struct prison *pr;

	sx_assert(&allprison_lock, SX_LOCKED);
	TAILQ_FOREACH(pr, &allprison, pr_list) {
		if (pr->pr_id != prid || !prison_isvalid(pr))
			continue;
		mtx_lock(&pr->pr_mtx);
		return (pr);
	}
	return (NULL);
}

lvk_yes_t
prison_ischild(struct prison *pr1, struct prison *pr2)
{
	for (pr2 = pr2->pr_parent; pr2 != NULL; pr2 = pr2->pr_parent)
		if (pr1 == pr2)
			return (1);
	return (0);
}

struct prison *
prison_find_child(struct prison *mypr, int prid)
{
	struct prison *pr;

	sx_assert(&allprison_lock, SX_LOCKED);
	TAILQ_FOREACH(pr, &allprison, pr_list) {
		if (pr->pr_id != prid || !prison_isvalid(pr) ||
		    !prison_ischild(mypr, pr))
			continue;
		mtx_lock(&pr->pr_mtx);
		return (pr);
	}
	return (NULL);
}

struct prison *
prison_find_name(struct prison *mypr, const char *name)
{
	struct prison *pr;

	sx_assert(&allprison_lock, SX_LOCKED);
	TAILQ_FOREACH(pr, &allprison, pr_list) {
		if (!prison_ischild(mypr, pr) ||
		    strcmp(pr->pr_name, name) != 0)
			continue;
		mtx_lock(&pr->pr_mtx);
		return (pr);
	}
	return (NULL);
}

/* ---- the prison of a vnet */

#ifdef VIMAGE
/* The first vnet is prison0's, each later one gets a prison of its own. */
void
lvk_prison_create(struct vnet *v)
{
	struct prison *pr;

	if (v->vnet_number == 0) {
		v->vnet_prison = &prison0;
		v->vnet_cred = lvk_cred0;
		prison0.pr_vnet = v;
		return;
	}
	lvk_owner_none_enter();
	pr = malloc(sizeof(*pr), M_PRISON, M_WAITOK | M_ZERO);
	prison_setup(pr, v->vnet_number);
	pr->pr_vnet = v;
	prison_link(pr, &prison0);
	v->vnet_cred = lvk_cred_new(pr);
	lvk_owner_none_exit();
	v->vnet_prison = pr;
}

/* References to its credential, and to its prison, beyond their own. */
static u_int
cred_held(const struct vnet *v)
{
	return (lvk_cred_shared(v->vnet_cred));
}

static u_int
prison_held(const struct vnet *v)
{
	return (v->vnet_prison->pr_ref - 2);	/* its own, its credential's */
}

/* Run what is due, else go to the next event, if there is one by then. */
static bool
wait_step(sbintime_t until)
{
	vnh_i64 next;

	while (lvk_others())
		;
	if (lvk_event(lvk_clock()) > 0)
		return (true);
	next = vnk_clock_next();
	if (next < 0 || next > sbttons(until - lvk_clock()))
		return (false);
	return (lvk_event(until) > 0);
}

/*
 * Sockets hold the credential of who made them, and TCP has some linger after
 * they are closed, until it gives up on a peer that is gone.  Only where the clock may be moved.
 */
void
lvk_prison_wait(struct vnet *v)
{
	sbintime_t until = lvk_clock() + VNH_DESTROY_WAIT_S * SBT_1S;

	if (v->vnet_prison == &prison0 || !vnk_thread_main() ||
	    vnk_thread_locks() != 0 || vnk_thread_sections() != 0)
		return;
	while ((cred_held(v) != 0 || prison_held(v) != 0) && wait_step(until))
		;
}

static void
holders_report(const struct vnet *v)
{
	u_int held = cred_held(v);
	char who[160];
	vnh_uptr pc;

	if (held != 0) {
		lvk_holders_text(v->vnet_cred, v, who, sizeof(who), &pc);
		lvk_finding("reference", "ucred", v->vnet_number, NULL, 0, pc,
		    "vnet %d is destroyed while %u references to its "
		    "credential are held%s", v->vnet_number, held, who);
	}
	if (v->vnet_prison == &prison0)
		return;
	held = prison_held(v);
	if (held != 0)
		lvk_finding("reference", "prison", v->vnet_number, NULL, 0, 0,
		    "vnet %d is destroyed while %u other credentials are in "
		    "its prison, or hold it", v->vnet_number, held);
}

/*
 * Who still holds the credential keeps it, and its prison, which has no vnet
 * any more.
 */
void
lvk_prison_destroy(struct vnet *v)
{
	struct prison *pr = v->vnet_prison;

	holders_report(v);
	if (pr == &prison0)
		return;
#if __FreeBSD_version >= 1400000
	pr->pr_state = PRISON_STATE_DYING;
#endif
	pr->pr_vnet = NULL;
	crfree(v->vnet_cred);
	prison_free(pr);
}
#endif /* VIMAGE */
