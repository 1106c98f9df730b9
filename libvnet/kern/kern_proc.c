/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: the processes, FreeBSD's kern/kern_proc.c: their list and how one
 * is found.
 * Fidelity: modelled
 * Differs: all are the kernel's; init does not exist.  A process stays until
 * its last thread is gone, so none is a zombie.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/sx.h>
#include <sys/sysctl.h>
#ifndef LIBVNET_BASE
#include <sys/sysent.h>
#endif
#include <sys/ucred.h>

#include "lvk_cred.h"

MALLOC_DEFINE(M_SUBPROC, "subproc", "Proc sub-structures");

struct sx allproc_lock;
SX_SYSINIT(allproc_lock, &allproc_lock, "allproc");
struct sx proctree_lock;
SX_SYSINIT(proctree_lock, &proctree_lock, "proctree");
struct proclist allproc = LIST_HEAD_INITIALIZER(allproc);
struct proc *initproc;
int pid_max = 99999;
int ngroups_max = NGROUPS_MAX;

void
lvk_thread_inherit(struct thread *td)
{
	td->td_ucred = td->td_realucred = td->td_proc->p_ucred;
	td->td_limit = proc0.p_limit;
}

#ifndef LIBVNET_BASE
/* Who makes system calls here does so as a program of this machine. */
static struct sysentvec sysvec = {
	.sv_name = "libvnet",
	.sv_flags = SV_ABI_FREEBSD | SV_LP64
};
#endif

static int next_pid;		/* under allproc_lock */

void
lvk_proc_link(struct proc *p)
{
#ifndef LIBVNET_BASE
	p->p_sysent = &sysvec;
#endif
	sx_xlock(&allproc_lock);
	p->p_pid = next_pid++;
	LIST_INSERT_HEAD(&allproc, p, p_list);
	sx_xunlock(&allproc_lock);
}

void
lvk_proc_unlink(struct proc *p)
{
	sx_xlock(&allproc_lock);
	LIST_REMOVE(p, p_list);
	sx_xunlock(&allproc_lock);
}

static void
proc0_link(void *arg __unused)
{
	proc0.p_state = PRS_NORMAL;
	lvk_proc_link(&proc0);
}
SYSINIT(lvk_proc0_link, SI_SUB_LOCK, SI_ORDER_ANY, proc0_link, NULL);

/* The process, locked, or NULL. */
struct proc *
pfind(pid_t pid)
{
	struct proc *p;

	if (curproc->p_pid == pid) {
		PROC_LOCK(curproc);
		return (curproc);
	}
	sx_slock(&allproc_lock);
	LIST_FOREACH(p, &allproc, p_list)
		if (p->p_pid == pid) {
			PROC_LOCK(p);
			break;
		}
	sx_sunlock(&allproc_lock);
	return (p);
}

struct proc *
pfind_any(pid_t pid)
{
	return (pfind(pid));
}

/* The thread, its process locked, or NULL; pid -1 is any. */
struct thread *
tdfind(lwpid_t tid, pid_t pid)
{
	struct thread *td;
	struct proc *p;

	sx_slock(&allproc_lock);
	LIST_FOREACH(p, &allproc, p_list) {
		if (pid != -1 && p->p_pid != pid)
			continue;
		PROC_LOCK(p);
		FOREACH_THREAD_IN_PROC(p, td)
			if (td->td_tid == tid) {
				sx_sunlock(&allproc_lock);
				return (td);
			}
		PROC_UNLOCK(p);
	}
	sx_sunlock(&allproc_lock);
	return (NULL);
}

static int
pget_check(struct proc *p, int flags)
{
	int error = 0;

	if ((flags & PGET_CANSEE) != 0)
		error = p_cansee(curthread, p);
	if (error == 0 && (flags & PGET_ISCURRENT) != 0 && curproc != p)
		error = EPERM;
	if (error == 0 && (flags & PGET_NOTWEXIT) != 0 &&
	    (p->p_flag & P_WEXIT) != 0)
		error = ESRCH;
	return (error);
}

int
pget(pid_t pid, int flags, struct proc **pp)
{
	struct thread *td;
	struct proc *p;
	int error;

	if (pid <= pid_max)
		p = pfind(pid);
	else if ((flags & PGET_NOTID) == 0 && (td = tdfind(pid, -1)) != NULL)
		p = td->td_proc;
	else
		p = NULL;
	if (p == NULL)
		return (ESRCH);
	error = pget_check(p, flags);
	if (error != 0) {
		PROC_UNLOCK(p);
		return (error);
	}
	if ((flags & PGET_HOLD) != 0) {
		p->p_lock++;		/* _PHOLD(); nothing swaps here */
		PROC_UNLOCK(p);
	}
	*pp = p;
	return (0);
}
