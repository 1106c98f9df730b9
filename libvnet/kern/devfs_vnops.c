/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: open files of devices, and what drivers keep for each:
 * devfs_set_cdevpriv(9).  FreeBSD's fs/devfs/devfs_vnops.c.
 * Fidelity: modelled
 * Differs: there is no file system: a device is opened by its name, whatever
 * its owner and mode, and an open file has no vnode.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/conf.h>
#include <sys/eventhandler.h>
#include <sys/fcntl.h>
#include <sys/file.h>
#include <sys/filedesc.h>
#include <sys/filio.h>
#include <sys/kernel.h>
#include <sys/limits.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/poll.h>
#include <sys/proc.h>
#include <sys/stat.h>
#include <sys/uio.h>

#include <lvk.h>
#include "kern_conf.h"
#include "kern_descrip.h"

#undef DEVFS_IOSIZE_MAX	/* a sysctl of a tree's */
#define DEVFS_IOSIZE_MAX INT_MAX

static MALLOC_DEFINE(M_CDEVPDATA, "DEVFSP", "private data of open devices");

struct mtx cdevpriv_mtx;
MTX_SYSINIT(cdevpriv_mtx, &cdevpriv_mtx, "cdevpriv lock", MTX_DEF);

/* ---- private data */

int
devfs_get_cdevpriv(void **datap)
{
	struct file *fp = curthread->td_fpop;
	struct cdev_privdata *p;
	int error = ENOENT;

	if (fp == NULL)
		return (EBADF);
	mtx_lock(&cdevpriv_mtx);
	p = fp->f_cdevpriv;
	if (p != NULL) {
		*datap = p->cdpd_data;
		error = 0;
	}
	mtx_unlock(&cdevpriv_mtx);
	return (error);
}

int
devfs_set_cdevpriv(void *data, d_priv_dtor_t *dtr)
{
	struct file *fp = curthread->td_fpop;
	struct cdev_privdata *p;

	if (fp == NULL)
		return (ENOENT);
	p = malloc(sizeof(*p), M_CDEVPDATA, M_WAITOK);
	p->cdpd_fp = fp;
	p->cdpd_data = data;
	p->cdpd_dtr = dtr;
	mtx_lock(&cdevpriv_mtx);
	if (fp->f_cdevpriv != NULL) {
		mtx_unlock(&cdevpriv_mtx);
		free(p, M_CDEVPDATA);
		return (EBUSY);
	}
	fp->f_cdevpriv = p;
	LIST_INSERT_HEAD(&LVK_CDEV((struct cdev *)fp->f_data)->lc_privs, p,
	    cdpd_list);
	mtx_unlock(&cdevpriv_mtx);
	return (0);
}

/* With the lock, which is given up: the destructor may sleep. */
static void
priv_end(struct cdev_privdata *p)
{
	p->cdpd_fp->f_cdevpriv = NULL;
	LIST_REMOVE(p, cdpd_list);
	mtx_unlock(&cdevpriv_mtx);
	(*p->cdpd_dtr)(p->cdpd_data);
	free(p, M_CDEVPDATA);
}

static void
file_priv_end(struct file *fp)
{
	mtx_lock(&cdevpriv_mtx);
	if (fp->f_cdevpriv != NULL)
		priv_end(fp->f_cdevpriv);
	else
		mtx_unlock(&cdevpriv_mtx);
}

void
devfs_clear_cdevpriv(void)
{
	if (curthread->td_fpop != NULL)
		file_priv_end(curthread->td_fpop);
}

void
lvk_dev_privs_end(struct cdev *dev)
{
	struct cdev_privdata *p;

	mtx_lock(&cdevpriv_mtx);
	while ((p = LIST_FIRST(&LVK_CDEV(dev)->lc_privs)) != NULL) {
		priv_end(p);
		mtx_lock(&cdevpriv_mtx);
	}
	mtx_unlock(&cdevpriv_mtx);
}

#if __FreeBSD_version >= 1400000
int
devfs_foreach_cdevpriv(struct cdev *dev, int (*cb)(void *, void *), void *arg)
{
	struct cdev_privdata *p;
	int error = 0;

	mtx_lock(&cdevpriv_mtx);
	LIST_FOREACH(p, &LVK_CDEV(dev)->lc_privs, cdpd_list)
		if ((error = cb(p->cdpd_data, arg)) != 0)
			break;
	mtx_unlock(&cdevpriv_mtx);
	return (error);
}
#endif

/* ---- methods */

/* One call of the driver: the thread is in the device, for this file. */
struct call {
	struct cdev *dev;
	struct cdevsw *csw;
	struct file *outer;
	int ref;
};

static int
call_enter(struct file *fp, struct call *c)
{
	c->dev = fp->f_data;
	c->csw = dev_refthread(c->dev, &c->ref);
	if (c->csw == NULL)
		return (ENXIO);
	KASSERT(c->dev->si_refcount > 0,
	    ("devfs: un-referenced struct cdev *(%s)", devtoname(c->dev)));
	c->outer = curthread->td_fpop;
	curthread->td_fpop = fp;
	return (0);
}

static void
call_leave(const struct call *c)
{
	curthread->td_fpop = c->outer;
	dev_relthread(c->dev, c->ref);
}

static int
rdwr(struct file *fp, struct uio *uio, int flags, bool writes)
{
	ssize_t resid = uio->uio_resid;
	struct call c;
	int error, ioflag;

	if (resid > DEVFS_IOSIZE_MAX)
		return (EINVAL);
	if (call_enter(fp, &c) != 0)
		return (EIO);
	ioflag = (int)fp->f_flag & (O_NONBLOCK | O_DIRECT);
	foffset_lock_uio(fp, uio, flags | FOF_NOLOCK);
	error = writes ? c.csw->d_write(c.dev, uio, ioflag) :
	    c.csw->d_read(c.dev, uio, ioflag);
	if (uio->uio_resid != resid || (error == 0 && resid != 0)) {
		nanotime(&c.dev->si_mtime);
		if (writes)
			c.dev->si_ctime = c.dev->si_mtime;
		else
			c.dev->si_atime = c.dev->si_mtime;
	}
	foffset_unlock_uio(fp, uio, flags | FOF_NOLOCK);
	call_leave(&c);
	return (error);
}

static int
devfs_read_f(struct file *fp, struct uio *uio, struct ucred *cr __unused,
    int flags, struct thread *td __unused)
{
	return (rdwr(fp, uio, flags, false));
}

static int
devfs_write_f(struct file *fp, struct uio *uio, struct ucred *cr __unused,
    int flags, struct thread *td __unused)
{
	return (rdwr(fp, uio, flags, true));
}

static int
name_out(const struct cdev *dev, void *data)
{
	const struct fiodgname_arg *arg = data;
	size_t len = strlen(dev->si_name) + 1;

	if (len > (size_t)arg->len)
		return (EINVAL);
	return (copyout(dev->si_name, arg->buf, len));
}

static int
devfs_ioctl_f(struct file *fp, u_long cmd, void *data,
    struct ucred *cr __unused, struct thread *td)
{
	struct call c;
	int error;

	error = call_enter(fp, &c);
	if (error != 0)
		return (error);
	if (cmd == FIODTYPE)
		*(int *)data = (int)(c.csw->d_flags & D_TYPEMASK);
	else if (cmd == FIODGNAME)
		error = name_out(c.dev, data);
	else
		error = c.csw->d_ioctl(c.dev, cmd, data, (int)fp->f_flag, td);
	call_leave(&c);
	return (error == ENOIOCTL ? ENOTTY : error);
}

static int
devfs_poll_f(struct file *fp, int events, struct ucred *cr __unused,
    struct thread *td)
{
	struct call c;
	int revents;

	if (call_enter(fp, &c) != 0) {
		if ((events & ~POLLSTANDARD) != 0)
			return (POLLNVAL);
		return (POLLHUP | (events & (POLLIN | POLLRDNORM)));
	}
	revents = c.csw->d_poll(c.dev, events, td);
	call_leave(&c);
	return (revents);
}

static int
devfs_kqfilter_f(struct file *fp, struct knote *kn)
{
	struct call c;
	int error;

	error = call_enter(fp, &c);
	if (error != 0)
		return (error);
	error = c.csw->d_kqfilter(c.dev, kn);
	call_leave(&c);
	return (error);
}

static int
devfs_stat_f(struct file *fp, struct stat *sb,
    struct ucred *cr __unused
#if __FreeBSD_version < 1400000
    , struct thread *td __unused
#endif
    )
{
	const struct cdev *dev = fp->f_data;

	memset(sb, 0, sizeof(*sb));
	sb->st_mode = S_IFCHR | dev->si_mode;
	sb->st_uid = dev->si_uid;
	sb->st_gid = dev->si_gid;
	return (0);
}

/* d_close when the last file goes, or always where the driver asks for it. */
static int
devfs_close_f(struct file *fp, struct thread *td)
{
	struct cdev *dev = fp->f_data;
	struct call c;
	bool last;
	int error;

	dev_lock();
	last = --dev->si_usecount == 0;
	dev_unlock();
	error = call_enter(fp, &c);
	if (error == 0) {
		if (last || (c.csw->d_flags & D_TRACKCLOSE) != 0)
			error = c.csw->d_close(dev, (int)fp->f_flag, S_IFCHR,
			    td);
		call_leave(&c);
	} else
		error = 0;		/* it has gone before */
	file_priv_end(fp);
	dev_rel(dev);
	return (error);
}

static LVK_FILEOPS devfs_ops_f = {
	.fo_read = devfs_read_f,
	.fo_write = devfs_write_f,
	.fo_truncate = invfo_truncate,
	.fo_ioctl = devfs_ioctl_f,
	.fo_poll = devfs_poll_f,
	.fo_kqfilter = devfs_kqfilter_f,
	.fo_stat = devfs_stat_f,
	.fo_close = devfs_close_f,
	.fo_chmod = invfo_chmod,
	.fo_chown = invfo_chown,
	.fo_sendfile = invfo_sendfile,
	.fo_flags = DFLAG_PASSABLE | DFLAG_SEEKABLE
};

/* ---- opening */

struct cdev *
lvk_dev_get(struct thread *td, const char *name)
{
	struct cdev *dev;
	char copy[SPECNAMELEN + 1];

	dev = lvk_dev_find(name);
	if (dev != NULL || strlen(name) >= sizeof(copy))
		return (dev);
	strlcpy(copy, name, sizeof(copy));
	EVENTHANDLER_INVOKE(dev_clone, td->td_ucred, copy, (int)strlen(copy),
	    &dev);
	return (dev);			/* with the handler's reference */
}

static int
call_open(struct cdev *dev, int fflag, struct thread *td, struct file *fp)
{
	struct call c;
	int error;

	fp->f_data = dev;
	fp->f_flag = (u_int)fflag;
	error = call_enter(fp, &c);
	if (error != 0)
		return (error);
	if (c.csw->d_fdopen != NULL)
		error = c.csw->d_fdopen(dev, fflag, td, fp);
	else
		error = c.csw->d_open(dev, fflag, S_IFCHR, td);
	if (error != 0)
		devfs_clear_cdevpriv();
	call_leave(&c);
	return (error);
}

int
lvk_dev_open(struct thread *td, struct cdev *dev, int fflag,
    struct file **fpp)
{
	struct file *fp;
	int error;

	error = falloc_noinstall(td, &fp);
	if (error == 0) {
		error = call_open(dev, fflag, td, fp);
		if (error != 0)
			falloc_abort(td, fp);
	}
	if (error != 0) {
		dev_rel(dev);
		return (error);
	}
	*fpp = fp;
	if (fp->f_ops != &badfileops) {	/* d_fdopen made another kind of it */
		dev_rel(dev);
		return (0);
	}
	dev_lock();
	dev->si_usecount++;
	dev_unlock();
	finit(fp, (u_int)fflag, DTYPE_VNODE, dev, &devfs_ops_f);
	return (0);
}
