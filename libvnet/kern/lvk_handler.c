/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: nothing of FreeBSD's; what WITNESS would say at userret().
 * Fidelity: exact
 * Differs: --
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <net/vnet.h>

#include "lvk_handler.h"

struct handler_state
handler_enter(void)
{
	struct thread *td = curthread;

	return ((struct handler_state){ td->td_locks, td->td_critnest,
	    td->td_no_sleeping, curvnet });
}

const char *
handler_exit(const struct handler_state *before, int released)
{
	struct thread *td = curthread;
	int extra = td->td_locks - (before->hs_locks - released);

	if (extra > 0)
		return (released > 0 ? "holding a lock that it had to release" :
		    "holding a lock");
	if (extra < 0)
		return ("having released a lock of its caller's");
	if (td->td_critnest != before->hs_critnest)
		return ("in a critical section");
	if (td->td_no_sleeping != before->hs_no_sleeping)
		return ("in an epoch section, or with sleeping prohibited");
	if (curvnet != before->hs_vnet)
		return ("with another vnet set than it was called with; is a "
		    "CURVNET_RESTORE() missing?");
	return (NULL);
}
