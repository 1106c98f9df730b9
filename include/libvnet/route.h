/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Routes and neighbours of a tree's stack, as route(8), netstat -r, arp(8) and
 * ndp(8) have them.  What <libvnet/interface.h> says of arguments and errors
 * holds here too.
 */
#ifndef LIBVNET_ROUTE_H
#define LIBVNET_ROUTE_H

#include <libvnet/interface.h>

LIBVNET_BEGIN

/*
 * `dst' is "10.2.0.0/16", "2001:db8::/32", a host's address, or "default" and
 * "default6".  `via' is a gateway's address, or the name of an interface
 * behind which the destination is.
 */
int	libvnet_route_add(struct vnet *vnet, const char *dst, const char *via,
	    int *kerr);
int	libvnet_route_change(struct vnet *vnet, const char *dst,
	    const char *via, int *kerr);
/* `via' may be NULL; of several paths it says which. */
int	libvnet_route_delete(struct vnet *vnet, const char *dst,
	    const char *via, int *kerr);

struct libvnet_route {
	char dst[LIBVNET_ADDRESS];	/* with its prefix; "default" */
	char gateway[LIBVNET_ADDRESS];	/* "" straight through the interface */
	char name[LIBVNET_IFNAME];	/* interface */
	unsigned flags;			/* FreeBSD's RTF_* */
	unsigned mtu, weight;
};

/* The route that a packet to that host takes.  kerr ESRCH: none. */
int	libvnet_route_get(struct vnet *vnet, const char *host,
	    struct libvnet_route *out, int *kerr);
/*
 * The n-th route, from 0, in the order of the table; `family' is 4 or 6.
 * LIBVNET_ENOENT: there are not so many.
 */
int	libvnet_route_nth(struct vnet *vnet, int family, unsigned n,
	    struct libvnet_route *out);

/* ---- neighbours */

/*
 * Until it is deleted the neighbour has that link-layer address
 * ("02:00:00:00:00:0a"); it takes the place of what was learnt.  `name' is
 * the interface behind which it is; NULL: where the route to it goes, which
 * must not be by a gateway (kerr EHOSTUNREACH).  An address of the vnet's own
 * is refused (kerr EPERM or ENOMEM, as the tree does).
 */
int	libvnet_neighbour_add(struct vnet *vnet, const char *address,
	    const char *lladdr, const char *name, int *kerr);
/* kerr ENOENT: there is none; EPERM: it is an address of the vnet's own. */
int	libvnet_neighbour_delete(struct vnet *vnet, const char *address,
	    const char *name, int *kerr);

struct libvnet_neighbour {
	char address[LIBVNET_ADDRESS];
	char lladdr[LIBVNET_ADDRESS];	/* "" while it is not known */
	char name[LIBVNET_IFNAME];
	bool permanent;
	int64_t expires_s;		/* uptime */
	bool own;			/* an address of this vnet */
	bool router;
	/*
	 * "incomplete" while it is asked for, else "" (4) or "reachable",
	 * "stale", "delay", "probe", "nostate" (6).
	 */
	char state[12];
};

/* The n-th of ARP's (4) or neighbour discovery's (6) table, from 0. */
int	libvnet_neighbour_nth(struct vnet *vnet, int family, unsigned n,
	    struct libvnet_neighbour *out);

LIBVNET_END

#endif /* LIBVNET_ROUTE_H */
