/* SPDX-License-Identifier: BSD-2-Clause */
/* A stream from one vnet to another, whose every octet is checked. */
#ifndef TRANSFER_H
#define TRANSFER_H

struct vnet;
struct libvnet_link;
struct libvnet_wire;

#define MS 1000000ULL			/* ns */

/*
 * A link between the two, 10.0.0.1 and 2001:db8::1 at `a', 10.0.0.2 and
 * 2001:db8::2 at `b', ready for use.
 */
struct libvnet_link *wire(struct vnet *a, struct vnet *b,
	    const struct libvnet_wire *);

struct transfer {
	struct vnet *from, *to;
	const char *address;		/* of the receiver */
	int family;			/* 4 or 6 */
	int protocol;			/* 0 TCP, or IPPROTO_SCTP */
	size_t bytes;
	const char *congestion;		/* TCP_CONGESTION; NULL the default */
	const char *stack;		/* TCP_FUNCTION_BLK; NULL the default */
	int buffer;			/* SO_SNDBUF, SO_RCVBUF; 0 the default */
	/* out: */
	int64_t elapsed_ns;		/* virtual, from connect to the end */
	size_t received;
	char error[160];		/* "" all is well */
};

/* True: all arrived, in order, unaltered. */
bool	transfer_run(struct transfer *);

#endif /* TRANSFER_H */
