/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS__LOCK_H_
#define _SYS__LOCK_H_

#include <sys/types.h>

struct witness;
struct lock_object {
	const char *lo_name;
	u_int lo_flags;
	u_int lo_data;			/* recursion count */
	struct witness *lo_witness;
};

/* Every lock operation is a call that knows its file and line. */
#define LOCK_DEBUG 1
#define LOCK_FILE_LINE_ARG_DEF , const char *file, int line
#define LOCK_FILE_LINE_ARG , file, line
#define LOCK_FILE __FILE__
#define LOCK_LINE __LINE__

#endif
