/* SPDX-License-Identifier: BSD-2-Clause */
/* What the files of libvnet_show() share: text that grows. */
#ifndef LIBVNET_API_SHOW_H
#define LIBVNET_API_SHOW_H

#include <libvnet/show.h>

#include "stack.h"
#include "seam_show.h"

struct api_text {
	char *at;
	size_t len, room;
	bool full;			/* there was no memory */
};
void	api_text_add(struct api_text *, const char *fmt, ...)
	    __attribute__((format(printf, 2, 3)));

/* The parts, in the current vnet; return kerr. */
int	api_show_interfaces(struct api_text *);
int	api_show_counters(struct api_text *);
int	api_show_routes(struct api_text *);
int	api_show_neighbours(struct api_text *);
int	api_show_sockets(struct api_text *);
int	api_show_statistics(struct api_text *);

#endif /* LIBVNET_API_SHOW_H */
