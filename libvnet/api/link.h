/* SPDX-License-Identifier: BSD-2-Clause */
/* What link.c and packet_link.c share. */
#ifndef LIBVNET_API_LINK_H
#define LIBVNET_API_LINK_H

#include "seam_link.h"
#include "stack.h"

/* 0, or what is wrong with the link or its end. */
int	api_link_begin(const char *who, const struct libvnet_link *link,
	    int end);

static inline struct vnk_link *
api_link(struct libvnet_link *link)
{
	return ((struct vnk_link *)(void *)link);
}

#endif /* LIBVNET_API_LINK_H */
