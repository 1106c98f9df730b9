/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS_STAT_H_
#define _SYS_STAT_H_

#include <sys/types.h>
#include <sys/time.h>

#define S_IFMT 0170000
#define S_IFIFO 0010000
#define S_IFCHR 0020000
#define S_IFREG 0100000
#define S_IFSOCK 0140000

/* What a device or a socket can say of itself. */
struct stat {
	uid_t st_uid;
	gid_t st_gid;
	mode_t st_mode;
	off_t st_size;
};

#endif /* _SYS_STAT_H_ */
