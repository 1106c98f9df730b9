/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The seam's part about a tree's network stack: interfaces, addresses, routes,
 * neighbours.  Kernel world's side is libvnet/net, which is linked with a
 * tree's stack only (STACK): host world asks for vnk_if_create first.
 *
 * All work in the current vnet, with its credential, and return kerr.
 */
#ifndef LIBVNET_SEAM_STACK_H
#define LIBVNET_SEAM_STACK_H

#include "seam.h"

#ifdef _KERNEL
#define VNK_STACK
#else
#define VNK_STACK __attribute__((weak))
#endif

#define VNK_IFNAME 16
#define VNK_LLADDR 20

/* Numbers in network byte order.  An empty zone is none. */
struct vnk_ip {
	int	 family;		/* 4, 6; 0 none */
	int	 prefix;		/* bits; -1 a host's */
	unsigned char bytes[16];
	char	 zone[VNK_IFNAME];	/* interface of a link-local address */
};

struct vnk_lladdr {
	unsigned len;			/* 0 none */
	unsigned char bytes[VNK_LLADDR];
};

struct vnk_if {
	char	 name[VNK_IFNAME];
	unsigned index;
	unsigned flags;			/* IFF_* */
	unsigned type;			/* IFT_* */
	int	 link;			/* LINK_STATE_*: 0 unknown, 1 down, 2 up */
	unsigned mtu;
	struct vnk_lladdr lladdr;
	vnh_u64	 ipackets, ierrors, opackets, oerrors, collisions;
	vnh_u64	 ibytes, obytes, imcasts, omcasts, iqdrops, oqdrops;
};

/* `cloner' may carry a unit; `name' receives what was made. */
int	 vnk_if_create(const char *cloner, char name[VNK_IFNAME]) VNK_STACK;
int	 vnk_if_destroy(const char *name) VNK_STACK;
/* To another vnet than the current one, where it may get another name. */
int	 vnk_if_move(const char *name, struct vnet *to,
	    char moved[VNK_IFNAME]) VNK_STACK;
int	 vnk_if_flags(const char *name, unsigned set, unsigned clear) VNK_STACK;
#define VNK_IF_PPROMISC 0x20000	/* promiscuous because one asked for it */
int	 vnk_if_mtu(const char *name, int mtu) VNK_STACK;
int	 vnk_if_address(const char *name, int add, const struct vnk_ip *ip,
	    const struct vnk_ip *peer) VNK_STACK;

/* Each interface, and behind it each of its addresses. */
struct vnk_if_visitor {
	void	(*interface)(void *arg, const struct vnk_if *);
	void	(*address)(void *arg, const struct vnk_ip *,
		    const struct vnk_ip *peer);
};
int	 vnk_if_each(const struct vnk_if_visitor *, void *arg) VNK_STACK;

struct vnk_route {
	struct vnk_ip dst;
	struct vnk_ip gateway;		/* family 0: through the interface */
	char	 interface[VNK_IFNAME];	/* may be empty */
	unsigned flags;			/* RTF_* */
	unsigned mtu;			/* 0 the interface's */
	unsigned weight;		/* 0 default; of several paths */
};
enum vnk_route_op { VNK_ROUTE_ADD, VNK_ROUTE_CHANGE, VNK_ROUTE_DELETE,
    VNK_ROUTE_GET };
/* GET: `r' becomes the answer. */
int	 vnk_route(enum vnk_route_op op, struct vnk_route *r) VNK_STACK;
int	 vnk_route_each(int family, void (*fn)(void *arg,
	    const struct vnk_route *), void *arg) VNK_STACK;

struct vnk_neighbour {
	struct vnk_ip ip;
	struct vnk_lladdr lladdr;
	char	 interface[VNK_IFNAME];
	int	 permanent;
	vnh_i64	 expires_s;		/* uptime; 0 never */
	int	 own;			/* an address of this vnet's */
	int	 router;
	int	 state;			/* ND6_LLINFO_* */
#define VNK_NEIGHBOUR_STATELESS (-100)	/* ARP's */
};
/* ADD (address, lladdr) and DELETE; `interface' may be empty. */
int	 vnk_neighbour(enum vnk_route_op op,
	    const struct vnk_neighbour *) VNK_STACK;
int	 vnk_neighbour_each(int family, void (*fn)(void *arg,
	    const struct vnk_neighbour *), void *arg) VNK_STACK;

#endif /* LIBVNET_SEAM_STACK_H */
