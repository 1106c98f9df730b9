/* SPDX-License-Identifier: BSD-2-Clause */
/* What a test can do about the parts of a stack that are not there. */
#include "flow.h"

#include <libvnet/test.h>

/* Some defaults for all of them. */
LIBVNET_STUB_ERROR(flow_check, ENOBUFS);
LIBVNET_STUB_FREE_MBUF(flow_send, 2);
LIBVNET_STUB_MOCK(flow_admit);

/* The mbufs of this stack; and a function of the test's own. */
static struct mbuf *freed;
static struct flow found;

void
m_freem(struct mbuf *m)
{
	freed = m;
}

struct flow *
flow_lookup(int id)
{
	check_expected(id);
	return ((struct flow *)mock());
}

static struct mbuf *const packet = (struct mbuf *)0x1000;

static void
given(int id, struct flow *f)
{
	expect_value(flow_lookup, id, id);
	will_return(flow_lookup, f);
}

LIBVNET_TEST_VNET(a_stub_without_default_names_itself_and_its_caller, v)
{
	given(1, &found);
	assert_int_equal(libvnet_stub_return("flow_check", 0), 0);
	libvnet_expect("stub", "^flow_output\\(\\) is called, and nobody "
	    "supplies it: .*LIBVNET_STUB_RETURN\\(flow_output, .*, called by "
	    "flow_input at .*flow_input.c:[0-9]+$");
	libvnet_expect_panic("^flow_output\\(\\) is called, and nobody "
	    "supplies it$");
	flow_input(1, packet);
}

LIBVNET_TEST_VNET(a_default_of_an_error_is_returned, v)
{
	given(2, &found);
	assert_int_equal(flow_input(2, packet), ENOBUFS);
	assert_int_equal(libvnet_stub_calls("flow_check"), 1);
	assert_int_equal(libvnet_stub_calls("flow_output"), 0);
}

LIBVNET_TEST_VNET(a_default_frees_the_mbuf, v)
{
	given(3, NULL);
	assert_int_equal(flow_input(3, packet), 0);
	assert_ptr_equal(freed, packet);
}

LIBVNET_TEST_VNET(a_stub_is_a_mock, v)
{
	will_return(flow_admit, 0);
	assert_int_equal(flow_reject(4, packet), 0);
	assert_null(freed);
	will_return(flow_admit, 1);
	assert_int_equal(flow_reject(4, packet), 0);
	assert_ptr_equal(freed, packet);
}

LIBVNET_TEST_VNET(a_test_says_what_stubs_do_now, v)
{
	given(5, &found);
	assert_int_equal(libvnet_stub_return("flow_check", 0), 0);
	assert_int_equal(libvnet_stub_free_mbuf("flow_output", 2), 0);
	assert_int_equal(flow_input(5, packet), 0);
	assert_ptr_equal(freed, packet);
	given(5, &found);
	assert_int_equal(libvnet_stub_return("flow_output", EPERM), 0);
	assert_int_equal(flow_input(5, packet), EPERM);
	assert_int_equal(libvnet_stub_calls("flow_output"), 2);
	given(5, &found);
	assert_int_equal(libvnet_stub_given("flow_check"), 0);
	assert_int_equal(flow_input(5, packet), ENOBUFS);
}

LIBVNET_TEST_VNET(what_a_test_said_ends_with_it, v)
{
	given(6, &found);
	assert_int_equal(flow_input(6, packet), ENOBUFS);
	assert_int_equal(libvnet_stub_calls("flow_check"), 1);
	assert_int_equal(libvnet_stub_fail("flow_check"), 0);
	given(6, &found);
	libvnet_expect("stub", "^flow_check\\(\\) is called");
	libvnet_expect_panic("^flow_check");
	flow_input(6, packet);
}

LIBVNET_TEST_VNET(mistakes_are_refused_with_the_names_that_there_are, v)
{
	assert_int_equal(libvnet_stub_return("flow_lookup", 0),
	    LIBVNET_ENOENT);
	assert_non_null(strstr(libvnet_error(), "libvnet_stub_return: there "
	    "is no stub \"flow_lookup\" in this program; stubs are: flow_"));
	assert_non_null(strstr(libvnet_error(), " flow_check"));
	assert_int_equal(libvnet_stub_calls("flow_limit"), LIBVNET_ENOENT);
	assert_int_equal(libvnet_stub_free_mbuf("flow_output", 7),
	    LIBVNET_EINVAL);
	assert_string_equal(libvnet_error(), "libvnet_stub_free_mbuf: "
	    "arguments are counted from 1 to 6");
}

/* ---- data */

LIBVNET_TEST_VNETS(virtualised_data_are_each_vnets_own, a, b)
{
	LIBVNET_IN(a) {
		given(1, &found);
		flow_input(1, packet);
		assert_int_equal(V_flow_count, 1);
		assert_int_equal(sizeof(V_flow_own), 64);
		assert_int_equal((uintptr_t)&V_flow_own % 64, 0);
		memset(&V_flow_own, 'x', sizeof(V_flow_own));
	}
	LIBVNET_IN(b) {
		assert_int_equal(V_flow_count, 0);
		assert_int_equal(V_flow_own.ft_size, 0);
	}
}

LIBVNET_TEST_VNETS(statistics_can_be_counted, a, b)
{
	LIBVNET_IN(a) {
		given(1, &found);
		flow_input(1, packet);
		assert_int_equal(VNET_PCPUSTAT_FETCH(struct flowstat, flowstat,
		    fs_in), 1);
		assert_int_equal(VNET_PCPUSTAT_FETCH(struct flowstat, flowstat,
		    fs_lost), 0);
	}
	LIBVNET_IN(b)
		assert_int_equal(VNET_PCPUSTAT_FETCH(struct flowstat, flowstat,
		    fs_in), 0);
}

LIBVNET_TEST_VNET(data_are_zero_and_as_large_as_their_type, v)
{
	for (size_t i = 0; i < sizeof(flow_name); i++)
		assert_int_equal(flow_name[i], 0);
	memset(flow_name, 'x', sizeof(flow_name));
	memset(&flow_table, 'y', sizeof(flow_table));
	assert_int_equal((uintptr_t)&flow_table % 64, 0);
	assert_null(flow_hook);
	assert_int_equal(flow_limit, 0);
}

LIBVNET_TEST_VNET(locks_and_epochs_are_made, v)
{
	assert_int_equal(flow_locked(3), 3);
	assert_int_equal(flow_locked(4), 7);
	assert_int_equal(V_flow_own.ft_size, 7);
}

LIBVNET_TEST_VNET(malloc_types_have_a_name, v)
{
	struct flow *f = flow_new(9);

	assert_int_equal(f->f_id, 9);
	assert_string_equal(M_FLOW->ks_shortdesc, "flow");
	free(f, M_FLOW);
}

LIBVNET_TEST_VNET(sysctl_nodes_are_made_with_those_above, v)
{
	int64_t limit;

	flow_limit = 12;
	assert_int_equal(libvnet_sysctl_get(v, "net.flow.table.limit", &limit,
	    NULL), 0);
	assert_int_equal(limit, 12);
}
