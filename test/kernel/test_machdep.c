/* SPDX-License-Identifier: BSD-2-Clause */
/* What the machine and the kernel tell of themselves, and its randomness. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/cpuset.h>
#include <sys/domainset.h>
#include <sys/malloc.h>
#include <sys/prng.h>
#include <sys/random.h>
#include <vm/uma_dbg.h>

#include <libvnet/test.h>

uint32_t sse42_crc32c(uint32_t, const unsigned char *, unsigned);

LIBVNET_TEST(kernel_names_its_release)
{
	assert_string_equal(ostype, "FreeBSD");
	assert_int_equal(osreldate, __FreeBSD_version);
	assert_int_equal(strncmp(version, "FreeBSD 14.", 11), 0);
	assert_int_equal(strncmp(osrelease, "14.", 3), 0);
	assert_true(physmem > 0 && realmem >= physmem);
}

LIBVNET_TEST(crc32c_is_the_published_one)
{
	assert_int_equal(~sse42_crc32c(~0u, (const u_char *)"123456789", 9),
	    0xe3069283);
}

LIBVNET_TEST(memory_has_one_domain_which_all_policies_name)
{
	void *p = malloc_domainset(64, M_TEMP, DOMAINSET_PREF(0), M_WAITOK);

	assert_non_null(p);
	free(p, M_TEMP);
	assert_true(DOMAINSET_ISSET(0, &DOMAINSET_RR()->ds_mask));
	assert_int_equal(DOMAINSET_FIXED(0)->ds_cnt, 1);
}

static uint64_t
draw(void)
{
	uint64_t sum = prng64();
	char buf[16];

	read_random(buf, sizeof(buf));
	arc4rand(buf, 3, 1);
	sum ^= arc4random() + prng32() + prng32_bounded(10) + (uint64_t)buf[2];
	return (sum + random());
}

LIBVNET_TEST(all_randomness_is_the_seeds)
{
	uint64_t a, b;

	assert_true(is_random_seeded());
	libvnet_seed(42);
	a = draw();
	b = draw();
	libvnet_seed(42);
	assert_true(draw() == a);
	assert_true(draw() == b);
	assert_true(a != b);
}

LIBVNET_TEST(bounded_numbers_keep_their_bound)
{
	u_int seen = 0;

	for (int i = 0; i < 200; i++) {
		assert_true(prng64_bounded(7) < 7);
		seen |= 1u << prng32_bounded(5);
	}
	assert_int_equal(seen, 31);
	assert_int_equal(prng64_bounded(0), 0);
	assert_int_equal(prng64_bounded(1), 0);
}

/* ---- trash, of zones that name it */

static uint32_t item[8];

LIBVNET_TEST(trash_that_was_written_to_is_found)
{
	libvnet_expect("useafterfree", "of 32 bytes was written after it was "
	    "freed: 0 at offset 12");
	libvnet_expect_panic("Memory modified after free");
	trash_dtor(item, sizeof(item), NULL);
	item[3] = 0;
	(void)trash_ctor(item, sizeof(item), NULL, 0);
}
LIBVNET_TEST(trash_that_was_left_alone_is_fine)
{
	assert_int_equal(trash_init(item, sizeof(item), 0), 0);
	assert_int_equal(item[0], 0xdeadc0de);
	assert_int_equal(trash_ctor(item, sizeof(item), NULL, 0), 0);
	assert_int_equal(mtrash_init(item, sizeof(item), 0), 0);
	assert_int_equal(item[7], 0);
	assert_int_equal(mtrash_ctor(item, sizeof(item), NULL, 0), 0);
}
