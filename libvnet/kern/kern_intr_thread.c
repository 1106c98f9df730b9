/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: the threads of interrupts, of FreeBSD's kern/kern_intr.c.
 * Fidelity: modelled
 * Differs: an interrupt thread gets its stack when it is scheduled first.  A
 * handler that returns with a lock, a vnet, an epoch or a critical section
 * panics with its name.
 *
 * Each event has a kernel thread, which runs before all that are no interrupt
 * threads, by priority.  A software interrupt may sleep there, as FreeBSD's
 * may; where a handler of the net epoch does, epoch(9) forbids it.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/bus.h>
#include <sys/epoch.h>
#include <sys/interrupt.h>
#include <sys/kernel.h>
#include <sys/kthread.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/pcpu.h>
#include <sys/priority.h>
#include <sys/proc.h>
#include <sys/sched.h>
#include <sys/smp.h>
#include <sys/unistd.h>

#include "kern_intr.h"
#include "lvk_handler.h"
#include "lvk_sched.h"

#define BLOCK_ALIGN 16

/* Where a file is linked alone, nobody has made that epoch. */
extern epoch_t net_epoch_preempt __attribute__((weak));

/* Whether something was wanted; from now on that is another time. */
static __inline bool
take(volatile int *need)
{
	if (atomic_load_int(need) == 0)
		return (false);
	atomic_store_int(need, 0);
	if (lvk_carrier == VNH_HOST)
		atomic_thread_fence_seq_cst();
	return (true);
}

static void
call(struct intr_event *ie __unused, struct intr_handler *ih)
{
	bool giant = (ih->ih_flags & (int)IH_MPSAFE) == 0;
#ifdef INVARIANTS
	struct handler_state before;
	const char *wrong;
#endif

	if (giant)
		mtx_lock(&Giant);
#ifdef INVARIANTS
	before = handler_enter();
#endif
	ih->ih_handler(ih->ih_argument);
#ifdef INVARIANTS
	wrong = handler_exit(&before, 0);
	if (wrong != NULL)
		panic("interrupt handler \"%s\" (%p) of \"%s\" returned %s",
		    ih->ih_name, ih->ih_handler, ie->ie_name, wrong);
#endif
	if (giant)
		mtx_unlock(&Giant);
}

/*
 * While this walks, handlers are added without its notice, but none is taken
 * off the list.
 */
static void
handlers_run(struct intr_event *ie)
{
	bool soft = (ie->ie_flags & IE_SOFT) != 0;
	struct intr_handler *ih;

	CK_SLIST_FOREACH(ih, &ie->ie_handlers, ih_next)
		if ((ih->ih_flags & IH_DEAD) == 0 && ih->ih_handler != NULL &&
		    (!soft || take(&ih->ih_need)))
			call(ie, ih);
}

static void
walk_begin(struct intr_thread *it)
{
	lvk_spin_lock(&it->it_lock);
	it->it_busy = true;
	lvk_spin_unlock(&it->it_lock);
}

static void
walk_end(struct intr_thread *it)
{
	bool wanted;

	lvk_spin_lock(&it->it_lock);
	wanted = it->it_wanted;
	it->it_busy = it->it_wanted = false;
	lvk_spin_unlock(&it->it_lock);
	if (wanted)
		wakeup(it);
}

/* The event may be gone once the walk has ended. */
static void
pass(struct intr_thread *it)
{
	struct intr_event *ie = it->it_event;
	bool net = (ie->ie_hflags & IH_NET) != 0 &&
	    &net_epoch_preempt != NULL && net_epoch_preempt != NULL;
	bool hard = (ie->ie_flags & IE_SOFT) == 0;
	void (*post)(void *) = ie->ie_post_ithread;
	void *source = ie->ie_source;
	struct epoch_tracker et;

	if (net)
		epoch_enter_preempt(net_epoch_preempt, &et);
	if (hard)
		THREAD_NO_SLEEPING();
	walk_begin(it);
	handlers_run(ie);
	walk_end(it);
	if (hard)
		THREAD_SLEEPING_OK();
	if (net)
		epoch_exit_preempt(net_epoch_preempt, &et);
	if (post != NULL)
		post(source);
}

void
lvk_ithread_wait(struct intr_event *ie, struct intr_thread *it)
{
	bool busy;

	for (;;) {
		lvk_spin_lock(&it->it_lock);
		busy = it->it_wanted = it->it_busy;
		lvk_spin_unlock(&it->it_lock);
		if (!busy)
			return;
		/* A tick ends it where the wakeup was missed. */
		msleep(it, &ie->ie_lock, 0, "iev_rmh", 1);
	}
}

static void
ithread_loop(void *arg)
{
	struct intr_thread *it = arg;
	struct thread *td = curthread;

	td->td_vnet = NULL;
	while (!it->it_dead) {
		if (take(&it->it_need))
			pass(it);
		if (!it->it_dead)
			lvk_sched_idle(LVK_CTX(td), &it->it_need, NULL);
	}
	lvk_block_free(it, BLOCK_ALIGN);
	kthread_exit();
}

void
lvk_ithread_schedule(struct intr_thread *it)
{
	atomic_store_rel_int((volatile u_int *)&it->it_need, 1);
	lvk_sched_rouse(LVK_CTX(it->it_thread));
}

struct intr_thread *
lvk_ithread_create(struct intr_event *ie)
{
	struct intr_thread *it;
	struct thread *td;
	int error;

	/* No vnet's, for it ends when it gets to run. */
	it = lvk_block_alloc(sizeof(*it), BLOCK_ALIGN);
	memset(it, 0, sizeof(*it));
	it->it_event = ie;
	error = kproc_kthread_add(ithread_loop, it, &intrproc, &td,
	    RFSTOPPED, 0, "intr", "%s", ie->ie_name);
	if (error != 0)
		panic("interrupt thread \"%s\": error %d", ie->ie_name, error);
	thread_lock(td);
	sched_class(td, PRI_ITHD);
	thread_unlock(td);
	td->td_pflags |= TDP_ITHREAD;
	it->it_thread = td;
	if (ie->ie_cpu != NOCPU)
		lvk_sched_bind(LVK_CTX(td), ie->ie_cpu);
	return (it);
}
