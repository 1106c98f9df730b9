/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The radix tree: the longest prefix wins, in every order of insertion.
 *
 * Under test: net/radix.c
 */
#include "packets.h"
#include <net/radix.h>

#include <libvnet/test.h>

static struct radix_node_head *head;

struct route {
	struct radix_node nodes[2];	/* first: the tree's */
	struct sockaddr_in dst, mask;
	int bits;
};

static struct sockaddr_in
address(uint32_t a)
{
	struct sockaddr_in sin = {
		.sin_len = sizeof(sin), .sin_family = AF_INET,
		.sin_addr.s_addr = htonl(a)
	};

	return (sin);
}

static struct route *
add(struct route *r, uint32_t prefix, int bits)
{
	memset(r, 0, sizeof(*r));
	r->bits = bits;
	r->dst = address(prefix);
	r->mask = address(bits == 0 ? 0 : 0xffffffffu << (32 - bits));
	return ((struct route *)rn_addroute(&r->dst, &r->mask, &head->rh,
	    r->nodes));
}

static int
bits_of(uint32_t a)
{
	struct sockaddr_in sin = address(a);
	struct route *r = (struct route *)rn_match(&sin, &head->rh);

	return (r != NULL ? r->bits : -1);
}

static void
begin(void)
{
	assert_int_equal(rn_inithead((void **)&head,
	    offsetof(struct sockaddr_in, sin_addr) * 8), 1);
}

static int
count(struct radix_node *rn __unused, void *n)
{
	(*(int *)n)++;
	return (0);
}

LIBVNET_TEST(the_longest_prefix_wins_in_any_order)
{
	static const int bits[4] = { 8, 16, 24, 32 };
	struct route r[4];

	for (int order = 0; order < 4; order++) {
		int n = 0;

		begin();
		for (int i = 0; i < 4; i++) {
			int b = bits[(i + order) % 4];

			assert_ptr_equal(add(&r[i], 0x0a010203u &
			    0xffffffffu << (32 - b), b), &r[i]);
		}
		assert_int_equal(bits_of(0x0a010203), 32);
		assert_int_equal(bits_of(0x0a010204), 24);
		assert_int_equal(bits_of(0x0a010304), 16);
		assert_int_equal(bits_of(0x0a020304), 8);
		assert_int_equal(bits_of(0x0b000000), -1);
		assert_int_equal(rn_walktree(&head->rh, count, &n), 0);
		assert_int_equal(n, 4);
		for (int i = 0; i < 4; i++)
			assert_ptr_equal(rn_delete(&r[i].dst, &r[i].mask,
			    &head->rh), &r[i]);
		assert_int_equal(bits_of(0x0a010203), -1);
		rn_detachhead((void **)&head);
	}
}

LIBVNET_TEST(a_prefix_is_there_once)
{
	struct route a, b;

	begin();
	assert_ptr_equal(add(&a, 0xc0a80000, 16), &a);
	assert_null(add(&b, 0xc0a80000, 16));
	assert_ptr_equal(add(&b, 0, 0), &b);
	assert_int_equal(bits_of(0xc0a80101), 16);
	assert_int_equal(bits_of(0x08080808), 0);
}
