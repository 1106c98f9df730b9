/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS_POLL_H_
#define _SYS_POLL_H_

#include <sys/types.h>

typedef unsigned int nfds_t;

struct pollfd {
	int fd;
	short events;
	short revents;
};

#define POLLIN 0x0001
#define POLLPRI 0x0002
#define POLLOUT 0x0004
#define POLLRDNORM 0x0040
#define POLLWRNORM POLLOUT
#define POLLRDBAND 0x0080
#define POLLWRBAND 0x0100
#define POLLINIGNEOF 0x2000
#define POLLRDHUP 0x4000

/* Reported whether asked for or not. */
#define POLLERR 0x0008
#define POLLHUP 0x0010
#define POLLNVAL 0x0020

#define POLLSTANDARD							\
	(POLLIN | POLLPRI | POLLOUT | POLLRDNORM | POLLRDBAND |		\
	    POLLWRBAND | POLLERR | POLLHUP | POLLNVAL)
#define INFTIM (-1)

#endif /* _SYS_POLL_H_ */
