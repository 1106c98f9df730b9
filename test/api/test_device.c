/* SPDX-License-Identifier: BSD-2-Clause */
/* <libvnet/device.h>, rightly and wrongly used. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include <libvnet/libvnet.h>

#include "device.h"

#define FREEBSD_EBADF 9
#define FREEBSD_EINVAL 22
#define FREEBSD_ENOTTY 25

static struct vnet *a, *b;

static int
setup(void **state)
{
	(void)state;
	assert_int_equal(libvnet_boot(NULL), 0);
	a = b = NULL;
	if (libvnet_has_vimage()) {
		assert_int_equal(libvnet_create(&a), 0);
		assert_int_equal(libvnet_create(&b), 0);
	}
	return (0);
}

static int
teardown(void **state)
{
	(void)state;
	if (libvnet_booted())
		assert_int_equal(libvnet_shutdown(), 0);
	assert_int_equal(libvnet_finding_count(), 0);
	return (0);
}

/* The code, and a sentence that has `word' in it. */
#define assert_fails(call, code, word) do {				\
	assert_int_equal((call), (code));				\
	if (strstr(libvnet_error(), (word)) == NULL)			\
		fail_msg("\"%s\" does not say \"%s\"", libvnet_error(),	\
		    (word));						\
} while (0)

static struct libvnet_device *
opened(struct vnet *v, int flags)
{
	struct libvnet_device *d = NULL;

	assert_int_equal(libvnet_device_open(v, "adder", flags, &d, NULL), 0);
	return (d);
}

static int
add(struct libvnet_device *d, int term)
{
	struct adder arg = { .term = term };

	assert_int_equal(libvnet_device_ioctl(d, ADDER_ADD, &arg, NULL), 0);
	return (arg.sum);
}

static void
a_device_is_used_in_its_vnet(void **state)
{
	struct libvnet_device *in_a, *in_b;
	char text[16] = "";

	(void)state;
	in_a = opened(a, 0);
	in_b = opened(b, LIBVNET_DEVICE_READ | LIBVNET_DEVICE_WRITE);
	assert_int_equal(add(in_a, 4), 4);
	assert_int_equal(add(in_b, 1), libvnet_has_vimage() ? 1 : 5);
	assert_int_equal(libvnet_device_write(in_a, "40", 2, NULL), 2);
	assert_int_equal(libvnet_device_read(in_a, text, sizeof(text), NULL),
	    2);
	assert_string_equal(text, "40");
	assert_int_equal(libvnet_device_poll(in_a,
	    LIBVNET_POLLIN | LIBVNET_POLLOUT, -1, NULL), LIBVNET_POLLIN);
	assert_int_equal(libvnet_device_fd(in_a) + 1, libvnet_device_fd(in_b));
	assert_int_equal(libvnet_device_close(in_a, NULL), 0);
	assert_int_equal(libvnet_device_close(in_b, NULL), 0);
	assert_null(libvnet_current());
}

static void
null_is_the_current_vnet(void **state)
{
	struct libvnet_device *d;

	(void)state;
	if (!libvnet_has_vimage())
		skip();
	assert_fails(libvnet_device_open(NULL, "adder", 0, &d, NULL),
	    LIBVNET_ENOVNET, "none is current");
	assert_int_equal(libvnet_enter(b), 0);
	d = opened(NULL, 0);
	assert_ptr_equal(libvnet_current(), b);
	assert_int_equal(libvnet_leave(), 0);
	assert_int_equal(add(d, 2), 2);
	assert_int_equal(libvnet_device_close(d, NULL), 0);
}

static void
what_the_kernel_answers_comes_back(void **state)
{
	struct libvnet_device *d = opened(a, LIBVNET_DEVICE_READ);
	struct adder arg = { 0, 0 };
	int kerr;

	(void)state;
	assert_fails(libvnet_device_ioctl(d, ADDER_ADD + 1, &arg, &kerr),
	    LIBVNET_EKERNEL, "25, ENOTTY");
	assert_int_equal(kerr, FREEBSD_ENOTTY);
	assert_fails(libvnet_device_write(d, "1", 1, &kerr), LIBVNET_EKERNEL,
	    "9, EBADF");
	assert_int_equal(kerr, FREEBSD_EBADF);
	assert_int_equal(libvnet_device_poll(d, LIBVNET_POLLIN, 1000, &kerr),
	    0);
	assert_int_equal(kerr, 0);
	assert_int_equal(libvnet_device_close(d, &kerr), 0);
	d = opened(a, LIBVNET_DEVICE_WRITE);
	assert_fails(libvnet_device_write(d, "12345678901234567", 17, &kerr),
	    LIBVNET_EKERNEL, "22, EINVAL");
	assert_int_equal(kerr, FREEBSD_EINVAL);
	assert_int_equal(libvnet_device_close(d, &kerr), 0);
}

static void
misuse_says_what_to_do(void **state)
{
	struct libvnet_device *d = NULL, *other = NULL;

	(void)state;
	assert_fails(libvnet_device_open(a, "nothing", 0, &d, NULL),
	    LIBVNET_ENOENT, "linked in");
	assert_fails(libvnet_device_open(a, NULL, 0, &d, NULL),
	    LIBVNET_EINVAL, "NULL");
	assert_fails(libvnet_device_open(a, "adder", 0, NULL, NULL),
	    LIBVNET_EINVAL, "NULL");
	assert_fails(libvnet_device_open(a, "adder", 64, &d, NULL),
	    LIBVNET_EINVAL, "flags");
	if (libvnet_has_vimage())
		assert_int_equal(libvnet_device_open((void *)&d, "adder", 0,
		    &d, NULL), LIBVNET_ENOVNET);
	assert_null(d);
	d = opened(a, 0);
	assert_fails(libvnet_device_read(d, NULL, 1, NULL), LIBVNET_EINVAL,
	    "NULL");
	assert_fails(libvnet_device_poll(d, 1, -2, NULL), LIBVNET_EINVAL,
	    "nanoseconds");
	assert_int_equal(libvnet_device_close(d, NULL), 0);
	assert_fails(libvnet_device_close(d, NULL), LIBVNET_EINVAL, "after");
	assert_fails(libvnet_device_fd(d), LIBVNET_EINVAL, "open");
	assert_fails(libvnet_device_ioctl(other, 0, NULL, NULL),
	    LIBVNET_EINVAL, "open");
	assert_int_equal(libvnet_shutdown(), 0);
	assert_fails(libvnet_device_open(a, "adder", 0, &d, NULL),
	    LIBVNET_ENOTBOOTED, "libvnet_boot");
}

static void
a_restored_world_does_not_know_the_handle(void **state)
{
	struct libvnet_snapshot *s;
	struct libvnet_device *d;

	(void)state;
	if (libvnet_snapshot_take(&s) != 0)
		skip();
	d = opened(a, 0);
	assert_int_equal(add(d, 1), 1);
	assert_int_equal(libvnet_snapshot_restore(s), 0);
	assert_fails(libvnet_device_close(d, NULL), LIBVNET_EINVAL, "open");
	d = opened(a, 0);
	assert_int_equal(add(d, 1), 1);
	assert_int_equal(libvnet_device_close(d, NULL), 0);
}

int
main(void)
{
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(a_device_is_used_in_its_vnet),
		TEST(null_is_the_current_vnet),
		TEST(what_the_kernel_answers_comes_back),
		TEST(misuse_says_what_to_do),
		TEST(a_restored_world_does_not_know_the_handle)
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
