/* SPDX-License-Identifier: BSD-2-Clause */
/* Did a handler give back what it took?  Used with INVARIANTS only. */
#ifndef LVK_HANDLER_H
#define LVK_HANDLER_H

#include <sys/types.h>

struct handler_state {
	int hs_locks;
	u_int hs_critnest, hs_no_sleeping;
	struct vnet *hs_vnet;
};

/* What the current thread holds now. */
struct handler_state handler_enter(void);
/*
 * NULL, or what is wrong as the end of "handler returned ...".  `released' is
 * the number of its caller's locks that the handler had to release.
 */
const char *handler_exit(const struct handler_state *, int released);

#endif
