/* SPDX-License-Identifier: BSD-2-Clause */
/* Prisons: one for each vnet, found, held, and with a name of its own. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/jail.h>
#include <sys/proc.h>
#include <sys/socket.h>
#include <sys/sx.h>
#include <sys/ucred.h>
#include <netinet/in.h>
#include <net/vnet.h>

#include <libvnet/test.h>

static struct prison *
prison_of(struct vnet *v)
{
	struct prison *pr = NULL;

	LIBVNET_IN(v)
		pr = curthread->td_ucred->cr_prison;
	return (pr);
}

LIBVNET_TEST_VNETS(each_vnet_has_a_prison_below_prison0, a, b)
{
	struct prison *pa = prison_of(a), *pb = prison_of(b);

	assert_ptr_not_equal(pa, pb);
	assert_ptr_equal(pa->pr_vnet, a);
	assert_ptr_equal(pa->pr_parent, &prison0);
	assert_true(prison_ischild(&prison0, pb));
	assert_false(prison_ischild(pa, pb));
	assert_ptr_equal(prison_of(libvnet_default()), &prison0);
	assert_int_equal(prison0.pr_childcount, 2);
	assert_true(prison_isalive(pa));
}

LIBVNET_TEST(prison_goes_with_its_vnet)
{
	u_int refs = prison0.pr_ref;
	struct vnet *v;
	int id;

	libvnet_create(&v);
	id = prison_of(v)->pr_id;
	libvnet_destroy(v);
	assert_int_equal(prison0.pr_childcount, 0);
	assert_int_equal(prison0.pr_ref, refs);
	sx_slock(&allprison_lock);
	assert_null(prison_find(id));
	sx_sunlock(&allprison_lock);
}

LIBVNET_TEST_VNETS(prison_is_found_by_id_and_by_name_and_comes_locked, a, b)
{
	struct prison *pa = prison_of(a), *pr;

	sx_slock(&allprison_lock);
	pr = prison_find(pa->pr_id);
	assert_ptr_equal(pr, pa);
	mtx_assert(&pr->pr_mtx, MA_OWNED);
	prison_hold_locked(pr);
	prison_free_locked(pr);
	pr = prison_find_child(&prison0, pa->pr_id);
	assert_ptr_equal(pr, pa);
	prison_unlock(pr);
	assert_null(prison_find_child(prison_of(b), pa->pr_id));
	pr = prison_find_name(&prison0, pa->pr_name);
	assert_ptr_equal(pr, pa);
	prison_unlock(pr);
	sx_sunlock(&allprison_lock);
}

#ifdef INVARIANTS
LIBVNET_TEST(prison_looked_for_without_the_lock_panics)
{
	libvnet_expect_panic("Lock allprison not locked");
	(void)prison_find(1);
}
#endif

static void
hold(struct vnet *v, int releases)
{
	struct prison *pr = prison_of(v);

	for (int held = (int)pr->pr_ref + releases; held > 0; held--)
		prison_free(pr);
}
LIBVNET_TEST_VNET(prison_released_more_often_than_held_panics, v)
{
	struct prison *pr = prison_of(v);

	libvnet_expect_panic("prison_free: prison 0x[0-9a-f]+ \\(jid [0-9]+\\) "
	    "released more often than held");
	prison_hold(pr);
	pr->pr_ref = 0;
	prison_free(pr);
}
LIBVNET_TEST_VNET(prison_released_as_often_as_held_is_fine, v)
{
	struct prison *pr = prison_of(v);
	u_int refs = pr->pr_ref;

	prison_hold(pr);
	prison_free(pr);
	assert_int_equal(pr->pr_ref, refs);
}
LIBVNET_TEST(prison0_released_once_too_often_panics)
{
	libvnet_expect_panic("prison0 released more often");
	hold(libvnet_default(), 0);
}

/* ---- who it says it is */

LIBVNET_TEST_VNETS(names_and_ids_follow_from_the_number, a, b)
{
	char uuid_a[HOSTUUIDLEN], uuid_b[HOSTUUIDLEN], name[32];
	unsigned long id_a = 0, id_b = 0;

	LIBVNET_IN(a) {
		getcredhostid(curthread->td_ucred, &id_a);
		getcredhostuuid(curthread->td_ucred, uuid_a, sizeof(uuid_a));
		getjailname(curthread->td_ucred, name, sizeof(name));
	}
	LIBVNET_IN(b) {
		getcredhostid(curthread->td_ucred, &id_b);
		getcredhostuuid(curthread->td_ucred, uuid_b, sizeof(uuid_b));
	}
	assert_int_not_equal(id_a, id_b);
	assert_int_not_equal(id_a, 0);
	assert_string_not_equal(uuid_a, uuid_b);
	assert_int_equal(strlen(uuid_a), 36);
	assert_int_equal(strtol(name, NULL, 10), libvnet_number(a));
	assert_int_equal(id_b - id_a, libvnet_number(b) - libvnet_number(a));
	LIBVNET_IN(a)
		getcredhostname(curthread->td_ucred, name, sizeof(name));
	assert_int_equal(strncmp(name, "vnet", 4), 0);
}

/* ---- what it may use */

LIBVNET_TEST_VNET(own_vnet_has_every_family_and_address, v)
{
	struct sockaddr sa = { sizeof(sa), AF_LINK, { 0 } };
	struct ucred *cr;

	LIBVNET_IN(v) {
		cr = curthread->td_ucred;
		assert_true(prison_owns_vnet(cr));
		assert_true(prison_flag(cr, PR_VNET));
		assert_int_equal(prison_check_af(cr, AF_INET), 0);
		assert_int_equal(prison_check_af(cr, AF_LINK), 0);
		assert_int_equal(prison_if(cr, &sa), 0);
	}
}

LIBVNET_TEST_VNET(shared_vnet_restricts_families, v)
{
	struct sockaddr sa = { sizeof(sa), AF_LINK, { 0 } };
	struct prison *pr = prison_of(v);
	struct ucred *cr;

	LIBVNET_IN(v) {
		cr = curthread->td_ucred;
		pr->pr_flags &= ~(u_int)PR_VNET;
		assert_int_equal(prison_check_af(cr, AF_LINK), 0);
		prison_set_allow(cr, PR_ALLOW_SOCKET_AF, 0);
		assert_int_equal(prison_check_af(cr, AF_LINK), EAFNOSUPPORT);
		assert_int_equal(prison_check_af(cr, AF_ROUTE), 0);
		assert_int_equal(prison_if(cr, &sa), EAFNOSUPPORT);
		pr->pr_flags |= PR_VNET;
	}
}
