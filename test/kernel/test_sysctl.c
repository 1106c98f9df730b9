/* SPDX-License-Identifier: BSD-2-Clause */
/* sysctl(9): static nodes, handlers, errors, vnets and tunables. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kenv.h>
#include <sys/kernel.h>
#include <sys/limits.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/stdint.h>
#include <sys/sysctl.h>
#include <net/vnet.h>

#include <libvnet/test.h>
#include "sysctl_test.h"

/* The answer, and what became of the old length. */

/* ---- reading and writing */

LIBVNET_TEST(numbers_of_every_kind_are_read)
{
	int i; u_int u; long l; u_long ul; int64_t s64; uint64_t u64;
	int32_t s32; uint32_t u32; uint16_t u16; uint8_t u8; bool b;

	assert_int_equal(READ("net.t.int", i), 0);
	assert_int_equal(i, -5);
	assert_int_equal(READ("net.t.uint", u), 0);
	assert_int_equal(u, 5);
	assert_int_equal(READ("net.t.long", l), 0);
	assert_int_equal(l, LONG_MIN);
	assert_int_equal(READ("net.t.ulong", ul), 0);
	assert_int_equal(ul, ULONG_MAX);
	assert_int_equal(READ("net.t.s64", s64), 0);
	assert_int_equal(s64, -6);
	assert_int_equal(READ("net.t.u64", u64), 0);
	assert_int_equal(u64, UINT64_MAX);
	assert_int_equal(READ("net.t.s32", s32), 0);
	assert_int_equal(s32, -7);
	assert_int_equal(READ("net.t.u32", u32), 0);
	assert_int_equal(u32, 7);
	assert_int_equal(READ("net.t.u16", u16), 0);
	assert_int_equal(u16, 65535);
	assert_int_equal(got, 2);
	assert_int_equal(READ("net.t.u8", u8), 0);
	assert_int_equal(u8, 255);
	assert_int_equal(READ("net.t.bool", b), 0);
	assert_true(b);
	assert_int_equal(got, 1);
}

LIBVNET_TEST(numbers_of_every_kind_are_written)
{
	const u_long ul = 1UL << 40;
	const int64_t s64 = INT64_MIN;
	const uint16_t u16 = 17;
	const uint8_t u8 = 2;
	const int i = 77;

	assert_int_equal(WRITE("net.t.int", i), 0);
	assert_int_equal(v_int, 77);
	assert_int_equal(WRITE("net.t.ulong", ul), 0);
	assert_int_equal(v_ulong, 1UL << 40);
	assert_int_equal(WRITE("net.t.s64", s64), 0);
	assert_int_equal(v_s64, INT64_MIN);
	assert_int_equal(WRITE("net.t.u16", u16), 0);
	assert_int_equal(v_u16, 17);
	assert_int_equal(WRITE("net.t.u8", u8), 0);
	assert_int_equal(v_u8, 2);
	v_bool = false;
	assert_int_equal(WRITE("net.t.bool", u8), 0);
	assert_int_equal(*(uint8_t *)&v_bool, 1);
}

LIBVNET_TEST(write_gives_the_old_value_back)
{
	int old = 0, new = 9;

	assert_int_equal(query("net.t.int", &old, sizeof(old), &new,
	    sizeof(new)), 0);
	assert_int_equal(old, -5);
	assert_int_equal(v_int, 9);
}

LIBVNET_TEST(constants_are_read_and_not_written)
{
	int i = 0;
	bool b = false;

	assert_int_equal(READ("net.t.five", i), 0);
	assert_int_equal(i, 5);
	assert_int_equal(WRITE("net.t.five", i), EPERM);
	assert_int_equal(READ("net.t.yes", b), 0);
	assert_true(b);
	assert_int_equal(WRITE("net.t.yes", b), EPERM);
	assert_int_equal(READ("kern.features.testing", i), 0);
	assert_int_equal(i, 1);
}

LIBVNET_TEST(strings_are_read_with_their_end_and_written_without)
{
	char buf[16];

	assert_int_equal(READ("net.t.text", buf), 0);
	assert_string_equal(buf, "abc");
	assert_int_equal(got, 4);
	assert_int_equal(query("net.t.text", NULL, 0, "1234567", 7), 0);
	assert_string_equal(v_text, "1234567");
	assert_int_equal(query("net.t.text", NULL, 0, "12345678", 8), EINVAL);
	assert_string_equal(v_text, "1234567");
	assert_int_equal(query("net.t.text", NULL, 0, "", 0), 0);
	assert_string_equal(v_text, "");
	assert_int_equal(READ("net.t.cstring", buf), 0);
	assert_string_equal(buf, "constant");
	assert_int_equal(query("net.t.rotext", NULL, 0, "x", 1), EPERM);
}

LIBVNET_TEST(structs_are_copied_whole)
{
	struct pair p = { 0, 0 };

	assert_int_equal(READ("net.t.pair", p), 0);
	assert_true(p.left == 1 && p.right == 2);
	p.left = 8;
	assert_int_equal(WRITE("net.t.pair", p), 0);
	assert_int_equal(v_pair.left, 8);
	p.left = 0;
	assert_int_equal(READ("net.t.deep.raw", p), 0);
	assert_int_equal(p.left, 8);
}

LIBVNET_TEST(milliseconds_become_ticks)
{
	int ms = 0;

	assert_int_equal(READ("net.t.msec", ms), 0);
	assert_int_equal(ms, 500 * 1000 / hz);
	ms = 2000;
	assert_int_equal(WRITE("net.t.msec", ms), 0);
	assert_int_equal(v_ticks, 2 * hz);
	ms = 0;
	assert_int_equal(WRITE("net.t.msec", ms), EINVAL);
}

/* ---- errors */

LIBVNET_TEST(unknown_names_are_enoent)
{
	static const char *const names[] = {
		"", "nonesuch", "net.t.nonesuch", "net.t.int.more", "net..t",
		".net.t", "net.t.in", "net.t.intt"
	};
	int i;

	for (size_t n = 0; n < nitems(names); n++)
		assert_int_equal(READ(names[n], i), ENOENT);
	/* As in FreeBSD a dot at the end does no harm. */
	assert_int_equal(READ("net.t.int.", i), 0);
}

LIBVNET_TEST(inner_node_is_eisdir)
{
	int i;

	assert_int_equal(READ("net.t", i), EISDIR);
	assert_int_equal(READ("net", i), EISDIR);
	assert_int_equal(WRITE("net.t", i), EISDIR);
}

LIBVNET_TEST(write_to_read_only_is_eperm)
{
	int i = 3;

	assert_int_equal(WRITE("net.t.ro", i), EPERM);
	assert_int_equal(query("net.t.ro", &i, sizeof(i), &i, sizeof(i)),
	    EPERM);
	assert_int_equal(v_int, -5);
	assert_int_equal(READ("net.t.ro", i), 0);
	assert_int_equal(i, -5);
}

LIBVNET_TEST(short_old_buffer_is_enomem_and_takes_what_fits)
{
	char buf[3] = "zz";
	int new = 1;

	assert_int_equal(query("net.t.text", buf, 2, NULL, 0), ENOMEM);
	assert_int_equal(got, 2);
	assert_string_equal(buf, "ab");
	/* And then nothing is written. */
	assert_int_equal(query("net.t.int", buf, 2, &new, sizeof(new)),
	    ENOMEM);
	assert_int_equal(v_int, -5);
}

LIBVNET_TEST(no_old_buffer_asks_for_the_size)
{
	assert_int_equal(query("net.t.text", NULL, 0, NULL, 0), 0);
	assert_int_equal(got, 4);
	assert_int_equal(query("net.t.pair", NULL, 0, NULL, 0), 0);
	assert_int_equal(got, sizeof(struct pair));
}

LIBVNET_TEST(short_new_value_is_einval)
{
	int i = 1;

	assert_int_equal(query("net.t.int", NULL, 0, &i, 2), EINVAL);
	assert_int_equal(query("net.t.s64", NULL, 0, &i, sizeof(i)), EINVAL);
	assert_int_equal(v_int, -5);
}

LIBVNET_TEST(too_long_name_is_enametoolong)
{
	static char name[MAXPATHLEN + 1];
	int i;

	memset(name, 'n', MAXPATHLEN);
	assert_int_equal(READ(name, i), ENAMETOOLONG);
	name[MAXPATHLEN - 1] = '\0';
	assert_int_equal(READ(name, i), ENOENT);
}

LIBVNET_TEST(length_is_left_alone_on_other_errors)
{
	int i;

	assert_int_equal(READ("nonesuch", i), ENOENT);
	assert_int_equal(got, 12345);
}

LIBVNET_TEST(old_length_may_be_absent)
{
	int i = 12;

	assert_int_equal(kernel_sysctlbyname(curthread,
	    __DECONST(char *, "net.t.int"), NULL, NULL, &i, sizeof(i), NULL,
	    0), 0);
	assert_int_equal(v_int, 12);
}

static int64_t
value_of(const char *name)
{
	int64_t value = 12345;
	int kerr;

	assert_int_equal(libvnet_sysctl_get(NULL, name, &value, &kerr), 0);
	assert_int_equal(kerr, 0);
	return (value);
}

LIBVNET_TEST_VNET(host_world_knows_each_kind, v)
{
	assert_int_equal(value_of("net.t.int"), -5);
	assert_int_equal(value_of("net.t.uint"), 5);
	assert_int_equal(value_of("net.t.long"), LONG_MIN);
	assert_int_equal(value_of("net.t.s64"), -6);
	assert_int_equal(value_of("net.t.s32"), -7);
	assert_int_equal(value_of("net.t.u32"), 7);
	assert_int_equal(value_of("net.t.u16"), 65535);
	assert_int_equal(value_of("net.t.u8"), 255);
	assert_int_equal(value_of("net.t.bool"), 1);
}
