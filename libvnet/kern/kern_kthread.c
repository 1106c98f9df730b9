/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: kthread(9), kproc(9), FreeBSD's kern/kern_kthread.c.
 * Fidelity: modelled
 * Differs: the number of pages asks for at least that much stack.  A process
 * is there for its name, its lock and its list of threads.  Suspending a whole
 * process (kproc_suspend() and its kin) is not provided.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/filedesc.h>
#include <sys/kernel.h>
#include <sys/kthread.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#ifndef LIBVNET_BASE
#include <sys/osd.h>
#endif
#include <sys/proc.h>
#include <sys/sched.h>
#include <sys/selinfo.h>
#include <sys/sigio.h>
#include <sys/unistd.h>
#include <machine/stdarg.h>

#include "lvk_boot.h"
#include "lvk_cred.h"
#include "lvk_sched.h"

struct kthread {
	struct thread k_td;		/* first */
	struct lvk_ctx k_ctx;
	bool k_last;			/* of a process that ends with it */
};

/* ---- processes */

static struct proc *
proc_new(const char *name)
{
	struct proc *p = lvk_block_alloc(sizeof(*p), 64);

	memset(p, 0, sizeof(*p));
	TAILQ_INIT(&p->p_threads);
	p->p_flag = P_SYSTEM | P_KPROC;
	p->p_ucred = proc0.p_ucred;
	strlcpy(p->p_comm, name, sizeof(p->p_comm));
	p->p_limit = proc0.p_limit;
	p->p_state = PRS_NORMAL;
	mtx_init(&p->p_mtx, "process lock", NULL, MTX_DEF | MTX_DUPOK);
	lvk_proc_link(p);
	return (p);
}

static void
proc_free(struct proc *p)
{
	mtx_destroy(&p->p_mtx);
	lvk_block_free(p, 64);
}

/* ---- threads */

static struct thread *
thread_new(struct proc *p, const char *name, int pages, void (*func)(void *),
    void *arg)
{
	struct kthread *k = lvk_block_alloc(sizeof(*k), 64);
	struct thread *td = &k->k_td;
	struct lvk_ctx *c = &k->k_ctx;
	size_t size = vnh_stack_default();

	lvk_thread_setup(td, name);
	td->td_proc = p;
	lvk_thread_inherit(td);
	td->td_pflags |= TDP_KTHREAD;
	k->k_last = false;
	memset(c, 0, sizeof(*c));
	c->lc_func = func;
	c->lc_arg = arg;
	if (lvk_carrier == VNH_COROUTINE) {
		if (pages > 0 && (size_t)pages * PAGE_SIZE > size)
			size = (size_t)pages * PAGE_SIZE;
		c->lc_co.co_size = size;
	}
	lvk_ctx_setup(c, LVK_FLOW, td);
	PROC_LOCK(p);
	TAILQ_INSERT_TAIL(&p->p_threads, td, td_plist);
	p->p_numthreads++;
	PROC_UNLOCK(p);
	return (td);
}

/* Of one that is dead, by another. */
void
lvk_kthread_free(struct lvk_ctx *c)
{
	struct kthread *k = __containerof(c, struct kthread, k_ctx);
	struct proc *p = k->k_td.td_proc;

	if (c->lc_co.co_stack != NULL)
		lvk_stack_free(c->lc_co.co_stack);
	if (k->k_last)
		proc_free(p);
	lvk_block_free(k, 64);
}

static void
start(struct thread *td, int flags)
{
	if ((flags & RFSTOPPED) != 0)
		return;
	thread_lock(td);
	sched_prio(td, PVM);
	sched_add(td, SRQ_BORING);
}

int
kthread_add(void (*func)(void *), void *arg, struct proc *p,
    struct thread **newtdp, int flags, int pages, const char *fmt, ...)
{
	char name[MAXCOMLEN + 1];
	struct thread *td;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(name, sizeof(name), fmt, ap);
	va_end(ap);
	td = thread_new(p != NULL ? p : &proc0, name, pages, func, arg);
	if (newtdp != NULL)
		*newtdp = td;
	start(td, flags);
	return (0);
}

#ifndef LIBVNET_BASE
/* Weak: kern_osd.c is there when something hangs data on threads. */
void	osd_exit(u_int, struct osd *) __attribute__((weak));

static void
drop_osd(struct thread *td)
{
	if (td->td_osd.osd_nslots != 0)
		osd_thread_exit(td);
}
#else
#define drop_osd(td) do { } while (0)
#endif

void
kthread_exit(void)
{
	struct thread *td = curthread;
	struct proc *p = td->td_proc;
	bool last;

	if (td == &thread0 || lvk_ctx_self()->lc_kind != LVK_FLOW)
		panic("kthread_exit: \"%s\" is no kernel thread", td->td_name);
	KASSERT(td->td_locks == 0, ("kthread_exit: thread \"%s\" holds %d "
	    "locks", td->td_name, td->td_locks));
	KASSERT(td->td_critnest == 0, ("kthread_exit: thread \"%s\" is in a "
	    "critical section", td->td_name));
	KASSERT(td->td_no_sleeping == 0, ("kthread_exit: thread \"%s\" is in "
	    "an epoch section", td->td_name));
	seltdfini(td);
	drop_osd(td);
	PROC_LOCK(p);
	TAILQ_REMOVE(&p->p_threads, td, td_plist);
	last = --p->p_numthreads == 0;
	PROC_UNLOCK(p);
	if (last) {
		funsetownlst(&p->p_sigiolst);
		fdescfree(td);
		lvk_proc_unlink(p);
		__containerof(td, struct kthread, k_td)->k_last = true;
	}
	PROC_LOCK(p);
	wakeup(td);
	if (last)
		wakeup(p);
	PROC_UNLOCK(p);
	lvk_sched_exit();
}

void
kproc_exit(int ecode __unused)
{
	wakeup(curthread->td_proc);
	kthread_exit();
}

int
kproc_create(void (*func)(void *), void *arg, struct proc **newpp, int flags,
    int pages, const char *fmt, ...)
{
	char name[MAXCOMLEN + 1];
	struct thread *td;
	struct proc *p;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(name, sizeof(name), fmt, ap);
	va_end(ap);
	p = proc_new(name);
	td = thread_new(p, name, pages, func, arg);
	if (newpp != NULL)
		*newpp = p;
	start(td, flags);
	return (0);
}

int
kproc_kthread_add(void (*func)(void *), void *arg, struct proc **procptr,
    struct thread **tdptr, int flags, int pages, const char *procname,
    const char *fmt, ...)
{
	char name[MAXCOMLEN + 1];
	struct thread *td;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(name, sizeof(name), fmt, ap);
	va_end(ap);
	if (*procptr == NULL)
		*procptr = proc_new(procname);
	td = thread_new(*procptr, name, pages, func, arg);
	if (tdptr != NULL)
		*tdptr = td;
	start(td, flags);
	return (0);
}

/* ---- as a SYSINIT */

void
kthread_start(const void *udata)
{
	const struct kthread_desc *kp = udata;

	(void)kthread_add((void (*)(void *))(uintptr_t)kp->func, NULL, NULL,
	    kp->global_threadpp, 0, 0, "%s", kp->arg0);
}

void
kproc_start(const void *udata)
{
	const struct kproc_desc *kp = udata;

	(void)kproc_create((void (*)(void *))(uintptr_t)kp->func, NULL,
	    kp->global_procpp, 0, 0, "%s", kp->arg0);
}

/* ---- suspending: a thread stops where it calls kthread_suspend_check() */

int
kthread_suspend(struct thread *td, int timo)
{
	struct proc *p = td->td_proc;

	if ((td->td_pflags & TDP_KTHREAD) == 0)
		return (EINVAL);
	PROC_LOCK(p);
	td->td_flags |= TDF_KTH_SUSP;
	wakeup(&td->td_flags);
	return (msleep(&td->td_flags, &p->p_mtx, PPAUSE | PDROP, "suspkt",
	    timo));
}

int
kthread_resume(struct thread *td)
{
	struct proc *p = td->td_proc;

	if ((td->td_pflags & TDP_KTHREAD) == 0)
		return (EINVAL);
	PROC_LOCK(p);
	td->td_flags &= ~TDF_KTH_SUSP;
	wakeup(&td->td_flags);
	PROC_UNLOCK(p);
	return (0);
}

void
kthread_suspend_check(void)
{
	struct thread *td = curthread;
	struct proc *p = td->td_proc;

	if ((td->td_pflags & TDP_KTHREAD) == 0)
		panic("kthread_suspend_check: \"%s\" is no kernel thread",
		    td->td_name);
	PROC_LOCK(p);
	while ((td->td_flags & TDF_KTH_SUSP) != 0) {
		wakeup(&td->td_flags);
		msleep(&td->td_flags, &p->p_mtx, PPAUSE, "ktsusp", 0);
	}
	PROC_UNLOCK(p);
}

/* ---- for host world */

long
vnk_thread_stack_used(const void *thread)
{
	const struct thread *td = thread != NULL ? thread : curthread;
	const struct vnh_co *co = &LVK_CTX(td)->lc_co;

	if (co->co_stack == NULL)
		return (-1);
	return ((long)vnh_stack_used(co->co_stack, co->co_size));
}

void
vnk_co_each(void (*fn)(struct vnh_co *))
{
	struct lvk_ctx *c;

	TAILQ_FOREACH(c, &lvk_contexts, lc_link)
		if (c->lc_kind == LVK_FLOW && c->lc_state != LVK_NEW)
			fn(&c->lc_co);
}
