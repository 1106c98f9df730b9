/* SPDX-License-Identifier: BSD-2-Clause */
/* A device for tests: a box that keeps what was written to it. */
#ifndef DEVICE_BOX_H
#define DEVICE_BOX_H

/* A box that keeps what was written to it until it is read. */
struct big {
	char text[300];
};
#define BOX_ADD _IOWR('b', 1, int)
#define BOX_BIG _IOWR('b', 2, struct big)
#define BOX_NUMBER _IOWINT('b', 3)
#define BOX_GET _IOR('b', 4, int)
#define BOX_POINTER _IO('b', 5)
#define BOX_NONE _IO('b', 6)
#define BOX_SELF _IO('b', 7)

static struct mtx m;
static struct selinfo sel;
static struct cdev *box;
static char kept[64];
static int opens, closes, gone, refuse, close_flags, purged;
static bool slow, giant_seen, blocks;
static struct vnet *seen_vnet, *seen_cred;

static void
dtor(void *data)
{
	gone += (int)(intptr_t)data;
}

static int
box_open(struct cdev *dev, int oflags __unused, int devtype __unused,
    struct thread *td)
{
	opens++;
	assert_ptr_equal(dev, box);
	giant_seen = mtx_owned(&Giant);
#ifdef VIMAGE
	seen_vnet = curvnet;
	seen_cred = CRED_TO_VNET(td->td_ucred);
#else
	(void)td;
#endif
	if (devfs_set_cdevpriv((void *)1, dtor) != 0)
		return (EIO);
	return (refuse);
}

static int
box_close(struct cdev *dev __unused, int fflag, int devtype __unused,
    struct thread *td __unused)
{
	closes++;
	close_flags = fflag;
	return (0);
}

static int
box_read(struct cdev *dev __unused, struct uio *uio, int ioflag)
{
	int error = 0;

	mtx_lock(&m);
	while (kept[0] == '\0' && error == 0) {
		if ((ioflag & O_NONBLOCK) != 0)
			error = EWOULDBLOCK;
		else
			error = msleep(&kept, &m, PCATCH, "box", 0);
	}
	mtx_unlock(&m);
	if (error == 0)
		error = uiomove(kept, (int)strlen(kept), uio);
	kept[0] = '\0';
	return (error);
}

static int
box_write(struct cdev *dev __unused, struct uio *uio, int ioflag __unused)
{
	size_t n = MIN((size_t)uio->uio_resid, sizeof(kept) - 1);
	int error;

	error = uiomove(kept, (int)n, uio);
	kept[n] = '\0';
	selwakeup(&sel);
	wakeup(&kept);
	return (error);
}

static int
box_ioctl(struct cdev *dev, u_long cmd, caddr_t data, int fflag __unused,
    struct thread *td __unused)
{
	struct big *big = (void *)data;
	void *priv;

	if (slow)
		pause("box", hz);
	switch (cmd) {
	case BOX_ADD:
		++*(int *)(void *)data;
		return (0);
	case BOX_BIG:
		strlcat(big->text, "!", sizeof(big->text));
		return (0);
	case BOX_NUMBER:
		return (*(int *)(void *)data == 7 ? 0 : EINVAL);
	case BOX_GET:
		assert_int_equal(*(int *)(void *)data, 0);
		if (devfs_get_cdevpriv(&priv) != 0)
			return (ENXIO);
		*(int *)(void *)data = (int)(intptr_t)priv;
		return (0);
	case BOX_POINTER:
		devfs_clear_cdevpriv();
		return (0);
	case BOX_NONE:
		return (ENOIOCTL);
	case BOX_SELF:
		destroy_dev(dev);
		return (0);
	case FIONBIO:
		return (0);
	default:
		return (ENOTTY);
	}
}

static int
box_poll(struct cdev *dev __unused, int events, struct thread *td)
{
	int revents = events & (POLLOUT | POLLWRNORM);

	if ((events & (POLLIN | POLLRDNORM)) != 0) {
		if (kept[0] != '\0')
			revents |= events & (POLLIN | POLLRDNORM);
		else
			selrecord(td, &sel);
	}
	return (revents);
}

static struct cdevsw box_cdevsw = {
	.d_version = D_VERSION,
	.d_name = "box",
	.d_open = box_open,
	.d_close = box_close,
	.d_read = box_read,
	.d_write = box_write,
	.d_ioctl = box_ioctl,
	.d_poll = box_poll
};

static void
make(void)
{
	if (!mtx_initialized(&m))
		mtx_init(&m, "box", NULL, MTX_DEF);
	box = make_dev(&box_cdevsw, 3, UID_ROOT, GID_WHEEL, 0600, "box%d", 0);
}

static struct libvnet_device *
opened(struct vnet *v, int flags)
{
	struct libvnet_device *d = NULL;
	int kerr;

	if (libvnet_device_open(v, "box0", flags, &d, &kerr) != 0)
		fail_msg("%s", libvnet_error());
	return (d);
}

#endif /* DEVICE_BOX_H */
