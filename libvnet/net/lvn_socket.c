/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: what a program does with sockets: the system calls' own bodies
 * (kern_socket() and its kin), from the tree.
 * Fidelity: exact
 * Differs: a call is made with the credential of the socket's vnet, whoever
 * makes it.
 */
#include "opt_inet.h"
#include "opt_inet6.h"

#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/capsicum.h>
#include <sys/fcntl.h>
#include <sys/file.h>
#include <sys/filio.h>
#include <sys/filedesc.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/poll.h>
#include <sys/proc.h>
#include <sys/protosw.h>
#include <sys/socket.h>
#include <sys/socketvar.h>
#include <sys/syscallsubr.h>
#include <sys/uio.h>
#include <net/vnet.h>
#include <netinet/in.h>

#include <seam_socket.h>
#include "lvn.h"

/* Into the vnet of a socket; goes back by leave(). */
static int
enter(int fd, struct vnet **was)
{
	struct file *fp;
	int error = fget(curthread, fd, &cap_no_rights, &fp);

	if (error != 0)
		return (error);
	if (fp->f_type != DTYPE_SOCKET)
		error = ENOTSOCK;
#ifdef VIMAGE
	else {
		/* Who is there already keeps the credential it has. */
		*was = curvnet;
		if (curvnet != ((struct socket *)fp->f_data)->so_vnet)
			(void)vnk_vnet_switch(
			    ((struct socket *)fp->f_data)->so_vnet);
	}
#else
	else
		*was = NULL;
#endif
	fdrop(fp, curthread);
	return (error);
}

static void
leave(struct vnet *was __unused)
{
#ifdef VIMAGE
	if (curvnet != was)
		(void)vnk_vnet_switch(was);
#endif
}

static int
endpoint(union lvn_addr *u, const struct vnk_endpoint *e)
{
	int error = lvn_addr(u, &e->ip);

	if (error != 0)
		return (error);
	/* The port is in the same place in both families. */
	((struct sockaddr_in *)u)->sin_port = htons((uint16_t)e->port);
	return (0);
}

static void
told(struct vnk_endpoint *e, const struct sockaddr *sa)
{
	memset(e, 0, sizeof(*e));
	if (sa == NULL || (sa->sa_family != AF_INET &&
	    sa->sa_family != AF_INET6))
		return;
	lvn_ip(&e->ip, sa, NULL);
	e->port = ntohs(((const struct sockaddr_in *)sa)->sin_port);
}

int
vnk_socket(int family, int type, int protocol, int *fd)
{
	int error = kern_socket(curthread, family == 4 ? AF_INET :
	    family == 6 ? AF_INET6 : family, type, protocol);

	if (error == 0)
		*fd = (int)curthread->td_retval[0];
	return (error);
}

int
vnk_socket_close(int fd)
{
	struct vnet *was;
	int error = enter(fd, &was);

	if (error != 0)
		return (error);
	error = kern_close(curthread, fd);
	leave(was);
	return (error);
}

static int
with_address(int fd, const struct vnk_endpoint *e,
    int (*call)(struct thread *, int, int, struct sockaddr *))
{
	union lvn_addr sa;
	struct vnet *was;
	int error = enter(fd, &was);

	if (error != 0)
		return (error);
	error = endpoint(&sa, e);
	if (error == 0)
		error = call(curthread, AT_FDCWD, fd, (struct sockaddr *)&sa);
	leave(was);
	return (error);
}

int
vnk_socket_bind(int fd, const struct vnk_endpoint *e)
{
	return (with_address(fd, e, kern_bindat));
}

int
vnk_socket_connect(int fd, const struct vnk_endpoint *e)
{
	return (with_address(fd, e, kern_connectat));
}

int
vnk_socket_listen(int fd, int backlog)
{
	struct vnet *was;
	int error = enter(fd, &was);

	if (error != 0)
		return (error);
	error = kern_listen(curthread, fd, backlog);
	leave(was);
	return (error);
}

#if __FreeBSD_version >= 1500000
static int
accept_from(int fd, struct vnk_endpoint *peer)
{
	struct sockaddr_storage ss = { .ss_len = sizeof(ss) };
	int error = kern_accept4(curthread, fd, (struct sockaddr *)&ss,
	    ACCEPT4_INHERIT, NULL);

	if (error == 0)
		told(peer, (struct sockaddr *)&ss);
	return (error);
}

static int
name_of(int fd, int peer, struct vnk_endpoint *e)
{
	struct sockaddr_storage ss = { .ss_len = sizeof(ss) };
	struct sockaddr *sa = (struct sockaddr *)&ss;
	int error = peer ? kern_getpeername(curthread, fd, sa) :
	    kern_getsockname(curthread, fd, sa);

	if (error == 0)
		told(e, sa);
	return (error);
}
#else
static int
accept_from(int fd, struct vnk_endpoint *peer)
{
	struct sockaddr *sa = NULL;
	socklen_t len = sizeof(struct sockaddr_storage);
	int error = kern_accept4(curthread, fd, &sa, &len, ACCEPT4_INHERIT,
	    NULL);

	if (error == 0)
		told(peer, sa);
	free(sa, M_SONAME);
	return (error);
}

static int
name_of(int fd, int peer, struct vnk_endpoint *e)
{
	struct sockaddr *sa = NULL;
	socklen_t len = sizeof(struct sockaddr_storage);
	int error = peer ? kern_getpeername(curthread, fd, &sa, &len) :
	    kern_getsockname(curthread, fd, &sa, &len);

	if (error == 0)
		told(e, sa);
	free(sa, M_SONAME);
	return (error);
}
#endif

int
vnk_socket_accept(int fd, int *accepted, struct vnk_endpoint *peer)
{
	struct vnet *was;
	int error = enter(fd, &was);

	if (error != 0)
		return (error);
	error = accept_from(fd, peer);
	if (error == 0)
		*accepted = (int)curthread->td_retval[0];
	leave(was);
	return (error);
}

int
vnk_socket_name(int fd, int peer, struct vnk_endpoint *e)
{
	struct vnet *was;
	int error = enter(fd, &was);

	if (error != 0)
		return (error);
	error = name_of(fd, peer, e);
	leave(was);
	return (error);
}

int
vnk_socket_send(int fd, const void *buf, vnh_size_t len, int flags,
    const struct vnk_endpoint *to, vnh_size_t *sent)
{
	struct iovec iov = { __DECONST(void *, buf), len };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
	union lvn_addr sa;
	struct vnet *was;
	int error = enter(fd, &was);

	if (error != 0)
		return (error);
	if (to != NULL && (error = endpoint(&sa, to)) == 0) {
		msg.msg_name = &sa;
		msg.msg_namelen = ((struct sockaddr *)&sa)->sa_len;
	}
	if (error == 0)
		error = kern_sendit(curthread, fd, &msg, flags, NULL,
		    UIO_SYSSPACE);
	*sent = error == 0 ? (vnh_size_t)curthread->td_retval[0] : 0;
	leave(was);
	return (error);
}

int
vnk_socket_receive(int fd, void *buf, vnh_size_t len, int *flags,
    struct vnk_endpoint *from, vnh_size_t *received)
{
	struct sockaddr_storage ss = { .ss_len = 0 };
	struct iovec iov = { buf, len };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1,
	    .msg_name = &ss, .msg_namelen = sizeof(ss), .msg_flags = *flags };
	struct vnet *was;
	int error = enter(fd, &was);

	if (error != 0)
		return (error);
	error = kern_recvit(curthread, fd, &msg, UIO_SYSSPACE, NULL);
	*received = error == 0 ? (vnh_size_t)curthread->td_retval[0] : 0;
	*flags = msg.msg_flags;
	told(from, msg.msg_namelen != 0 ? (struct sockaddr *)&ss : NULL);
	leave(was);
	return (error);
}

int
vnk_socket_shutdown(int fd, int how)
{
	struct vnet *was;
	int error = enter(fd, &was);

	if (error != 0)
		return (error);
	error = kern_shutdown(curthread, fd, how);
	leave(was);
	return (error);
}

/*
 * Values of options are user memory, as a program's are; for the kernel's own
 * memory there would be no thread in the sockopt, whose privilege ipfw asks
 * for.
 */
int
vnk_socket_set(int fd, int level, int name, const void *val, unsigned len)
{
	struct vnet *was;
	int error = enter(fd, &was);

	if (error != 0)
		return (error);
	error = kern_setsockopt(curthread, fd, level, name,
	    __DECONST(void *, val), UIO_USERSPACE, len);
	leave(was);
	return (error);
}

int
vnk_socket_get(int fd, int level, int name, void *val, unsigned *len)
{
	socklen_t size = *len;
	struct vnet *was;
	int error = enter(fd, &was);

	if (error != 0)
		return (error);
	error = kern_getsockopt(curthread, fd, level, name, val, UIO_USERSPACE,
	    &size);
	*len = size;
	leave(was);
	return (error);
}

int
vnk_socket_nonblocking(int fd, int on)
{
	struct file *fp;
	int error = fget(curthread, fd, &cap_no_rights, &fp);

	if (error != 0)
		return (error);
	if (on)
		atomic_set_int(&fp->f_flag, FNONBLOCK);
	else
		atomic_clear_int(&fp->f_flag, FNONBLOCK);
	error = fo_ioctl(fp, FIONBIO, &on, curthread->td_ucred, curthread);
	fdrop(fp, curthread);
	return (error);
}

CTASSERT(sizeof(struct vnk_poll) == sizeof(struct pollfd));

int
vnk_socket_poll(struct vnk_poll *p, unsigned n, vnh_i64 timeout_ns,
    int *ready)
{
	struct timespec ts = { .tv_sec = timeout_ns / 1000000000,
	    .tv_nsec = timeout_ns % 1000000000 };
	int error = kern_poll(curthread, (struct pollfd *)p, n,
	    timeout_ns < 0 ? NULL : &ts, NULL);

	if (error == 0)
		*ready = (int)curthread->td_retval[0];
	return (error);
}
