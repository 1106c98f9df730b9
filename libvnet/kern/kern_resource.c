/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: limits and usage of a process, FreeBSD's kern/kern_resource.c.
 * Fidelity: modelled
 * Differs: limits are infinite until a test sets them in proc0.p_limit; a
 * process has used no time but the system's, which is the uptime.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/refcount.h>
#include <sys/resource.h>
#include <sys/resourcevar.h>
#include <sys/time.h>

#undef malloc
#include "lvk_cred.h"

static MALLOC_DEFINE(M_PLIMIT, "plimit", "plimit structures");

struct plimit *
lim_alloc(void)
{
	struct plimit *l = malloc(sizeof(*l), M_PLIMIT, M_WAITOK | M_ZERO);

	refcount_init((volatile u_int *)&l->pl_refcnt, 1);
	return (l);
}

struct plimit *
lim_hold(struct plimit *l)
{
	refcount_acquire((volatile u_int *)&l->pl_refcnt);
	return (l);
}

void
lim_free(struct plimit *l)
{
	if (refcount_release((volatile u_int *)&l->pl_refcnt))
		free(l, M_PLIMIT);
}

void
lim_copy(struct plimit *to, struct plimit *from)
{
	memcpy(to->pl_rlimit, from->pl_rlimit, sizeof(to->pl_rlimit));
}

static const struct rlimit *
limit_of(struct plimit *l, int which)
{
	KASSERT(which >= 0 && which < RLIM_NLIMITS,
	    ("request for invalid resource limit %d", which));
	return (&l->pl_rlimit[which]);
}

rlim_t
(lim_cur)(struct thread *td, int which)
{
	return (limit_of(td->td_limit, which)->rlim_cur);
}

rlim_t
lim_max(struct thread *td, int which)
{
	return (limit_of(td->td_limit, which)->rlim_max);
}

void
lim_rlimit(struct thread *td, int which, struct rlimit *rl)
{
	*rl = *limit_of(td->td_limit, which);
}

rlim_t
lim_cur_proc(struct proc *p, int which)
{
	PROC_LOCK_ASSERT(p, MA_OWNED);
	return (limit_of(p->p_limit, which)->rlim_cur);
}

rlim_t
lim_max_proc(struct proc *p, int which)
{
	PROC_LOCK_ASSERT(p, MA_OWNED);
	return (limit_of(p->p_limit, which)->rlim_max);
}

void
lim_rlimit_proc(struct proc *p, int which, struct rlimit *rl)
{
	PROC_LOCK_ASSERT(p, MA_OWNED);
	*rl = *limit_of(p->p_limit, which);
}

static void
limit0_init(void *arg __unused)
{
	struct plimit *l = lim_alloc();

	for (int i = 0; i < RLIM_NLIMITS; i++)
		l->pl_rlimit[i].rlim_cur = l->pl_rlimit[i].rlim_max =
		    RLIM_INFINITY;
	proc0.p_limit = l;
	thread0.td_limit = l;
}
SYSINIT(lvk_limit0, SI_SUB_LOCK, SI_ORDER_ANY, limit0_init, NULL);

/* ---- usage */

void
calcru(struct proc *p __unused, struct timeval *up, struct timeval *sp)
{
	PROC_LOCK_ASSERT(p, MA_OWNED);
	up->tv_sec = 0;
	up->tv_usec = 0;
	microuptime(sp);
}

void
calccru(struct proc *p __unused, struct timeval *up, struct timeval *sp)
{
	PROC_LOCK_ASSERT(p, MA_OWNED);
	memset(up, 0, sizeof(*up));
	memset(sp, 0, sizeof(*sp));
}

void
rufetch(struct proc *p __unused, struct rusage *ru)
{
	memset(ru, 0, sizeof(*ru));
}

void
rufetchcalc(struct proc *p, struct rusage *ru, struct timeval *up,
    struct timeval *sp)
{
	rufetch(p, ru);
	calcru(p, up, sp);
}
