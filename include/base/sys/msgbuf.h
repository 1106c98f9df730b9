/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS_MSGBUF_H_
#define _SYS_MSGBUF_H_

#include <sys/lock.h>
#include <sys/mutex.h>

struct msgbuf {
	char *msg_ptr;
	u_int msg_magic;
	u_int msg_size;
	u_int msg_wseq;
	u_int msg_rseq;
	struct mtx msg_lock;
};

#endif
