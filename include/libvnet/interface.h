/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Network interfaces of a tree's stack, as ifconfig(8) has them.
 *
 * For programs that link one (STACK); elsewhere each call answers
 * LIBVNET_ENOTSUP.  The stack is asked the way a program asks it, by ioctl(2)
 * on a socket and by sysctl(3); what it does (duplicate address detection,
 * say) may take virtual time that the test lets pass.
 *
 * `vnet' says where; NULL is the current one.  `kerr', which may be NULL,
 * receives the kernel's own answer, 0 or a FreeBSD errno; the call answers
 * LIBVNET_EKERNEL when that is not 0, and libvnet_error() has its name.
 *
 * LIBVNET_EINVAL   an argument is NULL, a name too long, an address no address
 * LIBVNET_ENOVNET  `vnet' is not a vnet, or NULL with none current
 */
#ifndef LIBVNET_INTERFACE_H
#define LIBVNET_INTERFACE_H

#include <libvnet/types.h>

LIBVNET_BEGIN

#define LIBVNET_IFNAME 16	/* with the NUL */
#define LIBVNET_ADDRESS 72	/* room for an address as text */

/*
 * `cloner' is a kind of interface ("epair", "vlan", "gif" ...), or one with
 * its unit ("vlan7").  `name' receives the name of what was made: of a pair
 * the a side.
 */
int	libvnet_if_create(struct vnet *vnet, const char *cloner,
	    char name[LIBVNET_IFNAME], int *kerr);
/* 13 destroys what was moved only where it was made, and else says ENXIO. */
int	libvnet_if_destroy(struct vnet *vnet, const char *name, int *kerr);

/* Addresses and routes that it had are gone afterwards. */
int	libvnet_if_move(struct vnet *from, const char *name, struct vnet *to,
	    int *kerr);

/*
 * A wire: an epair whose ends are in `a' and `b', both up.  The names are the
 * ends'.  It is made in vnet0; to destroy it earlier than its vnets, move an end
 * back there.
 */
int	libvnet_if_epair(struct vnet *a, struct vnet *b,
	    char a_name[LIBVNET_IFNAME], char b_name[LIBVNET_IFNAME], int *kerr);

int	libvnet_if_up(struct vnet *vnet, const char *name, int *kerr);
int	libvnet_if_down(struct vnet *vnet, const char *name, int *kerr);
int	libvnet_if_promisc(struct vnet *vnet, const char *name, bool on,
	    int *kerr);
int	libvnet_if_mtu(struct vnet *vnet, const char *name, int mtu, int *kerr);

/*
 * "10.0.0.1/24", "2001:db8::1/64"; without a prefix a host's own.  With
 * "10.0.0.1/32 10.0.0.2" the second is the other end's.
 */
int	libvnet_if_address_add(struct vnet *vnet, const char *name,
	    const char *address, int *kerr);
int	libvnet_if_address_remove(struct vnet *vnet, const char *name,
	    const char *address, int *kerr);

/* ---- looking */

enum libvnet_if_flags {		/* the usual ones of FreeBSD's IFF_* */
	LIBVNET_IF_UP = 0x1,
	LIBVNET_IF_BROADCAST = 0x2,
	LIBVNET_IF_LOOPBACK = 0x8,
	LIBVNET_IF_POINTOPOINT = 0x10,
	LIBVNET_IF_RUNNING = 0x40,
	LIBVNET_IF_PROMISC = 0x100,
	LIBVNET_IF_MULTICAST = 0x8000
};

struct libvnet_if {
	char name[LIBVNET_IFNAME];
	char lladdr[LIBVNET_ADDRESS];	/* "02:00:00:00:00:0a", or "" */
	unsigned index;
	unsigned flags;
	int link;			/* -1 unknown, 0 down, 1 up */
	int mtu;
	uint64_t ipackets, ierrors, ibytes, imcasts, iqdrops;
	uint64_t opackets, oerrors, obytes, omcasts, oqdrops;
	uint64_t collisions;
};

/* LIBVNET_ENOENT: there is none of that name, not so many. */
int	libvnet_if_get(struct vnet *vnet, const char *name,
	    struct libvnet_if *out);
int	libvnet_if_nth(struct vnet *vnet, unsigned n, struct libvnet_if *out);
/* The n-th of its addresses, from 0, as text with its prefix. */
int	libvnet_if_address(struct vnet *vnet, const char *name, unsigned n,
	    char out[LIBVNET_ADDRESS]);

/*
 * The name of a FreeBSD errno with its meaning, "EEXIST: file exists"; never
 * NULL.
 */
const char *libvnet_kerr_text(int kerr);

LIBVNET_END

#endif /* LIBVNET_INTERFACE_H */
