/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernel environment: what the test gives at boot, and its numbers. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/eventhandler.h>
#include <sys/kenv.h>
#include <sys/kernel.h>
#include <sys/limits.h>
#include <sys/malloc.h>
#include <sys/stdint.h>

#include <libvnet/test.h>

static int tuned_int = 1;
static long tuned_long = 2;
static bool tuned_bool;
static uint64_t tuned_u64;
TUNABLE_INT("tune.int", &tuned_int);
TUNABLE_LONG("tune.long", &tuned_long);
TUNABLE_BOOL("tune.bool", &tuned_bool);
TUNABLE_UINT64("tune.u64", &tuned_u64);

static void
reboot_with(const char *kenv)
{
	struct libvnet_options options = { .kenv = kenv };

	assert_int_equal(libvnet_shutdown(), 0);
	assert_int_equal(libvnet_boot(&options), 0);
}

LIBVNET_TEST(values_are_those_given_at_boot)
{
	char *s;

	reboot_with("a=1\nb.c=two words\nempty=\nlast=x=y");
	assert_int_equal(testenv("a"), 1);
	assert_int_equal(testenv("b"), 0);
	s = kern_getenv("b.c");
	assert_string_equal(s, "two words");
	freeenv(s);
	s = kern_getenv("empty");
	assert_string_equal(s, "");
	freeenv(s);
	s = kern_getenv("last");
	assert_string_equal(s, "x=y");
	freeenv(s);
	assert_null(kern_getenv("none"));
}

LIBVNET_TEST(name_given_twice_has_its_last_value)
{
	int v;

	reboot_with("a=1\na=2\n");
	assert_int_equal(getenv_int("a", &v), 1);
	assert_int_equal(v, 2);
}

LIBVNET_TEST(line_that_is_no_assignment_is_named_and_ignored)
{
	reboot_with("nothing\n=x\n\nok=1");
	assert_int_equal(libvnet_log_count("\"nothing\" is not name=value"), 1);
	assert_int_equal(libvnet_log_count("\"=x\" is not name=value"), 1);
	assert_int_equal(testenv("ok"), 1);
	assert_int_equal(testenv("nothing"), 0);
}

LIBVNET_TEST(tunables_are_fetched_at_boot)
{
	assert_int_equal(tuned_int, 1);
	reboot_with("tune.int=0x20\ntune.long=-3\ntune.bool=TRUE\n"
	    "tune.u64=1k");
	assert_int_equal(tuned_int, 32);
	assert_int_equal(tuned_long, -3);
	assert_true(tuned_bool);
	assert_int_equal(tuned_u64, 1024);
}

LIBVNET_TEST(tunable_with_garbage_keeps_its_default)
{
	reboot_with("tune.int=12x\ntune.long=\ntune.bool=perhaps");
	assert_int_equal(tuned_int, 1);
	assert_int_equal(tuned_long, 2);
	assert_false(tuned_bool);
	assert_int_equal(libvnet_log_count("tune.bool has non-boolean value "
	    "\"perhaps\""), 1);
}

/* -1 where the value does not count as a number. */
static quad_t
number(const char *value)
{
	quad_t v = -1;

	assert_int_equal(kern_setenv("number", value), 0);
	if (getenv_quad("number", &v) == 0)
		assert_int_equal(v, -1);
	return (v);
}

LIBVNET_TEST(numbers_have_bases_and_suffixes)
{
	assert_int_equal(number("12"), 12);
	assert_int_equal(number("-12"), -12);
	assert_int_equal(number("0x1f"), 31);
	assert_int_equal(number("017"), 15);
	assert_int_equal(number("2k"), 2048);
	assert_int_equal(number("2K"), 2048);
	assert_int_equal(number("3m"), 3 << 20);
	assert_int_equal(number("1G"), 1 << 30);
	assert_int_equal(number("1t"), (quad_t)1 << 40);
}

LIBVNET_TEST(value_must_be_a_number_to_its_end)
{
	assert_int_equal(number(""), -1);
	assert_int_equal(number("k"), -1);
	assert_int_equal(number("12 "), -1);
	assert_int_equal(number("12kb"), -1);
	assert_int_equal(number("12kk"), -1);
	assert_int_equal(number("0x"), -1);
	assert_int_equal(number("1x"), -1);
	assert_int_equal(number("1,2"), -1);
}

LIBVNET_TEST(getters_convert_to_their_type)
{
	int64_t i64;
	uint64_t u64;
	u_long ul;
	long l;
	u_int u;
	bool b;
	int i;

	assert_int_equal(kern_setenv("n", "-2"), 0);
	assert_true(getenv_int("n", &i) && i == -2);
	assert_true(getenv_uint("n", &u) && u == UINT_MAX - 1);
	assert_true(getenv_long("n", &l) && l == -2);
	assert_true(getenv_ulong("n", &ul) && ul == ULONG_MAX - 1);
	assert_true(getenv_int64("n", &i64) && i64 == -2);
	assert_true(getenv_uint64("n", &u64) && u64 == UINT64_MAX - 1);
	assert_int_equal(kern_setenv("b", "False"), 0);
	b = true;
	assert_int_equal(getenv_bool("b", &b), 1);
	assert_false(b);
	assert_int_equal(getenv_int("none", &i), 0);
}

LIBVNET_TEST(string_getter_truncates)
{
	char buf[4];

	assert_int_equal(kern_setenv("s", "abcdef"), 0);
	assert_int_equal(getenv_string("s", buf, sizeof(buf)), 1);
	assert_string_equal(buf, "abc");
	assert_int_equal(getenv_string("none", buf, sizeof(buf)), 0);
}

LIBVNET_TEST(array_takes_several_numbers)
{
	uint16_t v[4] = { 0 };
	int bytes;

	assert_int_equal(kern_setenv("v", "1, 2k\t0x10"), 0);
	assert_int_equal(getenv_array("v", v, sizeof(v), &bytes, 2,
	    GETENV_UNSIGNED), 1);
	assert_int_equal(bytes, 6);
	assert_int_equal(v[0], 1);
	assert_int_equal(v[1], 2048);
	assert_int_equal(v[2], 16);
}

static bool
array_fits(const char *value, int type_size, bool is_signed)
{
	uint64_t room[2];
	int bytes;

	assert_int_equal(kern_setenv("v", value), 0);
	return (getenv_array("v", room, sizeof(room), &bytes, type_size,
	    is_signed) != 0);
}

LIBVNET_TEST(array_checks_range_and_room)
{
	assert_true(array_fits("255", 1, GETENV_UNSIGNED));
	assert_false(array_fits("256", 1, GETENV_UNSIGNED));
	assert_true(array_fits("-128", 1, GETENV_SIGNED));
	assert_false(array_fits("128", 1, GETENV_SIGNED));
	assert_false(array_fits("-1", 4, GETENV_UNSIGNED));
	assert_true(array_fits("4294967295", 4, GETENV_UNSIGNED));
	assert_false(array_fits("4294967296", 4, GETENV_UNSIGNED));
	assert_false(array_fits("2147483648", 4, GETENV_SIGNED));
	assert_false(array_fits("9223372036854775807k", 8, GETENV_SIGNED));
	assert_true(array_fits("1 2", 8, GETENV_SIGNED));
	assert_false(array_fits("1 2 3", 8, GETENV_SIGNED));
	assert_false(array_fits("", 4, GETENV_SIGNED));
	assert_false(array_fits("1;2", 4, GETENV_SIGNED));
}

static char changed[32];

static void
note_change(void *arg, const char *name)
{
	snprintf(changed, sizeof(changed), "%s %s", (const char *)arg, name);
}

LIBVNET_TEST(setenv_and_unsetenv_tell_of_it)
{
	static char set[] = "set", unset[] = "unset";

	EVENTHANDLER_REGISTER(setenv, note_change, set, EVENTHANDLER_PRI_ANY);
	EVENTHANDLER_REGISTER(unsetenv, note_change, unset,
	    EVENTHANDLER_PRI_ANY);
	assert_int_equal(kern_setenv("x", "1"), 0);
	assert_string_equal(changed, "set x");
	assert_int_equal(kern_unsetenv("x"), 0);
	assert_string_equal(changed, "unset x");
	assert_int_equal(testenv("x"), 0);
	assert_int_equal(kern_unsetenv("x"), -1);
}

LIBVNET_TEST(too_long_is_refused)
{
	char name[KENV_MNAMELEN + 2];

	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	assert_int_equal(kern_setenv(name, "1"), -1);
	assert_int_equal(kern_setenv("n", name), -1);
	name[KENV_MNAMELEN] = '\0';
	assert_int_equal(kern_setenv(name, name), 0);
	assert_int_equal(testenv(name), 1);
}

LIBVNET_TEST_VNET(environment_is_no_vnets, v)
{
	assert_int_equal(kern_setenv("kept", "1"), 0);
}

#ifdef VIMAGE
LIBVNET_TEST_VNET(value_not_freed_is_a_leak, v)
{
	libvnet_expect("leak", "malloc type \"kenv\"");
	assert_int_equal(kern_setenv("kept", "1"), 0);
	assert_non_null(kern_getenv("kept"));
}
#endif

LIBVNET_TEST_VNET(value_freed_is_none, v)
{
	assert_int_equal(kern_setenv("kept", "1"), 0);
	freeenv(kern_getenv("kept"));
	freeenv(NULL);
}
