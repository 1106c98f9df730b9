/* SPDX-License-Identifier: BSD-2-Clause */
/* sysctl(9): handlers, vnets, and misuse. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kenv.h>
#include <sys/kernel.h>
#include <sys/limits.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/stdint.h>
#include <sys/sysctl.h>
#include <net/vnet.h>

#include <libvnet/test.h>
#include "sysctl_test.h"

/* ---- handlers */

LIBVNET_TEST(handler_gets_its_arguments_and_may_refuse)
{
	int i;

	assert_int_equal(READ("net.t.doubled", i), 0);
	assert_int_equal(i, -9);
	i = 20;
	assert_int_equal(WRITE("net.t.doubled", i), 0);
	assert_int_equal(v_int, 10);
	i = -1;
	assert_int_equal(WRITE("net.t.doubled", i), EDOM);
	assert_int_equal(v_int, 10);
	assert_false(under_giant);
	assert_int_equal(READ("net.t.giant", i), 0);
	assert_true(under_giant);
	assert_int_equal(handler_calls, 4);
}

LIBVNET_TEST(node_with_a_handler_is_read)
{
	char buf[8];

	assert_int_equal(READ("net.t.whole", buf), 0);
	assert_string_equal(buf, "whole");
	assert_int_equal(READ("net.t.whole.part", buf), ENOENT);
}

LIBVNET_TEST(handler_can_ask_for_another_node)
{
	int i;

	assert_int_equal(READ("net.t.nested", i), 0);
	assert_int_equal(i, -5);
}

/* ---- vnets */

LIBVNET_TEST_VNETS(variable_is_the_current_vnets, a, b)
{
	int i = 20;

	LIBVNET_IN(a) {
		assert_int_equal(WRITE("net.t.limit", i), 0);
		assert_int_equal(query("net.t.label", NULL, 0, "a", 1), 0);
	}
	LIBVNET_IN(b) {
		assert_int_equal(READ("net.t.limit", i), 0);
		assert_int_equal(i, 10);
		assert_string_equal(V_label, "init");
	}
	LIBVNET_IN(a) {
		assert_int_equal(V_limit, 20);
		assert_string_equal(V_label, "a");
	}
}

static void
reboot_with(const char *kenv)
{
	struct libvnet_options options = { .kenv = kenv };

	assert_int_equal(libvnet_shutdown(), 0);
	assert_int_equal(libvnet_boot(&options), 0);
}

/* The value in each vnet there is, and in a new one. */
static void
expect_everywhere(int want)
{
	VNET_ITERATOR_DECL(i);
	struct vnet *new = NULL;

	if (libvnet_has_vimage())
		assert_int_equal(libvnet_create(&new), 0);
	VNET_FOREACH(i) {
		CURVNET_SET(i);
		assert_int_equal(V_limit, want);
		CURVNET_RESTORE();
	}
	if (new != NULL)
		assert_int_equal(libvnet_destroy(new), 0);
}

LIBVNET_TEST(tunable_reaches_vnet0_and_every_new_vnet)
{
	expect_everywhere(10);
	reboot_with("net.t.limit=0x2a\nnet.t.label=tuned\nnet.t.port=8k\n"
	    "net.t.fixed=7");
	expect_everywhere(42);
#ifdef VIMAGE
	assert_int_equal(VNET_NAME(limit), 42);
	LIBVNET_IN(vnet0) {
		assert_string_equal(V_label, "tuned");
		assert_int_equal(V_port, 8192);
		assert_int_equal(V_fixed, 1);
	}
#endif
}

#ifdef VIMAGE
/* The case where a later change stayed without effect. */
LIBVNET_TEST(tunable_changed_later_is_for_vnets_to_come)
{
	struct vnet *old, *new;

	assert_int_equal(libvnet_create(&old), 0);
	assert_int_equal(kern_setenv("net.t.limit", "99"), 0);
	assert_int_equal(kern_setenv("net.t.fixed", "99"), 0);
	assert_int_equal(kern_setenv("net.nonesuch", "99"), 0);
	assert_int_equal(libvnet_create(&new), 0);
	LIBVNET_IN(new) {
		assert_int_equal(V_limit, 99);
		assert_int_equal(V_fixed, 1);
	}
	LIBVNET_IN(old)
		assert_int_equal(V_limit, 10);
	LIBVNET_IN(vnet0)
		assert_int_equal(V_limit, 10);
}
#endif

LIBVNET_TEST(tunables_of_ordinary_variables)
{
	reboot_with("net.t.tint=5\nnet.t.tsmall=200\nnet.t.ttext=abc\n"
	    "net.t.tarray=1,2,3k\nnet.t.tchecked=8");
	assert_int_equal(t_int, 5);
	assert_int_equal(t_small, 200);
	assert_string_equal(t_text, "abc");
	assert_true(t_array[0] == 1 && t_array[1] == 2 && t_array[2] == 3072);
	assert_int_equal(t_checked, 4);
	assert_int_equal(handler_calls, 1);
	/* Fetched once: a later change is not for them. */
	assert_int_equal(kern_setenv("net.t.tint", "6"), 0);
	assert_int_equal(t_int, 5);
}

LIBVNET_TEST(tunable_that_does_not_fit_is_refused)
{
	reboot_with("net.t.tint=12x\nnet.t.tsmall=256\nnet.t.ttext=abcd\n"
	    "net.t.tchecked=-2");
	assert_int_equal(t_int, 1);
	assert_int_equal(t_small, 1);
	assert_string_equal(t_text, "def");
	assert_int_equal(libvnet_log_count("Setting sysctl net.t.ttext failed: "
	    "22"), 1);
	assert_int_equal(libvnet_log_count("Setting sysctl net.t.tchecked "
	    "failed: 33"), 1);
}

/* ---- misuse */

#ifdef INVARIANTS
#ifdef VIMAGE
LIBVNET_TEST(vnet_variable_without_vnet_panics)
{
	int i;

	libvnet_expect_panic("V_limit used with no vnet set");
	READ("net.t.limit", i);
}

static int
leaves_vnet(SYSCTL_HANDLER_ARGS)
{
	curvnet = vnet0;
	return (0);
}
SYSCTL_PROC(_net_t, OID_AUTO, leaves_vnet, CTLTYPE_INT | CTLFLAG_RD, NULL, 0,
    leaves_vnet, "I", "test");

LIBVNET_TEST_VNET(handler_that_changes_the_vnet_panics, v)
{
	int i;

	libvnet_expect_panic("sysctl handler of net.t.leaves_vnet returned "
	    "with another vnet set");
	READ("net.t.leaves_vnet", i);
}

LIBVNET_TEST_VNET(handler_that_keeps_the_vnet_is_right, v)
{
	int i;

	assert_int_equal(READ("net.t.limit", i), 0);
	assert_ptr_equal(curvnet, v);
}

LIBVNET_TEST(vnet_flag_on_an_ordinary_variable_panics)
{
	libvnet_expect_panic("sysctl net.t.wrong: CTLFLAG_VNET, but its "
	    "variable is not a VNET_DEFINE one");
	SYSCTL_ADD_INT(NULL, SYSCTL_STATIC_CHILDREN(_net_t), OID_AUTO, "wrong",
	    CTLFLAG_VNET | CTLFLAG_RW, &v_int, 0, "test");
}

LIBVNET_TEST(vnet_variable_without_the_flag_panics)
{
	libvnet_expect_panic("sysctl net.t.wrong: its variable is a "
	    "VNET_DEFINE one, but CTLFLAG_VNET is missing");
	SYSCTL_ADD_INT(NULL, SYSCTL_STATIC_CHILDREN(_net_t), OID_AUTO, "wrong",
	    CTLFLAG_RW, &VNET_NAME(limit), 0, "test");
}

LIBVNET_TEST_VNET(vnet_variable_with_the_flag_is_right, v)
{
	struct sysctl_ctx_list ctx;
	int i;

	sysctl_ctx_init(&ctx);
	SYSCTL_ADD_INT(&ctx, SYSCTL_STATIC_CHILDREN(_net_t), OID_AUTO, "right",
	    CTLFLAG_VNET | CTLFLAG_RW, &VNET_NAME(limit), 0, "test");
	assert_int_equal(READ("net.t.right", i), 0);
	assert_int_equal(i, 10);
	assert_int_equal(sysctl_ctx_free(&ctx), 0);
}
#endif

static struct mtx kept;

static int
keeps_lock(SYSCTL_HANDLER_ARGS)
{
	mtx_init(&kept, "kept", NULL, MTX_DEF);
	mtx_lock(&kept);
	return (0);
}
SYSCTL_PROC(_net_t, OID_AUTO, keeps_lock, CTLTYPE_INT | CTLFLAG_RD, NULL, 0,
    keeps_lock, "I", "test");

LIBVNET_TEST_VNET(handler_that_keeps_a_lock_panics, v)
{
	int i;

	libvnet_expect_panic("sysctl handler of net.t.keeps_lock returned "
	    "holding a lock");
	READ("net.t.keeps_lock", i);
}

LIBVNET_TEST(request_without_a_thread_panics)
{
	int i;
	size_t len = sizeof(i);

	libvnet_expect_panic("sysctl: called without a thread");
	kernel_sysctlbyname(NULL, __DECONST(char *, "net.t.int"), &i, &len,
	    NULL, 0, NULL, 0);
}

LIBVNET_TEST(registration_without_the_lock_panics)
{
	static struct sysctl_oid oid = {
		.oid_parent = &sysctl___net_t.oid_children,
		.oid_number = OID_AUTO,
		.oid_kind = CTLTYPE_INT | CTLFLAG_RD,
		.oid_name = "unlocked"
	};

	libvnet_expect_panic("sysctl lock not exclusively locked|sysctl lock");
	sysctl_register_oid(&oid);
}
#endif /* INVARIANTS */
