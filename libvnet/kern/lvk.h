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

/* Items with an owner. */

enum lvk_origin { LVK_MALLOC, LVK_UMA, LVK_PCPU };

/*
 * The header before each item of malloc(9) and UMA.  It is poisoned while
 * kernel code runs.
 */
struct lvk_item {
	LIST_ENTRY(lvk_item) it_link;	/* items of one owner bucket */
	void *it_origin;		/* malloc type or zone */
	const char *it_name;		/* its name */
	size_t it_size;
	vnh_uptr it_pc;			/* who asked for it */
	int it_vnet;			/* owner, -1 none */
	u_short it_kind;		/* enum lvk_origin */
	u_short it_state;
#define LVK_ITEM_LIVE 0xa11e
#define LVK_ITEM_FREE 0xf4ee
	u_int it_pad;			/* bytes from block to item */
};

void	*lvk_item_alloc(size_t size, size_t align, enum lvk_origin kind,
	    void *origin, const char *name, vnh_uptr pc);
/* Takes over an item that lvk_item_retire() put aside. */
void	lvk_item_revive(void *mem, vnh_uptr pc);
void	lvk_item_retire(void *mem);
/* Releases the memory of a retired item. */
void	lvk_item_release(void *mem);
/*
 * The header of a live item, or a panic that says what is wrong with the
 * pointer.  `what' names the caller in the message.
 */
struct lvk_item *lvk_item_check(void *mem, enum lvk_origin kind,
	    const void *origin, const char *what);
size_t	lvk_item_size(const void *mem);
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
typedef void lvk_item_cb(const char *kind, const char *name, size_t size,
	    vnh_uptr pc, void *arg);
void	lvk_pcpu_foreach(int number, lvk_item_cb *cb, void *arg);

/* ---- a lock below all locks, for the heap and the clock */
struct lvk_spin {
	volatile u_int ls_word;
};
void	lvk_spin_lock(struct lvk_spin *);
void	lvk_spin_unlock(struct lvk_spin *);
/*
 * One turn of waiting for a lock that `owner' (0 unknown) holds.  Where no
 * other thread can ever give it back, that is a deadlock and panics.
 */
void	lvk_contend(const struct lock_object *lo, const char *file, int line);

/* ---- contexts (kern_thread.c) */
/* Run as the named interrupt thread: own struct thread, no vnet set. */
struct thread *lvk_intr_enter(void);
void	lvk_intr_exit(struct thread *);
bool	lvk_in_intr(void);
void	lvk_thread_setup(struct thread *, const char *name);
void	lvk_sleep_check(const char *what);

/* ---- clock (kern_tc.c) */
sbintime_t lvk_clock(void);
bool	lvk_clock_step(sbintime_t until);

/* Base only, where a stopped callout is not announced any more. */
sbintime_t lvk_callout_next(int cpu);

/* ---- epoch (subr_epoch.c) */
u_long	lvk_epoch_run(void);
bool	lvk_epoch_pending(void);

/* ---- prisons (kern_jail.c) */
void	lvk_prison_create(struct vnet *);
void	lvk_prison_destroy(struct vnet *);

/* ---- reports */
void	lvk_finding(const char *kind, const char *object, int vnet,
	    const char *file, int line, vnh_uptr pc, const char *fmt, ...)
	    __printflike(7, 8);

/* ---- virtual network stacks (vnet.c) */
void	lvk_vnet_shutdown(void);

void	lvk_sysuninit(void);

#endif /* LVK_H */
