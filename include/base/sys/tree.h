/* SPDX-License-Identifier: BSD-2-Clause */
/* tree(3) as libbsd ships it; see sys/queue.h. */
#ifndef _SYS_TREE_H_
#define _SYS_TREE_H_

#include <sys/cdefs.h>
#ifndef LIBBSD_OVERLAY
#define LIBBSD_OVERLAY
#endif
#include <libvnet_bsd/tree.h>

#endif
