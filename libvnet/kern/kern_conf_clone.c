/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: units of devices on demand: clone_create() and its kin,
 * dev_stdclone().  FreeBSD's kern/kern_conf.c.
 * Fidelity: exact
 * Differs: --
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/conf.h>
#include <sys/ctype.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>

#include <lvk.h>
#include "kern_conf.h"

static MALLOC_DEFINE(M_CLONE, "devclone", "lists of cloned devices");

/* Sorted by unit. */
struct clonedevs {
	LIST_HEAD(, cdev) head;
};

int
dev_stdclone(char *name, char **rest, const char *stem, int *unit)
{
	size_t len = strlen(stem);
	char *p = name + len;
	int u = 0;

	if (strncmp(stem, name, len) != 0 || !isdigit((u_char)*p))
		return (0);
	if (p[0] == '0' && isdigit((u_char)p[1]))
		return (0);
	for (; isdigit((u_char)*p); p++) {
		u = 10 * u + (*p - '0');
		if (u > 0xffffff)
			return (0);
	}
	*unit = u;
	if (rest != NULL)
		*rest = p;
	return (*p != '\0' ? 2 : 1);
}

void
clone_setup(struct clonedevs **cdp)
{
	*cdp = malloc(sizeof(**cdp), M_CLONE, M_WAITOK | M_ZERO);
	LIST_INIT(&(*cdp)->head);
}

/*
 * The place of a unit (-1: the lowest that is free, which is then set): the
 * device that has it, or the last one before it.
 */
static struct cdev *
place(struct clonedevs *cd, int *unit, int extra, struct cdev **before)
{
	struct cdev *dev;
	int low = extra, u;

	*before = NULL;
	LIST_FOREACH(dev, &cd->head, si_clone) {
		u = dev2unit(dev);
		if (*unit != -1 && u == (*unit | extra))
			return (dev);
		if (*unit == -1 ? u > low : u > (*unit | extra))
			break;
		if (u == low)
			low++;
		*before = dev;
	}
	if (*unit == -1)
		*unit = low & CLONE_UNITMASK;
	return (NULL);
}

/* 0: *dp has that unit.  1: make_dev() is to make it, with *up. */
int
clone_create(struct clonedevs **cdp, struct cdevsw *csw, int *up,
    struct cdev **dp, int extra)
{
	struct make_dev_args args;
	struct cdev *before, *dev, *new;

	KASSERT(*cdp != NULL, ("clone_setup() not called in driver \"%s\"",
	    csw->d_name));
	KASSERT((extra & CLONE_UNITMASK) == 0,
	    ("Illegal extra bits (0x%x) in clone_create", extra));
	KASSERT(*up <= CLONE_UNITMASK,
	    ("Too high unit (0x%x) in clone_create", *up));
	KASSERT((csw->d_flags & D_NEEDMINOR) != 0,
	    ("clone_create() on cdevsw without minor numbers"));
	new = lvk_dev_alloc(MAKEDEV_WAITOK);
	dev_lock();
	(void)lvk_cdevsw_prepare(csw, MAKEDEV_WAITOK);
	dev = place(*cdp, up, extra, &before);
	if (dev != NULL) {
		*dp = dev;
		dev_unlock();
		lvk_dev_free(new);
		return (0);
	}
	make_dev_args_init(&args);
	args.mda_unit = *up | extra;
	args.mda_devsw = csw;
	dev = lvk_dev_new(&args, new);
	KASSERT((dev->si_flags & SI_CLONELIST) == 0,
	    ("Dev %p(%s) should not be on clonelist", dev, dev->si_name));
	if (before != NULL)
		LIST_INSERT_AFTER(before, dev, si_clone);
	else
		LIST_INSERT_HEAD(&(*cdp)->head, dev, si_clone);
	dev->si_flags |= SI_CLONELIST;
	lvk_dev_unlock_and_free();
	return (1);
}

void
clone_cleanup(struct clonedevs **cdp)
{
	struct cdev *dev;
	struct clonedevs *cd = *cdp;

	if (cd == NULL)
		return;
	dev_lock();
	while ((dev = LIST_FIRST(&cd->head)) != NULL) {
		LIST_REMOVE(dev, si_clone);
		dev->si_flags &= ~SI_CLONELIST;
		if ((LVK_CDEV(dev)->lc_flags & LC_SCHED) != 0)
			continue;
		LVK_CDEV(dev)->lc_flags |= LC_SCHED;
		lvk_dev_destroy(dev);
	}
	lvk_dev_unlock_and_free();
	free(cd, M_CLONE);
	*cdp = NULL;
}
