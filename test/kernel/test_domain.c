/* SPDX-License-Identifier: BSD-2-Clause */
/* domain(9), and modules that are linked in. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/domain.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/module.h>
#include <sys/mutex.h>
#include <sys/socket.h>
#include <net/vnet.h>

#include <libvnet/test.h>

VNET_DEFINE_STATIC(int, inits);
VNET_DEFINE_STATIC(int, plain_inits);
#define V_inits VNET(inits)
#define V_plain_inits VNET(plain_inits)
static int destroys, probes, refused_inits;

static void
family_init(void)
{
	V_inits++;
}

static void
family_destroy(void)
{
	destroys++;
}

static struct domain familydomain = {
	.dom_family = AF_INET,
	.dom_name = "family",
	.dom_flags = DOMF_UNLOADABLE,
	.dom_init = family_init,
	.dom_destroy = family_destroy
};
VNET_DOMAIN_SET(family);

static void
plain_init(void)
{
	V_plain_inits++;
}

static struct domain plaindomain = {
	.dom_family = AF_UNIX,
	.dom_name = "plain",
	.dom_init = plain_init
};
DOMAIN_SET(plain);

static int
refuse(void)
{
	probes++;
	return (ENXIO);
}

static void
refused_init(void)
{
	refused_inits++;
}

static struct domain refuseddomain = {
	.dom_family = AF_ROUTE,
	.dom_name = "refused",
	.dom_probe = refuse,
	.dom_init = refused_init
};
VNET_DOMAIN_SET(refused);

static struct domain *
find(int family)
{
	struct domain *dp;

	SLIST_FOREACH(dp, &domains, dom_next)
		if (dp->dom_family == family)
			return (dp);
	return (NULL);
}

LIBVNET_TEST(domain_set_is_in_the_list_after_boot)
{
	assert_ptr_equal(find(AF_INET), &familydomain);
	assert_ptr_equal(find(AF_UNIX), &plaindomain);
	assert_int_equal(familydomain.dom_flags & (DOMF_SUPPORTED |
	    DOMF_INITED), DOMF_SUPPORTED | DOMF_INITED);
}

LIBVNET_TEST_VNET(vnet_domain_is_initialised_in_each_vnet, v)
{
	assert_int_equal(V_inits, 1);
#ifdef VIMAGE
	assert_int_equal(V_plain_inits, 0);
	assert_int_equal(VNET_VNET(vnet0, plain_inits), 1);
	assert_int_equal(VNET_VNET(vnet0, inits), 1);
#else
	assert_int_equal(V_plain_inits, 1);
#endif
}

#ifdef VIMAGE
LIBVNET_TEST(vnet_domain_is_destroyed_with_each_vnet)
{
	struct vnet *v;

	assert_int_equal(libvnet_create(&v), 0);
	assert_int_equal(destroys, 0);
	assert_int_equal(libvnet_destroy(v), 0);
	assert_int_equal(destroys, 1);
}
#endif

LIBVNET_TEST_VNET(refused_domain_is_probed_once_and_left_out, v)
{
	assert_int_equal(probes, 1);
	assert_int_equal(refused_inits, 0);
	assert_null(find(AF_ROUTE));
}

LIBVNET_TEST(only_unloadable_domains_are_removed)
{
	domain_remove(&plaindomain);
	assert_ptr_equal(find(AF_UNIX), &plaindomain);
	domain_remove(&familydomain);
	assert_null(find(AF_INET));
}

#ifdef INVARIANTS
static struct domain second = { .dom_family = AF_INET, .dom_name = "second" };
static struct domain other = { .dom_family = AF_LINK, .dom_name = "other" };

LIBVNET_TEST(second_domain_of_a_family_panics)
{
	libvnet_expect_panic("domain_add\\(second\\): there is a domain of "
	    "family 2 already");
#ifdef VIMAGE
	CURVNET_SET(vnet0);
#endif
	domain_add(&second);
}

#ifdef VIMAGE
LIBVNET_TEST_VNET(domain_added_in_another_vnet_panics, v)
{
	libvnet_expect_panic("domain_add\\(other\\): a domain is added for "
	    "all vnets, with vnet0 set");
	domain_add(&other);
}

LIBVNET_TEST(domain_added_in_vnet0_is_right)
{
	LIBVNET_IN(vnet0) {
		domain_add(&other);
		domain_init(&other);
	}
	assert_ptr_equal(find(AF_LINK), &other);
}

LIBVNET_TEST_VNET(domain_initialised_before_vnet0_panics, v)
{
	libvnet_expect_panic("domain_init\\(other\\): in another vnet before "
	    "vnet0");
	LIBVNET_IN(vnet0)
		domain_add(&other);
	vnet_domain_init(&other);
}
#else
LIBVNET_TEST(domain_of_another_family_is_right)
{
	domain_add(&other);
	assert_ptr_equal(find(AF_LINK), &other);
}
#endif
#endif /* INVARIANTS */

/* ---- modules */

static int loads, unloads;
static bool giant;

static int
event(module_t mod, int type, void *arg)
{
	if (type == MOD_LOAD) {
		giant = mtx_owned(&Giant);
		loads++;
		return (arg != NULL ? EEXIST : 0);
	}
	unloads += type == MOD_UNLOAD;
	return (0);
}

static moduledata_t good = { "good", event, NULL };
DECLARE_MODULE(good, good, SI_SUB_PROTO_DOMAIN, SI_ORDER_ANY);
static moduledata_t bad = { "bad", event, &loads };
static moduledata_t idle = { "idle", NULL, NULL };

LIBVNET_TEST(module_is_loaded_at_boot_under_giant)
{
	assert_int_equal(loads, 1);
	assert_int_equal(unloads, 0);
	assert_true(giant);
	assert_false(mtx_owned(&Giant));
}

LIBVNET_TEST(module_that_refuses_is_named_and_unloaded)
{
	module_register_init(&bad);
	assert_int_equal(loads, 2);
	assert_int_equal(unloads, 1);
	assert_int_equal(libvnet_log_count("MOD_LOAD \\(bad\\) error 17"),
	    1);
}

LIBVNET_TEST(module_without_handler_loads)
{
	module_register_init(&idle);
	assert_int_equal(libvnet_log_count("MOD_LOAD"), 0);
}
