/* SPDX-License-Identifier: BSD-2-Clause */
/* SYSINIT and VNET_SYSINIT: order, reverse order, registration when late. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <net/vnet.h>

#include <libvnet/test.h>

static char trace[64];
static size_t traced;

static void
mark(const void *letter)
{
	if (traced < sizeof(trace) - 1)
		trace[traced++] = *(const char *)letter;
	trace[traced] = '\0';
}

static void
mark_clear(void)
{
	traced = 0;
	trace[0] = '\0';
}

/* Deliberately not in the order in which they must run. */
VNET_SYSINIT(t_d, SI_SUB_PROTO_DOMAIN, SI_ORDER_ANY, mark, "d");
VNET_SYSINIT(t_a, SI_SUB_PROTO_BEGIN, SI_ORDER_ANY, mark, "a");
VNET_SYSINIT(t_c, SI_SUB_PROTO_DOMAIN, SI_ORDER_FIRST, mark, "c");
VNET_SYSINIT(t_b, SI_SUB_PROTO_IF, SI_ORDER_MIDDLE, mark, "b");
VNET_SYSUNINIT(t_d, SI_SUB_PROTO_DOMAIN, SI_ORDER_ANY, mark, "D");
VNET_SYSUNINIT(t_a, SI_SUB_PROTO_BEGIN, SI_ORDER_ANY, mark, "A");
VNET_SYSUNINIT(t_c, SI_SUB_PROTO_DOMAIN, SI_ORDER_FIRST, mark, "C");
VNET_SYSUNINIT(t_b, SI_SUB_PROTO_IF, SI_ORDER_MIDDLE, mark, "B");

static void
early(const void *arg)
{
	mark(arg);
}
SYSINIT(t_1, SI_SUB_VNET, SI_ORDER_ANY, early, "1");
SYSINIT(t_2, SI_SUB_INIT_IF, SI_ORDER_ANY, early, "2");

LIBVNET_TEST(boot_runs_all_in_order_for_vnet0)
{
	assert_string_equal(trace, "12abcd");
}

#ifdef VIMAGE
LIBVNET_TEST(each_vnet_runs_all_in_order_and_in_reverse)
{
	struct vnet *v;

	mark_clear();
	v = vnet_alloc();
	assert_string_equal(trace, "abcd");
	mark_clear();
	vnet_destroy(v);
	assert_string_equal(trace, "DCBA");
}

static struct vnet_sysinit late = {
	.subsystem = SI_SUB_PROTO_IF,
	.order = SI_ORDER_FIRST,
	.func = mark,
	.arg = "l"
};

LIBVNET_TEST_VNETS(late_constructor_runs_in_every_vnet_and_later_in_its_place,
    a, b)
{
	struct vnet *v;

	mark_clear();
	vnet_register_sysinit(&late);
	assert_string_equal(trace, "lll");
	mark_clear();
	v = vnet_alloc();
	assert_string_equal(trace, "albcd");
	vnet_deregister_sysinit(&late);
	vnet_destroy(v);
	mark_clear();
	vnet_destroy(vnet_alloc());
	assert_string_equal(trace, "abcdDCBA");
}

LIBVNET_TEST_VNETS(destructor_runs_in_every_vnet_when_it_is_taken_away, a, b)
{
	vnet_register_sysuninit(&late);
	mark_clear();
	vnet_deregister_sysuninit(&late);
	assert_string_equal(trace, "lll");
}

#ifdef INVARIANTS
LIBVNET_TEST(constructor_before_vnet0_panics)
{
	static struct vnet_sysinit bad = {
		.subsystem = SI_SUB_KMEM, .func = mark, .arg = "x"
	};

	libvnet_expect_panic("vnet sysinit too early");
	vnet_register_sysinit(&bad);
}
#endif
#endif /* VIMAGE */
