/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: destroy_dev(9) and its kin, FreeBSD's kern/kern_conf.c.
 * Fidelity: exact
 * Differs: a device that a method of it destroys panics, where FreeBSD waits
 * for ever; so does one whose threads stay in it for an hour.
 * destroy_dev_sched(9) works in a thread of its own, not on a taskqueue.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/conf.h>
#include <sys/file.h>
#include <sys/kernel.h>
#include <sys/kthread.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/proc.h>

#include <lvk.h>
#include "kern_conf.h"

#define DEV_DRAIN (SBT_1S * 3600)	/* of waiting for threads */

static TAILQ_HEAD(, lvk_cdev) scheduled =
    TAILQ_HEAD_INITIALIZER(scheduled);		/* (d) */
static bool scheduler_runs;			/* (d) */

/* A method of the device runs on the caller's own stack: it never ends. */
static void
check_caller(const struct cdev *dev)
{
	const struct file *fp = curthread->td_fpop;

	if (fp != NULL && fp->f_data == dev && dev->si_threadcount != 0)
		panic("destroy_dev(%s) from one of its own methods waits for "
		    "itself; use destroy_dev_sched(9)", dev->si_name);
}

/* Threads in its methods must leave, helped by d_purge. */
static void
drain(struct cdev *dev, struct cdevsw *csw)
{
	sbintime_t until = lvk_clock() + DEV_DRAIN;
	const char *why = "devdrn";

	check_caller(dev);
	while (dev->si_threadcount != 0) {
		if (csw != NULL && csw->d_purge != NULL) {
			csw->d_purge(dev);
			why = "devprg";
		}
		msleep(dev, &devmtx, PZERO, why, hz / 10);
		if (lvk_clock() > until)
			panic("destroy_dev(%s): %lu threads stay in its "
			    "methods", dev->si_name, dev->si_threadcount);
	}
}

static void
forget(struct cdev *dev, struct cdevsw *csw)
{
	dev->si_drv1 = dev->si_drv2 = NULL;
	if ((dev->si_flags & SI_ALIAS) == 0) {
		LIST_REMOVE(dev, si_list);
		if (LIST_EMPTY(&csw->d_devs)) {
			lvk_cdevsw_fini(csw);
			wakeup(&csw->d_devs);
		}
	}
	dev->si_flags &= ~SI_ALIAS;
	LVK_CDEV(dev)->lc_flags &= ~LC_DELISTED;
	if (--dev->si_refcount == 0)
		lvk_dev_free_later(dev);
}

void
lvk_dev_destroy(struct cdev *dev)
{
	struct lvk_cdev *lc = LVK_CDEV(dev);
	struct cdevsw *csw;

	mtx_assert(&devmtx, MA_OWNED);
	KASSERT((dev->si_flags & SI_NAMED) != 0, ("WARNING: Driver mistake: "
	    "destroy_dev on %d (%s), which was not made or is gone",
	    dev2unit(dev), dev->si_name));
	KASSERT((dev->si_flags & SI_ETERNAL) == 0, ("WARNING: Driver mistake: "
	    "destroy_dev on eternal %d (%s)", dev2unit(dev), dev->si_name));
	if ((lc->lc_flags & LC_DELISTED) == 0) {
		dev_refl(dev);
		lvk_dev_delist(dev);
	}
	dev->si_flags &= ~SI_NAMED;
	if ((dev->si_flags & SI_CHILD) != 0) {
		LIST_REMOVE(dev, si_siblings);
		dev->si_flags &= ~SI_CHILD;
	}
	while (!LIST_EMPTY(&dev->si_children))
		lvk_dev_destroy(LIST_FIRST(&dev->si_children));
	if ((dev->si_flags & SI_CLONELIST) != 0) {
		LIST_REMOVE(dev, si_clone);
		dev->si_flags &= ~SI_CLONELIST;
	}
	csw = dev->si_devsw;		/* an alias has none */
	dev->si_devsw = NULL;
	drain(dev, csw);
	dev_unlock();
	if ((lc->lc_flags & LC_DELISTED) == 0)
		lvk_dev_notify(dev, "DESTROY");
	lvk_dev_privs_end(dev);
	dev_lock();
	forget(dev, csw);
}

void
destroy_dev(struct cdev *dev)
{
	lvk_sleep_check("destroy_dev(9)");
	dev_lock();
	lvk_dev_destroy(dev);
	lvk_dev_unlock_and_free();
}

static void
delist(struct cdev *dev)
{
	struct cdev *child;

	if ((LVK_CDEV(dev)->lc_flags & LC_DELISTED) != 0)
		return;
	LVK_CDEV(dev)->lc_flags |= LC_DELISTED;
	dev_refl(dev);
	lvk_dev_delist(dev);
	LIST_FOREACH(child, &dev->si_children, si_siblings)
		delist(child);
	dev_unlock();
	lvk_dev_notify(dev, "DESTROY");
	dev_lock();
}

void
delist_dev(struct cdev *dev)
{
	lvk_sleep_check("delist_dev(9)");
	dev_lock();
	delist(dev);
	dev_unlock();
}

static void
destroy_scheduled(void *arg __unused)
{
	void (*cb)(void *);
	struct lvk_cdev *lc;
	void *cbarg;

	mtx_lock(&Giant);
	dev_lock();
	while ((lc = TAILQ_FIRST(&scheduled)) != NULL) {
		TAILQ_REMOVE(&scheduled, lc, lc_sched);
		cb = lc->lc_cb;
		cbarg = lc->lc_cbarg;
		lvk_dev_destroy(&lc->lc_dev);
		lvk_dev_unlock_and_free();
		dev_rel(&lc->lc_dev);
		if (cb != NULL)
			cb(cbarg);
		dev_lock();
	}
	scheduler_runs = false;
	dev_unlock();
	mtx_unlock(&Giant);
	kthread_exit();
}

/* 0: it was scheduled before. */
int
destroy_dev_sched_cb(struct cdev *dev, void (*cb)(void *), void *arg)
{
	struct lvk_cdev *lc = LVK_CDEV(dev);
	bool start;

	dev_lock();
	if ((lc->lc_flags & LC_SCHED) != 0) {
		dev_unlock();
		return (0);
	}
	dev_refl(dev);
	lc->lc_flags |= LC_SCHED;
	lc->lc_cb = cb;
	lc->lc_cbarg = arg;
	TAILQ_INSERT_TAIL(&scheduled, lc, lc_sched);
	start = !scheduler_runs;
	scheduler_runs = true;
	dev_unlock();
	if (start)
		(void)kthread_add(destroy_scheduled, NULL, NULL, NULL, 0, 0,
		    "destroy_dev");
	return (1);
}

int
destroy_dev_sched(struct cdev *dev)
{
	return (destroy_dev_sched_cb(dev, NULL, NULL));
}

void
destroy_dev_drain(struct cdevsw *csw)
{
	dev_lock();
	while (!LIST_EMPTY(&csw->d_devs))
		msleep(&csw->d_devs, &devmtx, PZERO, "devscd", hz / 10);
	dev_unlock();
}
