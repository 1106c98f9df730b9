/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sysctl(8) and counters by name, per vnet.
 *
 * `vnet' says in which vnet a CTLFLAG_VNET node is read; NULL means the
 * current one.  `kerr', if not NULL, receives the kernel's own answer: 0 or
 * a FreeBSD errno (its numbers are not the host's).  The API answers
 * LIBVNET_EKERNEL when that is not 0.
 *
 * LIBVNET_ENOENT  no such name
 * LIBVNET_ETYPE   the node is not of the kind that the call is for
 * LIBVNET_ENOVNET `vnet' is not a vnet, or NULL with none current
 */
#ifndef LIBVNET_SYSCTL_H
#define LIBVNET_SYSCTL_H

#include <libvnet/types.h>

LIBVNET_BEGIN

/* An integer node of any width, sign extended. */
int	libvnet_sysctl_get(struct vnet *vnet, const char *name, int64_t *value,
	    int *kerr);
/* LIBVNET_EINVAL: the value does not fit in the node's type. */
int	libvnet_sysctl_set(struct vnet *vnet, const char *name, int64_t value,
	    int *kerr);

/*
 * The raw bytes.  *size is the room in `old' and becomes what there is;
 * `old' may be NULL to ask for the size.
 */
int	libvnet_sysctl_read(struct vnet *vnet, const char *name, void *old,
	    size_t *size, int *kerr);
int	libvnet_sysctl_write(struct vnet *vnet, const char *name,
	    const void *value, size_t size, int *kerr);

/*
 * A counter(9) that a V_ variable holds: `name' is the variable without V_,
 * `index' the element where it is an array (VNET_PCPUSTAT), else 0.
 * LIBVNET_ETYPE: the variable is no array of pointers of that length;
 * LIBVNET_ENOENT: no such variable; the counter is not allocated yet.
 */
int	libvnet_counter_get(struct vnet *vnet, const char *name, size_t index,
	    uint64_t *value);

/*
 * The address of a V_ variable in a vnet, and its size, for debuggers and
 * generic checks.  `size' may be NULL.
 */
int	libvnet_variable(struct vnet *vnet, const char *name, void **address,
	    size_t *size);

LIBVNET_END

#endif /* LIBVNET_SYSCTL_H */
