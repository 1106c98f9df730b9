/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS_FCNTL_H_
#define _SYS_FCNTL_H_

#include <sys/types.h>

#define O_RDONLY 0x0000
#define O_WRONLY 0x0001
#define O_RDWR 0x0002
#define O_ACCMODE 0x0003

/* What the kernel keeps in f_flag: open()'s access modes, plus one. */
#define FREAD 0x0001
#define FWRITE 0x0002

#define O_NONBLOCK 0x0004
#define O_APPEND 0x0008
#define O_ASYNC 0x0040
#define O_DIRECT 0x00010000
#define O_CLOEXEC 0x00100000
#define FNONBLOCK O_NONBLOCK
#define FASYNC O_ASYNC
#define FAPPEND O_APPEND
#define FHASLOCK 0x4000

/* Zero is no access mode: the two lowest bits count from one. */
#define FFLAGS(oflags) ((oflags) + 1)
#define OFLAGS(fflags) ((fflags) - 1)

#endif /* _SYS_FCNTL_H_ */
