/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: what make_dev(9) does to a struct cdevsw: defaults, D_VERSION,
 * D_NEEDGIANT.  FreeBSD's kern/kern_conf.c.
 * Fidelity: exact
 * Differs: there are no disks: d_strategy panics.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/conf.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>

#include <lvk.h>
#include "kern_conf.h"

static MALLOC_DEFINE(M_DEVT, "cdev", "cdev storage");

static SLIST_HEAD(, cdevsw) unfreed = SLIST_HEAD_INITIALIZER(unfreed); /* (d) */

/* ---- methods that a driver lacks, or that it must not have */

#define FAILS(name, error)						\
static int								\
name##_rw(struct cdev *d __unused, struct uio *u __unused, int f __unused) \
{									\
	return (error);							\
}									\
static int								\
name##_ioctl(struct cdev *d __unused, u_long c __unused,		\
    caddr_t a __unused, int f __unused, struct thread *td __unused)	\
{									\
	return (error);							\
}									\
static int								\
name##_kqfilter(struct cdev *d __unused, struct knote *k __unused)	\
{									\
	return (error);							\
}
FAILS(dead, ENXIO)
FAILS(no, ENODEV)

static int
dead_open(struct cdev *dev __unused, int flags __unused, int type __unused,
    struct thread *td __unused)
{
	return (ENXIO);
}

static int
null_open(struct cdev *dev __unused, int flags __unused, int type __unused,
    struct thread *td __unused)
{
	return (0);
}

static int
no_poll(struct cdev *dev __unused, int events, struct thread *td __unused)
{
	return (poll_no_poll(events));
}

static int
dead_poll(struct cdev *dev __unused, int events __unused,
    struct thread *td __unused)
{
	return (ENODEV);
}

/* ---- Giant around a driver's methods; the driver's own are d_gianttrick */

#define WITH_GIANT(call) do {						\
	struct cdevsw *csw;						\
	int error, ref;							\
									\
	csw = dev_refthread(dev, &ref);					\
	if (csw == NULL)						\
		return (ENXIO);						\
	mtx_lock(&Giant);						\
	error = csw->d_gianttrick->call;				\
	mtx_unlock(&Giant);						\
	dev_relthread(dev, ref);					\
	return (error);							\
} while (0)

static int
giant_open(struct cdev *dev, int flags, int type, struct thread *td)
{
	WITH_GIANT(d_open(dev, flags, type, td));
}

static int
giant_fdopen(struct cdev *dev, int flags, struct thread *td, struct file *fp)
{
	WITH_GIANT(d_fdopen(dev, flags, td, fp));
}

static int
giant_close(struct cdev *dev, int flags, int type, struct thread *td)
{
	WITH_GIANT(d_close(dev, flags, type, td));
}

static int
giant_ioctl(struct cdev *dev, u_long cmd, caddr_t data, int flags,
    struct thread *td)
{
	WITH_GIANT(d_ioctl(dev, cmd, data, flags, td));
}

static int
giant_read(struct cdev *dev, struct uio *uio, int flags)
{
	WITH_GIANT(d_read(dev, uio, flags));
}

static int
giant_write(struct cdev *dev, struct uio *uio, int flags)
{
	WITH_GIANT(d_write(dev, uio, flags));
}

static int
giant_poll(struct cdev *dev, int events, struct thread *td)
{
	WITH_GIANT(d_poll(dev, events, td));
}

static int
giant_kqfilter(struct cdev *dev, struct knote *kn)
{
	WITH_GIANT(d_kqfilter(dev, kn));
}

/* ---- methods for memory and disks, which only a tree's struct has */
#ifndef LIBVNET_BASE

static int
no_mmap(struct cdev *dev __unused, vm_ooffset_t off __unused,
    vm_paddr_t *paddr __unused, int prot __unused,
    vm_memattr_t *attr __unused)
{
	return (ENODEV);
}

static int
no_mmap_single(struct cdev *dev __unused, vm_ooffset_t *off __unused,
    vm_size_t size __unused, struct vm_object **object __unused,
    int prot __unused)
{
	return (ENODEV);
}

static void
no_strategy(struct bio *bp __unused)
{
	panic("d_strategy: libvnet has no disks");
}

/* Nothing maps memory of a device, so Giant is of no concern. */
static void
prepare_memory(struct cdevsw *csw, bool dead)
{
	if (csw->d_mmap == NULL || dead)
		csw->d_mmap = no_mmap;
	if (csw->d_mmap_single == NULL || dead)
		csw->d_mmap_single = no_mmap_single;
	if (csw->d_strategy == NULL || dead)
		csw->d_strategy = no_strategy;
}
#else
#define prepare_memory(csw, dead) (void)0
#endif

/* ---- */

static void
kill(struct cdevsw *csw)
{
	printf("WARNING: Device driver \"%s\" has wrong version and is "
	    "disabled.  Recompile KLD module.\n",
	    csw->d_name != NULL ? csw->d_name : "???");
	csw->d_open = dead_open;
	csw->d_close = dead_open;
	csw->d_read = dead_rw;
	csw->d_write = dead_rw;
	csw->d_ioctl = dead_ioctl;
	csw->d_poll = dead_poll;
	csw->d_kqfilter = dead_kqfilter;
}

static void
giant_warn(const struct cdevsw *csw)
{
#ifdef D_GIANTOK
	if ((csw->d_flags & D_GIANTOK) != 0)
		return;
#endif
	printf("WARNING: Device \"%s\" is Giant locked and may be deleted.\n",
	    csw->d_name != NULL ? csw->d_name : "???");
}

static void
prepare_methods(struct cdevsw *csw)
{
	bool giant = (csw->d_flags & D_NEEDGIANT) != 0;

#define FIXUP(method, none, with_giant)					\
	if (csw->method == NULL)					\
		csw->method = (none);					\
	else if (giant)							\
		csw->method = (with_giant)

	FIXUP(d_open, null_open, giant_open);
	FIXUP(d_fdopen, NULL, giant_fdopen);
	FIXUP(d_close, null_open, giant_close);
	FIXUP(d_read, no_rw, giant_read);
	FIXUP(d_write, no_rw, giant_write);
	FIXUP(d_ioctl, no_ioctl, giant_ioctl);
	FIXUP(d_poll, no_poll, giant_poll);
	FIXUP(d_kqfilter, no_kqfilter, giant_kqfilter);
#undef FIXUP
}

int
lvk_cdevsw_prepare(struct cdevsw *csw, int flags)
{
	struct cdevsw *own = NULL;
	bool dead = csw->d_version != D_VERSION;

	mtx_assert(&devmtx, MA_OWNED);
	if ((csw->d_flags & D_INIT) == 0 &&
	    (csw->d_flags & D_NEEDGIANT) != 0) {
		dev_unlock();
		own = malloc(sizeof(*own), M_DEVT,
		    (flags & MAKEDEV_NOWAIT) != 0 ? M_NOWAIT : M_WAITOK);
		dev_lock();
		if (own == NULL && (csw->d_flags & D_INIT) == 0)
			return (ENOMEM);
	}
	if ((csw->d_flags & D_INIT) != 0) {
		if (own != NULL)
			lvk_cdevsw_free(own);
		return (0);
	}
	if (dead)
		kill(csw);
	if (own != NULL) {
		giant_warn(csw);
		memcpy(own, csw, sizeof(*own));
		csw->d_gianttrick = own;
	}
	prepare_methods(csw);
	prepare_memory(csw, dead);
	LIST_INIT(&csw->d_devs);
	csw->d_flags |= D_INIT;
	return (0);
}

/* The last device is gone: as the driver wrote it. */
void
lvk_cdevsw_fini(struct cdevsw *csw)
{
	struct cdevsw *own = csw->d_gianttrick;

	if (own != NULL) {
		memcpy(csw, own, sizeof(*csw));
		lvk_cdevsw_free(own);
		csw->d_gianttrick = NULL;
		LIST_INIT(&csw->d_devs);
	}
	csw->d_flags &= ~D_INIT;
}

void
lvk_cdevsw_free(struct cdevsw *csw)
{
	mtx_assert(&devmtx, MA_OWNED);
	SLIST_INSERT_HEAD(&unfreed, csw, d_postfree_list);
}

void
lvk_cdevsw_reap(void)
{
	struct cdevsw *csw;

	for (;;) {
		dev_lock();
		csw = SLIST_FIRST(&unfreed);
		if (csw != NULL)
			SLIST_REMOVE_HEAD(&unfreed, d_postfree_list);
		dev_unlock();
		if (csw == NULL)
			return;
		free(csw, M_DEVT);
	}
}
