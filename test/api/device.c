/* SPDX-License-Identifier: BSD-2-Clause */
/* A driver of a device that adds. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/conf.h>
#include <sys/errno.h>
#include <sys/ioccom.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/module.h>
#include <sys/mutex.h>
#include <sys/poll.h>
#include <sys/proc.h>
#include <sys/uio.h>
#include <net/vnet.h>

#include "device.h"

VNET_DEFINE_STATIC(int, sum);
#define V_sum VNET(sum)

static struct cdev *adder;

static int
adder_open(struct cdev *dev __unused, int oflags __unused,
    int devtype __unused, struct thread *td __unused)
{
	return (0);
}

static int
adder_ioctl(struct cdev *dev __unused, u_long cmd, caddr_t data,
    int fflag __unused, struct thread *td __unused)
{
	struct adder *a = (void *)data;

	if (cmd != _IOWR('a', 1, struct adder))
		return (ENOTTY);
	V_sum += a->term;
	a->sum = V_sum;
	return (0);
}

static int
adder_read(struct cdev *dev __unused, struct uio *uio, int ioflag __unused)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", V_sum);
	return (uiomove(text, (int)strlen(text), uio));
}

static int
adder_write(struct cdev *dev __unused, struct uio *uio, int ioflag __unused)
{
	char text[16] = "";
	int error;

	if (uio->uio_resid >= (ssize_t)sizeof(text))
		return (EINVAL);
	error = uiomove(text, (int)uio->uio_resid, uio);
	V_sum = (int)strtol(text, NULL, 10);
	return (error);
}

static int
adder_poll(struct cdev *dev __unused, int events, struct thread *td __unused)
{
	return (V_sum != 0 ? events & POLLIN : 0);
}

static struct cdevsw adder_cdevsw = {
	.d_version = D_VERSION,
	.d_name = "adder",
	.d_open = adder_open,
	.d_ioctl = adder_ioctl,
	.d_read = adder_read,
	.d_write = adder_write,
	.d_poll = adder_poll
};

static int
adder_modevent(module_t mod __unused, int type, void *arg __unused)
{
	if (type != MOD_LOAD)
		return (EOPNOTSUPP);
	adder = make_dev(&adder_cdevsw, 0, UID_ROOT, GID_WHEEL, 0600, "adder");
	return (0);
}
DEV_MODULE(adder, adder_modevent, NULL);
