/* SPDX-License-Identifier: BSD-2-Clause */
#include "ping.h"
#include "star.h"

static void
wire(struct vnet *a, const char *a_address, struct vnet *c,
    const char *c_address)
{
	char an[LIBVNET_IFNAME], cn[LIBVNET_IFNAME];

	assert_int_equal(libvnet_if_epair(a, c, an, cn, NULL), 0);
	assert_int_equal(libvnet_if_address_add(a, an, a_address, NULL), 0);
	assert_int_equal(libvnet_if_address_add(c, cn, c_address, NULL), 0);
}

void
star_begin(struct star *s, struct vnet *a, struct vnet *b)
{
	s->a = a;
	s->b = b;
	assert_int_equal(libvnet_create(&s->c), 0);
	wire(a, STAR_A "/24", s->c, STAR_C_A "/24");
	wire(b, STAR_B "/24", s->c, STAR_C_B "/24");
	star_assert_open(s);
}

void
star_end(struct star *s)
{
	assert_int_equal(libvnet_destroy(s->c), 0);
}

int
star_a_to_c(struct star *s)
{
	return (ping_from(s->a, STAR_C_A));
}

int
star_c_to_a(struct star *s)
{
	return (ping_from(s->c, STAR_A));
}

int
star_b_to_c(struct star *s)
{
	return (ping_from(s->b, STAR_C_B));
}

int
star_c_to_b(struct star *s)
{
	return (ping_from(s->c, STAR_B));
}

void
star_assert_open(struct star *s)
{
	assert_int_equal(star_a_to_c(s), 0);
	assert_int_equal(star_c_to_a(s), 0);
	assert_int_equal(star_b_to_c(s), 0);
	assert_int_equal(star_c_to_b(s), 0);
}
