/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Credentials with fewer rights than root's.
 *
 * A thread has the credential of root in the prison of the vnet that it
 * entered, and outside all prisons where it entered none.  To test what an
 * ordinary user may do, or root without some privilege, give it another:
 *
 *	libvnet_cred_create(&cr, v, 1001, 1001);
 *	libvnet_cred_enter(cr);			v is current, too
 *	assert_int_equal(thing_ioctl(...), EPERM);
 *	libvnet_cred_leave();			as it was before
 *	libvnet_cred_free(cr);
 *
 * In a test file, crget(9), crdup(9), change_euid(9) and their kin make
 * credentials as well.
 */
#ifndef LIBVNET_CRED_H
#define LIBVNET_CRED_H

#include <libvnet/types.h>

LIBVNET_BEGIN

struct ucred;

/*
 * Effective and real user `uid' and group `gid', in the prison of `vnet'
 * (NULL: outside all prisons).  Free it before its vnet is destroyed.
 *
 * LIBVNET_EINVAL   `cred' is NULL
 * LIBVNET_ENOVNET  not a vnet
 */
int	libvnet_cred_create(struct ucred **cred, struct vnet *vnet,
	    unsigned uid, unsigned gid);
/* Give up the reference.  LIBVNET_EINVAL: NULL. */
int	libvnet_cred_free(struct ucred *cred);

/*
 * Make it the thread's, and its prison's vnet current.  Calls nest with
 * those of libvnet_enter(); either kind of leave undoes the last.
 *
 * LIBVNET_ELIMIT   nested deeper than LIBVNET_ENTER_MAX
 * LIBVNET_EINVAL   `cred' is NULL, or its vnet is gone; leave without enter
 */
int	libvnet_cred_enter(struct ucred *cred);
int	libvnet_cred_leave(void);

/*
 * priv_check(9) of this credential fails with EPERM for `priv', one of
 * sys/priv.h's PRIV_*, or for all, LIBVNET_PRIV_ALL; allow takes that back.
 * NULL is the thread's own credential.  Copies of it are not concerned.
 *
 * LIBVNET_EINVAL   there is no such privilege
 * LIBVNET_ELIMIT   more than LIBVNET_CRED_RULES credentials have such rules
 */
#define LIBVNET_PRIV_ALL (-1)
#define LIBVNET_CRED_RULES 32
int	libvnet_cred_deny(struct ucred *cred, int priv);
int	libvnet_cred_allow(struct ucred *cred, int priv);

LIBVNET_END

#endif /* LIBVNET_CRED_H */
