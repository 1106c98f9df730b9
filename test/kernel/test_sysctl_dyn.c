/* SPDX-License-Identifier: BSD-2-Clause */
/* sysctl nodes made at run time, their contexts and their owners. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/malloc.h>
#include <sys/proc.h>
#include <sys/sysctl.h>
#include <net/vnet.h>

#include <libvnet/test.h>

static int value = 3, other = 4;
#define NET SYSCTL_STATIC_CHILDREN(_net)

static int
read_int(const char *name, int *v)
{
	size_t len = sizeof(*v);

	return (kernel_sysctlbyname(curthread, __DECONST(char *, name), v,
	    &len, NULL, 0, NULL, 0));
}

static struct sysctl_oid *
add_tree(struct sysctl_ctx_list *ctx, const char *node, const char *leaf,
    int *var)
{
	struct sysctl_oid *oid;

	oid = SYSCTL_ADD_NODE(ctx, NET, OID_AUTO, node, CTLFLAG_RW, NULL, "");
	assert_non_null(oid);
	return (SYSCTL_ADD_INT(ctx, SYSCTL_CHILDREN(oid), OID_AUTO, leaf,
	    CTLFLAG_RW, var, 0, "made at run time"));
}

LIBVNET_TEST(context_removes_what_was_added_through_it)
{
	struct sysctl_ctx_list ctx;
	int v;

	assert_int_equal(sysctl_ctx_init(&ctx), 0);
	assert_non_null(add_tree(&ctx, "dyn", "leaf", &value));
	assert_int_equal(read_int("net.dyn.leaf", &v), 0);
	assert_int_equal(v, 3);
	assert_int_equal(sysctl_ctx_free(&ctx), 0);
	assert_int_equal(read_int("net.dyn.leaf", &v), ENOENT);
	assert_int_equal(read_int("net.dyn", &v), ENOENT);
	/* An emptied context can be used again. */
	assert_non_null(add_tree(&ctx, "dyn", "leaf", &other));
	assert_int_equal(read_int("net.dyn.leaf", &v), 0);
	assert_int_equal(v, 4);
	assert_int_equal(sysctl_ctx_free(&ctx), 0);
}

LIBVNET_TEST(name_and_description_are_copied)
{
	char name[] = "changing";
	struct sysctl_oid *oid;
	int v;

	oid = SYSCTL_ADD_INT(NULL, NET, OID_AUTO, name, CTLFLAG_RD, &value, 0,
	    name);
	memset(name, 'x', sizeof(name) - 1);
	assert_int_equal(read_int("net.changing", &v), 0);
	assert_string_equal(oid->oid_descr, "changing");
	assert_int_equal(sysctl_remove_oid(oid, 1, 0), 0);
}

LIBVNET_TEST(second_leaf_of_a_name_is_refused)
{
	struct sysctl_ctx_list ctx;
	int v;

	sysctl_ctx_init(&ctx);
	assert_non_null(add_tree(&ctx, "dyn", "leaf", &value));
	assert_null(add_tree(&ctx, "dyn", "leaf", &other));
	assert_int_equal(libvnet_log_count("sysctl_add_oid: can't re-use a "
	    "leaf \\(net\\.dyn\\.leaf\\)!"), 1);
	assert_int_equal(read_int("net.dyn.leaf", &v), 0);
	assert_int_equal(v, 3);
	assert_int_equal(sysctl_ctx_free(&ctx), 0);
	assert_int_equal(read_int("net.dyn", &v), ENOENT);
}

SYSCTL_INT(_net, OID_AUTO, statleaf, CTLFLAG_RD, NULL, 1, "test");

LIBVNET_TEST(second_static_leaf_is_refused_too)
{
	static struct sysctl_oid again = {
		.oid_parent = NET, .oid_number = OID_AUTO,
		.oid_kind = CTLTYPE_INT | CTLFLAG_RD, .oid_name = "statleaf"
	};

	sysctl_wlock();
	sysctl_register_oid(&again);
	sysctl_wunlock();
	assert_int_equal(libvnet_log_count("sysctl_register_oid: can't re-use "
	    "a leaf \\(net\\.statleaf\\)!"), 1);
	sysctl_wlock();
	sysctl_unregister_oid(&again);
	sysctl_wunlock();
	assert_int_equal(libvnet_log_count("sysctl_unregister_oid: "
	    "failed\\(22\\) to unregister sysctl\\(statleaf\\)"), 1);
}

LIBVNET_TEST(node_is_shared_by_reference_count)
{
	struct sysctl_ctx_list a, b;
	int v;

	sysctl_ctx_init(&a);
	sysctl_ctx_init(&b);
	assert_non_null(add_tree(&a, "dyn", "left", &value));
	assert_non_null(add_tree(&b, "dyn", "right", &other));
	assert_int_equal(sysctl_ctx_free(&a), 0);
	assert_int_equal(read_int("net.dyn.left", &v), ENOENT);
	assert_int_equal(read_int("net.dyn.right", &v), 0);
	assert_int_equal(v, 4);
	assert_int_equal(sysctl_ctx_free(&b), 0);
	assert_int_equal(read_int("net.dyn", &v), ENOENT);
}

LIBVNET_TEST(context_goes_as_a_whole_or_stays)
{
	struct sysctl_ctx_list a, b;
	struct sysctl_oid *node;
	int v;

	sysctl_ctx_init(&a);
	sysctl_ctx_init(&b);
	node = SYSCTL_ADD_NODE(&a, NET, OID_AUTO, "dyn", CTLFLAG_RW, NULL, "");
	SYSCTL_ADD_INT(&a, SYSCTL_CHILDREN(node), OID_AUTO, "mine", CTLFLAG_RD,
	    &value, 0, "");
	/* Another's leaf under our node, without a reference to it. */
	SYSCTL_ADD_INT(&b, SYSCTL_CHILDREN(node), OID_AUTO, "theirs",
	    CTLFLAG_RD, &other, 0, "");
	assert_int_equal(sysctl_ctx_free(&a), EBUSY);
	assert_int_equal(libvnet_log_count("dyn cannot be removed"), 1);
	assert_int_equal(read_int("net.dyn.mine", &v), 0);
	assert_int_equal(read_int("net.dyn.theirs", &v), 0);
	assert_int_equal(sysctl_ctx_free(&b), 0);
	assert_int_equal(sysctl_ctx_free(&a), 0);
	assert_int_equal(read_int("net.dyn", &v), ENOENT);
}

LIBVNET_TEST(static_node_in_a_context_keeps_it)
{
	struct sysctl_ctx_list ctx;

	sysctl_ctx_init(&ctx);
	assert_ptr_equal(SYSCTL_ADD_NODE(&ctx, &sysctl__children, OID_AUTO,
	    "net", CTLFLAG_RW, NULL, ""), &sysctl___net);
	assert_int_equal(sysctl_ctx_free(&ctx), EBUSY);
	assert_int_equal(sysctl_ctx_entry_del(&ctx, &sysctl___net), 0);
	assert_int_equal(sysctl_ctx_entry_del(&ctx, &sysctl___net), ENOENT);
	assert_int_equal(sysctl_ctx_free(&ctx), 0);
}

LIBVNET_TEST(removal_by_node_and_by_name)
{
	struct sysctl_oid *node;
	int v;

	node = add_tree(NULL, "dyn", "one", &value);
	node = SYSCTL_PARENT(node);
	assert_int_equal(sysctl_remove_oid(node, 1, 0), ENOTEMPTY);
	assert_int_equal(libvnet_log_count("failed attempt to remove oid dyn "
	    "with child one"), 1);
	assert_int_equal(sysctl_remove_name(node, "two", 1, 0), ENOENT);
	assert_int_equal(sysctl_remove_name(node, "one", 1, 0), 0);
	assert_int_equal(read_int("net.dyn.one", &v), ENOENT);
	assert_int_equal(sysctl_remove_oid(node, 1, 0), 0);
	assert_int_equal(sysctl_remove_oid(NULL, 1, 0), EINVAL);
	assert_int_equal(sysctl_remove_oid(&sysctl___net, 1, 1), EINVAL);
}

LIBVNET_TEST(removal_of_a_whole_tree)
{
	struct sysctl_oid *node;
	int v;

	node = add_tree(NULL, "dyn", "one", &value);
	node = SYSCTL_PARENT(node);
	SYSCTL_ADD_INT(NULL, SYSCTL_CHILDREN(node), OID_AUTO, "two", CTLFLAG_RD,
	    &other, 0, "");
	assert_int_equal(sysctl_remove_oid(node, 1, 1), 0);
	assert_int_equal(read_int("net.dyn", &v), ENOENT);
}

LIBVNET_TEST(numbers_are_unique_and_sorted)
{
	struct sysctl_oid *oid[4], *p;
	int last = -1;

	oid[0] = SYSCTL_ADD_INT(NULL, NET, 77, "n77", CTLFLAG_RD, &value, 0,
	    "");
	oid[1] = SYSCTL_ADD_INT(NULL, NET, 77, "again77", CTLFLAG_RD, &value,
	    0, "");
	oid[2] = SYSCTL_ADD_INT(NULL, NET, OID_AUTO, "auto1", CTLFLAG_RD,
	    &value, 0, "");
	oid[3] = SYSCTL_ADD_INT(NULL, NET, OID_AUTO, "auto2", CTLFLAG_RD,
	    &value, 0, "");
	assert_int_equal(oid[0]->oid_number, 77);
	assert_int_equal(libvnet_log_count("OID number\\(77\\) is already in "
	    "use for 'again77'"), 1);
	SLIST_FOREACH(p, NET, oid_link) {
		assert_true(p->oid_number > last);
		last = p->oid_number;
	}
	for (int i = 0; i < 4; i++)
		assert_int_equal(sysctl_remove_oid(oid[i], 1, 0), 0);
}

LIBVNET_TEST(every_kind_can_be_added)
{
	static uint64_t u64 = 1ULL << 40;
	static uint8_t u8 = 8;
	static char text[8] = "text";
	static bool b = true;
	struct sysctl_ctx_list ctx;
	struct sysctl_oid_list *under;
	char buf[8];
	size_t len;

	sysctl_ctx_init(&ctx);
	under = SYSCTL_CHILDREN(SYSCTL_ADD_NODE(&ctx, NET, OID_AUTO, "kinds",
	    CTLFLAG_RW, NULL, ""));
	SYSCTL_ADD_U64(&ctx, under, OID_AUTO, "u64", CTLFLAG_RD, &u64, 0, "");
	SYSCTL_ADD_U8(&ctx, under, OID_AUTO, "u8", CTLFLAG_RD, &u8, 0, "");
	SYSCTL_ADD_BOOL(&ctx, under, OID_AUTO, "bool", CTLFLAG_RD, &b, 0, "");
	SYSCTL_ADD_STRING(&ctx, under, OID_AUTO, "text", CTLFLAG_RW, text,
	    sizeof(text), "");
	SYSCTL_ADD_OPAQUE(&ctx, under, OID_AUTO, "raw", CTLFLAG_RD, text,
	    sizeof(text), "S", "");
	SYSCTL_ADD_PROC(&ctx, under, OID_AUTO, "proc", CTLTYPE_U64 |
	    CTLFLAG_RD | CTLFLAG_MPSAFE, &u64, 0, sysctl_handle_64, "QU", "");
	for (struct sysctl_oid *p = SLIST_FIRST(under); p != NULL;
	    p = SLIST_NEXT(p, oid_link)) {
		char name[32];

		snprintf(name, sizeof(name), "net.kinds.%s", p->oid_name);
		len = sizeof(buf);
		assert_int_equal(kernel_sysctlbyname(curthread, name, buf,
		    &len, NULL, 0, NULL, 0), 0);
	}
	assert_int_equal(sysctl_ctx_free(&ctx), 0);
}

/* ---- owners */

LIBVNET_TEST_VNET(tree_removed_by_its_vnet_is_no_leak, v)
{
	struct sysctl_ctx_list ctx;

	sysctl_ctx_init(&ctx);
	assert_non_null(add_tree(&ctx, "dyn", "leaf", &value));
	assert_int_equal(sysctl_ctx_free(&ctx), 0);
}

#ifdef VIMAGE
LIBVNET_TEST_VNET(leaf_that_outlives_its_vnet_is_a_leak, v)
{
	static const char *const sites[] = {
		"1 item of [0-9]+ bytes of malloc type \"sysctloid\""
	};

	/* The node itself, its name and its description. */
	for (int i = 0; i < 3; i++)
		libvnet_expect("leak", sites[0]);
	(void)SYSCTL_ADD_INT(NULL, NET, OID_AUTO, "left", CTLFLAG_RD, &value,
	    0, "left behind");
}

LIBVNET_TEST_VNETS(node_shared_by_vnets_is_nobodys_leak, a, b)
{
	struct sysctl_ctx_list ca, cb;

	sysctl_ctx_init(&ca);
	sysctl_ctx_init(&cb);
	LIBVNET_IN(a)
		add_tree(&ca, "shared", "a", &value);
	LIBVNET_IN(b)
		add_tree(&cb, "shared", "b", &value);
	LIBVNET_IN(a)
		assert_int_equal(sysctl_ctx_free(&ca), 0);
	assert_int_equal(libvnet_destroy(a), 0);
	assert_int_equal(libvnet_finding_count(), 0);
	LIBVNET_IN(b)
		assert_int_equal(sysctl_ctx_free(&cb), 0);
}
#endif

/* ---- misuse */

static struct sysctl_oid *suicidal;

static int
remove_itself(SYSCTL_HANDLER_ARGS)
{
	return (sysctl_remove_oid(suicidal, 1, 0));
}

LIBVNET_TEST(handler_that_removes_its_own_node_panics)
{
	int v;

	libvnet_expect_panic("sysctl_remove_oid: waits for ever for the "
	    "handler of \"suicidal\" that is its own caller");
	suicidal = SYSCTL_ADD_PROC(NULL, NET, OID_AUTO, "suicidal",
	    CTLTYPE_INT | CTLFLAG_RD, NULL, 0, remove_itself, "I", "");
	read_int("net.suicidal", &v);
}

static int
remove_other(SYSCTL_HANDLER_ARGS)
{
	assert_int_equal(sysctl_remove_oid(suicidal, 1, 0), 0);
	return (sysctl_handle_int(oidp, &value, 0, req));
}

LIBVNET_TEST(handler_can_remove_another_node)
{
	struct sysctl_oid *oid;
	int v;

	suicidal = SYSCTL_ADD_INT(NULL, NET, OID_AUTO, "victim", CTLFLAG_RD,
	    &value, 0, "");
	oid = SYSCTL_ADD_PROC(NULL, NET, OID_AUTO, "remover", CTLTYPE_INT |
	    CTLFLAG_RD, NULL, 0, remove_other, "I", "");
	assert_int_equal(read_int("net.remover", &v), 0);
	assert_int_equal(read_int("net.victim", &v), ENOENT);
	assert_int_equal(sysctl_remove_oid(oid, 1, 0), 0);
}
