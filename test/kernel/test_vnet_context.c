/* SPDX-License-Identifier: BSD-2-Clause */
/* VNET: which vnet is current, the list of them, their state. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/callout.h>
#include <sys/epoch.h>
#include <sys/jail.h>
#include <sys/kernel.h>
#include <sys/proc.h>
#include <sys/ucred.h>
#include <net/vnet.h>

#include <libvnet/test.h>

VNET_DEFINE_STATIC(int, visits);
#define V_visits VNET(visits)

static int
visit(struct vnet *v __unused, int early)
{
	CURVNET_SET(v);
	CURVNET_ASSERT_SET();
	V_visits++;
	if (early) {
		CURVNET_RESTORE();
		return (1);
	}
	V_visits++;
	CURVNET_RESTORE();
	return (2);
}

LIBVNET_TEST_VNET(restore_stands_on_every_way_out, v)
{
	assert_int_equal(visit(v, 1), 1);
	assert_int_equal(visit(v, 0), 2);
	assert_int_equal(V_visits, 3);
	assert_ptr_equal(curvnet, v);
}

LIBVNET_TEST_VNET(foreach_visits_every_vnet_once, v)
{
	VNET_ITERATOR_DECL(i);
	int n = 0;

	VNET_LIST_RLOCK();
	VNET_FOREACH(i) {
		CURVNET_SET(i);
		V_visits++;
		n++;
		CURVNET_RESTORE();
	}
	VNET_LIST_RUNLOCK();
	VNET_LIST_RLOCK_NOSLEEP();
	VNET_FOREACH(i)
		n += 100;
	VNET_LIST_RUNLOCK_NOSLEEP();
	assert_int_equal(V_visits, 1);
	assert_int_equal(n, v == NULL ? 101 : 202);
}

LIBVNET_TEST_VNET(default_vnet_is_vnet0_only, v)
{
#ifdef VIMAGE
	assert_false(IS_DEFAULT_VNET(v));
	assert_true(IS_DEFAULT_VNET(vnet0));
	assert_ptr_equal(libvnet_default(), vnet0);
#else
	assert_true(IS_DEFAULT_VNET(v));
#endif
}

#ifdef VIMAGE
LIBVNET_TEST(no_vnet_is_current_after_boot)
{
	assert_null(curvnet);
	assert_non_null(vnet0);
	assert_int_equal(vnet0->vnet_number, 0);
}

LIBVNET_TEST_VNETS(set_nests_and_restores, a, b)
{
	LIBVNET_IN(a) {
		visit(b, 0);
		assert_ptr_equal(curvnet, a);
		assert_int_equal(V_visits, 0);
	}
	assert_null(curvnet);
}

LIBVNET_TEST_VNETS(credential_leads_to_its_vnet, a, b)
{
	LIBVNET_IN(a) {
		assert_ptr_equal(TD_TO_VNET(curthread), a);
		assert_ptr_equal(CRED_TO_VNET(curthread->td_ucred), a);
	}
	LIBVNET_IN(b)
		assert_ptr_equal(CRED_TO_VNET(curthread->td_ucred), b);
	assert_ptr_equal(TD_TO_VNET(curthread), vnet0);
	assert_ptr_equal(prison0.pr_vnet, vnet0);
}

static int states[2];

static void
state_init(void *unused __unused)
{
	states[0] = (int)curvnet->vnet_state;
}
VNET_SYSINIT(state_init, SI_SUB_PROTO_DOMAIN, SI_ORDER_ANY, state_init, NULL);

static int shutting_down;
static void
state_uninit(void *unused __unused)
{
	states[1] = (int)curvnet->vnet_state;
	shutting_down = VNET_IS_SHUTTING_DOWN(curvnet);
}
VNET_SYSUNINIT(state_uninit, SI_SUB_PROTO_IF, SI_ORDER_ANY, state_uninit, NULL);

LIBVNET_TEST(state_follows_the_subsystems)
{
	struct vnet *v;

	v = vnet_alloc();
	assert_int_equal(states[0], SI_SUB_PROTO_DOMAIN);
	assert_int_equal(v->vnet_state, SI_SUB_VNET_DONE);
	assert_false(VNET_IS_SHUTTING_DOWN(v));
	vnet_destroy(v);
	assert_int_equal(states[1], SI_SUB_PROTO_IF);
	assert_true(shutting_down);
}

static void
touch(void *arg __unused)
{
	V_visits++;
}

static void
touch_rightly(void *arg)
{
	CURVNET_SET((struct vnet *)arg);
	V_visits++;
	CURVNET_RESTORE();
}

#ifdef INVARIANTS
LIBVNET_TEST_VNET(callout_without_curvnet_set_panics, v)
{
	static struct callout c;

	libvnet_expect_panic("V_visits used with no vnet set");
	callout_init(&c, 1);
	callout_reset(&c, hz, touch, v);
	libvnet_clock_advance_ns(2 * LIBVNET_NS_PER_SECOND);
}

LIBVNET_TEST(set_of_null_panics)
{
	struct vnet *none = NULL;

	libvnet_expect_panic("CURVNET_SET at .*curvnet=.*vnet=0");
	visit(none, 1);
}

LIBVNET_TEST(assert_set_without_vnet_panics)
{
	libvnet_expect_panic("vnet is not set at");
	CURVNET_ASSERT_SET();
}

static void
set_without_restore(struct vnet *v)
{
	CURVNET_SET(v);
	V_visits += saved_vnet == NULL;
}

LIBVNET_TEST_VNETS(missing_restore_is_found_at_the_end, a, b)
{
	libvnet_expect("curvnet", "is current at the end of the test");
	set_without_restore(a);
}
#endif

LIBVNET_TEST_VNET(callout_with_curvnet_set_runs, v)
{
	static struct callout c;

	callout_init(&c, 1);
	callout_reset(&c, hz, touch_rightly, v);
	libvnet_clock_advance_ns(2 * LIBVNET_NS_PER_SECOND);
	assert_int_equal(V_visits, 1);
}

struct item {
	struct epoch_context ctx;
	struct vnet *vnet;
	struct vnet *seen;
};

static void
epoch_touch(epoch_context_t ctx)
{
	struct item *it = __containerof(ctx, struct item, ctx);

	it->seen = curvnet;
	touch_rightly(it->vnet);
}

LIBVNET_TEST_VNET(epoch_callback_has_no_vnet_of_its_own, v)
{
	struct item it = { .vnet = v, .seen = v };

	NET_EPOCH_CALL(epoch_touch, &it.ctx);
	assert_int_equal(V_visits, 0);
	assert_int_equal(libvnet_run_until_idle(), 1);
	assert_int_equal(V_visits, 1);
	assert_null(it.seen);
}
#endif /* VIMAGE */
