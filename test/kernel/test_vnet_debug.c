/* SPDX-License-Identifier: BSD-2-Clause */
/* Option VNET_DEBUG: nested CURVNET_SET is logged, once for each place. */
#include <sys/param.h>
#include <sys/systm.h>
#include <net/vnet.h>

#include <libvnet/test.h>

static void
inner(struct vnet *v)
{
	CURVNET_SET(v);
	CURVNET_RESTORE();
}

static void
inner_quiet(struct vnet *v)
{
	CURVNET_SET_QUIET(v);
	CURVNET_RESTORE();
}

static void
outer(struct vnet *a, struct vnet *b, void (*in)(struct vnet *))
{
	CURVNET_SET(a);
	in(b);
	CURVNET_RESTORE();
}

LIBVNET_TEST_VNETS(recursion_is_logged_once_with_both_places, a, b)
{
	for (int i = 0; i < 3; i++)
		outer(a, b, inner);
	assert_int_equal(libvnet_log_count("CURVNET_SET\\(\\) recursion in "
	    "inner\\(\\) line [0-9]+, prev in outer\\(\\)"), 1);
}

LIBVNET_TEST_VNETS(recursion_into_the_same_vnet_is_logged_apart, a, b)
{
	outer(a, b, inner);
	outer(a, a, inner);
	assert_int_equal(libvnet_log_count("CURVNET_SET.*recursion"), 2);
}

LIBVNET_TEST_VNETS(quiet_set_is_not_logged, a, b)
{
	outer(a, b, inner_quiet);
	assert_int_equal(libvnet_log_count("recursion"), 0);
}

LIBVNET_TEST_VNETS(set_without_nesting_is_not_logged, a, b)
{
	inner(a);
	inner(b);
	assert_int_equal(libvnet_log_count("recursion"), 0);
}
