/* SPDX-License-Identifier: BSD-2-Clause */
#include <libvnet/device.h>
#include <libvnet/interface.h>

#include "api.h"
#include "seam_device.h"

_Static_assert((int)LIBVNET_DEVICE_READ == VNK_DEVICE_READ &&
    (int)LIBVNET_DEVICE_WRITE == VNK_DEVICE_WRITE &&
    (int)LIBVNET_DEVICE_NONBLOCK == VNK_DEVICE_NONBLOCK &&
    (int)LIBVNET_DEVICE_NOVNET == VNK_DEVICE_NOVNET, "flags of a device");

static int
answer(const char *who, int kernel, int *kerr)
{
	if (kerr != NULL)
		*kerr = kernel;
	if (kernel == 0)
		return (0);
	return (api_fail(LIBVNET_EKERNEL, "%s: the kernel answers %d, %s", who,
	    kernel, libvnet_kerr_text(kernel)));
}

static int
ready(const char *who, const struct libvnet_device *dev, int *kerr)
{
	int error = api_ready(who);

	if (kerr != NULL)
		*kerr = 0;
	if (error != 0)
		return (error);
	if (dev == NULL || !vnk_device_valid(dev))
		return (api_fail(LIBVNET_EINVAL, "%s: not an open device; give "
		    "what libvnet_device_open() gave, and not after "
		    "libvnet_device_close()", who));
	return (0);
}

static int
open_vnet(const char *who, const char *name, struct vnet **vnet)
{
	if (*vnet != NULL)
		return (api_vnet(who, *vnet));
	*vnet = vnk_vnet_current();
	if (*vnet == NULL && vnk_vimage())
		return (api_fail(LIBVNET_ENOVNET, "%s(\"%s\"): no vnet given "
		    "and none is current", who, name));
	return (0);
}

int
libvnet_device_open(struct vnet *vnet, const char *name, int flags,
    struct libvnet_device **dev, int *kerr)
{
	static const char who[] = "libvnet_device_open";
	int error = api_ready(who);
	void *handle = NULL;

	if (kerr != NULL)
		*kerr = 0;
	if (error != 0)
		return (error);
	if (name == NULL || dev == NULL)
		return (api_fail(LIBVNET_EINVAL, "%s: give a name and a place "
		    "for the handle, not NULL", who));
	if ((flags & ~(LIBVNET_DEVICE_READ | LIBVNET_DEVICE_WRITE |
	    LIBVNET_DEVICE_NONBLOCK | LIBVNET_DEVICE_NOVNET)) != 0)
		return (api_fail(LIBVNET_EINVAL, "%s: flags 0x%x are not of "
		    "enum libvnet_device_flags", who, flags));
	if ((flags & (LIBVNET_DEVICE_READ | LIBVNET_DEVICE_WRITE)) == 0)
		flags |= LIBVNET_DEVICE_READ | LIBVNET_DEVICE_WRITE;
	error = open_vnet(who, name, &vnet);
	if (error != 0)
		return (error);
	error = vnk_device_open(vnet, name, flags, &handle);
	if (error == -1)
		return (api_fail(LIBVNET_ENOENT, "%s: no device \"%s\"; is the "
		    "driver that makes it linked in?", who, name));
	if (error == 0)
		*dev = handle;
	return (answer(who, error, kerr));
}

int
libvnet_device_close(struct libvnet_device *dev, int *kerr)
{
	static const char who[] = "libvnet_device_close";
	int error = ready(who, dev, kerr);

	return (error != 0 ? error : answer(who, vnk_device_close(dev), kerr));
}

int
libvnet_device_ioctl(struct libvnet_device *dev, unsigned long cmd, void *data,
    int *kerr)
{
	static const char who[] = "libvnet_device_ioctl";
	int error = ready(who, dev, kerr);

	return (error != 0 ? error :
	    answer(who, vnk_device_ioctl(dev, cmd, data), kerr));
}

static int
ready_buffer(const char *who, const struct libvnet_device *dev,
    const void *buf, size_t size, int *kerr)
{
	int error = ready(who, dev, kerr);

	if (error == 0 && buf == NULL && size != 0)
		return (api_fail(LIBVNET_EINVAL, "%s: buf is NULL", who));
	return (error);
}

long
libvnet_device_read(struct libvnet_device *dev, void *buf, size_t size,
    int *kerr)
{
	static const char who[] = "libvnet_device_read";
	int error = ready_buffer(who, dev, buf, size, kerr);
	size_t done = 0;

	if (error == 0)
		error = answer(who, vnk_device_read(dev, buf, size, &done),
		    kerr);
	return (error != 0 ? error : (long)done);
}

long
libvnet_device_write(struct libvnet_device *dev, const void *buf, size_t size,
    int *kerr)
{
	static const char who[] = "libvnet_device_write";
	int error = ready_buffer(who, dev, buf, size, kerr);
	size_t done = 0;

	if (error == 0)
		error = answer(who, vnk_device_write(dev, buf, size, &done),
		    kerr);
	return (error != 0 ? error : (long)done);
}

int
libvnet_device_poll(struct libvnet_device *dev, int events,
    int64_t timeout_ns, int *kerr)
{
	static const char who[] = "libvnet_device_poll";
	int error = ready(who, dev, kerr), revents = 0;

	if (error == 0 && timeout_ns < -1)
		return (api_fail(LIBVNET_EINVAL, "%s: a timeout is of "
		    "nanoseconds, 0 or more, or -1 for none", who));
	if (error == 0)
		error = answer(who, vnk_device_poll(dev, events, timeout_ns,
		    &revents), kerr);
	return (error != 0 ? error : revents);
}

int
libvnet_device_fd(struct libvnet_device *dev)
{
	int error = ready("libvnet_device_fd", dev, NULL);

	return (error != 0 ? error : vnk_device_fd(dev));
}
