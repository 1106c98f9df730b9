/* SPDX-License-Identifier: BSD-2-Clause */
/* The seam's part about the kernel heap; seam.h includes it. */
#ifndef LIBVNET_SEAM_HEAP_H
#define LIBVNET_SEAM_HEAP_H

/*
 * One region of addresses for all memory of kernel world, zero after boot.
 * Its base is the same in every process unless something else lies there
 * already.  Returns the size of the host's pages.
 */
#define VNH_REGION_BASE 0x550000000000ul	/* suits ASan, MSan and TSan */
#define VNH_REGION_BYTES (16ul << 30)
vnh_size_t vnh_region(void **base, vnh_size_t *size);
/* Makes pages of the region inaccessible, or accessible again. */
void	 vnh_protect(void *p, vnh_size_t n, int on);

/* Where items of malloc(9) and uma(9) come from. */
enum vnh_heap_backend { VNH_HEAP_REGION, VNH_HEAP_JEMALLOC, VNH_HEAP_LIBC };
struct vnh_heap_options {
	int	 backend;
	int	 quarantine;	/* freed items kept from use, 0 none */
};
void	 vnh_heap_options(struct vnh_heap_options *o);

/*
 * An item of its own, from a backend that is not the region, for a vnet
 * (-1 none).  `align' is a power of two.  Never returns NULL for lack of
 * memory in the process: that ends the program with a message.  Contents are
 * undefined (MSan: uninitialised).  The first VNH_HEAP_RESERVED bytes of
 * every block are host world's own; the caller starts behind them.
 */
#define VNH_HEAP_RESERVED 16
void	*vnh_heap_alloc(vnh_size_t size, vnh_size_t align, int vnet);
void	 vnh_heap_free(void *p);
/* No more for this vnet. */
void	 vnh_heap_gone(int vnet);

/*
 * What a vnet leaves behind: 1 where items made in one place are on the list
 * of known leaks, which then are counted and not to be reported.  begin comes
 * first, for each vnet.
 */
struct vnh_leak {
	int	 version;	/* __FreeBSD_version */
	int	 type;		/* of malloc(9), 0: a zone */
	const char *name;
	vnh_uptr pc;		/* where they were made */
	vnh_u64	 count;
};
void	 vnh_leaks_begin(void);
int	 vnh_leak_known(const struct vnh_leak *l);
/* How many the list allows, where these were too many; 0: none. */
vnh_u64	 vnh_leak_most(const struct vnh_leak *l);

/* Who watches memory in this process; 0 nobody. */
#define VNH_ASAN 1
#define VNH_MSAN 2
#define VNH_VALGRIND 4
int	 vnh_sanitized(void);
/*
 * An item begins and ends its life, for who watches.  `fresh': nothing that
 * it held before counts.
 */
void	 vnh_item_born(void *p, vnh_size_t size, int fresh);
void	 vnh_item_died(void *p, vnh_size_t size, int fresh);

/*
 * Copying [base of the region, base + vnk_region_used()) and the kernel
 * object's data and bss saves all of the heap but the stacks, which lie in
 * the region's last part (see lvk_stack_next()).
 */
vnh_size_t vnk_region_used(void);
vnh_size_t vnk_stacks_used(void);	/* bytes of that part, guards too */
unsigned long vnk_heap_check(void);	/* faults found around live items */

/* A line about an address, and two sites; returns 0 where it is of no item. */
struct vnh_heap_sites {
	vnh_uptr alloc_pc, free_pc;	/* 0 none */
};
int	 vnk_heap_describe(const void *addr, char *buf, vnh_size_t len,
	    struct vnh_heap_sites *sites);

/*
 * `n' host threads are attached; `quiet': where it is one, it may use the
 * caches of the heap unlocked.  busy: it is doing so still.
 */
void	 vnk_threads(int n, int quiet);
int	 vnk_threads_busy(void);

/* Allocations that fail: the first of nth, every, permille that is not 0. */
struct vnh_fail {
	vnh_u64	 nth, every;
	unsigned permille;
	vnh_u64	 seed;
	const char *name;		/* of type or zone, NULL any */
};
void	 vnk_fail_set(const struct vnh_fail *f);
void	 vnk_fail_off(void);
vnh_u64	 vnk_fail_hits(void);
vnh_u64	 vnk_fail_asked(void);

#endif /* LIBVNET_SEAM_HEAP_H */
