/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tests of the public API share. */
#ifndef TEST_API_H
#define TEST_API_H

#define S LIBVNET_NS_PER_SECOND
#define FREEBSD_EDOM 33
#define FREEBSD_EPERM 1

static struct vnet *a, *b;

static int
setup(void **state)
{
	(void)state;
	assert_int_equal(libvnet_boot(NULL), 0);
	if (libvnet_has_vimage()) {
		assert_int_equal(libvnet_create(&a), 0);
		assert_int_equal(libvnet_create(&b), 0);
	} else
		a = b = NULL;
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

static void
need_vimage(void)
{
	if (!libvnet_has_vimage())
		skip();
}

/* The code, and a sentence that has `word' in it. */
#define assert_fails(call, code, word) do {				\
	assert_int_equal((call), (code));				\
	if (strstr(libvnet_error(), (word)) == NULL)			\
		fail_msg("\"%s\" does not say \"%s\"", libvnet_error(),	\
		    (word));						\
} while (0)

#endif /* TEST_API_H */
