/* SPDX-License-Identifier: BSD-2-Clause */
#include <sys/param.h>
#include <sys/systm.h>

#include <libvnet/test.h>

#include "transfer.h"

struct libvnet_link *
wire(struct vnet *a, struct vnet *b, const struct libvnet_wire *w)
{
	char an[LIBVNET_IFNAME], bn[LIBVNET_IFNAME];
	struct libvnet_link *link;

	assert_int_equal(libvnet_link_create(a, b, w, 42, &link, an, bn, NULL),
	    0);
	assert_int_equal(libvnet_if_address_add(a, an, "10.0.0.1/24", NULL), 0);
	assert_int_equal(libvnet_if_address_add(b, bn, "10.0.0.2/24", NULL), 0);
	assert_int_equal(libvnet_if_address_add(a, an, "2001:db8::1/64", NULL),
	    0);
	assert_int_equal(libvnet_if_address_add(b, bn, "2001:db8::2/64", NULL),
	    0);
	/* Duplicate address detection. */
	libvnet_clock_advance_ns(3000 * MS);
	return (link);
}
