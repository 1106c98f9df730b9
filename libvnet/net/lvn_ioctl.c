/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: ioctl(2) on a socket, and sysctl(3) of the routing tables, as
 * ifconfig(8) and netstat(1) call them.
 * Fidelity: exact
 * Differs: no file descriptor: a socket is made for each request.
 */
#include "opt_inet.h"
#include "opt_inet6.h"

#include <sys/param.h>
#include <sys/systm.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/socket.h>
#include <sys/socketvar.h>
#include <sys/sysctl.h>
#include <net/if.h>
#include <net/if_var.h>
#include <net/vnet.h>

#include "lvn.h"

#ifdef INET
#define ANY_FAMILY AF_INET
#else
#define ANY_FAMILY AF_INET6
#endif
#define DUMP_TRIES 8

int
lvn_ioctl(int family, u_long cmd, void *data)
{
	return (lvn_ioctl_as(family, cmd, data, curthread->td_ucred));
}

int
lvn_ioctl_as(int family, u_long cmd, void *data, struct ucred *cred)
{
	struct ucred *own = curthread->td_ucred;
	struct socket *so;
	int error;

	error = socreate(family != AF_UNSPEC ? family : ANY_FAMILY, &so,
	    SOCK_DGRAM, 0, curthread->td_ucred, curthread);
	if (error != 0)
		return (error);
	curthread->td_ucred = cred;
	error = ifioctl(so, cmd, data, curthread);
	curthread->td_ucred = own;
	(void)soclose(so);
	return (error);
}

/* It may grow between the question for its size and that for its contents. */
static int
dump(int *mib, u_int n, char **buf, size_t *len)
{
	size_t room, got;
	int error;

	for (int i = 0; i < DUMP_TRIES; i++) {
		room = got = 0;
		error = kernel_sysctl(curthread, mib, n, NULL, &room, NULL, 0,
		    &got, 0);
		if (error != 0)
			return (error);
		room = got + got / 4 + 1024;
		*buf = malloc(room, M_TEMP, M_WAITOK);
		error = kernel_sysctl(curthread, mib, n, *buf, &room, NULL, 0,
		    len, 0);
		if (error == 0)
			return (0);
		lvn_dump_free(*buf);
		if (error != ENOMEM)
			return (error);
	}
	return (ENOMEM);
}

int
lvn_dump(int family, int op, int arg, char **buf, size_t *len)
{
	int mib[] = { CTL_NET, PF_ROUTE, 0, family, op, arg };

	return (dump(mib, nitems(mib), buf, len));
}

int
lvn_sysctl(const char *name, char **buf, size_t *len)
{
	int mib[CTL_MAXNAME], query[] = { 0, 3 };
	size_t room = sizeof(mib), got;
	int error;

	error = kernel_sysctl(curthread, query, nitems(query), mib, &room,
	    __DECONST(char *, name), strlen(name), &got, 0);
	if (error != 0)
		return (error);
	return (dump(mib, (u_int)(got / sizeof(int)), buf, len));
}

void
lvn_dump_free(char *buf)
{
	free(buf, M_TEMP);
}
