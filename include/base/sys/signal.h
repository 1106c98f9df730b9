/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS_SIGNAL_H_
#define _SYS_SIGNAL_H_

#include <sys/types.h>

#define SIGINT 2
#define SIGKILL 9
#define SIGPIPE 13
#define SIGTERM 15
#define SIGURG 16
#define SIGIO 23

#define _SIG_WORDS 4
#define _SIG_MAXSIG 128

typedef struct __sigset {
	uint32_t __bits[_SIG_WORDS];
} sigset_t;

#endif
