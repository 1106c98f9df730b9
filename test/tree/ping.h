/* SPDX-License-Identifier: BSD-2-Clause */
/* An ICMP echo and its reply, over a raw socket of the current vnet. */
#ifndef PING_H
#define PING_H

/*
 * To an IPv4 or IPv6 address as text; waits up to a virtual second for the
 * reply.  Returns 0 or a FreeBSD errno.
 */
int	ping(const char *to, int seq);

struct vnet;
/* The same from that vnet, each with a number of its own. */
int	ping_from(struct vnet *, const char *to);

#endif
