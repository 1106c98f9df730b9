/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: nothing of FreeBSD's; a test's system calls on devices.
 * Fidelity: exact
 * Differs: --
 *
 * Each is made with the credential of the vnet that the device was opened in,
 * on the thread that calls, and goes through the file table of its process.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/fcntl.h>
#include <sys/file.h>
#include <sys/filedesc.h>
#include <sys/kernel.h>
#include <sys/limits.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/poll.h>
#include <sys/proc.h>
#include <sys/queue.h>
#include <sys/syscallsubr.h>
#include <sys/time.h>
#include <sys/ucred.h>
#include <sys/uio.h>
#include <net/vnet.h>

#include <lvk.h>
#include <seam_device.h>
#include "kern_conf.h"
#include "sys_generic.h"

static MALLOC_DEFINE(M_LVKDEV, "lvkdev", "devices that a test opened");

struct device {
	LIST_ENTRY(device) d_link;
	struct vnet *d_vnet;
	bool d_novnet;
	int d_fd;
};

static LIST_HEAD(, device) devices = LIST_HEAD_INITIALIZER(devices);

/* ---- whose call it is */

struct caller {
	struct vnet *vnet;
	struct ucred *cred;
};

static void
enter(const struct device *d, struct caller *was)
{
	was->cred = curthread->td_ucred;
#ifdef VIMAGE
	was->vnet = vnk_vnet_switch(d->d_vnet);
	if (d->d_novnet)
		curvnet = NULL;
#else
	(void)d;
#endif
}

static void
leave(const struct caller *was)
{
#ifdef VIMAGE
	curvnet = was->vnet;
#endif
	curthread->td_ucred = was->cred;
}

/* ---- */

int
vnk_device_valid(const void *dev)
{
	struct device *d;

	LIST_FOREACH(d, &devices, d_link)
		if (d == dev)
			return (1);
	return (0);
}

int
vnk_device_fd(const void *dev)
{
	return (((const struct device *)dev)->d_fd);
}

static int
file_flags(int flags)
{
	return (((flags & VNK_DEVICE_READ) != 0 ? FREAD : 0) |
	    ((flags & VNK_DEVICE_WRITE) != 0 ? FWRITE : 0) |
	    ((flags & VNK_DEVICE_NONBLOCK) != 0 ? O_NONBLOCK : 0));
}

static int
open(struct device *d, const char *name, int flags)
{
	struct thread *td = curthread;
	struct cdev *dev;
	struct file *fp;
	int error;

	dev = lvk_dev_get(td, name);
	if (dev == NULL)
		return (-1);
	error = lvk_dev_open(td, dev, file_flags(flags), &fp);
	if (error != 0)
		return (error);
	error = finstall_refed(td, fp, &d->d_fd, 0, NULL);
	if (error != 0)
		fdrop(fp, td);
	return (error);
}

int
vnk_device_open(struct vnet *v, const char *name, int flags, void **dev)
{
	struct caller was;
	struct device *d;
	int error;

	lvk_owner_none_enter();
	d = malloc(sizeof(*d), M_LVKDEV, M_WAITOK | M_ZERO);
	lvk_owner_none_exit();
	d->d_vnet = v;
	d->d_novnet = (flags & VNK_DEVICE_NOVNET) != 0;
	enter(d, &was);
	error = open(d, name, flags);
	leave(&was);
	if (error != 0) {
		free(d, M_LVKDEV);
		return (error);
	}
	LIST_INSERT_HEAD(&devices, d, d_link);
	*dev = d;
	return (0);
}

int
vnk_device_ioctl(void *dev, unsigned long cmd, void *data)
{
	struct device *d = dev;
	struct caller was;
	int error;

	enter(d, &was);
	error = lvk_ioctl(curthread, d->d_fd, cmd, data);
	leave(&was);
	return (error);
}

static int
rdwr(struct device *d, void *buf, size_t size, size_t *done,
    int (*call)(struct thread *, int, struct uio *))
{
	struct iovec iov = { .iov_base = buf, .iov_len = size };
	struct uio uio = {
		.uio_iov = &iov, .uio_iovcnt = 1,
		.uio_resid = (ssize_t)size, .uio_segflg = UIO_USERSPACE
	};
	struct caller was;
	int error;

	enter(d, &was);
	error = (*call)(curthread, d->d_fd, &uio);
	leave(&was);
	*done = size - (size_t)uio.uio_resid;
	return (error);
}

int
vnk_device_read(void *dev, void *buf, vnh_size_t size, vnh_size_t *done)
{
	return (rdwr(dev, buf, size, done, kern_readv));
}

int
vnk_device_write(void *dev, const void *buf, vnh_size_t size,
    vnh_size_t *done)
{
	return (rdwr(dev, __DECONST(void *, buf), size, done, kern_writev));
}

int
vnk_device_poll(void *dev, int events, vnh_i64 timeout_ns, int *revents)
{
	struct device *d = dev;
	struct pollfd pfd = { .fd = d->d_fd, .events = (short)events };
	struct timespec ts = {
		.tv_sec = timeout_ns / 1000000000,
		.tv_nsec = timeout_ns % 1000000000
	};
	struct caller was;
	int error;

	enter(d, &was);
	error = kern_poll(curthread, &pfd, 1, timeout_ns < 0 ? NULL : &ts,
	    NULL);
	leave(&was);
	*revents = pfd.revents;
	return (error);
}

int
vnk_device_close(void *dev)
{
	struct device *d = dev;
	struct caller was;
	int error;

	LIST_REMOVE(d, d_link);
	enter(d, &was);
	error = kern_close(curthread, d->d_fd);
	leave(&was);
	free(d, M_LVKDEV);
	return (error);
}
