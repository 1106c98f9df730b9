/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: local sockets, FreeBSD's kern/uipc_usrreq.c, as far as socketpair(2)
 * asks for them.
 * Fidelity: stub
 * Differs: there are none: PF_LOCAL is no domain here, so no two of them get
 * that far; it panics where they do.
 */
#include <sys/param.h>
#include <sys/systm.h>
#ifndef LIBVNET_BASE
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/socket.h>
#include <sys/ucred.h>
#include <sys/unpcb.h>

void
unp_copy_peercred(struct thread *td __unused, struct unpcb *client __unused,
    struct unpcb *server __unused, struct unpcb *listen __unused)
{
	panic("unp_copy_peercred: there are no local sockets");
}
#endif
