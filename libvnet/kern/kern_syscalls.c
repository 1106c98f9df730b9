/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: system calls of modules: syscall_helper_register(9), FreeBSD's
 * kern/kern_syscalls.c.
 * Fidelity: modelled
 * Differs: there is no table of system calls, so that nothing can be there
 * before; two modules cannot have one number.
 */
#include <sys/param.h>
#include <sys/systm.h>
#ifndef LIBVNET_BASE
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/sysent.h>

#define SYSCALLS 1024

static struct sysent *taken[SYSCALLS];

static int
take(struct syscall_helper_data *sd)
{
	if (sd->syscall_no < 0 || sd->syscall_no >= SYSCALLS)
		return (EINVAL);
	if (taken[sd->syscall_no] != NULL)
		return (EEXIST);
	taken[sd->syscall_no] = &sd->new_sysent;
	sd->registered = 1;
	return (0);
}

/* All or none. */
int
syscall_helper_register(struct syscall_helper_data *sd, int flags __unused)
{
	struct syscall_helper_data *p;
	int error;

	for (p = sd; p->syscall_no != NO_SYSCALL; p++) {
		error = take(p);
		if (error != 0) {
			(void)syscall_helper_unregister(sd);
			return (error);
		}
	}
	return (0);
}

int
syscall_helper_unregister(struct syscall_helper_data *sd)
{
	for (; sd->registered != 0; sd++) {
		taken[sd->syscall_no] = NULL;
		sd->registered = 0;
	}
	return (0);
}
#endif
