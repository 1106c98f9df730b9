/* SPDX-License-Identifier: BSD-2-Clause */
/* The seam's part about devices. */
#ifndef LIBVNET_SEAM_DEVICE_H
#define LIBVNET_SEAM_DEVICE_H

#include "seam.h"

/* ---- host calls kernel: all but valid answer kerr */

#define VNK_DEVICE_READ 1
#define VNK_DEVICE_WRITE 2
#define VNK_DEVICE_NONBLOCK 4
#define VNK_DEVICE_NOVNET 8		/* no vnet is current in its methods */

/* With the credential of `v' on the thread.  -1: there is no such device. */
int	 vnk_device_open(struct vnet *v, const char *name, int flags,
	    void **dev);
int	 vnk_device_valid(const void *dev);	/* open, and not closed */
int	 vnk_device_ioctl(void *dev, unsigned long cmd, void *data);
int	 vnk_device_read(void *dev, void *buf, vnh_size_t size,
	    vnh_size_t *done);
int	 vnk_device_write(void *dev, const void *buf, vnh_size_t size,
	    vnh_size_t *done);
/* timeout_ns -1: no limit. */
int	 vnk_device_poll(void *dev, int events, vnh_i64 timeout_ns,
	    int *revents);
int	 vnk_device_close(void *dev);
int	 vnk_device_fd(const void *dev);

#endif /* LIBVNET_SEAM_DEVICE_H */
