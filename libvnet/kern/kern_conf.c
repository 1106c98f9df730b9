/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: devices: locks, references, names.  FreeBSD's kern/kern_conf.c.
 * Fidelity: exact
 * Differs: names stand in a list: there is no file system.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/conf.h>
#include <sys/ctype.h>
#include <sys/devctl.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/ucred.h>
#include <machine/stdarg.h>

#include <lvk.h>
#include "kern_conf.h"

static MALLOC_DEFINE(M_CDEVP, "DEVFS1", "devices");

struct mtx devmtx;
MTX_SYSINIT(devmtx, &devmtx, "cdev", MTX_DEF);

TAILQ_HEAD(cdev_list, lvk_cdev);
static struct cdev_list named = TAILQ_HEAD_INITIALIZER(named);	/* (d) */
static struct cdev_list unfreed = TAILQ_HEAD_INITIALIZER(unfreed); /* (d) */

/* ---- locks and references */

void
dev_lock(void)
{
	mtx_lock(&devmtx);
}

void
dev_unlock(void)
{
	mtx_unlock(&devmtx);
}

/* free(9) may want locks that come before devmtx. */
void
lvk_dev_unlock_and_free(void)
{
	struct cdev_list list = TAILQ_HEAD_INITIALIZER(list);
	struct lvk_cdev *lc;

	mtx_assert(&devmtx, MA_OWNED);
	TAILQ_CONCAT(&list, &unfreed, lc_named);
	mtx_unlock(&devmtx);
	while ((lc = TAILQ_FIRST(&list)) != NULL) {
		TAILQ_REMOVE(&list, lc, lc_named);
		lvk_dev_free(&lc->lc_dev);
	}
	lvk_cdevsw_reap();
}

void
lvk_dev_free_later(struct cdev *dev)
{
	TAILQ_INSERT_TAIL(&unfreed, LVK_CDEV(dev), lc_named);
}

void
dev_refl(struct cdev *dev)
{
	mtx_assert(&devmtx, MA_OWNED);
	dev->si_refcount++;
}

void
dev_ref(struct cdev *dev)
{
	mtx_assert(&devmtx, MA_NOTOWNED);
	dev_lock();
	dev_refl(dev);
	dev_unlock();
}

void
dev_rel(struct cdev *dev)
{
	bool last;

	mtx_assert(&devmtx, MA_NOTOWNED);
	dev_lock();
	dev->si_refcount--;
	KASSERT(dev->si_refcount >= 0, ("dev_rel(%s) gave negative count",
	    devtoname(dev)));
	last = dev->si_devsw == NULL && dev->si_refcount == 0;
	dev_unlock();
	if (last)
		lvk_dev_free(dev);
}

struct cdevsw *
dev_refthread(struct cdev *dev, int *ref)
{
	struct cdevsw *csw;

	mtx_assert(&devmtx, MA_NOTOWNED);
	*ref = 0;
	if ((dev->si_flags & SI_ETERNAL) != 0)
		return (dev->si_devsw);
	dev_lock();
	csw = dev->si_devsw;
	if ((LVK_CDEV(dev)->lc_flags & LC_SCHED) != 0)
		csw = NULL;
	if (csw != NULL) {
		dev->si_threadcount++;
		*ref = 1;
	}
	dev_unlock();
	return (csw);
}

void
dev_relthread(struct cdev *dev, int ref)
{
	mtx_assert(&devmtx, MA_NOTOWNED);
	if (ref == 0)
		return;
	dev_lock();
	KASSERT(dev->si_threadcount > 0, ("%s threadcount is wrong",
	    dev->si_name));
	dev->si_threadcount--;
	dev_unlock();
}

const char *
devtoname(struct cdev *dev)
{
	return (dev->si_name);
}

void
lvk_dev_notify(struct cdev *dev, const char *event)
{
	char data[sizeof(dev->si_name) + 8];

	if (cold)
		return;
	snprintf(data, sizeof(data), "cdev=%s", dev->si_name);
	devctl_notify("DEVFS", "CDEV", event, data);
}

/* ---- memory */

struct cdev *
lvk_dev_alloc(int flags)
{
	struct lvk_cdev *lc;

	lc = malloc(sizeof(*lc), M_CDEVP, M_ZERO |
	    ((flags & MAKEDEV_NOWAIT) != 0 ? M_NOWAIT : M_WAITOK));
	if (lc == NULL)
		return (NULL);
	LIST_INIT(&lc->lc_dev.si_children);
	LIST_INIT(&lc->lc_privs);
	nanotime(&lc->lc_dev.si_ctime);
	lc->lc_dev.si_atime = lc->lc_dev.si_mtime = lc->lc_dev.si_ctime;
	return (&lc->lc_dev);
}

void
lvk_dev_free(struct cdev *dev)
{
	KASSERT((LVK_CDEV(dev)->lc_flags & LC_DELISTED) == 0,
	    ("destroy_dev() was not called after delist_dev(%s)",
	    devtoname(dev)));
	if (dev->si_cred != NULL)
		crfree(dev->si_cred);
	free(LVK_CDEV(dev), M_CDEVP);
}

/* ---- names */

/* Equal, or one a directory of the other. */
static bool
names_clash(const char *a, const char *b)
{
	while (*a != '\0' && *a == *b)
		a++, b++;
	return ((*a == '\0' && (*b == '\0' || *b == '/')) ||
	    (*b == '\0' && *a == '/'));
}

static bool
dots(const char *part, size_t len)
{
	return (len > 0 && len <= 2 && part[0] == '.' && part[len - 1] == '.');
}

/* One slash between parts and none around; what is left must be a path. */
static int
name_clean(char *name)
{
	char *from = name, *to = name, *part = name;

	for (; *from != '\0'; from++) {
		if (isspace((u_char)*from) || *from == '"')
			return (EINVAL);
		if (*from == '/' && (to == name || from[1] == '/'))
			continue;
		if (*from == '/') {
			if (from[1] == '\0' || dots(part, (size_t)(to - part)))
				return (EINVAL);
			part = to + 1;
		}
		*to++ = *from;
	}
	*to = '\0';
	return (to == name || dots(part, (size_t)(to - part)) ? EINVAL : 0);
}

int
lvk_dev_name(struct cdev *dev, const char *fmt, va_list ap)
{
	struct lvk_cdev *lc;
	int error;

	if (vsnprintf(dev->si_name, sizeof(dev->si_name), fmt, ap) >=
	    (int)sizeof(dev->si_name))
		return (ENAMETOOLONG);
	error = name_clean(dev->si_name);
	if (error != 0)
		return (error);
	TAILQ_FOREACH(lc, &named, lc_named)
		if (names_clash(lc->lc_dev.si_name, dev->si_name))
			return (EEXIST);
	return (0);
}

void
lvk_dev_list(struct cdev *dev)
{
	struct lvk_cdev *lc = LVK_CDEV(dev);

	TAILQ_INSERT_TAIL(&named, lc, lc_named);
	lc->lc_flags |= LC_LISTED;
	dev->si_flags |= SI_NAMED;
}

void
lvk_dev_delist(struct cdev *dev)
{
	struct lvk_cdev *lc = LVK_CDEV(dev);

	if ((lc->lc_flags & LC_LISTED) == 0)
		return;
	TAILQ_REMOVE(&named, lc, lc_named);
	lc->lc_flags &= ~LC_LISTED;
}

struct cdev *
lvk_dev_find(const char *name)
{
	struct cdev *dev = NULL;
	struct lvk_cdev *lc;

	dev_lock();
	TAILQ_FOREACH(lc, &named, lc_named)
		if (strcmp(lc->lc_dev.si_name, name) == 0) {
			dev = &lc->lc_dev;
			break;
		}
	while (dev != NULL && (dev->si_flags & SI_ALIAS) != 0)
		dev = dev->si_parent;
	if (dev != NULL)
		dev_refl(dev);
	dev_unlock();
	return (dev);
}
