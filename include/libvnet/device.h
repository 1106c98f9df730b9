/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Devices of the kernel world, such as "pf" and "bpf", opened by name and
 * used as a process would.
 *
 * A device is opened in a vnet, NULL meaning the current one.  Every call
 * runs the driver's method with the credential of that vnet on the thread
 * (TD_TO_VNET(td) in a driver), and with the vnet current.  In a kernel none
 * is current there until the driver says CURVNET_SET(): LIBVNET_DEVICE_NOVNET
 * makes it so, and shows a driver that forgets it.
 *
 * A call may block, and then the rest of the kernel world runs, as in a sleep.
 * Close what was opened before its vnet is destroyed.
 *
 * `kerr', if not NULL, receives the kernel's own answer: 0 or a FreeBSD errno,
 * and the API answers LIBVNET_EKERNEL where it is not 0.
 *
 * LIBVNET_EINVAL  `dev' is not open, or a place to answer in is NULL
 * LIBVNET_ENOENT  no device has the name
 * LIBVNET_ENOVNET `vnet' is not a vnet, or NULL with none current
 */
#ifndef LIBVNET_DEVICE_H
#define LIBVNET_DEVICE_H

#include <libvnet/types.h>

LIBVNET_BEGIN

struct libvnet_device;

enum libvnet_device_flags {
	LIBVNET_DEVICE_RDWR = 0,	/* what is not said: all of it */
	LIBVNET_DEVICE_READ = 1,	/* only that */
	LIBVNET_DEVICE_WRITE = 2,
	LIBVNET_DEVICE_NONBLOCK = 4,
	LIBVNET_DEVICE_NOVNET = 8
};

int	libvnet_device_open(struct vnet *vnet, const char *name, int flags,
	    struct libvnet_device **dev, int *kerr);
int	libvnet_device_close(struct libvnet_device *dev, int *kerr);

/*
 * ioctl(2).  `cmd' is the kernel headers' number, which says how many bytes
 * of `data' are read and written; a command made with _IO() or _IOWINT() gets
 * `data' itself as its number.
 */
int	libvnet_device_ioctl(struct libvnet_device *dev, unsigned long cmd,
	    void *data, int *kerr);

/* Bytes moved, or an error. */
long	libvnet_device_read(struct libvnet_device *dev, void *buf, size_t size,
	    int *kerr);
long	libvnet_device_write(struct libvnet_device *dev, const void *buf,
	    size_t size, int *kerr);

/*
 * poll(2), with FreeBSD's POLL* numbers, which these are.  Returns those that
 * hold, 0 where the time passed first.  timeout_ns: of virtual time, -1 none.
 */
#define LIBVNET_POLLIN 0x0001
#define LIBVNET_POLLOUT 0x0004
#define LIBVNET_POLLERR 0x0008
#define LIBVNET_POLLHUP 0x0010
#define LIBVNET_POLLNVAL 0x0020
int	libvnet_device_poll(struct libvnet_device *dev, int events,
	    int64_t timeout_ns, int *kerr);

/* Its descriptor in the file table of the kernel's process, or an error. */
int	libvnet_device_fd(struct libvnet_device *dev);

LIBVNET_END

#endif /* LIBVNET_DEVICE_H */
