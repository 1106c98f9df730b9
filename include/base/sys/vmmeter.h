/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS_VMMETER_H_
#define _SYS_VMMETER_H_

#include <sys/types.h>

struct vmmeter {
	u_int v_page_size;
	u_int v_page_count;
};
extern struct vmmeter vm_cnt;

#endif
