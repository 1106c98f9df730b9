/* SPDX-License-Identifier: BSD-2-Clause */
/* What the files of the API share that ask a tree's stack. */
#ifndef LIBVNET_API_STACK_H
#define LIBVNET_API_STACK_H

#include "api.h"
#include "seam_stack.h"

struct api_was {			/* before a call */
	struct vnet *vnet;
	struct ucred *cred;
};

/* LIBVNET_ENOTSUP, and what to do. */
int	api_no_stack(const char *who);
/*
 * In `vnet' (NULL: the current) from here to api_stack_end(), which takes
 * `was'.  0, or a failure: then there is no end.
 */
int	api_stack_begin(const char *who, struct vnet *vnet, int *kerr,
	    struct api_was *was);
/* Goes back, and makes the kernel's answer the call's; `object' may be NULL. */
int	api_stack_end(const char *who, const char *object, int answer,
	    int *kerr, struct api_was was);
/* A name of an interface: 0 or a failure. */
int	api_stack_name(const char *who, const char *name);

/* Text to address and back; `out' has LIBVNET_ADDRESS bytes. */
int	api_address_parse(const char *who, const char *text,
	    struct vnk_ip *ip);
void	api_address_text(const struct vnk_ip *ip, char *out);
void	api_lladdr_text(const struct vnk_lladdr *ll, char *out);

/* ---- neighbour.c: "" where ARP knows it */
const char *api_neighbour_state(const struct vnk_neighbour *);

#endif /* LIBVNET_API_STACK_H */
