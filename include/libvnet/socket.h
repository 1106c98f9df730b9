/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sockets of a tree's stack, as a program has them: the tree's own system
 * calls under socket(2) and its kin.
 *
 * For programs that link a stack (STACK); elsewhere each call answers
 * LIBVNET_ENOTSUP.  A socket is a descriptor of the kernel world's process,
 * no host descriptor.  It belongs to the vnet it was made in, and every call
 * on it is made there.  Calls block like a program's: the caller sleeps while
 * the rest of the machine runs and virtual time passes.  What nothing can wake
 * any more panics and says so.  To serve both sides of a connection use a
 * kernel thread for one of them, or sockets that do not block.
 *
 * Addresses are text ("10.0.0.1", "fe80::1%epair0a"; "0.0.0.0" and "::" any).
 * Options, flags and poll events are FreeBSD's numbers (SOL_SOCKET, MSG_PEEK,
 * POLLIN ...), which test files have from the kernel's headers.
 *
 * `kerr', which may be NULL, receives the kernel's own answer, 0 or a FreeBSD
 * errno; the call answers LIBVNET_EKERNEL when that is not 0 (EAGAIN of a
 * socket that does not block too), and libvnet_error() has its name.
 *
 * LIBVNET_EINVAL   an argument is NULL, or no address
 * LIBVNET_ENOVNET  `vnet' is not a vnet
 * LIBVNET_ETHREAD  the calling host thread is not attached
 */
#ifndef LIBVNET_SOCKET_H
#define LIBVNET_SOCKET_H

#include <libvnet/interface.h>

LIBVNET_BEGIN

enum libvnet_socket_type {	/* FreeBSD's SOCK_* */
	LIBVNET_STREAM = 1,
	LIBVNET_DGRAM = 2,
	LIBVNET_RAW = 3,
	LIBVNET_SEQPACKET = 5
};

/*
 * The new descriptor.  `family' is 4 or 6, or another of FreeBSD's AF_*;
 * `protocol' 0 is the type's usual one.
 */
int	libvnet_socket(struct vnet *vnet, int family, int type, int protocol,
	    int *kerr);
int	libvnet_socket_close(int fd, int *kerr);

int	libvnet_socket_bind(int fd, const char *address, unsigned port,
	    int *kerr);
int	libvnet_socket_listen(int fd, int backlog, int *kerr);
int	libvnet_socket_connect(int fd, const char *address, unsigned port,
	    int *kerr);

/* Who is at the other end, or whence a datagram came. */
struct libvnet_endpoint {
	char address[LIBVNET_ADDRESS];	/* "" unknown */
	unsigned port;
};
/* The new descriptor.  `peer' may be NULL. */
int	libvnet_socket_accept(int fd, struct libvnet_endpoint *peer, int *kerr);
/* The socket's own address, or its peer's. */
int	libvnet_socket_name(int fd, struct libvnet_endpoint *own, int *kerr);
int	libvnet_socket_peer(int fd, struct libvnet_endpoint *peer, int *kerr);

/* Octets sent, which a socket that does not block may make fewer. */
long	libvnet_socket_send(int fd, const void *buf, size_t len, int flags,
	    int *kerr);
long	libvnet_socket_sendto(int fd, const void *buf, size_t len, int flags,
	    const char *address, unsigned port, int *kerr);
/*
 * Octets received; 0 at the end of a stream.  `flags' (NULL: none) goes in
 * and out: MSG_TRUNC, MSG_EOR ...; `from' may be NULL.
 */
long	libvnet_socket_recv(int fd, void *buf, size_t len, int *kerr);
long	libvnet_socket_recvfrom(int fd, void *buf, size_t len, int *flags,
	    struct libvnet_endpoint *from, int *kerr);

/* 0 no more receiving, 1 no more sending, 2 both. */
int	libvnet_socket_shutdown(int fd, int how, int *kerr);

/* `len' of the get goes in as room and comes out as length. */
int	libvnet_socket_set(int fd, int level, int option, const void *value,
	    size_t len, int *kerr);
int	libvnet_socket_set_int(int fd, int level, int option, int value,
	    int *kerr);
int	libvnet_socket_get(int fd, int level, int option, void *value,
	    size_t *len, int *kerr);
int	libvnet_socket_nonblocking(int fd, bool on, int *kerr);

struct libvnet_poll {		/* as FreeBSD's struct pollfd */
	int fd;
	short events, revents;
};
#define LIBVNET_POLL_MAX 1024	/* descriptors in one call */
/*
 * How many are ready; 0 after `timeout_ns' of virtual time (0: look once,
 * -1: wait for ever).
 */
int	libvnet_socket_poll(struct libvnet_poll *polls, unsigned n,
	    int64_t timeout_ns, int *kerr);

/* ---- kqueue(2) */

/* As FreeBSD's struct kevent; filters and flags are from <sys/event.h>. */
struct libvnet_kevent {
	uintptr_t ident;		/* descriptor, or a timer's number ... */
	short filter;			/* EVFILT_READ, EVFILT_WRITE ... */
	unsigned short flags;		/* EV_ADD, EV_CLEAR ... */
	unsigned fflags;
	int64_t data;
	void *udata;
	uint64_t ext[4];
};
#define LIBVNET_KEVENT_MAX 1024		/* changes, and events, in one call */

/* The new queue's descriptor. */
int	libvnet_kqueue(int *kerr);
int	libvnet_kqueue_close(int kq, int *kerr);
/*
 * Makes the changes, then waits for events: how many there are, at most
 * `nevents' (0: does not wait); 0 after `timeout_ns' of virtual time (0: looks
 * once, -1: waits for ever).  A change that is refused is an event with
 * EV_ERROR where there is room, else the call's *kerr.
 */
int	libvnet_kevent(int kq, const struct libvnet_kevent *changes,
	    unsigned nchanges, struct libvnet_kevent *events, unsigned nevents,
	    int64_t timeout_ns, int *kerr);

LIBVNET_END

#endif /* LIBVNET_SOCKET_H */
