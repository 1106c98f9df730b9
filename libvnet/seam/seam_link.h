/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The seam's part about links that the test owns: libvnet/net/lvn_link.c and
 * lvn_wire.c, linked with a tree's stack only.
 */
#ifndef LIBVNET_SEAM_LINK_H
#define LIBVNET_SEAM_LINK_H

#include "seam_stack.h"

struct vnk_link;

/* What one direction does to frames; see include/libvnet/link.h. */
struct vnk_wire_options {
	vnh_u64	 delay_ns, jitter_ns;
	vnh_u64	 rate_bps;
	vnh_u64	 queue_bytes;
	unsigned loss_ppm, duplicate_ppm, reorder_ppm, corrupt_ppm;
	vnh_u64	 reorder_ns;
};
struct vnk_wire_stats {
	vnh_u64	 sent, delivered, bytes;
	vnh_u64	 lost, overflowed, filtered;
	vnh_u64	 duplicated, reordered, corrupted;
};

/*
 * Ends in `v[0]' and `v[1]'; NULL: the test holds that end.  name[e] receives
 * the interface, or "".  Returns kerr.
 */
int	 vnk_link_create(struct vnet *v0, struct vnet *v1, vnh_u64 seed,
	    struct vnk_link **, char name[2][VNK_IFNAME]) VNK_STACK;
void	 vnk_link_destroy(struct vnk_link *) VNK_STACK;
int	 vnk_link_alive(const struct vnk_link *) VNK_STACK;
/* The direction from end `e'. */
void	 vnk_wire_set(struct vnk_link *, int e,
	    const struct vnk_wire_options *) VNK_STACK;
void	 vnk_wire_stats(struct vnk_link *, int e, struct vnk_wire_stats *)
	    VNK_STACK;

/*
 * Sees each frame from end `e' before anything happens to it (`arrived' 0)
 * and as it arrives (1).  Called in kernel context.  Of a frame that was not
 * yet sent a non-zero answer drops it.
 */
typedef int vnk_wire_tap(void *arg, vnh_i64 now_ns, int arrived,
	    const unsigned char *frame, unsigned len);
void	 vnk_wire_watch(struct vnk_link *, int e, vnk_wire_tap *, void *arg)
	    VNK_STACK;
void	 vnk_wire_filter(struct vnk_link *, int e, vnk_wire_tap *, void *arg)
	    VNK_STACK;

/* The `arg' of who watches now, NULL nobody. */
void	*vnk_wire_watcher(struct vnk_link *, int e) VNK_STACK;

/* The test's own end: kerr, EDOOFUS where `e' is an interface. */
int	 vnk_port_send(struct vnk_link *, int e, const void *frame,
	    unsigned len) VNK_STACK;
/* The length of the next frame, whatever of it fitted; -1 none there. */
int	 vnk_port_receive(struct vnk_link *, int e, void *buf, unsigned size,
	    vnh_i64 *when_ns) VNK_STACK;

#endif /* LIBVNET_SEAM_LINK_H */
