/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A vnet that has much to do with what arrives: addresses of both families,
 * sockets that listen, groups joined, forwarding, tunnels, both firewalls.
 */
#ifndef TARGET_H
#define TARGET_H

#include <libvnet/test.h>

#define TARGET_4 "10.0.0.1"
#define TARGET_6 "2001:db8::1"
#define TARGET_PEER_4 "10.0.0.2"
#define TARGET_PEER_6 "2001:db8::2"

struct target {
	struct vnet *v;
	struct libvnet_link *link;	/* the port is end B */
	char name[LIBVNET_IFNAME];
	uint8_t mac[6];
	int fd[8];
	unsigned nfd;
};

void	target_begin(struct target *, struct vnet *);
/* Closes, and lets timers end; what waits for the rest is given up. */
void	target_end(struct target *);

/* A frame into the port; the machine then runs until it is idle. */
void	target_send(struct target *, const void *frame, uint32_t length);
/* It still answers a ping from its neighbour. */
void	target_assert_alive(struct target *);

/*
 * Makes the frame one for the target: its MAC address, its IP address in the
 * outer header, and checksums that are right where they were.  False: no IP.
 */
bool	target_redirect(const struct target *, uint8_t *frame,
	    uint32_t length);

#endif /* TARGET_H */
