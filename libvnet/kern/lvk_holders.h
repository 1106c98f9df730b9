/* SPDX-License-Identifier: BSD-2-Clause */
/* Live items of memory that name an object. */
#ifndef LVK_HOLDERS_H
#define LVK_HOLDERS_H

#include <lvk.h>

struct lvk_holders {
	u_long h_count;
	const char *h_kind, *h_name;	/* of the first */
	vnh_uptr h_pc;			/* who allocated it, 0 none */
};

/* But one that is no holder.  Slow: for reports. */
void	lvk_holders_find(const void *target, const void *but,
	    struct lvk_holders *);
/* The end of a message, empty where there is none; and the first one's site. */
const char *lvk_holders_text(const void *target, const void *but, char *buf,
	    size_t size, vnh_uptr *pc);

#endif /* LVK_HOLDERS_H */
