/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The seam's part about sockets: libvnet/net/lvn_socket.c, linked with a
 * tree's stack only.  Descriptors are the kernel process's, not the host's.
 * All return kerr and work with the credential of the current vnet; a socket
 * stays in the vnet that it was made in.
 */
#ifndef LIBVNET_SEAM_SOCKET_H
#define LIBVNET_SEAM_SOCKET_H

#include "seam_stack.h"

struct vnk_endpoint {
	struct vnk_ip ip;		/* family 0: none */
	unsigned port;
};
struct vnk_poll {			/* as struct pollfd */
	int	 fd;
	short	 events, revents;
};

int	 vnk_socket(int family, int type, int protocol, int *fd) VNK_STACK;
int	 vnk_socket_close(int fd) VNK_STACK;
int	 vnk_socket_bind(int fd, const struct vnk_endpoint *) VNK_STACK;
int	 vnk_socket_connect(int fd, const struct vnk_endpoint *) VNK_STACK;
int	 vnk_socket_listen(int fd, int backlog) VNK_STACK;
int	 vnk_socket_accept(int fd, int *accepted, struct vnk_endpoint *peer)
	    VNK_STACK;
/* `to' NULL: where it is connected to. */
int	 vnk_socket_send(int fd, const void *buf, vnh_size_t len, int flags,
	    const struct vnk_endpoint *to, vnh_size_t *sent) VNK_STACK;
int	 vnk_socket_receive(int fd, void *buf, vnh_size_t len, int *flags,
	    struct vnk_endpoint *from, vnh_size_t *received) VNK_STACK;
int	 vnk_socket_shutdown(int fd, int how) VNK_STACK;
int	 vnk_socket_set(int fd, int level, int name, const void *val,
	    unsigned len) VNK_STACK;
int	 vnk_socket_get(int fd, int level, int name, void *val,
	    unsigned *len) VNK_STACK;
int	 vnk_socket_nonblocking(int fd, int on) VNK_STACK;
int	 vnk_socket_name(int fd, int peer, struct vnk_endpoint *) VNK_STACK;
/* timeout_ns -1: for ever. */
int	 vnk_socket_poll(struct vnk_poll *, unsigned n, vnh_i64 timeout_ns,
	    int *ready) VNK_STACK;

struct vnk_kevent {			/* as struct kevent */
	vnh_uptr ident;
	short	 filter;
	unsigned short flags;
	unsigned fflags;
	vnh_i64	 data;
	void	*udata;
	vnh_u64	 ext[4];
};
int	 vnk_kqueue(int *fd) VNK_STACK;
int	 vnk_kqueue_close(int fd) VNK_STACK;
int	 vnk_kevent(int kq, const struct vnk_kevent *changes, unsigned nchanges,
	    struct vnk_kevent *events, unsigned nevents, vnh_i64 timeout_ns,
	    int *n) VNK_STACK;

#endif /* LIBVNET_SEAM_SOCKET_H */
