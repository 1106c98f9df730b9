/* SPDX-License-Identifier: BSD-2-Clause */
/* counter(9): sums over CPUs, its sysctl handlers, its rate limit. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/counter.h>
#include <sys/kernel.h>
#include <sys/malloc.h>
#include <sys/proc.h>
#include <sys/smp.h>
#include <sys/sysctl.h>
#include <net/vnet.h>

#include <libvnet/test.h>

static void
reboot_with(int ncpus)
{
	struct libvnet_options options = { .ncpus = ncpus };

	assert_int_equal(libvnet_shutdown(), 0);
	assert_int_equal(libvnet_boot(&options), 0);
}

LIBVNET_TEST(counter_starts_at_zero_and_adds)
{
	counter_u64_t c = counter_u64_alloc(M_WAITOK);

	assert_int_equal(counter_u64_fetch(c), 0);
	counter_u64_add(c, 5);
	counter_u64_add(c, -2);
	assert_int_equal(counter_u64_fetch(c), 3);
	counter_enter();
	counter_u64_add_protected(c, 1);
	counter_exit();
	assert_int_equal(counter_u64_fetch(c), 4);
	counter_u64_zero(c);
	assert_int_equal(counter_u64_fetch(c), 0);
	counter_u64_free(c);
}

static void
add_cpu(void *arg)
{
	counter_u64_add(arg, 1 << curcpu);
}

LIBVNET_TEST(sum_and_zero_reach_every_cpu)
{
	counter_u64_t c;

	reboot_with(4);
	c = counter_u64_alloc(M_WAITOK);
	smp_rendezvous(NULL, add_cpu, NULL, c);
	assert_int_equal(counter_u64_fetch(c), 1 + 2 + 4 + 8);
	counter_u64_zero(c);
	assert_int_equal(counter_u64_fetch(c), 0);
	counter_u64_free(c);
}

LIBVNET_TEST(reused_counter_is_zero_again)
{
	counter_u64_t c;

	for (int i = 0; i < 100; i++) {
		c = counter_u64_alloc(M_NOWAIT);
		assert_int_equal(counter_u64_fetch(c), 0);
		counter_u64_add(c, 7);
		counter_u64_free(c);
	}
}

LIBVNET_TEST(arrays_allocate_copy_and_zero)
{
	counter_u64_t c[3];
	uint64_t sums[3];

	COUNTER_ARRAY_ALLOC(c, 3, M_WAITOK);
	for (int i = 0; i < 3; i++)
		counter_u64_add(c[i], i + 1);
	COUNTER_ARRAY_COPY(c, sums, 3);
	assert_true(sums[0] == 1 && sums[1] == 2 && sums[2] == 3);
	COUNTER_ARRAY_ZERO(c, 3);
	COUNTER_ARRAY_COPY(c, sums, 3);
	assert_true(sums[0] == 0 && sums[1] == 0 && sums[2] == 0);
	COUNTER_ARRAY_FREE(c, 3);
}

COUNTER_U64_DEFINE_EARLY(early);

LIBVNET_TEST(early_counter_is_a_real_one_after_boot)
{
	assert_ptr_not_equal(early, EARLY_COUNTER);
	counter_u64_add(early, 2);
	assert_int_equal(counter_u64_fetch(early), 2);
}

/* ---- sysctl */

VNET_DEFINE_STATIC(counter_u64_t, hits);
VNET_DEFINE_STATIC(counter_u64_t, parts[2]);
#define V_hits VNET(hits)
#define V_parts VNET(parts)
SYSCTL_NODE(_net, OID_AUTO, ctest, CTLFLAG_RW, NULL, "test");
SYSCTL_COUNTER_U64(_net_ctest, OID_AUTO, hits, CTLFLAG_VNET | CTLFLAG_RW,
    &VNET_NAME(hits), "test");
SYSCTL_COUNTER_U64(_net_ctest, OID_AUTO, rohits, CTLFLAG_VNET | CTLFLAG_RD,
    &VNET_NAME(hits), "test");
SYSCTL_COUNTER_U64_ARRAY(_net_ctest, OID_AUTO, parts,
    CTLFLAG_VNET | CTLFLAG_RW, &VNET_NAME(parts), 2, "test");

static void
hits_init(const void *unused __unused)
{
	V_hits = counter_u64_alloc(M_WAITOK);
	COUNTER_ARRAY_ALLOC(V_parts, 2, M_WAITOK);
}
VNET_SYSINIT(hits_init, SI_SUB_INIT_IF, SI_ORDER_ANY, hits_init, NULL);

static void
hits_uninit(const void *unused __unused)
{
	counter_u64_free(V_hits);
	COUNTER_ARRAY_FREE(V_parts, 2);
}
VNET_SYSUNINIT(hits_uninit, SI_SUB_INIT_IF, SI_ORDER_ANY, hits_uninit, NULL);

static int
query(const char *name, void *old, size_t *oldlen, void *newval, size_t newlen)
{
	return (kernel_sysctlbyname(curthread, __DECONST(char *, name), old,
	    oldlen, newval, newlen, oldlen, 0));
}

LIBVNET_TEST_VNET(any_write_zeroes_the_counter, v)
{
	uint64_t sum = 0, any = 99;
	size_t len = sizeof(sum);

	counter_u64_add(V_hits, 12);
	assert_int_equal(query("net.ctest.hits", &sum, &len, NULL, 0), 0);
	assert_int_equal(len, sizeof(sum));
	assert_int_equal(sum, 12);
	assert_int_equal(query("net.ctest.rohits", NULL, NULL, &any,
	    sizeof(any)), EPERM);
	assert_int_equal(counter_u64_fetch(V_hits), 12);
	assert_int_equal(query("net.ctest.hits", &sum, &len, &any,
	    sizeof(any)), 0);
	assert_int_equal(sum, 12);
	assert_int_equal(counter_u64_fetch(V_hits), 0);
}

LIBVNET_TEST_VNET(array_is_read_and_zeroed_whole, v)
{
	uint64_t sums[2] = { 0 }, any = 1;
	size_t len = sizeof(sums);

	counter_u64_add(V_parts[0], 3);
	counter_u64_add(V_parts[1], 4);
	assert_int_equal(query("net.ctest.parts", sums, &len, NULL, 0), 0);
	assert_int_equal(len, sizeof(sums));
	assert_true(sums[0] == 3 && sums[1] == 4);
	/* A short buffer takes what fits, and nothing is zeroed. */
	len = sizeof(sums[0]);
	assert_int_equal(query("net.ctest.parts", sums, &len, &any,
	    sizeof(any)), ENOMEM);
	assert_int_equal(len, sizeof(sums[0]));
	assert_int_equal(counter_u64_fetch(V_parts[1]), 4);
	assert_int_equal(query("net.ctest.parts", NULL, NULL, &any,
	    sizeof(any)), 0);
	assert_int_equal(counter_u64_fetch(V_parts[0]), 0);
	assert_int_equal(counter_u64_fetch(V_parts[1]), 0);
}

LIBVNET_TEST_VNETS(counter_of_one_vnet_is_not_the_others, va, vb)
{
	uint64_t sum = 99;
	size_t len = sizeof(sum);

	LIBVNET_IN(va)
		counter_u64_add(V_hits, 1);
	LIBVNET_IN(vb)
		assert_int_equal(query("net.ctest.hits", &sum, &len, NULL, 0),
		    0);
	assert_int_equal(sum, 0);
}

/* ---- rate limit */

LIBVNET_TEST(ratecheck_tells_how_many_came)
{
	struct counter_rate cr = { .cr_ticks = ticks };

	cr.cr_rate = counter_u64_alloc(M_WAITOK);
	for (int i = 0; i < 3; i++)
		assert_int_equal(counter_ratecheck(&cr, 3), 0);
	for (int i = 0; i < 4; i++)
		assert_int_equal(counter_ratecheck(&cr, 3), -1);
	libvnet_clock_advance_ns(2 * LIBVNET_NS_PER_SECOND);
	/* Let through after a second that saw seven. */
	assert_int_equal(counter_ratecheck(&cr, 3), 7);
	assert_int_equal(counter_ratecheck(&cr, 3), 0);
	libvnet_clock_advance_ns(2 * LIBVNET_NS_PER_SECOND);
	assert_int_equal(counter_ratecheck(&cr, 3), 0);
	counter_u64_free(cr.cr_rate);
}

#ifdef INVARIANTS
LIBVNET_TEST(fetch_of_null_panics)
{
	libvnet_expect_panic("counter_u64_fetch: counter is NULL; allocate");
	(void)counter_u64_fetch(NULL);
}

LIBVNET_TEST(zero_of_null_panics)
{
	libvnet_expect_panic("counter_u64_zero: counter is NULL; allocate");
	counter_u64_zero(NULL);
}

LIBVNET_TEST(add_to_null_panics)
{
	libvnet_expect_panic("counter_u64_add: counter is NULL; allocate");
	counter_u64_add(NULL, 1);
}
#endif
