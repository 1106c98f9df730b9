/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: software interrupts and interrupt threads, FreeBSD's
 * kern/kern_intr.c.
 * Fidelity: modelled
 * Differs: no interrupt is ever suspended, there is no storm protection and no
 * entropy is gathered.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/bus.h>
#include <sys/cpuset.h>
#include <sys/interrupt.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/pcpu.h>
#include <sys/priority.h>
#include <sys/proc.h>
#include <sys/sched.h>
#include <sys/smp.h>
#include <machine/stdarg.h>

#undef malloc
#include "kern_intr.h"
#include "lvk_sched.h"

void	sched_ithread_prio(struct thread *, u_char);	/* 14 and later say so */

struct intr_event *clk_intr_event;
struct proc *intrproc;

static MALLOC_DEFINE(M_ITHREAD, "ithread", "Interrupt Threads");
static TAILQ_HEAD(, intr_event) events = TAILQ_HEAD_INITIALIZER(events);
static struct lvk_spin events_lock;

/* ---- events */

/* Its full name, flags and priority, of its handlers; with its lock held. */
static void
event_update(struct intr_event *ie)
{
	struct intr_handler *ih;
	u_char pri = PRI_MAX_ITHD;

	strlcpy(ie->ie_fullname, ie->ie_name, sizeof(ie->ie_fullname));
	ie->ie_hflags = 0;
	CK_SLIST_FOREACH(ih, &ie->ie_handlers, ih_next) {
		strlcat(ie->ie_fullname, " ", sizeof(ie->ie_fullname));
		strlcat(ie->ie_fullname, ih->ih_name, sizeof(ie->ie_fullname));
		ie->ie_hflags |= ih->ih_flags;
		pri = MIN(pri, ih->ih_pri);
	}
	if (ie->ie_thread == NULL)
		return;
	strlcpy(ie->ie_thread->it_thread->td_name, ie->ie_fullname,
	    sizeof(ie->ie_thread->it_thread->td_name));
	sched_ithread_prio(ie->ie_thread->it_thread, pri);
}

#if __FreeBSD_version < 1500000
typedef int irq_number;
#else
typedef u_int irq_number;
#endif

int
intr_event_create(struct intr_event **event, void *source, int flags,
    irq_number irq, void (*pre_ithread)(void *), void (*post_ithread)(void *),
    void (*post_filter)(void *), int (*assign_cpu)(void *, int),
    const char *fmt, ...)
{
	struct intr_event *ie;
	va_list ap;

	if ((flags & ~IE_SOFT) != 0)
		return (EINVAL);
	ie = malloc(sizeof(*ie), M_ITHREAD, M_WAITOK | M_ZERO);
	ie->ie_source = source;
	ie->ie_pre_ithread = pre_ithread;
	ie->ie_post_ithread = post_ithread;
	ie->ie_post_filter = post_filter;
	ie->ie_assign_cpu = assign_cpu;
	ie->ie_flags = flags;
	ie->ie_irq = irq;
	ie->ie_cpu = NOCPU;
	CK_SLIST_INIT(&ie->ie_handlers);
	mtx_init(&ie->ie_lock, "intr event", NULL, MTX_DEF);
	va_start(ap, fmt);
	vsnprintf(ie->ie_name, sizeof(ie->ie_name), fmt, ap);
	va_end(ap);
	strlcpy(ie->ie_fullname, ie->ie_name, sizeof(ie->ie_fullname));
	lvk_spin_lock(&events_lock);
	TAILQ_INSERT_TAIL(&events, ie, ie_list);
	lvk_spin_unlock(&events_lock);
	if (event != NULL)
		*event = ie;
	return (0);
}

int
intr_event_destroy(struct intr_event *ie)
{
	struct intr_thread *it = ie->ie_thread;

	if (!CK_SLIST_EMPTY(&ie->ie_handlers))
		return (EBUSY);
	lvk_spin_lock(&events_lock);
	TAILQ_REMOVE(&events, ie, ie_list);
	lvk_spin_unlock(&events_lock);
	if (it != NULL) {
		mtx_lock(&ie->ie_lock);
		lvk_ithread_wait(ie, it);
		it->it_dead = true;
		mtx_unlock(&ie->ie_lock);
		lvk_ithread_schedule(it);
	}
	mtx_destroy(&ie->ie_lock);
	free(ie, M_ITHREAD);
	return (0);
}

u_char
intr_priority(enum intr_type flags)
{
	switch (flags & (INTR_TYPE_TTY | INTR_TYPE_BIO | INTR_TYPE_NET |
	    INTR_TYPE_CAM | INTR_TYPE_MISC | INTR_TYPE_CLK | INTR_TYPE_AV)) {
	case INTR_TYPE_TTY:
		return (PI_TTY);
	case INTR_TYPE_BIO:
	case INTR_TYPE_CAM:
		return (PI_DISK);
	case INTR_TYPE_NET:
		return (PI_NET);
	case INTR_TYPE_AV:
		return (PI_AV);
	case INTR_TYPE_CLK:
		return (PI_REALTIME);
	case INTR_TYPE_MISC:
		return (PI_DULL);
	default:
		panic("intr_priority: no interrupt type in flags");
	}
}

/* ---- handlers */

static void
handler_insert(struct intr_event *ie, struct intr_handler *ih)
{
	struct intr_handler *i, *before = NULL;

	CK_SLIST_FOREACH(i, &ie->ie_handlers, ih_next) {
		if (i->ih_pri > ih->ih_pri)
			break;
		before = i;
	}
	if (before == NULL)
		CK_SLIST_INSERT_HEAD(&ie->ie_handlers, ih, ih_next);
	else
		CK_SLIST_INSERT_AFTER(before, ih, ih_next);
}

int
intr_event_add_handler(struct intr_event *ie, const char *name,
    driver_filter_t filter, driver_intr_t handler, void *arg, u_char pri,
    enum intr_type flags, void **cookiep)
{
	struct intr_thread *it = NULL;
	struct intr_handler *ih;

	if (ie == NULL || name == NULL || (handler == NULL && filter == NULL))
		return (EINVAL);
	ih = malloc(sizeof(*ih), M_ITHREAD, M_WAITOK | M_ZERO);
	ih->ih_filter = filter;
	ih->ih_handler = handler;
	ih->ih_argument = arg;
	strlcpy(ih->ih_name, name, sizeof(ih->ih_name));
	ih->ih_event = ie;
	ih->ih_pri = pri;
	ih->ih_flags = ((flags & INTR_EXCL) != 0 ? IH_EXCLUSIVE : 0) |
	    ((flags & INTR_MPSAFE) != 0 ? (int)IH_MPSAFE : 0) |
	    ((flags & INTR_ENTROPY) != 0 ? IH_ENTROPY : 0) |
	    ((flags & INTR_TYPE_NET) != 0 ? IH_NET : 0);
	if (handler != NULL && ie->ie_thread == NULL)
		it = lvk_ithread_create(ie);
	mtx_lock(&ie->ie_lock);
	if (it != NULL)
		ie->ie_thread = it;
	if (!CK_SLIST_EMPTY(&ie->ie_handlers) && ((flags & INTR_EXCL) != 0 ||
	    (CK_SLIST_FIRST(&ie->ie_handlers)->ih_flags & IH_EXCLUSIVE) != 0)) {
		mtx_unlock(&ie->ie_lock);
		free(ih, M_ITHREAD);
		return (EINVAL);
	}
	handler_insert(ie, ih);
	event_update(ie);
	mtx_unlock(&ie->ie_lock);
	if (cookiep != NULL)
		*cookiep = ih;
	return (0);
}

static bool
handler_known(const struct intr_event *ie, const struct intr_handler *ih)
{
	const struct intr_handler *i;

	CK_SLIST_FOREACH(i, &ie->ie_handlers, ih_next)
		if (i == ih)
			return (true);
	return (false);
}

int
intr_event_remove_handler(void *cookie)
{
	struct intr_handler *ih = cookie;
	struct intr_event *ie;

	if (ih == NULL)
		return (EINVAL);
	ie = ih->ih_event;
	KASSERT(ie != NULL, ("interrupt handler \"%s\" has no event",
	    ih->ih_name));
	mtx_lock(&ie->ie_lock);
	if (!handler_known(ie, ih))
		panic("interrupt handler \"%s\" is not one of event \"%s\"",
		    ih->ih_name, ie->ie_name);
	ih->ih_flags |= IH_DEAD;
	if (ie->ie_thread != NULL) {
		if (ie->ie_thread->it_thread == curthread)
			panic("interrupt handler \"%s\" removed from its own "
			    "thread, \"%s\": that waits for ever",
			    ih->ih_name, ie->ie_name);
		lvk_ithread_wait(ie, ie->ie_thread);
	}
	CK_SLIST_REMOVE(&ie->ie_handlers, ih, intr_handler, ih_next);
	event_update(ie);
	mtx_unlock(&ie->ie_lock);
	free(ih, M_ITHREAD);
	return (0);
}

int
intr_event_describe_handler(struct intr_event *ie, void *cookie,
    const char *descr)
{
	struct intr_handler *ih = cookie;
	char *colon;

	mtx_lock(&ie->ie_lock);
	if (!handler_known(ie, ih)) {
		mtx_unlock(&ie->ie_lock);
		panic("interrupt handler %p is not one of event \"%s\"", ih,
		    ie->ie_name);
	}
	colon = strchr(ih->ih_name, ':');
	if (colon != NULL)
		*colon = '\0';
	strlcat(ih->ih_name, ":", sizeof(ih->ih_name));
	strlcat(ih->ih_name, descr, sizeof(ih->ih_name));
	event_update(ie);
	mtx_unlock(&ie->ie_lock);
	return (0);
}

void *
intr_handler_source(void *cookie)
{
	struct intr_handler *ih = cookie;

	return (ih == NULL || ih->ih_event == NULL ? NULL :
	    ih->ih_event->ie_source);
}

/* ---- where it runs */

static int
bind_thread(struct intr_event *ie, int cpu)
{
	if (ie->ie_thread == NULL)
		return (0);
	return (cpuset_setithread(ie->ie_thread->it_thread->td_tid, cpu));
}

static int
bind(struct intr_event *ie, int cpu, bool irq, bool thread)
{
	int error = 0;

	if (cpu != NOCPU && (cpu < 0 || cpu > (int)mp_maxid ||
	    CPU_ABSENT(cpu)))
		return (EINVAL);
	if (ie->ie_assign_cpu == NULL)
		return (EOPNOTSUPP);
	if (thread)
		error = bind_thread(ie, cpu);
	if (error == 0 && irq)
		error = ie->ie_assign_cpu(ie->ie_source, cpu);
	if (error != 0)
		return (error);
	mtx_lock(&ie->ie_lock);
	if (irq)
		ie->ie_cpu = cpu;
	mtx_unlock(&ie->ie_lock);
	return (0);
}

int
intr_event_bind(struct intr_event *ie, int cpu)
{
	return (bind(ie, cpu, true, true));
}

int
intr_event_bind_irqonly(struct intr_event *ie, int cpu)
{
	return (bind(ie, cpu, true, false));
}

int
intr_event_bind_ithread(struct intr_event *ie, int cpu)
{
	return (bind(ie, cpu, false, true));
}

int
intr_event_bind_ithread_cpuset(struct intr_event *ie, struct _cpuset *cs)
{
	if (ie->ie_thread == NULL)
		return (ENODEV);
	return (cpuset_setthread(ie->ie_thread->it_thread->td_tid, cs));
}

/* ---- a device interrupts */

/* Filters are called at once, the others from the event's thread. */
int
intr_event_handle(struct intr_event *ie, struct trapframe *frame)
{
	bool thread = false, filter = false;
	struct intr_handler *ih;
	int ret;

	if (ie == NULL || CK_SLIST_EMPTY(&ie->ie_handlers))
		return (EINVAL);
	curthread->td_intr_nesting_level++;
	critical_enter();
	CK_SLIST_FOREACH(ih, &ie->ie_handlers, ih_next) {
		if (ih->ih_filter == NULL) {
			thread = true;
			continue;
		}
		filter = true;
		ret = ih->ih_filter(ih->ih_argument != NULL ?
		    ih->ih_argument : frame);
		if ((ret & FILTER_SCHEDULE_THREAD) != 0)
			thread = true;
	}
	if (thread && ie->ie_pre_ithread != NULL)
		ie->ie_pre_ithread(ie->ie_source);
	else if (filter && !thread && ie->ie_post_filter != NULL)
		ie->ie_post_filter(ie->ie_source);
	if (thread && ie->ie_thread != NULL)
		lvk_ithread_schedule(ie->ie_thread);
	critical_exit();
	curthread->td_intr_nesting_level--;
	return (0);
}

/* ---- software interrupts */

static int
swi_assign_cpu(void *arg __unused, int cpu __unused)
{
	return (0);
}

int
swi_add(struct intr_event **eventp, const char *name, driver_intr_t handler,
    void *arg, int pri, enum intr_type flags, void **cookiep)
{
	struct intr_event *ie;
	int error;

	if ((flags & INTR_ENTROPY) != 0)
		return (EINVAL);
	if (eventp != NULL && *eventp != NULL) {
		ie = *eventp;
		if ((ie->ie_flags & IE_SOFT) == 0)
			return (EINVAL);
	} else {
		error = intr_event_create(&ie, NULL, IE_SOFT, 0, NULL, NULL,
		    NULL, swi_assign_cpu, "swi%d:", pri);
		if (error != 0)
			return (error);
		if (eventp != NULL)
			*eventp = ie;
	}
	if (handler == NULL)
		return (0);
	return (intr_event_add_handler(ie, name, NULL, handler, arg,
	    PI_SWI(pri), flags, cookiep));
}

void
swi_sched(void *cookie, int flags)
{
	struct intr_handler *ih = cookie;

	KASSERT(ih != NULL, ("swi_sched: NULL cookie; swi_add() gives one"));
	atomic_store_rel_int((u_int *)&ih->ih_need, 1);
	if ((flags & SWI_DELAY) == 0)
		lvk_ithread_schedule(ih->ih_event->ie_thread);
}

int
swi_remove(void *cookie)
{
	return (intr_event_remove_handler(cookie));
}
