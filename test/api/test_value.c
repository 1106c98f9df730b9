/* SPDX-License-Identifier: BSD-2-Clause */
/* The public API: sysctls and counters by name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include <libvnet/libvnet.h>

#include "test_api.h"

static void
sysctl_reads_every_width_with_its_sign(void **state)
{
	static const struct {
		const char *name;
		int64_t value;
	} want[] = {
		{ "net.inet.mod.int", -3 }, { "net.inet.mod.uint", 4000000000 },
		{ "net.inet.mod.byte", 200 },
		{ "net.inet.mod.wide", -5000000000 }
	};
	int64_t n;
	int kerr;

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(libvnet_sysctl_get(a, want[i].name, &n, &kerr),
		    0);
		assert_int_equal(kerr, 0);
		assert_true(n == want[i].value);
		assert_int_equal(libvnet_sysctl_set(a, want[i].name, 7, NULL),
		    0);
		assert_int_equal(libvnet_sysctl_get(a, want[i].name, &n, NULL),
		    0);
		assert_int_equal(n, 7);
		if (!libvnet_has_vimage())
			continue;
		assert_int_equal(libvnet_sysctl_get(b, want[i].name, &n, NULL),
		    0);
		assert_true(n == want[i].value);
	}
}

static void
sysctl_refuses_what_does_not_fit(void **state)
{
	int64_t n;
	size_t size;
	int kerr;

	(void)state;
	assert_fails(libvnet_sysctl_get(a, "net.inet.mod.nothing", &n, NULL),
	    LIBVNET_ENOENT, "net.inet.mod.nothing");
	assert_fails(libvnet_sysctl_get(a, "net.inet.mod", &n, NULL),
	    LIBVNET_ETYPE, "not an integer");
	assert_fails(libvnet_sysctl_get(a, "net.inet.mod.text", &n, NULL),
	    LIBVNET_ETYPE, "libvnet_sysctl_read()");
	assert_fails(libvnet_sysctl_get(a, NULL, &n, NULL), LIBVNET_EINVAL,
	    "name");
	assert_fails(libvnet_sysctl_get(a, "net.inet.mod.int", NULL, NULL),
	    LIBVNET_EINVAL, "NULL");
	assert_fails(libvnet_sysctl_set(a, "net.inet.mod.byte", 256, NULL),
	    LIBVNET_EINVAL, "does not fit");
	assert_fails(libvnet_sysctl_set(a, "net.inet.mod.uint", -1, NULL),
	    LIBVNET_EINVAL, "does not fit");
	assert_fails(libvnet_sysctl_set(a, "net.inet.mod.int", 1LL << 31,
	    NULL), LIBVNET_EINVAL, "does not fit");
	assert_fails(libvnet_sysctl_set(a, "net.inet.mod.ticks", 1, &kerr),
	    LIBVNET_EKERNEL, "1, EPERM");
	assert_int_equal(kerr, FREEBSD_EPERM);
	assert_fails(libvnet_sysctl_set(a, "net.inet.mod.random", 0, &kerr),
	    LIBVNET_EKERNEL, "33, EDOM");
	assert_int_equal(kerr, FREEBSD_EDOM);
	assert_fails(libvnet_sysctl_read(a, "net.inet.mod.int", NULL, NULL,
	    NULL), LIBVNET_EINVAL, "size");
	size = 0;
	assert_fails(libvnet_sysctl_read(a, "x.y", NULL, &size, NULL),
	    LIBVNET_ENOENT, "x.y");
	assert_fails(libvnet_sysctl_write(a, "net.inet.mod.int", NULL, 4, NULL),
	    LIBVNET_EINVAL, "value");
	assert_fails(libvnet_sysctl_write(a, "net.inet.mod.int", "", 1, NULL),
	    LIBVNET_EKERNEL, "the kernel answers");
}

static void
sysctl_needs_a_vnet(void **state)
{
	int64_t n;

	(void)state;
	need_vimage();
	assert_fails(libvnet_sysctl_get(NULL, "net.inet.mod.int", &n, NULL),
	    LIBVNET_ENOVNET, "none is current");
	assert_int_equal(libvnet_enter(b), 0);
	assert_int_equal(libvnet_sysctl_get(NULL, "net.inet.mod.int", &n, NULL),
	    0);
	assert_int_equal(libvnet_leave(), 0);
	assert_int_equal(libvnet_destroy(a), 0);
	assert_fails(libvnet_sysctl_get(a, "net.inet.mod.int", &n, NULL),
	    LIBVNET_ENOVNET, "destroyed");
}

static void
string_is_read_and_written_raw(void **state)
{
	char text[32];
	size_t size = 0;

	(void)state;
	assert_int_equal(libvnet_sysctl_read(a, "net.inet.mod.text", NULL,
	    &size, NULL), 0);
	assert_true(size >= sizeof("text") && size <= sizeof(text));
	size = sizeof(text);
	assert_int_equal(libvnet_sysctl_read(a, "net.inet.mod.text", text,
	    &size, NULL), 0);
	assert_string_equal(text, "text");
	assert_int_equal(libvnet_sysctl_write(a, "net.inet.mod.text", "other",
	    5, NULL), 0);
	size = sizeof(text);
	assert_int_equal(libvnet_sysctl_read(a, "net.inet.mod.text", text,
	    &size, NULL), 0);
	assert_string_equal(text, "other");
}

static void
counter_is_found_by_name(void **state)
{
	uint64_t n;
	size_t size;
	void *p;

	(void)state;
	need_vimage();
	assert_int_equal(libvnet_sysctl_set(a, "net.inet.mod.random", 9, NULL),
	    0);
	assert_int_equal(libvnet_counter_get(a, "modstat", 1, &n), 0);
	assert_int_equal(n, 9);
	assert_int_equal(libvnet_counter_get(b, "modstat", 1, &n), 0);
	assert_int_equal(n, 0);
	assert_fails(libvnet_counter_get(a, "modstat", 2, &n), LIBVNET_ETYPE,
	    "counter number 2");
	assert_fails(libvnet_counter_get(a, "mod_int", 0, &n), LIBVNET_ETYPE,
	    "4 bytes");
	assert_fails(libvnet_counter_get(a, "V_modstat", 0, &n), LIBVNET_ENOENT,
	    "without V_");
	assert_fails(libvnet_counter_get(a, "mod_unallocated", 0, &n),
	    LIBVNET_ENOENT, "not allocated");
	assert_fails(libvnet_counter_get(a, "modstat", 0, NULL), LIBVNET_EINVAL,
	    "NULL");
	assert_fails(libvnet_counter_get(a, NULL, 0, &n), LIBVNET_EINVAL,
	    "name");
	assert_int_equal(libvnet_variable(a, "mod_int", &p, &size), 0);
	assert_int_equal(*(int *)p, -3);
	assert_int_equal(size, sizeof(int));
	assert_fails(libvnet_variable(a, "mod_int", NULL, NULL), LIBVNET_EINVAL,
	    "NULL");
}

int
main(void)
{
#define BOOTED(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		BOOTED(sysctl_reads_every_width_with_its_sign),
		BOOTED(sysctl_refuses_what_does_not_fit),
		BOOTED(sysctl_needs_a_vnet),
		BOOTED(string_is_read_and_written_raw),
		BOOTED(counter_is_found_by_name),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
