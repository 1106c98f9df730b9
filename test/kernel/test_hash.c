/* SPDX-License-Identifier: BSD-2-Clause */
/* Hash tables, hash functions against published vectors, and libkern. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/hash.h>
#include <sys/kernel.h>
#include <sys/limits.h>
#include <sys/malloc.h>
#include <sys/queue.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <netinet/in.h>

#include <sys/random.h>
#include <libvnet/test.h>

static MALLOC_DEFINE(M_HASH, "hashtest", "test");

struct entry {
	LIST_ENTRY(entry) link;
};
LIST_HEAD(entries, entry);

static u_long
mask_for(int elements)
{
	u_long mask;
	void *t = hashinit(elements, M_HASH, &mask);

	hashdestroy(t, M_HASH, mask);
	return (mask);
}

LIBVNET_TEST(hashinit_takes_the_power_of_two_below)
{
	assert_int_equal(mask_for(1), 0);
	assert_int_equal(mask_for(2), 1);
	assert_int_equal(mask_for(3), 1);
	assert_int_equal(mask_for(64), 63);
	assert_int_equal(mask_for(1000), 511);
}

LIBVNET_TEST(hashinit_buckets_are_empty_lists)
{
	struct entries *t;
	u_long mask;

	t = hashinit_flags(16, M_HASH, &mask, HASH_NOWAIT);
	for (u_long i = 0; i <= mask; i++)
		assert_true(LIST_EMPTY(&t[i]));
	hashdestroy(t, M_HASH, mask);
}

static u_long
prime_for(int elements)
{
	u_long n;
	void *t = phashinit(elements, M_HASH, &n);

	free(t, M_HASH);
	return (n);
}

LIBVNET_TEST(phashinit_takes_the_prime_below)
{
	assert_int_equal(prime_for(1), 1);
	assert_int_equal(prime_for(12), 1);
	assert_int_equal(prime_for(13), 13);
	assert_int_equal(prime_for(1000), 761);
	assert_int_equal(prime_for(1 << 20), 32749);
}

#ifdef INVARIANTS
LIBVNET_TEST(hashdestroy_of_a_full_table_panics)
{
	struct entries *t;
	struct entry e;
	u_long mask;

	libvnet_expect_panic("hashdestroy: hashtbl .* not empty "
	    "\\(malloc type hashtest\\)");
	t = hashinit(8, M_HASH, &mask);
	LIST_INSERT_HEAD(&t[mask], &e, link);
	hashdestroy(t, M_HASH, mask);
}

LIBVNET_TEST(hashinit_of_nothing_panics)
{
	u_long mask;

	libvnet_expect_panic("bad elements");
	(void)hashinit(0, M_HASH, &mask);
}

LIBVNET_TEST(hashinit_flags_wants_one_flag)
{
	u_long mask;

	libvnet_expect_panic("Bad flags \\(0x3\\)");
	(void)hashinit_flags(8, M_HASH, &mask, HASH_WAITOK | HASH_NOWAIT);
}
#endif

LIBVNET_TEST(hashdestroy_after_the_last_entry_went)
{
	struct entries *t;
	struct entry e;
	u_long mask;

	t = hashinit(8, M_HASH, &mask);
	LIST_INSERT_HEAD(&t[mask], &e, link);
	LIST_REMOVE(&e, link);
	hashdestroy(t, M_HASH, mask);
}

/* ---- functions; vectors are those in lookup3.c */

static const char score[] = "Four score and seven years ago";

LIBVNET_TEST(jenkins_hash_gives_the_published_values)
{
	assert_int_equal(jenkins_hash("", 0, 0), 0xdeadbeef);
	assert_int_equal(jenkins_hash("", 0, 0xdeadbeef), 0xbd5b7dde);
	assert_int_equal(jenkins_hash(score, 30, 0), 0x17770551);
	assert_int_equal(jenkins_hash(score, 30, 1), 0xcd628161);
}

LIBVNET_TEST(jenkins_hash_reads_no_byte_too_many)
{
	char *p;

	for (size_t len = 1; len <= 30; len++) {
		p = malloc(len, M_HASH, M_WAITOK);
		memcpy(p, score, len);
		assert_int_equal(jenkins_hash(p, len, 7),
		    jenkins_hash(score, len, 7));
		free(p, M_HASH);
	}
}

LIBVNET_TEST(jenkins_hash_of_words_is_that_of_their_bytes)
{
	uint32_t words[7];
	uint8_t bytes[sizeof(words)];

	memcpy(bytes, score, sizeof(bytes));
	for (size_t i = 0; i < nitems(words); i++)
		words[i] = bytes[4 * i] | bytes[4 * i + 1] << 8 |
		    bytes[4 * i + 2] << 16 | (uint32_t)bytes[4 * i + 3] << 24;
	for (size_t n = 0; n <= nitems(words); n++)
		assert_int_equal(jenkins_hash32(words, n, 42),
		    jenkins_hash(bytes, 4 * n, 42));
}

LIBVNET_TEST(murmur3_gives_the_published_values)
{
	static const uint8_t bytes[] = { 0x21, 0x43, 0x65, 0x87 };

	assert_int_equal(murmur3_32_hash("", 0, 0), 0);
	assert_int_equal(murmur3_32_hash("", 0, 1), 0x514e28b7);
	assert_int_equal(murmur3_32_hash("", 0, 0xffffffff), 0x81f16f39);
	assert_int_equal(murmur3_32_hash("\xff\xff\xff\xff", 4, 0),
	    0x76293b50);
	assert_int_equal(murmur3_32_hash(bytes, 4, 0), 0xf55b516b);
	assert_int_equal(murmur3_32_hash(bytes, 4, 0x5082edee), 0x2362f9de);
	assert_int_equal(murmur3_32_hash(bytes, 3, 0), 0x7e4a8634);
	assert_int_equal(murmur3_32_hash(bytes, 2, 0), 0xa0f7b07a);
	assert_int_equal(murmur3_32_hash(bytes, 1, 0), 0x72661cf4);
	assert_int_equal(murmur3_32_hash("Hello, world!", 13, 0x9747b28c),
	    0x24884cba);
}

LIBVNET_TEST(murmur3_of_words_counts_words)
{
	static const uint32_t word[] = { 0x87654321 };

	/* One word: 1 in place of the 4 that the byte variant mixes in. */
	assert_int_not_equal(murmur3_32_hash32(word, 1, 0),
	    murmur3_32_hash(word, 4, 0));
	assert_int_equal(murmur3_32_hash32(word, 0, 1), 0x514e28b7);
}

/* ---- randomness */

LIBVNET_TEST(same_seed_gives_the_same_numbers)
{
	uint32_t a, b;
	u_char x[21], y[21];
	u_long r;

	libvnet_seed(5);
	a = arc4random();
	r = random();
	arc4rand(x, sizeof(x), 1);
	libvnet_seed(5);
	b = arc4random();
	assert_int_equal(a, b);
	srandom(99);
	assert_int_equal(random(), r);
	arc4random_buf(y, sizeof(y));
	assert_memory_equal(x, y, sizeof(x));
	assert_true(r <= 0x7fffffff);
	assert_int_not_equal(arc4random(), arc4random());
	assert_int_equal(is_random_seeded(), 1);
}

LIBVNET_TEST(uniform_stays_below_and_reaches_all)
{
	int seen[7] = { 0 };

	for (int i = 0; i < 1000; i++)
		seen[arc4random_uniform(7)]++;
	for (int i = 0; i < 7; i++)
		assert_true(seen[i] > 80);
	assert_int_equal(arc4random_uniform(1), 0);
	assert_int_equal(arc4random_uniform(0), 0);
}

/* ---- numbers */

LIBVNET_TEST(strtol_parses_bases_signs_and_ends)
{
	char *end;

	assert_int_equal(strtol(" \t-42x", &end, 10), -42);
	assert_string_equal(end, "x");
	assert_int_equal(strtol("+7", NULL, 0), 7);
	assert_int_equal(strtoul("0xFf", NULL, 0), 255);
	assert_int_equal(strtoul("0xFf", NULL, 16), 255);
	assert_int_equal(strtol("0755", NULL, 0), 0755);
	assert_int_equal(strtol("zz", NULL, 36), 35 * 36 + 35);
	assert_int_equal(strtol("0x", &end, 0), 0);
	assert_string_equal(end, "x");
	assert_int_equal(strtol("none", &end, 10), 0);
	assert_string_equal(end, "none");
	assert_int_equal(strtol("-", &end, 10), 0);
	assert_string_equal(end, "-");
}

LIBVNET_TEST(strtol_out_of_range_is_the_nearest)
{
	char *end;

	assert_int_equal(strtoq("9223372036854775807", NULL, 10), QUAD_MAX);
	assert_int_equal(strtoq("9223372036854775808", &end, 10), QUAD_MAX);
	assert_string_equal(end, "");
	assert_int_equal(strtoq("-9223372036854775808", NULL, 10),
	    -QUAD_MAX - 1);
	assert_int_equal(strtol("-99999999999999999999", NULL, 10), LONG_MIN);
	assert_int_equal(strtouq("18446744073709551615", NULL, 10), UQUAD_MAX);
	assert_int_equal(strtouq("18446744073709551616", NULL, 10), UQUAD_MAX);
	assert_int_equal(strtoul("-1", NULL, 10), ULONG_MAX);
}

/* ---- addresses */

static const char *
there_and_back(int af, const char *address)
{
	static char buf[INET6_ADDRSTRLEN];
	uint8_t raw[16];

	assert_int_equal(inet_pton(af, address, raw), 1);
	assert_ptr_equal(inet_ntop(af, raw, buf, sizeof(buf)), buf);
	return (buf);
}

LIBVNET_TEST(addresses_survive_the_round_trip)
{
	static const char *const v6[] = {
		"::", "::1", "1::", "fe80::1", "2001:db8::2:1",
		"1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:0", "::ffff:192.0.2.1",
		"::192.0.2.1", "1:0:3:4:5:6:7:8", "1::4:0:0:7:8"
	};

	assert_string_equal(there_and_back(AF_INET, "192.0.2.255"),
	    "192.0.2.255");
	for (size_t i = 0; i < nitems(v6); i++)
		assert_string_equal(there_and_back(AF_INET6, v6[i]), v6[i]);
	assert_string_equal(there_and_back(AF_INET6, "0:0:0:4:0:0:0:0"),
	    "0:0:0:4::");
	assert_string_equal(there_and_back(AF_INET6, "2001:0DB8::00A0"),
	    "2001:db8::a0");
	assert_string_equal(there_and_back(AF_INET6, "64:ff9b::1.2.3.4"),
	    "64:ff9b::102:304");
}

LIBVNET_TEST(bad_addresses_are_refused)
{
	static const char *const v4[] = {
		"", "1", "1.2.3", "1.2.3.4.5", "1.2.3.256", "01.2.3.4",
		"1.2.3.4 ", "1..2.3", "a.b.c.d", "1.2.3.-4"
	};
	static const char *const v6[] = {
		"", ":", ":::", "1::2::3", "1:2:3:4:5:6:7", "12345::",
		"1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:", ":1:2:3:4:5:6:7",
		"g::", "::1.2.3", "1:2:3:4:5:6:7:1.2.3.4", "::1 ",
		"1:2:3:4:5:6:7:8::"
	};
	uint8_t raw[16];

	for (size_t i = 0; i < nitems(v4); i++)
		assert_int_equal(inet_pton(AF_INET, v4[i], raw), 0);
	for (size_t i = 0; i < nitems(v6); i++)
		assert_int_equal(inet_pton(AF_INET6, v6[i], raw), 0);
	assert_int_equal(inet_pton(AF_UNIX, "x", raw), -1);
}

LIBVNET_TEST(address_text_is_not_cut)
{
	struct in_addr a = { htonl(0xc0000201) };
	char buf[INET6_ADDRSTRLEN];

	assert_string_equal(inet_ntoa_r(a, buf), "192.0.2.1");
	assert_null(inet_ntop(AF_INET, &a, buf, 9));
	assert_non_null(inet_ntop(AF_INET, &a, buf, 10));
	assert_null(inet_ntop(AF_INET6, &in6addr_loopback, buf, 3));
	assert_non_null(inet_ntop(AF_INET6, &in6addr_loopback, buf, 4));
	assert_null(inet_ntop(AF_UNIX, &a, buf, sizeof(buf)));
	assert_true(IN6_IS_ADDR_UNSPECIFIED(&in6addr_any));
}

/* ---- sorting */

static int
by_value(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;

	return (x < y ? -1 : x > y);
}

LIBVNET_TEST(qsort_sorts_and_bsearch_finds)
{
	int v[200], key;

	for (int n = 0; n <= 200; n++) {
		for (int i = 0; i < n; i++)
			v[i] = (int)arc4random_uniform(50) * 2;
		qsort(v, (size_t)n, sizeof(v[0]), by_value);
		for (int i = 1; i < n; i++)
			assert_true(v[i - 1] <= v[i]);
		for (int i = 0; i < n; i++) {
			int *hit = bsearch(&v[i], v, (size_t)n, sizeof(v[0]),
			    by_value);

			assert_non_null(hit);
			assert_int_equal(*hit, v[i]);
		}
		key = 51;
		assert_null(bsearch(&key, v, (size_t)n, sizeof(v[0]),
		    by_value));
	}
}

/* ---- time */

LIBVNET_TEST(timevals_carry)
{
	struct timeval a = { 1, 700000 }, b = { 2, 600000 };

	timevaladd(&a, &b);
	assert_true(a.tv_sec == 4 && a.tv_usec == 300000);
	timevalsub(&a, &b);
	assert_true(a.tv_sec == 1 && a.tv_usec == 700000);
	timevalsub(&a, &b);
	assert_true(a.tv_sec == -1 && a.tv_usec == 100000);
}

LIBVNET_TEST(ratecheck_lets_one_through_an_interval)
{
	struct timeval last = { 0, 0 }, interval = { 10, 0 };

	assert_int_equal(ratecheck(&last, &interval), 1);
	assert_int_equal(ratecheck(&last, &interval), 0);
	libvnet_clock_advance_ns(9 * LIBVNET_NS_PER_SECOND);
	assert_int_equal(ratecheck(&last, &interval), 0);
	libvnet_clock_advance_ns(LIBVNET_NS_PER_SECOND);
	assert_int_equal(ratecheck(&last, &interval), 1);
}

LIBVNET_TEST(ppsratecheck_lets_so_many_through_a_second)
{
	struct timeval last = { 0, 0 };
	int pps = 0;

	for (int i = 0; i < 5; i++)
		assert_int_equal(ppsratecheck(&last, &pps, 3), i < 3);
	libvnet_clock_advance_ns(LIBVNET_NS_PER_SECOND);
	assert_int_equal(ppsratecheck(&last, &pps, 3), 1);
	assert_int_equal(ppsratecheck(&last, &pps, -1), 1);
	last.tv_sec = 0;
	assert_int_equal(ppsratecheck(&last, &pps, 0), 0);
}

LIBVNET_TEST(eventratecheck_is_the_name_of_14_for_it)
{
	struct timeval last = { 0, 0 };
	int events = 0;

	assert_int_equal(eventratecheck(&last, &events, 1), 1);
	assert_int_equal(ppsratecheck(&last, &events, 1), 0);
	assert_int_equal(events, 2);
}

static int
ticks_for(time_t sec, suseconds_t usec)
{
	struct timeval tv = { sec, usec };

	return (tvtohz(&tv));
}

LIBVNET_TEST(tvtohz_rounds_up_and_adds_the_current_tick)
{
	assert_int_equal(hz, 1000);
	assert_int_equal(ticks_for(0, 0), 1);
	assert_int_equal(ticks_for(0, 1), 2);
	assert_int_equal(ticks_for(0, 1000), 2);
	assert_int_equal(ticks_for(1, 1), 1002);
	assert_int_equal(ticks_for(-1, 0), 1);
	assert_int_equal(ticks_for((time_t)1 << 40, 0), INT_MAX);
}
