/* SPDX-License-Identifier: BSD-2-Clause */
/* make_dev(9), destroy_dev(9), devfs_set_cdevpriv(9), and use by a test. */
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

/* Ticks are no whole number of nanoseconds. */
static int
ms_since(int64_t start)
{
	return ((int)((libvnet_clock_ns() - start + 500000) / 1000000));
}

/* ---- names */

LIBVNET_TEST_VNET(make_dev_fills_the_cdev_and_lists_the_name, v)
{
	struct cdev *alias;

	make();
	assert_string_equal(devtoname(box), "box0");
	assert_int_equal(dev2unit(box), 3);
	assert_ptr_equal(box->si_devsw, &box_cdevsw);
	assert_int_equal(box->si_mode, 0600);
	alias = make_dev_alias(box, "boxes//all/%s", "one");
	assert_string_equal(alias->si_name, "boxes/all/one");
	destroy_dev(box);
	assert_int_equal(libvnet_device_open(v, "boxes/all/one", 0,
	    &(struct libvnet_device *){ NULL }, NULL), LIBVNET_ENOENT);
}

static int
checked(const char *name)
{
	struct make_dev_args args;
	struct cdev *dev;
	int error;

	make_dev_args_init(&args);
	args.mda_devsw = &box_cdevsw;
	args.mda_flags = MAKEDEV_CHECKNAME | MAKEDEV_WAITOK;
	args.mda_si_drv1 = &args;
	error = make_dev_s(&args, &dev, "%s", name);
	if (error == 0) {
		assert_ptr_equal(dev->si_drv1, &args);
		destroy_dev(dev);
	}
	return (error);
}

LIBVNET_TEST(make_dev_s_refuses_bad_names)
{
	static const char *const bad[] = { "", "/", "a b", "a\"b", ".", "..",
	    "a/../b", "a/", "a/.", "./a" };
	char longest[SPECNAMELEN + 2];

	make();
	assert_int_equal(checked("fine/name.with..dots"), 0);
	assert_int_equal(checked("//leading"), 0);
	for (u_int i = 0; i < nitems(bad); i++)
		if (checked(bad[i]) != EINVAL)
			fail_msg("\"%s\" passes", bad[i]);
	assert_int_equal(checked("box0"), EEXIST);
	assert_int_equal(checked("box0/part"), EEXIST);
	memset(longest, 'x', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	assert_int_equal(checked(longest), ENAMETOOLONG);
	destroy_dev(box);
}

LIBVNET_TEST(make_dev_twice_panics)
{
	libvnet_expect_panic("make_dev_sv: bad si_name \\(error=17");
	make();
	make();
}

LIBVNET_TEST(make_dev_p_with_checkname_answers_the_second)
{
	struct cdev *other;

	make();
	assert_int_equal(make_dev_p(MAKEDEV_CHECKNAME, &other, &box_cdevsw,
	    NULL, 0, 0, 0, "box0"), EEXIST);
	assert_null(make_dev_credf(MAKEDEV_CHECKNAME, &box_cdevsw, 0, NULL, 0,
	    0, 0, "box0"));
	destroy_dev(box);
	make();
	destroy_dev(box);
}

LIBVNET_TEST(make_dev_tells_devctl)
{
	make();
	assert_int_equal(libvnet_log_count("^!system=DEVFS subsystem=CDEV "
	    "type=CREATE cdev=box0$"), 1);
	destroy_dev(box);
	assert_int_equal(libvnet_log_count("type=DESTROY cdev=box0"), 1);
}

static int told;

static void
tell(const char *system, const char *subsystem, const char *type,
    const char *data)
{
	if (strcmp(type, "CREATE") != 0)
		return;
	assert_string_equal(system, "DEVFS");
	assert_string_equal(subsystem, "CDEV");
	assert_string_equal(data, "cdev=box0");
	told++;
}

LIBVNET_TEST(devctl_tells_its_hook)
{
	devctl_set_notify_hook(tell);
	make();
	assert_int_equal(told, 1);
	destroy_dev(box);
	devctl_unset_notify_hook();
	make();
	assert_int_equal(told, 1);
	destroy_dev(box);
}

static void
clone(void *arg __unused, struct ucred *cr __unused, char *name, int len,
    struct cdev **dev)
{
	int unit;

	assert_int_equal(len, (int)strlen(name));
	if (*dev != NULL || dev_stdclone(name, NULL, "box", &unit) != 1)
		return;
	box = make_dev_credf(MAKEDEV_REF, &box_cdevsw, unit, NULL, 0, 0, 0600,
	    "box%d", unit);
	*dev = box;
}

LIBVNET_TEST_VNET(a_device_is_made_when_it_is_asked_for, v)
{
	eventhandler_tag tag = EVENTHANDLER_REGISTER(dev_clone, clone, NULL,
	    1000);
	struct libvnet_device *d = NULL;

	assert_int_equal(libvnet_device_open(v, "boxes", 0, &d, NULL),
	    LIBVNET_ENOENT);
	assert_int_equal(libvnet_device_open(v, "box42", 0, &d, NULL), 0);
	assert_int_equal(dev2unit(box), 42);
	assert_int_equal(libvnet_device_close(d, NULL), 0);
	EVENTHANDLER_DEREGISTER(dev_clone, tag);
	destroy_dev(box);
}

LIBVNET_TEST(clone_create_finds_the_lowest_free_unit)
{
	struct cdevsw csw = { .d_version = D_VERSION, .d_flags = D_NEEDMINOR,
	    .d_name = "units" };
	struct clonedevs *clones;
	struct cdev *devs[4], *same;
	int unit;

	clone_setup(&clones);
	for (int i = 0; i < 4; i++) {
		unit = i == 0 ? 1 : -1;
		assert_int_equal(clone_create(&clones, &csw, &unit, &devs[i],
		    0), 1);
		assert_int_equal(unit, ((int[]){ 1, 0, 2, 3 })[i]);
		devs[i] = make_dev(&csw, unit, 0, 0, 0, "unit%d", unit);
	}
	unit = 2;
	assert_int_equal(clone_create(&clones, &csw, &unit, &same, 0), 0);
	assert_ptr_equal(same, devs[2]);
	clone_cleanup(&clones);
	assert_null(clones);
}

/* ---- opening and closing */

LIBVNET_TEST_VNET(open_runs_with_the_credential_of_the_vnet, v)
{
	struct libvnet_device *d;
	int before;

	make();
	before = (int)curthread->td_ucred->cr_ref;
	d = opened(v, 0);
	assert_ptr_equal(seen_vnet, v);
	assert_ptr_equal(seen_cred, v);
	assert_int_equal(libvnet_device_close(d, NULL), 0);
	d = opened(v, LIBVNET_DEVICE_NOVNET);
	assert_null(seen_vnet);
	assert_ptr_equal(seen_cred, v);
	assert_int_equal(libvnet_device_close(d, NULL), 0);
	assert_int_equal(curthread->td_ucred->cr_ref, before);
	assert_ptr_equal(libvnet_current(), v);
	destroy_dev(box);
}

LIBVNET_TEST_VNET(d_close_comes_with_the_last_close, v)
{
	struct libvnet_device *d[3];

	make();
	for (int i = 0; i < 3; i++)
		d[i] = opened(v, LIBVNET_DEVICE_READ);
	assert_int_equal(opens, 3);
	assert_int_equal(box->si_usecount, 3);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(closes, 0);
		assert_int_equal(libvnet_device_close(d[i], NULL), 0);
		assert_int_equal(gone, i + 1);
	}
	assert_int_equal(closes, 1);
	assert_int_equal(close_flags, FREAD);
	destroy_dev(box);
}

LIBVNET_TEST_VNET(d_close_comes_always_with_D_TRACKCLOSE, v)
{
	struct libvnet_device *d[2];

	box_cdevsw.d_flags |= D_TRACKCLOSE;
	make();
	d[0] = opened(v, 0);
	d[1] = opened(v, 0);
	libvnet_device_close(d[0], NULL);
	libvnet_device_close(d[1], NULL);
	assert_int_equal(closes, 2);
	destroy_dev(box);
}

LIBVNET_TEST_VNET(an_open_that_fails_leaves_nothing, v)
{
	struct libvnet_device *d = NULL;
	int kerr;

	make();
	refuse = EBUSY;
	assert_int_equal(libvnet_device_open(v, "box0", 0, &d, &kerr),
	    LIBVNET_EKERNEL);
	assert_int_equal(kerr, EBUSY);
	assert_int_equal(gone, 1);		/* what open had set */
	assert_int_equal(closes, 0);
	assert_int_equal(box->si_usecount, 0);
	destroy_dev(box);
}

static int
bare_open(struct cdev *dev __unused, int oflags __unused,
    int devtype __unused, struct thread *td __unused)
{
	return (0);
}

LIBVNET_TEST_VNET(what_a_driver_lacks_answers_ENODEV, v)
{
	struct cdevsw csw = { .d_version = D_VERSION, .d_name = "bare",
	    .d_open = bare_open };
	struct cdev *dev = make_dev(&csw, 0, 0, 0, 0, "bare");
	struct libvnet_device *d;
	int kerr;
	char c;

	assert_int_equal(libvnet_device_open(v, "bare", 0, &d, NULL), 0);
	assert_int_equal(libvnet_device_read(d, &c, 1, &kerr),
	    LIBVNET_EKERNEL);
	assert_int_equal(kerr, ENODEV);
	libvnet_device_ioctl(d, BOX_ADD, &(int){ 1 }, &kerr);
	assert_int_equal(kerr, ENODEV);
	assert_int_equal(libvnet_device_poll(d, POLLIN | POLLOUT, 0, NULL),
	    POLLIN | POLLOUT);
	libvnet_device_close(d, NULL);
	destroy_dev(dev);
}

LIBVNET_TEST_VNET(a_driver_of_another_version_is_disabled, v)
{
	struct cdevsw csw = { .d_version = D_VERSION_03, .d_name = "old",
	    .d_open = bare_open };
	struct cdev *dev = make_dev(&csw, 0, 0, 0, 0, "old");
	struct libvnet_device *d;
	int kerr;

	assert_int_equal(libvnet_log_count("Device driver \"old\" has wrong "
	    "version"), 1);
	libvnet_device_open(v, "old", 0, &d, &kerr);
	assert_int_equal(kerr, ENXIO);
	destroy_dev(dev);
}

LIBVNET_TEST_VNET(D_NEEDGIANT_puts_Giant_around_methods, v)
{
	struct libvnet_device *d;

	box_cdevsw.d_flags |= D_NEEDGIANT;
	make();
	assert_true(box_cdevsw.d_open != box_open);
	d = opened(v, 0);
	assert_true(giant_seen);
	assert_false(mtx_owned(&Giant));
	libvnet_device_close(d, NULL);
	destroy_dev(box);
	assert_true(box_cdevsw.d_open == box_open);
	box_cdevsw.d_flags &= ~(u_int)D_NEEDGIANT;
	make();
	d = opened(v, 0);
	assert_false(giant_seen);
	libvnet_device_close(d, NULL);
	destroy_dev(box);
}

/* ---- ioctl */

LIBVNET_TEST_VNET(ioctl_copies_as_the_command_says, v)
{
	struct libvnet_device *d;
	struct big big = { "hello" };
	char buf[32];
	int n = 41, kerr;

	make();
	d = opened(v, 0);
	assert_int_equal(libvnet_device_ioctl(d, BOX_ADD, &n, NULL), 0);
	assert_int_equal(n, 42);
	assert_int_equal(libvnet_device_ioctl(d, BOX_BIG, &big, NULL), 0);
	assert_string_equal(big.text, "hello!");
	assert_int_equal(libvnet_device_ioctl(d, BOX_NUMBER, (void *)7, NULL),
	    0);
	assert_int_equal(libvnet_device_ioctl(d, BOX_GET, &n, NULL), 0);
	assert_int_equal(n, 1);
	libvnet_device_ioctl(d, BOX_ADD, NULL, &kerr);
	assert_int_equal(kerr, EFAULT);
	libvnet_device_ioctl(d, BOX_NONE, NULL, &kerr);
	assert_int_equal(kerr, ENOTTY);
	assert_int_equal(libvnet_device_ioctl(d, FIODGNAME,
	    &(struct fiodgname_arg){ sizeof(buf), buf }, NULL), 0);
	assert_string_equal(buf, "box0");
	libvnet_device_close(d, NULL);
	destroy_dev(box);
}

LIBVNET_TEST_VNET(ioctl_refuses_commands_that_are_none, v)
{
	static const u_long bad[] = {
		_IOC(0, 'b', 1, 4),			/* no direction */
		_IOC(IOC_VOID, 'b', 1, 8),		/* a long for an int */
		_IOC(IOC_IN, 'b', 1, 0), _IOC(IOC_OUT, 'b', 1, 0)
	};
	struct libvnet_device *d;
	int n = 0, kerr;

	make();
	d = opened(v, 0);
	for (u_int i = 0; i < nitems(bad); i++) {
		libvnet_device_ioctl(d, bad[i], &n, &kerr);
		assert_int_equal(kerr, ENOTTY);
	}
	libvnet_device_close(d, NULL);
	destroy_dev(box);
}

/* ---- private data */

static int second_error;

static int
twice_open(struct cdev *dev __unused, int oflags __unused,
    int devtype __unused, struct thread *td __unused)
{
	void *priv;

	assert_int_equal(devfs_get_cdevpriv(&priv), ENOENT);
	assert_int_equal(devfs_set_cdevpriv((void *)1, dtor), 0);
	second_error = devfs_set_cdevpriv((void *)2, dtor);
	return (0);
}

LIBVNET_TEST_VNET(cdevpriv_set_twice_is_busy, v)
{
	struct libvnet_device *d;
	void *priv;

	box_cdevsw.d_open = twice_open;
	make();
	d = opened(v, 0);
	assert_int_equal(second_error, EBUSY);
	libvnet_device_close(d, NULL);
	assert_int_equal(gone, 1);
	destroy_dev(box);
	assert_int_equal(devfs_get_cdevpriv(&priv), EBADF);
	assert_int_equal(devfs_set_cdevpriv(&priv, dtor), ENOENT);
}

LIBVNET_TEST_VNET(cdevpriv_cleared_is_gone, v)
{
	struct libvnet_device *d;
	int n, kerr;

	make();
	d = opened(v, 0);
	assert_int_equal(libvnet_device_ioctl(d, BOX_POINTER, NULL, NULL), 0);
	assert_int_equal(gone, 1);
	libvnet_device_ioctl(d, BOX_GET, &n, &kerr);
	assert_int_equal(kerr, ENXIO);
	libvnet_device_close(d, NULL);
	assert_int_equal(gone, 1);
	destroy_dev(box);
}

/* ---- read, write, poll */

LIBVNET_TEST_VNET(read_and_write_move_what_the_driver_moves, v)
{
	struct libvnet_device *d;
	char buf[16];
	int kerr;

	make();
	d = opened(v, LIBVNET_DEVICE_NONBLOCK);
	assert_int_equal(libvnet_device_read(d, buf, sizeof(buf), &kerr),
	    LIBVNET_EKERNEL);
	assert_int_equal(kerr, EWOULDBLOCK);
	assert_int_equal(libvnet_device_write(d, "words", 5, NULL), 5);
	assert_int_equal(libvnet_device_read(d, buf, sizeof(buf), NULL), 5);
	assert_memory_equal(buf, "words", 5);
	libvnet_device_close(d, NULL);
	d = opened(v, LIBVNET_DEVICE_READ);
	libvnet_device_write(d, "words", 5, &kerr);
	assert_int_equal(kerr, EBADF);
	libvnet_device_close(d, NULL);
	destroy_dev(box);
}

static void
writer(void *arg)
{
	pause("later", hz / 2);
	assert_int_equal(libvnet_device_write(arg, "late", 4, NULL), 4);
	kthread_exit();
}

LIBVNET_TEST_VNET(a_read_blocks_until_another_thread_writes, v)
{
	struct libvnet_device *d;
	int64_t start = libvnet_clock_ns();
	char buf[16];

	make();
	d = opened(v, 0);
	kthread_add(writer, d, NULL, NULL, 0, 0, "writer");
	assert_int_equal(libvnet_device_read(d, buf, sizeof(buf), NULL), 4);
	assert_int_equal(ms_since(start), 500);
	libvnet_device_close(d, NULL);
	destroy_dev(box);
}

LIBVNET_TEST_VNET(poll_waits_for_the_device_or_the_time, v)
{
	struct libvnet_device *d;
	int64_t start = libvnet_clock_ns();

	make();
	d = opened(v, 0);
	assert_int_equal(libvnet_device_poll(d, POLLIN | POLLOUT, 0, NULL),
	    POLLOUT);
	assert_int_equal(libvnet_device_poll(d, POLLIN, 0, NULL), 0);
	assert_int_equal(libvnet_device_poll(d, POLLIN,
	    LIBVNET_NS_PER_SECOND / 4, NULL), 0);
	assert_int_equal(ms_since(start), 250);
	kthread_add(writer, d, NULL, NULL, 0, 0, "writer");
	assert_int_equal(libvnet_device_poll(d, POLLIN,
	    10 * LIBVNET_NS_PER_SECOND, NULL), POLLIN);
	assert_int_equal(ms_since(start), 750);
	libvnet_device_close(d, NULL);
	destroy_dev(box);
}
