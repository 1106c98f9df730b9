/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The seam between kernel world and host world.
 *
 * Kernel world is compiled freestanding against FreeBSD headers, host world
 * against libc.  Neither may see a type of the other: errno values, size of
 * off_t, sockaddr layouts and the printf family all differ.  So whatever
 * crosses does so through the plain functions below, in compiler built-in
 * types only, and this file includes nothing but its own parts.
 *
 *   vnh_*	kernel world calls host world
 *   vnk_*	host world calls kernel world
 *
 * Integers named "kerr" are FreeBSD errno values (0 or positive).  They are
 * handed through, never interpreted, by host world.
 *
 * VNH_SEAM_VERSION changes with every incompatible change of this file; the
 * kernel object records the one it was compiled with and vnk_seam_version()
 * is compared at boot.
 */
#ifndef LIBVNET_SEAM_H
#define LIBVNET_SEAM_H

#define VNH_SEAM_VERSION 4

typedef __SIZE_TYPE__ vnh_size_t;
typedef __UINT64_TYPE__ vnh_u64;
typedef __INT64_TYPE__ vnh_i64;
typedef __UINTPTR_TYPE__ vnh_uptr;

struct vnet;

/* ---- memory --------------------------------------------------------- */

#include "seam_heap.h"

/* Raw copy that no sanitizer intercepts: red zones inside are copied too. */
void	 vnh_copy(void *dst, const void *src, vnh_size_t n);
/* Sanitizer shadow; no-ops where none is linked. */
void	 vnh_poison(const void *p, vnh_size_t n);
void	 vnh_unpoison(const void *p, vnh_size_t n);
void	 vnh_uninit(const void *p, vnh_size_t n);

/* ---- virtualised variables ------------------------------------------ */

/*
 * The table of V_ variables that the link step made (see kernlink.sh).
 * `base' is a copy of the set_vnet section.  guard fills and poisons the
 * gaps between variables, unguard removes the poison, damaged returns the
 * name of the variable before a gap whose filler was overwritten, or NULL.
 */
void	 vnh_vnet_guard(void *base);
void	 vnh_vnet_unguard(void *base);
const char *vnh_vnet_damaged(const void *base);

/* ---- reporting ------------------------------------------------------ */

/* `pri' is a syslog(9) priority, -1 for printf(9). */
void	 vnh_console(int pri, const char *text, vnh_size_t len);

/*
 * A broken rule.  `kind' is a short word from the list in
 * include/libvnet/finding.h.  `object' and `file' may be NULL, `pc' and
 * `freed' may be 0: then host world names what it can.  Host world adds the
 * backtrace of the caller and the seed.  Returns; the caller decides whether
 * it can go on.
 */
struct vnh_finding {
	const char	*kind;
	const char	*message;
	const char	*object;	/* what it is about: a name */
	const char	*file;		/* where the rule was broken */
	int		 line;
	int		 vnet;		/* vnet number, -1 none */
	int		 cpu;		/* virtual CPU, -1 none */
	vnh_uptr	 pc;		/* acquisition site, 0 none */
	vnh_uptr	 freed;		/* site of the release, 0 none */
};
void	 vnh_finding(const struct vnh_finding *f);

/* panic(9).  Does not return. */
__attribute__((noreturn)) void vnh_panic(const char *message);

/* ---- the world around ----------------------------------------------- */

vnh_u64	 vnh_random(void);		/* next word of the seeded stream */
void	 vnh_yield(void);		/* let other attached threads run */
int	 vnh_threads(void);		/* host threads now attached */

/* ---- host calls kernel ---------------------------------------------- */

int	 vnk_seam_version(void);
int	 vnk_version(void);		/* __FreeBSD_version */

/* What boot can be told.  Zero means the default that is named here. */
struct vnk_boot {
	vnh_u64	 cpus;			/* virtual CPUs, as a mask, 1 */
	vnh_u64	 late_cpus;		/* those of them that come up late */
	int	 hz;			/* clock ticks a second, 1000 */
	const char *kenv;		/* "name=value" lines or NULL */
	int	 carrier;		/* enum vnh_carrier of seam_thread.h */
	int	 epoch_when;		/* as vnk_epoch_when() */
	int	 epoch_ticks;
};
/* Runs every SYSINIT for vnet0. */
void	 vnk_boot(const struct vnk_boot *args);
/* Destroys what is left of the vnets and runs every SYSUNINIT. */
void	 vnk_shutdown(void);
/* Forget the thread-local state of the calling host thread (for a restart). */
void	 vnk_forget(void);

int	 vnk_vimage(void);		/* 1 when built with option VIMAGE */
int	 vnk_checks(void);		/* 1 when built with INVARIANTS */
struct vnet *vnk_vnet_create(void);	/* NULL without VIMAGE */
/*
 * While others hold its credential or prison, the machine runs and the clock
 * goes from event to event first, for at most so many virtual seconds.
 */
#define VNH_DESTROY_WAIT_S 1000
void	 vnk_vnet_destroy(struct vnet *v);
int	 vnk_vnet_alive(const struct vnet *v);
int	 vnk_vnet_number(const struct vnet *v);	/* 0 is vnet0 */
int	 vnk_vnet_count(void);
struct vnet *vnk_vnet_default(void);
struct vnet *vnk_vnet_current(void);
/* Make `v' (NULL for none) current, with its credential; returns the old. */
struct vnet *vnk_vnet_switch(struct vnet *v);
void	*vnk_vnet_variable(const struct vnet *v, vnh_uptr offset);

vnh_i64	 vnk_clock_now(void);		/* ns of uptime */
void	 vnk_clock_advance(vnh_i64 ns);
/* Work due now; returns the items run.  -1: `limit' items did not suffice. */
long	 vnk_run_until_idle(long limit);
vnh_i64	 vnk_clock_next(void);		/* ns until the next timeout, -1 none */
/*
 * When epoch callbacks run, whose grace period has passed.  `ticks' is how
 * long they wait where they are delayed, or at most where it is random.
 */
enum vnh_epoch_when {
	VNH_EPOCH_IDLE,			/* when nothing else is due */
	VNH_EPOCH_EAGER,		/* before anything else */
	VNH_EPOCH_DELAYED,
	VNH_EPOCH_RANDOM		/* one of these, for each batch */
};
void	 vnk_epoch_when(int when, int ticks);

/* sysctl(9) by name; returns kerr.  `oldlen' in and out, either may be NULL. */
int	 vnk_sysctl(const char *name, void *old, vnh_size_t *oldlen,
	    const void *newval, vnh_size_t newlen);
/*
 * Kind of the node: its CTLTYPE_* as a letter: 'i' int, 'u' u_int, 'l' long,
 * 'L' u_long, 'q' int64, 'Q' uint64, 'c' bool/8 bit, 's' string, 'n' node,
 * 'x' opaque, 0 when there is no such name.
 */
int	 vnk_sysctl_kind(const char *name);
vnh_u64	 vnk_counter_fetch(void *counter);

/* Attach a host thread: gives it a struct thread and a CPU. */
void	 vnk_thread_attach(void);
void	 vnk_thread_detach(void);
int	 vnk_thread_attached(void);
/* 1 where it is current in another host thread that is attached. */
int	 vnk_vnet_entered(const struct vnet *v);
int	 vnk_cpu(void);			/* virtual CPU of the caller, -1 none */
/*
 * Locks held by the current thread, and critical or epoch sections it is in,
 * for checks at test end.
 */
int	 vnk_thread_locks(void);
void	 vnk_thread_locks_told(void);	/* they are known, say no more */
int	 vnk_thread_sections(void);

/* ---- made by the link step ------------------------------------------ */

struct vnh_set {			/* one linker set */
	const char	*name;
	const char	*start;		/* both NULL when absent */
	const char	*stop;
	vnh_size_t	 bytes;		/* size in the relocatable object */
};
struct vnh_var {			/* one V_ variable */
	const char	*name;
	vnh_uptr	 offset;	/* from the start of set_vnet */
	vnh_size_t	 size;
};
struct vnh_manifest {
	int		 version;
	const struct vnh_set *sets;	/* ends with name NULL */
	const struct vnh_var *vars;	/* sorted by offset, ends with NULL */
	char		*data, *data_end;	/* kernel .data* */
	char		*bss, *bss_end;		/* kernel .bss* and COMMON */
	char		*vnet, *vnet_end;	/* set_vnet, the master copy */
	const char	*known;		/* leaks of the tree, or NULL; known.c */
};
extern const struct vnh_manifest vnh_manifest;

#endif /* LIBVNET_SEAM_H */
