/* SPDX-License-Identifier: BSD-2-Clause */
/* System calls, as the kernel calls them itself. */
#ifndef _SYS_SYSCALLSUBR_H_
#define _SYS_SYSCALLSUBR_H_

#include <sys/types.h>
#include <sys/signal.h>

struct filecaps;
struct kevent;
struct kevent_copyops;
struct pollfd;
struct thread;
struct timespec;
struct uio;

int	kern_close(struct thread *, int fd);
int	kern_ioctl(struct thread *, int fd, u_long cmd, caddr_t data);
int	kern_kevent(struct thread *, int fd, int nchanges, int nevents,
	    struct kevent_copyops *, const struct timespec *);
int	kern_kqueue(struct thread *, int flags, struct filecaps *);
int	kern_poll(struct thread *, struct pollfd *, u_int nfds,
	    struct timespec *, sigset_t *);
int	kern_posix_error(struct thread *, int error);
int	kern_readv(struct thread *, int fd, struct uio *);
int	kern_writev(struct thread *, int fd, struct uio *);

#endif
