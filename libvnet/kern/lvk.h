/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the files of libvnet/kern share among themselves and offer to
 * libvnet/base and libvnet/net.  Kernel world; never included by code under
 * test.
 */
#ifndef LVK_H
#define LVK_H

#include <sys/param.h>
#include <sys/systm.h>
#include <seam.h>

#define LVK_PC ((vnh_uptr)__builtin_return_address(0))

struct vnet;
struct thread;
struct lock_object;

/* ---- heap (lvk_heap.c) */

/* Plain memory without an owner; `align' (a power of two, >= 16) both times. */
void	*lvk_block_alloc(size_t size, size_t align);
void	lvk_block_free(void *mem, size_t align);

/*
 * Stacks of threads, in a part of the region of their own, each above a page
 * that cannot be touched; the one freed last is used first.  Sizes are rounded
 * up to the host's pages.  For a snapshot: the next stack in use after `prev'
 * (NULL: the first), or NULL.
 */
void	*lvk_stack_alloc(size_t bytes);
void	lvk_stack_free(void *stack);
void	*lvk_stack_next(const void *prev, size_t *bytes);
/* Bytes from the region's base that a snapshot of the heap must save. */
size_t	lvk_region_used(void);

/*
 * Owner of what is allocated now: the current vnet's number, or -1.  A piece
 * of global state that happens to be made inside a vnet is bracketed.
 */
int	lvk_owner(void);
void	lvk_owner_none_enter(void);
void	lvk_owner_none_exit(void);
int	lvk_owner_none_set(int);	/* sets the depth, returns the old */
/* Report what vnet `number' still owns; returns the number of items. */
u_long	lvk_leak_report(int number);
/* Look around every live item; returns the number of faults reported. */
u_long	lvk_heap_check(void);

/* ---- a lock below all locks, for the heap and the clock */
struct lvk_spin {
	volatile u_int ls_word;
};
void	lvk_spin_lock(struct lvk_spin *);
void	lvk_spin_unlock(struct lvk_spin *);
void	lvk_spin_lock_seen(struct lvk_spin *);
void	lvk_spin_unlock_seen(struct lvk_spin *);
#ifdef LVK_INSTRUMENTED
#define lvk_spin_lock(l) lvk_spin_lock_seen(l)
#define lvk_spin_unlock(l) lvk_spin_unlock_seen(l)
#endif

/* ---- waiting by looking again (lvk_sched.c) */
struct lvk_turns {			/* of one wait; zero at its begin */
	u_int lt_turns;
	bool lt_events;			/* an event could end it, too */
	bool lt_alone;			/* nobody else was there last time */
	sbintime_t lt_since;
	const void *lt_object;		/* waited for, NULL: who knows */
};
/*
 * Let the others run.  False: there is nothing left that could change
 * anything, so that another look will find what this one found.
 */
bool	lvk_relinquish(struct lvk_turns *);
/*
 * The same for a lock; panics where nobody can ever give it back, naming who
 * waits for whom.
 */
void	lvk_contend(const struct lock_object *lo, struct lvk_turns *,
	    const char *file, int line);

/* ---- contexts (kern_thread.c) */
/* Run as the named interrupt thread: own struct thread, no vnet set. */
struct thread *lvk_intr_enter(void);
void	lvk_intr_exit(struct thread *);
bool	lvk_in_intr(void);
void	lvk_thread_setup(struct thread *, const char *name);
/*
 * A kernel forbids that: panics in an interrupt, a critical or an epoch
 * section; a sleep is a finding where a lock is held that forbids it.
 */
void	lvk_switch_check(const char *what);
bool	lvk_switch_may(void);		/* that would not panic */
void	lvk_sleep_check(const char *what);
void	lvk_sleepable_check(const struct lock_object *, const char *what,
	    const char *file, int line);

/* ---- clock (kern_tc.c) */
sbintime_t lvk_clock(void);
bool	lvk_clock_step(sbintime_t until);
/* The wall clock is so much later than uptime. */
extern struct bintime lvk_boottime;
void	lvk_clock_set_wall(const struct bintime *boottime);
void	lvk_clock_adjust(void);		/* kern_clock.c: to hz */
bool	lvk_clock_pending(void);		/* an event was announced */
/*
 * Run what is due next: a callout or a timeout, or epoch callbacks, or else go
 * to the next timeout, but not past `until'.  Returns how many ran; 0 also
 * where another thread is at it.
 */
long	lvk_event(sbintime_t until);
/*
 * With FreeBSD's own callout wheel there always is a next event, if only to
 * look again.  After that much time without a wakeup none will come: TCP gives
 * up an idle peer after two hours and ten minutes.
 */
#define LVK_FOREVER (SBT_1S * 4 * 3600)

/* Base only, where a stopped callout is not announced any more. */
sbintime_t lvk_callout_next(int cpu);

/* ---- epoch (subr_epoch.c) */
struct epoch;
u_long	lvk_epoch_run(void);
u_long	lvk_epoch_run_wanted(void);
void	lvk_epoch_flush(void);
bool	lvk_epoch_pending(void);
/* Something of the epoch may have become ready that others should not precede. */
void	lvk_epoch_kick(const struct epoch *);
extern volatile u_int lvk_epoch_wanted;
sbintime_t lvk_epoch_next(void);

/* ---- smr(9) (uma_smr.c) */
/* Give back free items whose readers have left; returns how many. */
u_long	lvk_smr_run(void);

/* ---- prisons (kern_jail.c) */
void	lvk_prison_create(struct vnet *);
/* Let time pass while others hold its credential or prison, see seam.h. */
void	lvk_prison_wait(struct vnet *);
void	lvk_prison_destroy(struct vnet *);

/* ---- reports */
void	lvk_finding(const char *kind, const char *object, int vnet,
	    const char *file, int line, vnh_uptr pc, const char *fmt, ...)
	    __printflike(7, 8);
/* About memory: who allocated it, and who freed it (0 unknown). */
void	lvk_finding_sites(const char *kind, const char *object, int vnet,
	    vnh_uptr pc, vnh_uptr freed, const char *fmt, ...)
	    __printflike(6, 7);

/* ---- virtual network stacks (vnet.c) */
void	lvk_vnet_shutdown(void);

void	lvk_sysuninit(void);

#endif /* LVK_H */
