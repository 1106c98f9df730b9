/* SPDX-License-Identifier: BSD-2-Clause */
/* destroy_dev(9): while the device is open, and while somebody is in it. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/conf.h>
#include <sys/devctl.h>
#include <sys/errno.h>
#include <sys/eventhandler.h>
#include <sys/fcntl.h>
#include <sys/filio.h>
#include <sys/ioccom.h>
#include <sys/jail.h>
#include <sys/kernel.h>
#include <sys/kthread.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/poll.h>
#include <sys/proc.h>
#include <sys/selinfo.h>
#include <sys/ucred.h>
#include <sys/uio.h>

#include <libvnet/test.h>
#include "device_box.h"

/* ---- destroying */

LIBVNET_TEST_VNET(an_open_device_that_is_destroyed_is_dead, v)
{
	struct libvnet_device *d;
	char c;
	int kerr;

	make();
	d = opened(v, 0);
	destroy_dev(box);
	assert_int_equal(gone, 1);
	libvnet_device_read(d, &c, 1, &kerr);
	assert_int_equal(kerr, EIO);
	libvnet_device_ioctl(d, BOX_NONE, NULL, &kerr);
	assert_int_equal(kerr, ENXIO);
	assert_int_equal(libvnet_device_poll(d, POLLIN, 0, NULL),
	    POLLIN | POLLHUP);
	assert_int_equal(libvnet_device_close(d, NULL), 0);
	assert_int_equal(closes, 0);
	assert_int_equal(gone, 1);
}

static int ioctl_error;

static void
slow_ioctl(void *arg)
{
	libvnet_device_ioctl(arg, BOX_ADD, &(int){ 1 }, &ioctl_error);
	ioctl_error = ioctl_error == 0 ? -1 : ioctl_error;
	kthread_exit();
}

LIBVNET_TEST_VNET(destroy_dev_waits_for_threads_in_it, v)
{
	struct libvnet_device *d;

	make();
	d = opened(v, 0);
	slow = true;
	kthread_add(slow_ioctl, d, NULL, NULL, 0, 0, "ioctl");
	libvnet_run_until_idle();
	assert_int_equal(box->si_threadcount, 1);
	destroy_dev(box);
	assert_int_equal(ioctl_error, -1);
	libvnet_device_close(d, NULL);
}

static void
purge(struct cdev *dev __unused)
{
	purged++;
	wakeup(&kept);
	strlcpy(kept, "purged", sizeof(kept));
}

static void
reader(void *arg)
{
	char buf[16];

	libvnet_device_read(arg, buf, sizeof(buf), NULL);
	kthread_exit();
}

LIBVNET_TEST_VNET(d_purge_drives_sleepers_out, v)
{
	struct libvnet_device *d;

	box_cdevsw.d_purge = purge;
	make();
	d = opened(v, 0);
	kthread_add(reader, d, NULL, NULL, 0, 0, "reader");
	libvnet_run_until_idle();
	destroy_dev(box);
	assert_int_equal(purged, 1);
	libvnet_device_close(d, NULL);
}

LIBVNET_TEST_VNET(destroy_dev_of_a_device_that_nobody_leaves_panics, v)
{
	struct libvnet_device *d;

	libvnet_expect_panic("destroy_dev\\(box0\\): 1 threads stay");
	make();
	d = opened(v, 0);
	kthread_add(reader, d, NULL, NULL, 0, 0, "reader");
	libvnet_run_until_idle();
	destroy_dev(box);
}

LIBVNET_TEST_VNET(destroy_dev_from_its_own_method_panics, v)
{
	libvnet_expect_panic("from one of its own methods.*"
	    "destroy_dev_sched");
	make();
	libvnet_device_ioctl(opened(v, 0), BOX_SELF, NULL, NULL);
}

static int
sched_ioctl(struct cdev *dev, u_long cmd __unused, caddr_t data __unused,
    int fflag __unused, struct thread *td __unused)
{
	assert_int_equal(destroy_dev_sched_cb(dev, dtor, (void *)10), 1);
	assert_int_equal(destroy_dev_sched(dev), 0);
	return (0);
}

LIBVNET_TEST_VNET(destroy_dev_sched_from_its_own_method_works, v)
{
	struct libvnet_device *d;
	int kerr;

	box_cdevsw.d_ioctl = sched_ioctl;
	make();
	d = opened(v, 0);
	assert_int_equal(libvnet_device_ioctl(d, BOX_SELF, NULL, NULL), 0);
	libvnet_device_ioctl(d, BOX_SELF, NULL, &kerr);
	assert_int_equal(kerr, ENXIO);
	destroy_dev_drain(&box_cdevsw);
	libvnet_run_until_idle();
	assert_int_equal(gone, 11);
	libvnet_device_close(d, NULL);
}

LIBVNET_TEST(delist_dev_frees_the_name_at_once)
{
	struct cdev *first;

	make();
	first = box;
	delist_dev(first);
	make();
	destroy_dev(first);
	destroy_dev(box);
}

#ifdef INVARIANTS
LIBVNET_TEST(destroy_dev_twice_panics)
{
	libvnet_expect_panic("Driver mistake: destroy_dev on 3 \\(box0\\)");
	make();
	dev_ref(box);
	destroy_dev(box);
	destroy_dev(box);
}

LIBVNET_TEST(dev_rel_below_zero_panics)
{
	libvnet_expect_panic("dev_rel\\(box0\\) gave negative count");
	make();
	dev_rel(box);
}

LIBVNET_TEST(dev_rel_after_dev_ref_is_fine)
{
	make();
	dev_ref(box);
	destroy_dev(box);
	assert_null(box->si_devsw);
	dev_rel(box);
}

LIBVNET_TEST(dev_relthread_without_dev_refthread_panics)
{
	libvnet_expect_panic("box0 threadcount is wrong");
	make();
	dev_relthread(box, 1);
}

LIBVNET_TEST(destroy_dev_of_an_eternal_device_panics)
{
	struct cdev *dev;

	libvnet_expect_panic("destroy_dev on eternal");
	(void)make_dev_p(MAKEDEV_ETERNAL, &dev, &box_cdevsw, NULL, 0, 0, 0,
	    "for_ever");
	destroy_dev(dev);
}

LIBVNET_TEST(destroy_dev_with_a_lock_held_panics)
{
	libvnet_expect_panic("destroy_dev");
	make();
	THREAD_NO_SLEEPING();
	destroy_dev(box);
}

LIBVNET_TEST(clone_create_without_units_panics)
{
	struct clonedevs *clones;
	struct cdev *dev;
	int unit = 0;

	libvnet_expect_panic("clone_create\\(\\) on cdevsw without minor");
	clone_setup(&clones);
	clone_create(&clones, &box_cdevsw, &unit, &dev, 0);
}
#endif
