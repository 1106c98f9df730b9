/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: kdb(9), FreeBSD's kern/subr_kdb.c.
 * Fidelity: modelled
 * Differs: there is no debugger to enter: kdb_enter() panics, which ends the
 * test there.  A backtrace comes with each finding; kdb_backtrace() says so.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kdb.h>

u_char kdb_active;
int debugger_on_panic;
int debugger_on_trap;

void
kdb_backtrace(void)
{
	static bool said;

	if (!said)
		printf("KDB: libvnet shows a backtrace with each finding and "
		    "panic only\n");
	said = true;
}

void
kdb_backtrace_thread(struct thread *td __unused)
{
	kdb_backtrace();
}

void
kdb_enter(const char *why, const char *msg)
{
	panic("KDB: enter: %s: %s", why != NULL ? why : "unknown",
	    msg != NULL ? msg : "");
}

void
kdb_reenter(void)
{
}

int
kdb_trap(int type __unused, int code __unused, struct trapframe *tf __unused)
{
	return (0);
}
