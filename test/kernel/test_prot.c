/* SPDX-License-Identifier: BSD-2-Clause */
/* Credentials: their life, their contents, and who sees whom. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/jail.h>
#include <sys/priv.h>
#include <sys/proc.h>
#include <sys/resourcevar.h>
#include <sys/ucred.h>
#include <net/vnet.h>

#include <libvnet/test.h>

#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if !defined(__SANITIZE_ADDRESS__) && !__has_feature(address_sanitizer) && \
    !__has_feature(memory_sanitizer)
#define FREED_CAN_BE_READ		/* a sanitizer stops at that */
#endif

/* ---- life */

LIBVNET_TEST(cred_starts_with_one_reference_and_ends_with_the_last)
{
	struct ucred *cr = crget();

	assert_int_equal(cr->cr_ref, 1);
	assert_ptr_equal(crhold(cr), cr);
	assert_int_equal(cr->cr_ref, 2);
	crfree(cr);
	crfree(cr);
}

static void
release(bool twice)
{
	struct ucred *cr = crdup(curthread->td_ucred);

	crhold(cr);
	crfree(cr);
	crfree(cr);
	if (twice)
		crfree(cr);
}
#ifdef FREED_CAN_BE_READ
LIBVNET_TEST(cred_released_more_often_than_held_panics)
{
	libvnet_expect_panic("crfree: credential 0x[0-9a-f]+ released more "
	    "often than held");
	release(true);
}
#endif
LIBVNET_TEST(cred_released_as_often_as_held_is_fine)
{
	release(false);
}

static void
hold(bool freed)
{
	struct ucred *cr = crdup(curthread->td_ucred);

	if (freed)
		crfree(cr);
	crhold(cr);
	crfree(cr);
	crfree(cr);
}
#ifdef FREED_CAN_BE_READ
LIBVNET_TEST(cred_held_after_its_end_panics)
{
	libvnet_expect_panic("crhold: credential 0x[0-9a-f]+ is freed");
	hold(true);
}
#endif
LIBVNET_TEST(cred_held_while_it_lives_is_fine)
{
	hold(false);
}

LIBVNET_TEST(root_cred_released_once_too_often_panics)
{
	libvnet_expect_panic("crfree: root's credential released");
	for (u_int n = (u_int)proc0.p_ucred->cr_ref; n > 0; n--)
		crfree(proc0.p_ucred);
}

#ifdef INVARIANTS
LIBVNET_TEST(copy_of_shared_cred_panics)
{
	struct ucred *cr = crget();

	libvnet_expect_panic("crcopy of shared ucred");
	crhold(cr);
	crcopy(cr, curthread->td_ucred);
}
#endif

#ifdef VIMAGE
/* What a socket does, which keeps the credential of who made it. */
static void
keep_cred(struct vnet *v, bool kept)
{
	struct ucred *cr;

	LIBVNET_IN(v)
		cr = crhold(curthread->td_ucred);
	if (!kept)
		crfree(cr);
	libvnet_destroy(v);
	if (!kept)
		return;
	/* It lives on, without a vnet. */
	assert_null(CRED_TO_VNET(cr));
	crfree(cr);
}
LIBVNET_TEST(cred_held_when_vnet_dies_is_found_and_lives_on)
{
	struct vnet *v;

	libvnet_expect("reference", "vnet [0-9]+ is destroyed while 1 "
	    "references to its credential are held");
	assert_int_equal(libvnet_create(&v), 0);
	keep_cred(v, true);
}
LIBVNET_TEST(cred_given_back_before_vnet_dies_is_fine)
{
	struct vnet *v;

	assert_int_equal(libvnet_create(&v), 0);
	keep_cred(v, false);
}

/* Not inlined: the report names this function. */
struct keeper {
	struct ucred *k_cred;
};
static __noinline struct keeper *
keeper_make(void)
{
	struct keeper *k = malloc(sizeof(*k), M_TEMP, M_WAITOK);

	k->k_cred = crhold(curthread->td_ucred);
	return (k);
}
LIBVNET_TEST(who_keeps_the_cred_of_a_dead_vnet_is_named)
{
	struct keeper *k = NULL;
	struct vnet *v;

	libvnet_expect("reference", "held; 1 live item names it, one of "
	    "malloc type \"temp\", allocated by keeper_make");
	libvnet_expect("leak", "malloc type \"temp\"");
	assert_int_equal(libvnet_create(&v), 0);
	LIBVNET_IN(v)
		k = keeper_make();
	libvnet_destroy(v);
	crfree(k->k_cred);
	free(k, M_TEMP);
}

LIBVNET_TEST(copied_cred_left_in_prison_when_vnet_dies_is_found)
{
	struct ucred *cr;
	struct vnet *v;

	libvnet_expect("reference", "while 1 other credentials are in its "
	    "prison");
	assert_int_equal(libvnet_create(&v), 0);
	LIBVNET_IN(v)
		cr = curthread->td_ucred;
	cr = crdup(cr);
	libvnet_destroy(v);
	crfree(cr);
}
#endif

/* ---- contents */

LIBVNET_TEST(dup_copies_ids_groups_and_prison_and_holds_what_it_names)
{
	struct ucred *cr = curthread->td_ucred, *dup;
	u_int prisons = cr->cr_prison->pr_ref, users = cr->cr_uidinfo->ui_ref;

	dup = crdup(cr);
	assert_int_equal(dup->cr_uid, cr->cr_uid);
	assert_ptr_equal(dup->cr_prison, cr->cr_prison);
	assert_int_equal(dup->cr_ngroups, cr->cr_ngroups);
	assert_int_equal(cr->cr_prison->pr_ref, prisons + 1);
	assert_int_equal(cr->cr_uidinfo->ui_ref, users + 2);
	crfree(dup);
	assert_int_equal(cr->cr_prison->pr_ref, prisons);
	assert_int_equal(cr->cr_uidinfo->ui_ref, users);
}

LIBVNET_TEST(groups_are_sorted_behind_the_first_and_may_be_many)
{
	struct ucred *cr = crget();
	gid_t groups[40];

	for (u_int i = 0; i < nitems(groups); i++)
		groups[i] = 1000 - 7 * i;
	crsetgroups(cr, nitems(groups), groups);
	assert_int_equal(cr->cr_ngroups, nitems(groups));
	assert_int_equal(cr->cr_gid, 1000);
	for (int i = 2; i < cr->cr_ngroups; i++)
		assert_true(cr->cr_groups[i - 1] < cr->cr_groups[i]);
	for (u_int i = 0; i < nitems(groups); i++)
		assert_true(groupmember(groups[i], cr));
	assert_false(groupmember(999, cr));
	assert_false(groupmember(0, cr));
	crfree(cr);
}

LIBVNET_TEST(xucred_tells_user_land_uid_and_first_groups)
{
	struct ucred *cr = crget();
	struct xucred x;
	gid_t groups[XU_NGROUPS + 4];

	for (u_int i = 0; i < nitems(groups); i++)
		groups[i] = i;
	cr->cr_uid = 7;
	crsetgroups(cr, nitems(groups), groups);
	cru2x(cr, &x);
	assert_int_equal(x.cr_version, XUCRED_VERSION);
	assert_int_equal(x.cr_uid, 7);
	assert_int_equal(x.cr_ngroups, XU_NGROUPS);
	assert_int_equal(x.cr_groups[XU_NGROUPS - 1], XU_NGROUPS - 1);
	crfree(cr);
}

/* ---- who sees whom */

LIBVNET_TEST(secure_level_refuses_what_lies_at_or_above_it)
{
	struct ucred *cr = curthread->td_ucred;

	assert_int_equal(securelevel_ge(cr, 0), 0);
	assert_int_equal(securelevel_gt(cr, -1), 0);
	cr->cr_prison->pr_securelevel = 3;
	assert_int_equal(securelevel_ge(cr, 3), EPERM);
	assert_int_equal(securelevel_gt(cr, 3), 0);
	assert_int_equal(securelevel_gt(cr, 2), EPERM);
}

static void
policy(const char *name, int value)
{
#ifdef VIMAGE
	struct vnet *v = vnet0;
#else
	struct vnet *v = NULL;
#endif

	assert_int_equal(libvnet_sysctl_set(v, name, value, NULL), 0);
}

static struct ucred *
someone(uid_t uid, gid_t gid)
{
	struct ucred *cr = crdup(proc0.p_ucred);

	cr->cr_uid = cr->cr_ruid = uid;
	cr->cr_rgid = gid;
	crsetgroups(cr, 1, &gid);
	return (cr);
}

LIBVNET_TEST(users_are_seen_as_the_policy_says)
{
	struct ucred *a = someone(7, 7), *b = someone(8, 8);

	assert_int_equal(cr_bsd_visible(a, b), 0);
	policy("security.bsd.see_other_uids", 0);
	assert_int_equal(cr_bsd_visible(a, b), ESRCH);
	assert_int_equal(cr_bsd_visible(a, a), 0);
	assert_int_equal(cr_cansee(a, b), ESRCH);
	assert_int_equal(cr_bsd_visible(proc0.p_ucred, b), 0);
	crfree(a);
	crfree(b);
}

LIBVNET_TEST(real_and_supplementary_groups_are_seen_the_effective_is_not)
{
	struct ucred *a = someone(7, 7), *b = someone(8, 8);
	gid_t groups[] = { 8, 20 };

	policy("security.bsd.see_other_gids", 0);
	assert_int_equal(cr_bsd_visible(a, b), ESRCH);
	a->cr_groups[0] = 8;		/* b's, but not really */
	assert_true(groupmember(8, a));
	assert_false(realgroupmember(8, a));
	assert_int_equal(cr_bsd_visible(a, b), ESRCH);
	crsetgroups(b, 2, groups);
	a->cr_rgid = 20;
	assert_true(realgroupmember(20, b));
	assert_int_equal(cr_bsd_visible(a, b), 0);
	crfree(a);
	crfree(b);
}

#ifdef VIMAGE
LIBVNET_TEST_VNET(other_jails_are_seen_by_root_alone_if_the_policy_says_so, v)
{
	struct ucred *root = proc0.p_ucred, *user = someone(7, 7), *in;

	LIBVNET_IN(v)
		in = curthread->td_ucred;
	assert_int_equal(cr_bsd_visible(user, in), 0);
	policy("security.bsd.see_jail_proc", 0);
	assert_int_equal(cr_bsd_visible(user, in), ESRCH);
	assert_int_equal(cr_bsd_visible(root, in), 0);
	assert_int_equal(cr_bsd_visible(in, root), 0);	/* jailed root too */
	crfree(user);
}

LIBVNET_TEST_VNETS(prison_sees_itself_and_its_children_not_its_siblings, a, b)
{
	struct ucred *root = proc0.p_ucred, *in_a, *in_b;

	LIBVNET_IN(a)
		in_a = curthread->td_ucred;
	LIBVNET_IN(b)
		in_b = curthread->td_ucred;
	assert_int_equal(cr_cansee(root, in_a), 0);
	assert_int_equal(cr_cansee(in_a, in_a), 0);
	assert_int_equal(cr_cansee(in_a, in_b), ESRCH);
	assert_int_equal(cr_cansee(in_a, root), ESRCH);
}
#endif
