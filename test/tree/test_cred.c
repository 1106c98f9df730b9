/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The whole stack of a tree: what a jail's root, a user, and root without
 * some privilege may do with it; user memory that faults under its requests.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/jail.h>
#include <sys/priv.h>
#include <sys/proc.h>
#include <sys/socket.h>
#include <sys/ucred.h>
#include <net/vnet.h>

#include <libvnet/test.h>
#include "ping.h"

#define OK(call) do {							\
	if ((call) != 0)						\
		fail_msg("%s", libvnet_error());			\
} while (0)

/* The call is refused with this errno. */
#define REFUSED(want, call) do {					\
	int kerr_ = 0, *kerr = &kerr_;					\
	assert_int_equal(call, LIBVNET_EKERNEL);			\
	assert_int_equal(kerr_, want);					\
} while (0)

LIBVNET_TEST_VNET(user_may_not_configure_an_interface, v)
{
	char name[LIBVNET_IFNAME];
	struct ucred *user;

	OK(libvnet_if_create(v, "lo", name, NULL));
	OK(libvnet_cred_create(&user, v, 1001, 1001));
	OK(libvnet_cred_enter(user));
	REFUSED(EPERM, libvnet_if_address_add(NULL, name, "10.1.0.1/24",
	    kerr));
	REFUSED(EPERM, libvnet_if_mtu(NULL, name, 1400, kerr));
	REFUSED(EPERM, libvnet_if_destroy(NULL, name, kerr));
	OK(libvnet_cred_leave());
	OK(libvnet_if_address_add(v, name, "10.1.0.1/24", NULL));
	OK(libvnet_cred_free(user));
}

LIBVNET_TEST_VNET(user_may_not_open_a_raw_socket_or_bind_a_low_port, v)
{
	struct ucred *user;
	int fd;

	OK(libvnet_if_address_add(v, "lo0", "127.0.0.1/8", NULL));
	OK(libvnet_cred_create(&user, v, 1001, 1001));
	OK(libvnet_cred_enter(user));
	assert_int_equal(ping("127.0.0.1", 1), EPERM);
	fd = libvnet_socket(NULL, AF_INET, SOCK_STREAM, 0, NULL);
	assert_true(fd >= 0);
	REFUSED(EACCES, libvnet_socket_bind(fd, "127.0.0.1", 80, kerr));
	OK(libvnet_socket_bind(fd, "127.0.0.1", 8080, NULL));
	OK(libvnet_socket_close(fd, NULL));
	OK(libvnet_cred_leave());
	assert_int_equal(ping("127.0.0.1", 1), 0);
	OK(libvnet_cred_free(user));
}

LIBVNET_TEST_VNET(root_without_one_privilege_lacks_that_one, v)
{
	char name[LIBVNET_IFNAME];

	OK(libvnet_if_create(v, "lo", name, NULL));
	OK(libvnet_cred_deny(NULL, PRIV_NET_SETIFMTU));
	REFUSED(EPERM, libvnet_if_mtu(NULL, name, 1400, kerr));
	OK(libvnet_if_address_add(NULL, name, "10.1.0.1/24", NULL));
	OK(libvnet_cred_allow(NULL, PRIV_NET_SETIFMTU));
	OK(libvnet_if_mtu(NULL, name, 1400, NULL));
}

LIBVNET_TEST_VNET(jail_without_raw_sockets_has_none, v)
{
	OK(libvnet_if_address_add(v, "lo0", "127.0.0.1/8", NULL));
	curthread->td_ucred->cr_prison->pr_flags &= ~(u_int)PR_VNET;
	prison_set_allow(curthread->td_ucred, PR_ALLOW_RAW_SOCKETS, 0);
	assert_int_equal(ping("127.0.0.1", 1), EPERM);
	curthread->td_ucred->cr_prison->pr_flags |= PR_VNET;
	assert_int_equal(ping("127.0.0.1", 1), 0);
}
