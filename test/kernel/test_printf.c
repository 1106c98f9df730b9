/* SPDX-License-Identifier: BSD-2-Clause */
/* printf(9): every conversion of the kernel's, and where the text goes. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/limits.h>
#include <sys/malloc.h>
#include <sys/stdint.h>
#include <sys/syslog.h>
#include <machine/stdarg.h>

#include <libvnet/test.h>

/* Without a format attribute: no compiler knows %b and %D as we do. */
static const char *
text(const char *fmt, ...)
{
	static char buf[256];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(buf, sizeof(buf), fmt, ap);
	va_end(ap);
	assert_int_equal(n, strlen(buf));
	return (buf);
}

LIBVNET_TEST(integers_of_every_size)
{
	assert_string_equal(text("%d %i", -5, 7), "-5 7");
	assert_string_equal(text("%u", UINT_MAX), "4294967295");
	assert_string_equal(text("%ld", LONG_MIN), "-9223372036854775808");
	assert_string_equal(text("%lu", ULONG_MAX), "18446744073709551615");
	assert_string_equal(text("%lld %qd", -1LL, (quad_t)-2), "-1 -2");
	assert_string_equal(text("%jd %ju", (intmax_t)-3, (uintmax_t)3),
	    "-3 3");
	assert_string_equal(text("%zd %zu", (ssize_t)-4, (size_t)4), "-4 4");
	assert_string_equal(text("%td", (ptrdiff_t)-6), "-6");
	assert_string_equal(text("%hd %hu", 0x1ffff, 0x1ffff), "-1 65535");
	assert_string_equal(text("%hhd %hhu", 0x1ff, 0x1ff), "-1 255");
	assert_string_equal(text("%x %X %o", 0xbeef, 0xbeef, 8), "beef BEEF 10");
	assert_string_equal(text("%y", -0x10), "-10");
}

LIBVNET_TEST(argument_after_each_size_is_the_right_one)
{
	assert_string_equal(text("%jd%s%zu%s%hhd%s", (intmax_t)1, "a",
	    (size_t)2, "b", 3, "c"), "1a2b3c");
}

LIBVNET_TEST(width_precision_and_flags)
{
	assert_string_equal(text("[%5d][%-5d][%05d]", 42, 42, 42),
	    "[   42][42   ][00042]");
	assert_string_equal(text("[%05d][%5d]", -42, -42), "[-0042][  -42]");
	assert_string_equal(text("[%.4d][%6.4d]", 42, 42), "[0042][  0042]");
	assert_string_equal(text("[%#x][%#o][%#x]", 255, 8, 0),
	    "[0xff][010][0]");
	assert_string_equal(text("[%#08x][%08x]", 255, 255),
	    "[0x0000ff][000000ff]");
	assert_string_equal(text("[%*d][%-*d][%*d]", 4, 1, 4, 2, -4, 3),
	    "[   1][2   ][3   ]");
	assert_string_equal(text("[%.*s]", 2, "abcdef"), "[ab]");
	assert_string_equal(text("[%5s][%-5s][%.3s][%5.1s]", "ab", "ab",
	    "abcdef", "xyz"), "[   ab][ab   ][abc][    x]");
	assert_string_equal(text("[%c][%3c][%-3c]", 'x', 'y', 'z'),
	    "[x][  y][z  ]");
	assert_string_equal(text("100%%"), "100%");
}

LIBVNET_TEST(string_need_not_end_within_its_precision)
{
	char raw[3] = { 'a', 'b', 'c' };

	assert_string_equal(text("%.3s", raw), "abc");
}

LIBVNET_TEST(null_string_and_format_are_named)
{
	assert_string_equal(text("%s", NULL), "(null)");
	assert_string_equal(text(NULL), "(fmt null)\n");
}

LIBVNET_TEST(pointer_has_a_prefix_unless_a_width_is_given)
{
	assert_string_equal(text("%p", (void *)0xabc), "0xabc");
	assert_string_equal(text("%8p", (void *)0xabc), "     abc");
	assert_string_equal(text("%p", NULL), "0");
}

LIBVNET_TEST(b_names_the_bits_that_are_set)
{
	static const char bits[] = "\20\1UP\2BROADCAST\3DEBUG\40LAST";

	assert_string_equal(text("%b", 0x3, bits), "3<UP,BROADCAST>");
	assert_string_equal(text("%b", 0x80000004, bits),
	    "80000004<DEBUG,LAST>");
	assert_string_equal(text("%b", 0, bits), "0");
	assert_string_equal(text("%b", 0x100, bits), "100");
	assert_string_equal(text("%b", 9, "\10\1A\4B"), "11<A,B>");
	assert_string_equal(text("[%12b]", 1, bits), "[1<UP>       ]");
}

LIBVNET_TEST(D_dumps_bytes_with_a_separator)
{
	static const u_char mac[6] = { 0, 0x1b, 0x21, 0xab, 0xcd, 0xff };
	static const u_char bytes[16] = { [0] = 1, [15] = 0xf0 };

	assert_string_equal(text("%6D", mac, ":"), "00:1b:21:ab:cd:ff");
	assert_string_equal(text("%*D", 2, mac, ""), "001b");
	assert_string_equal(text("%D", bytes, " "),
	    "01 00 00 00 00 00 00 00 00 00 00 00 00 00 00 f0");
}

LIBVNET_TEST(n_writes_nothing)
{
	int n = 77;

	assert_string_equal(text("ab%ncd%d", &n, 5), "abcd5");
	assert_int_equal(n, 77);
}

LIBVNET_TEST(unknown_conversion_ends_the_conversions)
{
	assert_string_equal(text("%d %k %s", 1, 2, "x"), "1 %k %s");
	assert_string_equal(text("%d %f", 1, 2), "1 %f");
	assert_string_equal(text("end%"), "end%");
}

LIBVNET_TEST(snprintf_never_overruns_and_returns_the_whole_length)
{
	char buf[8];

	memset(buf, '#', sizeof(buf));
	assert_int_equal(snprintf(buf, 4, "%s", "abcdef"), 6);
	assert_memory_equal(buf, "abc\0####", sizeof(buf));
	assert_int_equal(snprintf(buf, 1, "%s", "abcdef"), 6);
	assert_memory_equal(buf, "\0bc\0####", sizeof(buf));
	assert_int_equal(snprintf(NULL, 0, "%d", 1234), 4);
	assert_int_equal(sprintf(buf, "%s", "1234567"), 7);
	assert_string_equal(buf, "1234567");
}

static MALLOC_DEFINE(M_TEXT, "text", "test");

LIBVNET_TEST(asprintf_allocates_what_it_needs)
{
	char *s;

	assert_int_equal(asprintf(&s, M_TEXT, "%s-%d", "port", 12), 7);
	assert_string_equal(s, "port-12");
	assert_int_equal(malloc_usable_size(s), 8);
	free(s, M_TEXT);
}

LIBVNET_TEST_VNET(asprintf_text_is_the_vnets, v)
{
	char *s;

#ifdef VIMAGE
	libvnet_expect("leak", "1 item of 3 bytes of malloc type \"text\"");
#endif
	assert_int_equal(asprintf(&s, M_TEXT, "%d", 42), 2);
}

LIBVNET_TEST(printf_and_log_reach_the_console)
{
	libvnet_log_clear();
	assert_int_equal(printf("one %d\n", 1), 6);
	log(LOG_ERR, "two %d\n", 2);
	assert_string_equal(libvnet_log(), "one 1\ntwo 2\n");
}

LIBVNET_TEST(long_text_arrives_whole)
{
	char want[2000];

	libvnet_log_clear();
	memset(want, 'x', sizeof(want));
	want[700] = '\n';
	want[sizeof(want) - 1] = '\0';
	printf("%s", want);
	assert_string_equal(libvnet_log(), want);
}
