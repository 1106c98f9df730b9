/* SPDX-License-Identifier: BSD-2-Clause */
/* Privileges: root's, a jail's, an ordinary user's, and those taken away. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/jail.h>
#include <sys/priv.h>
#include <sys/proc.h>
#include <sys/sysctl.h>
#include <sys/ucred.h>
#include <net/vnet.h>

#include <libvnet/test.h>

/* As an ioctl of an interface asks. */
static int
set_mtu(void)
{
	return (priv_check(curthread, PRIV_NET_SETIFMTU));
}

LIBVNET_TEST(root_may_do_everything)
{
	for (int priv = _PRIV_LOWEST + 1; priv < _PRIV_HIGHEST; priv++)
		assert_int_equal(priv_check(curthread, priv), 0);
}

#ifdef INVARIANTS
LIBVNET_TEST(unknown_privilege_panics)
{
	libvnet_expect_panic("priv_check_cred: invalid privilege 9999");
	(void)priv_check(curthread, 9999);
}
#endif

#ifdef INVARIANTS
LIBVNET_TEST(another_threads_privilege_panics)
{
	libvnet_expect_panic("priv_check: td is not curthread");
	(void)priv_check(&thread0 + 1, PRIV_NET_BPF);
}
#endif

LIBVNET_TEST_VNET(user_may_only_what_all_may, v)
{
	struct ucred *cr;

	assert_int_equal(set_mtu(), 0);
	assert_int_equal(libvnet_cred_create(&cr, v, 1001, 1001), 0);
	assert_int_equal(libvnet_cred_enter(cr), 0);
	assert_ptr_equal(curthread->td_ucred, cr);
	assert_int_equal(set_mtu(), EPERM);
	assert_int_equal(priv_check(curthread, PRIV_NETINET_RAW), EPERM);
	assert_int_equal(priv_check(curthread, PRIV_MSGBUF), 0);
	assert_int_equal(libvnet_cred_leave(), 0);
	assert_int_equal(set_mtu(), 0);
	assert_int_equal(libvnet_cred_free(cr), 0);
}

LIBVNET_TEST_VNET(entering_cred_sets_its_vnet_and_leaving_goes_back, v)
{
	struct ucred *cr, *user, *before = curthread->td_ucred;
	struct vnet *was = libvnet_current();

	libvnet_cred_create(&cr, NULL, 5, 5);
	libvnet_cred_create(&user, v, 6, 6);
	libvnet_cred_enter(cr);
	assert_ptr_equal(libvnet_current(), libvnet_default());
	libvnet_cred_enter(user);
	assert_ptr_equal(libvnet_current(), v);
#ifdef VIMAGE
	LIBVNET_IN(libvnet_default())
		assert_int_equal(curthread->td_ucred->cr_uid, 0);
#endif
	assert_int_equal(curthread->td_ucred->cr_uid, 6);
	libvnet_leave();
	assert_int_equal(curthread->td_ucred->cr_uid, 5);
	libvnet_leave();
	assert_ptr_equal(libvnet_current(), was);
	assert_ptr_equal(curthread->td_ucred, before);
	libvnet_cred_free(user);
	libvnet_cred_free(cr);
}

LIBVNET_TEST_VNET(denied_privilege_fails_and_the_others_do_not, v)
{
	assert_int_equal(libvnet_cred_deny(NULL, PRIV_NET_SETIFMTU), 0);
	assert_int_equal(set_mtu(), EPERM);
	assert_int_equal(priv_check(curthread, PRIV_NET_SETIFFLAGS), 0);
	assert_int_equal(libvnet_cred_allow(NULL, PRIV_NET_SETIFMTU), 0);
	assert_int_equal(set_mtu(), 0);
	assert_int_equal(libvnet_cred_deny(NULL, LIBVNET_PRIV_ALL), 0);
	assert_int_equal(priv_check(curthread, PRIV_MSGBUF), EPERM);
	assert_int_equal(libvnet_cred_allow(NULL, LIBVNET_PRIV_ALL), 0);
	assert_int_equal(set_mtu(), 0);
}

LIBVNET_TEST(denial_ends_with_its_credential)
{
	struct ucred *cr;

	for (int i = 0; i < 2 * LIBVNET_CRED_RULES; i++) {
		libvnet_cred_create(&cr, NULL, 0, 0);
		assert_int_equal(libvnet_cred_deny(cr, PRIV_NET_BPF), 0);
		assert_int_equal(priv_check_cred(cr, PRIV_NET_BPF), EPERM);
		libvnet_cred_free(cr);
	}
}

LIBVNET_TEST(denial_of_what_is_no_privilege_is_refused)
{
	assert_int_equal(libvnet_cred_deny(NULL, 100000), LIBVNET_EINVAL);
	assert_non_null(strstr(libvnet_error(), "PRIV_"));
	assert_int_equal(libvnet_cred_create(NULL, NULL, 0, 0),
	    LIBVNET_EINVAL);
	assert_int_equal(libvnet_cred_enter(NULL), LIBVNET_EINVAL);
	assert_int_equal(libvnet_cred_free(NULL), LIBVNET_EINVAL);
}

static struct ucred *
rules_fill(int n)
{
	struct ucred *cr[LIBVNET_CRED_RULES + 1];

	for (int i = 0; i < n; i++) {
		libvnet_cred_create(&cr[i], NULL, 0, 0);
		if (i < LIBVNET_CRED_RULES)
			assert_int_equal(libvnet_cred_deny(cr[i], 1 + i + 1),
			    0);
	}
	return (cr[n - 1]);
}
LIBVNET_TEST(more_credentials_with_denials_than_fit_are_refused)
{
	struct ucred *cr = rules_fill(LIBVNET_CRED_RULES + 1);

	assert_int_equal(libvnet_cred_deny(cr, PRIV_NET_BPF), LIBVNET_ELIMIT);
}

#ifdef VIMAGE
LIBVNET_TEST_VNET(jailed_root_administers_its_network_and_not_the_machine, v)
{
	assert_true(jailed(curthread->td_ucred));
	assert_false(jailed_without_vnet(curthread->td_ucred));
	assert_int_equal(set_mtu(), 0);
	assert_int_equal(priv_check(curthread, PRIV_NETINET_IPFW), 0);
	assert_int_equal(priv_check(curthread, PRIV_NET_SETIFVNET), 0);
	assert_int_equal(priv_check(curthread, PRIV_NETINET_RESERVEDPORT), 0);
	assert_int_equal(priv_check(curthread, PRIV_KLD_LOAD), EPERM);
	assert_int_equal(priv_check(curthread, PRIV_SYSCTL_WRITE), EPERM);
	assert_int_equal(priv_check(curthread, PRIV_SYSCTL_WRITEJAIL), 0);
}

LIBVNET_TEST_VNET(jail_without_allowance_refuses_it, v)
{
	struct ucred *cr = curthread->td_ucred;

	prison_set_allow(cr, PR_ALLOW_RESERVED_PORTS, 0);
	assert_int_equal(priv_check(curthread, PRIV_NETINET_RESERVEDPORT),
	    EPERM);
	prison_set_allow(cr, PR_ALLOW_SUSER, 0);
	assert_int_equal(set_mtu(), EPERM);
}

LIBVNET_TEST_VNET(jail_without_a_vnet_may_not_touch_the_network, v)
{
	struct ucred *cr = curthread->td_ucred;

	cr->cr_prison->pr_flags &= ~(u_int)PR_VNET;
	assert_true(jailed_without_vnet(cr));
	assert_int_equal(set_mtu(), EPERM);
	assert_int_equal(priv_check(curthread, PRIV_NETINET_RAW), 0);
	prison_set_allow(cr, PR_ALLOW_RAW_SOCKETS, 0);
	assert_int_equal(priv_check(curthread, PRIV_NETINET_RAW), EPERM);
	cr->cr_prison->pr_flags |= PR_VNET;
}
#endif
