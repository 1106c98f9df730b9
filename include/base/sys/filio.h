/* SPDX-License-Identifier: BSD-2-Clause */
/* ioctl commands that every file understands, or is asked. */
#ifndef _SYS_FILIO_H_
#define _SYS_FILIO_H_

#include <sys/types.h>
#include <sys/ioccom.h>

#define FIOCLEX _IO('f', 1)
#define FIONCLEX _IO('f', 2)
#define FIONREAD _IOR('f', 127, int)
#define FIONBIO _IOW('f', 126, int)
#define FIOASYNC _IOW('f', 125, int)
#define FIOSETOWN _IOW('f', 124, int)
#define FIOGETOWN _IOR('f', 123, int)
#define FIODTYPE _IOR('f', 122, int)

struct fiodgname_arg {
	int len;
	void *buf;
};
#define FIODGNAME _IOW('f', 120, struct fiodgname_arg)
#define FIONWRITE _IOR('f', 119, int)
#define FIONSPACE _IOR('f', 118, int)

#endif /* _SYS_FILIO_H_ */
