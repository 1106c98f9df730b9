/* SPDX-License-Identifier: BSD-2-Clause */
/* XXH64 against values of the reference implementation. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "snapshot.h"

static void
digest_of_known_strings(void **state)
{
	static const struct {
		const char *text;
		uint64_t seed, want;
	} known[] = {
		{ "", 0, 0xef46db3751d8e999ULL },
		{ "a", 0, 0xd24ec4f1a98c6e5bULL },
		{ "abc", 0, 0x44bc2cf5ad770999ULL },
		{ "Nobody inspects the spammish repetition", 0,
		    0xfbcea83c8a378bf1ULL },
		{ "I want an unsigned 64-bit seed!", 1, 0xce5087f12470d961ULL },
	};
	uint64_t h;

	(void)state;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		host_digest(known[i].text, strlen(known[i].text),
		    known[i].seed, &h);
		assert_true(h == known[i].want);
	}
}

static void
digest_sees_each_bit(void **state)
{
	unsigned char b[71] = { 0 };
	uint64_t zero, h;

	(void)state;
	host_digest(b, sizeof(b), 0, &zero);
	for (size_t i = 0; i < sizeof(b) * 8; i++) {
		b[i / 8] ^= (unsigned char)(1 << i % 8);
		host_digest(b, sizeof(b), 0, &h);
		assert_true(h != zero);
		b[i / 8] = 0;
	}
	host_digest(b, sizeof(b) - 1, 0, &h);
	assert_true(h != zero);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(digest_of_known_strings),
		cmocka_unit_test(digest_sees_each_bit),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
