/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: make_dev(9) and its kin, FreeBSD's kern/kern_conf.c.
 * Fidelity: exact
 * Differs: --
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/conf.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/ucred.h>
#include <machine/stdarg.h>

#include <lvk.h>
#include "kern_conf.h"

/* ---- making */

/* A driver with units may have made this one by clone_create() before. */
struct cdev *
lvk_dev_new(const struct make_dev_args *args, struct cdev *new)
{
	struct cdevsw *csw = args->mda_devsw;
	struct cdev *dev = NULL;

	mtx_assert(&devmtx, MA_OWNED);
	if ((csw->d_flags & D_NEEDMINOR) != 0)
		LIST_FOREACH(dev, &csw->d_devs, si_list)
			if (dev2unit(dev) == args->mda_unit)
				break;
	if (dev == NULL) {
		dev = new;
		dev->si_devsw = csw;
		LIST_INSERT_HEAD(&csw->d_devs, dev, si_list);
	} else {
		KASSERT((dev->si_flags & SI_NAMED) == 0, ("make_dev() by "
		    "driver %s on pre-existing device (min=%x, name=%s)",
		    csw->d_name, dev2unit(dev), devtoname(dev)));
		lvk_dev_free_later(new);
	}
	dev->si_drv0 = args->mda_unit;
	dev->si_drv1 = args->mda_si_drv1;
	dev->si_drv2 = args->mda_si_drv2;
	return (dev);
}

static void
dev_set(struct cdev *dev, const struct make_dev_args *args)
{
	if ((args->mda_flags & MAKEDEV_REF) != 0)
		dev_refl(dev);
	if ((args->mda_flags & MAKEDEV_ETERNAL) != 0)
		dev->si_flags |= SI_ETERNAL;
	if (args->mda_cr != NULL)
		dev->si_cred = crhold(args->mda_cr);
	dev->si_uid = args->mda_uid;
	dev->si_gid = args->mda_gid;
	dev->si_mode = (mode_t)args->mda_mode;
}

static int
name_refused(const char *who, struct cdev *dev, int flags, int error)
{
	if ((flags & MAKEDEV_CHECKNAME) == 0)
		panic("%s: bad si_name (error=%d, si_name=%s)", who, error,
		    dev->si_name);
	return (error);
}

static int
make_dev_v(const struct make_dev_args *given, struct cdev **result,
    const char *fmt, va_list ap)
{
	struct make_dev_args args = { .mda_size = 0 };
	struct cdev *dev, *new;
	int error;

	if (given->mda_size > sizeof(args))
		return (EINVAL);
	memcpy(&args, given, given->mda_size);
	KASSERT((args.mda_flags & (MAKEDEV_WAITOK | MAKEDEV_NOWAIT)) !=
	    (MAKEDEV_WAITOK | MAKEDEV_NOWAIT),
	    ("make_dev_sv: both WAITOK and NOWAIT specified"));
	new = lvk_dev_alloc(args.mda_flags);
	if (new == NULL)
		return (ENOMEM);
	dev_lock();
	error = lvk_cdevsw_prepare(args.mda_devsw, args.mda_flags);
	if (error != 0) {
		dev_unlock();
		lvk_dev_free(new);
		return (error);
	}
	dev = lvk_dev_new(&args, new);
	error = lvk_dev_name(dev, fmt, ap);
	if (error != 0) {
		name_refused("make_dev_sv", dev, args.mda_flags, error);
		if (dev == new) {
			LIST_REMOVE(dev, si_list);
			lvk_dev_free_later(dev);
		}
		lvk_dev_unlock_and_free();
		return (error);
	}
	dev_set(dev, &args);
	lvk_dev_list(dev);
	lvk_dev_unlock_and_free();
	lvk_dev_notify(dev, "CREATE");
	*result = dev;
	return (0);
}

void
make_dev_args_init_impl(struct make_dev_args *args, size_t size)
{
	memset(args, 0, size);
	args->mda_size = size;
}

int
make_dev_s(struct make_dev_args *args, struct cdev **dev, const char *fmt, ...)
{
	va_list ap;
	int error;

	va_start(ap, fmt);
	error = make_dev_v(args, dev, fmt, ap);
	va_end(ap);
	return (error);
}

static int
make_dev_credv(int flags, struct cdev **dev, struct cdevsw *csw, int unit,
    struct ucred *cr, uid_t uid, gid_t gid, int mode, const char *fmt,
    va_list ap)
{
	struct make_dev_args args = {
		.mda_size = sizeof(args), .mda_flags = flags,
		.mda_devsw = csw, .mda_cr = cr, .mda_uid = uid,
		.mda_gid = gid, .mda_mode = mode, .mda_unit = unit
	};

	*dev = NULL;
	return (make_dev_v(&args, dev, fmt, ap));
}

/* The older calls, each with its own idea of what may fail. */
#define MAKE_DEV(error, flags, dev, csw, unit, cr) do {			\
	va_list ap;							\
									\
	va_start(ap, fmt);						\
	error = make_dev_credv((flags), (dev), (csw), (unit), (cr),	\
	    uid, gid, mode, fmt, ap);					\
	va_end(ap);							\
} while (0)
#define MAY_FAIL(flags, error)						\
	((error) == 0 ||						\
	((flags) & ((error) == ENOMEM ? MAKEDEV_NOWAIT :		\
	    MAKEDEV_CHECKNAME)) != 0)

struct cdev *
make_dev(struct cdevsw *csw, int unit, uid_t uid, gid_t gid, int mode,
    const char *fmt, ...)
{
	struct cdev *dev;
	int error __unused;

	MAKE_DEV(error, 0, &dev, csw, unit, NULL);
	KASSERT(error == 0, ("make_dev: failed make_dev_credv (error=%d)",
	    error));
	return (dev);
}

struct cdev *
make_dev_cred(struct cdevsw *csw, int unit, struct ucred *cr, uid_t uid,
    gid_t gid, int mode, const char *fmt, ...)
{
	struct cdev *dev;
	int error __unused;

	MAKE_DEV(error, 0, &dev, csw, unit, cr);
	KASSERT(error == 0, ("make_dev_cred: failed make_dev_credv "
	    "(error=%d)", error));
	return (dev);
}

struct cdev *
make_dev_credf(int flags, struct cdevsw *csw, int unit, struct ucred *cr,
    uid_t uid, gid_t gid, int mode, const char *fmt, ...)
{
	struct cdev *dev;
	int error __unused;

	MAKE_DEV(error, flags, &dev, csw, unit, cr);
	KASSERT(MAY_FAIL(flags, error), ("make_dev_credf: failed "
	    "make_dev_credv (error=%d)", error));
	return (error == 0 ? dev : NULL);
}

int
make_dev_p(int flags, struct cdev **dev, struct cdevsw *csw, struct ucred *cr,
    uid_t uid, gid_t gid, int mode, const char *fmt, ...)
{
	int error __unused;

	MAKE_DEV(error, flags, dev, csw, 0, cr);
	KASSERT(MAY_FAIL(flags, error), ("make_dev_p: failed make_dev_credv "
	    "(error=%d)", error));
	return (error);
}

/* ---- aliases and dependants */

static void
depends(struct cdev *parent, struct cdev *child)
{
	child->si_parent = parent;
	child->si_flags |= SI_CHILD;
	LIST_INSERT_HEAD(&parent->si_children, child, si_siblings);
}

void
dev_depends(struct cdev *parent, struct cdev *child)
{
	dev_lock();
	depends(parent, child);
	dev_unlock();
}

static int
alias_v(int flags, struct cdev **result, struct cdev *parent, const char *fmt,
    va_list ap)
{
	struct cdev *dev;
	int error __unused;

	KASSERT(parent != NULL, ("make_dev_alias_v: pdev is NULL"));
	KASSERT((flags & ~(MAKEDEV_WAITOK | MAKEDEV_NOWAIT |
	    MAKEDEV_CHECKNAME)) == 0,
	    ("make_dev_alias_v: invalid flags specified (flags=%02x)", flags));
	dev = lvk_dev_alloc(flags);
	if (dev == NULL)
		return (ENOMEM);
	dev->si_flags |= SI_ALIAS;
	dev_lock();
	error = lvk_dev_name(dev, fmt, ap);
	if (error != 0) {
		name_refused("make_dev_alias_v", dev, flags, error);
		dev_unlock();
		lvk_dev_free(dev);
		return (error);
	}
	depends(parent, dev);
	lvk_dev_list(dev);
	dev_unlock();
	lvk_dev_notify(dev, "CREATE");
	*result = dev;
	return (0);
}

struct cdev *
make_dev_alias(struct cdev *parent, const char *fmt, ...)
{
	struct cdev *dev = NULL;
	va_list ap;
	int error __unused;

	va_start(ap, fmt);
	error = alias_v(MAKEDEV_WAITOK, &dev, parent, fmt, ap);
	va_end(ap);
	KASSERT(error == 0, ("make_dev_alias: failed make_dev_alias_v "
	    "(error=%d)", error));
	return (dev);
}

int
make_dev_alias_p(int flags, struct cdev **dev, struct cdev *parent,
    const char *fmt, ...)
{
	va_list ap;
	int error __unused;

	va_start(ap, fmt);
	error = alias_v(flags, dev, parent, fmt, ap);
	va_end(ap);
	return (error);
}
