/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The seam's part about what netstat(1) prints and seam_stack.h has not:
 * sockets, protocols' counters; linked with a tree's stack only.  All work in
 * the current vnet and return kerr.
 */
#ifndef LIBVNET_SEAM_SHOW_H
#define LIBVNET_SEAM_SHOW_H

#include "seam_socket.h"

struct vnk_socket {
	const char *protocol;		/* "tcp", "udp" ... */
	int	 four, six;		/* which families it is for */
	struct vnk_endpoint local, foreign;	/* family 0, port 0: any */
	unsigned received, unsent;	/* octets in its buffers */
	const char *state;		/* "" of protocols without */
};
/* Each in the order of the stack's own lists. */
int	 vnk_socket_each(void (*fn)(void *arg, const struct vnk_socket *),
	    void *arg) VNK_STACK;

/*
 * The counters of each protocol's struct of statistics, by the names of its
 * fields; `index' is -1 where the field is no array.
 */
struct vnk_counter {
	const char *protocol, *name;
	int	 index;
	vnh_u64	 value;
};
int	 vnk_counter_each(void (*fn)(void *arg, const struct vnk_counter *),
	    void *arg) VNK_STACK;

/* Of an address of an interface, IN6_IFF_*. */
int	 vnk_if_address6_flags(const char *name, const struct vnk_ip *,
	    unsigned *flags) VNK_STACK;

#endif /* LIBVNET_SEAM_SHOW_H */
