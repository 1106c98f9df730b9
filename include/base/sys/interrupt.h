/* SPDX-License-Identifier: BSD-2-Clause */
/* Interrupt events, their handlers and software interrupts: swi(9). */
#ifndef _SYS_INTERRUPT_H_
#define _SYS_INTERRUPT_H_

#include <sys/param.h>
#include <sys/_lock.h>
#include <sys/_mutex.h>
#include <sys/ck.h>
#include <sys/bus.h>

struct intr_event;
struct intr_thread;
struct trapframe;

struct intr_handler {
	driver_filter_t *ih_filter;
	driver_intr_t *ih_handler;
	void *ih_argument;
	int ih_flags;			/* IH_* */
	char ih_name[MAXCOMLEN + 1];
	struct intr_event *ih_event;
	int ih_need;			/* of a software interrupt: is due */
	CK_SLIST_ENTRY(intr_handler) ih_next;
	u_char ih_pri;
};

#define IH_NET 0x00000001
#define IH_EXCLUSIVE 0x00000002
#define IH_ENTROPY 0x00000004
#define IH_DEAD 0x00000008		/* is being removed */
#define IH_SUSP 0x00000010
#define IH_CHANGED 0x40000000
#define IH_MPSAFE 0x80000000

struct intr_event {
	TAILQ_ENTRY(intr_event) ie_list;
	CK_SLIST_HEAD(, intr_handler) ie_handlers;	/* by priority */
	char ie_name[MAXCOMLEN + 1];
	char ie_fullname[MAXCOMLEN + 1];
	struct mtx ie_lock;
	void *ie_source;
	struct intr_thread *ie_thread;
	void (*ie_pre_ithread)(void *);
	void (*ie_post_ithread)(void *);
	void (*ie_post_filter)(void *);
	int (*ie_assign_cpu)(void *, int);
	int ie_flags;			/* IE_* */
	int ie_hflags;			/* of all handlers */
	int ie_irq;
	int ie_cpu;			/* NOCPU: any */
};

#define IE_SOFT 0x000001
#define IE_ADDING_THREAD 0x000004

/* swi_sched() */
#define SWI_FROMNMI 0x1
#define SWI_DELAY 0x2			/* when its event is scheduled next */

/* Software interrupts, the more urgent first. */
#define SWI_TTY 0
#define SWI_NET 1
#define SWI_CAMBIO 2
#define SWI_BUSDMA 3
#define SWI_CLOCK 4
#define SWI_TQ_FAST 5
#define SWI_TQ 6
#define SWI_TQ_GIANT 6

extern struct intr_event *clk_intr_event;

u_char	intr_priority(enum intr_type);
int	intr_event_add_handler(struct intr_event *, const char *,
	    driver_filter_t *, driver_intr_t *, void *, u_char pri,
	    enum intr_type, void **cookiep);
int	intr_event_bind(struct intr_event *, int cpu);
int	intr_event_bind_irqonly(struct intr_event *, int cpu);
int	intr_event_bind_ithread(struct intr_event *, int cpu);
struct _cpuset;
int	intr_event_bind_ithread_cpuset(struct intr_event *, struct _cpuset *);
int	intr_event_create(struct intr_event **, void *source, int flags,
	    int irq, void (*pre_ithread)(void *), void (*post_ithread)(void *),
	    void (*post_filter)(void *), int (*assign_cpu)(void *, int),
	    const char *, ...) __printflike(9, 10);
int	intr_event_describe_handler(struct intr_event *, void *cookie,
	    const char *);
int	intr_event_destroy(struct intr_event *);
int	intr_event_handle(struct intr_event *, struct trapframe *);
int	intr_event_remove_handler(void *cookie);
void	*intr_handler_source(void *cookie);
int	swi_add(struct intr_event **, const char *, driver_intr_t *, void *,
	    int pri, enum intr_type, void **cookiep);
void	swi_sched(void *cookie, int flags);
int	swi_remove(void *cookie);

#endif /* _SYS_INTERRUPT_H_ */
