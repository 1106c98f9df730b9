/*-
 * SPDX-License-Identifier: BSD-2-Clause
 */
/* Tests of the host cache; built with VIMAGE and without. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/errno.h>
#include <sys/kenv.h>
#include <sys/socket.h>

#include <net/vnet.h>

#include <netinet/in.h>

#include "hostcache.h"

#include <libvnet/test.h>

#define STAT_INDEX(f) VNET_PCPUSTAT_INDEX(struct hcstat, f)

static struct hc_addr
ip4(uint32_t a)
{
	return ((struct hc_addr){ .hca_in.s_addr = htonl(a),
	    .hca_af = AF_INET });
}

/* Host n of 192.0.2.0/24 and on. */
static struct hc_addr
host4(uint32_t n)
{
	return (ip4(0xc0000200 + n));
}

static struct hc_addr
ip6(uint32_t first, uint32_t last)
{
	return ((struct hc_addr){ .hca_word = { htonl(first), 0, 0,
	    htonl(last) }, .hca_af = AF_INET6 });
}

static struct hc_addr
host6(uint32_t n)
{
	return (ip6(0x20010db8, n));
}

static int
input(struct hc_addr a, u_int len)
{
	return (hc_input(&a, len));
}

static int
update(struct hc_addr a, uint32_t mtu, uint32_t rtt)
{
	struct hc_metrics m = { .hcm_mtu = mtu, .hcm_rtt = rtt };

	return (hc_update(&a, &m));
}

static int
get(struct hc_addr a, struct hc_metrics *m)
{
	return (hc_get(&a, m));
}

static bool
known(struct hc_addr a)
{
	struct hc_metrics m;

	return (get(a, &m) == 0);
}

static void
set(const char *name, int64_t value)
{
	assert_int_equal(libvnet_sysctl_set(NULL, name, value, NULL), 0);
}

static int64_t
value(const char *name)
{
	int64_t v = -1;

	assert_int_equal(libvnet_sysctl_get(NULL, name, &v, NULL), 0);
	return (v);
}

static struct hcstat
stats(void)
{
	struct hcstat s;
	size_t size = sizeof(s);

	assert_int_equal(libvnet_sysctl_read(NULL, "net.inet.hostcache.stats",
	    &s, &size, NULL), 0);
	assert_int_equal(size, sizeof(s));
	return (s);
}

static void
pass(int64_t seconds)
{
	assert_int_equal(libvnet_clock_advance_ns(seconds *
	    LIBVNET_NS_PER_SECOND), 0);
}

/* A vnet with one bucket, so that everything collides. */
static struct vnet *
one_bucket(void)
{
	struct vnet *v = NULL;

	if (!libvnet_has_vimage())
		libvnet_skip("needs option VIMAGE");
	assert_int_equal(kern_setenv("net.inet.hostcache.hashsize", "1"), 0);
	assert_int_equal(libvnet_create(&v), 0);
	return (v);
}

/* ---- metrics */

LIBVNET_TEST_VNET(get_unknown_host_answers_enoent, v)
{
	struct hc_metrics m;

	assert_int_equal(get(host4(1), &m), ENOENT);
	assert_int_equal(stats().hcs_lookups, 1);
	assert_int_equal(stats().hcs_hits, 0);
}

LIBVNET_TEST_VNET(update_is_answered_by_get, v)
{
	struct hc_metrics m;

	assert_int_equal(update(host4(1), 1400, 1000), 0);
	assert_int_equal(get(host4(1), &m), 0);
	assert_int_equal(m.hcm_mtu, 1400);
	assert_int_equal(m.hcm_rtt, 1000);
	assert_int_equal(m.hcm_rttvar, 0);
	assert_int_equal(stats().hcs_hits, 1);
	assert_int_equal(value("net.inet.hostcache.count"), 1);
}

LIBVNET_TEST_VNET(update_smooths_times_and_replaces_the_mtu, v)
{
	struct hc_metrics m;

	assert_int_equal(update(host4(1), 1400, UINT32_MAX), 0);
	assert_int_equal(update(host4(1), 1300, UINT32_MAX - 2), 0);
	assert_int_equal(update(host4(1), 0, 0), 0);
	assert_int_equal(get(host4(1), &m), 0);
	assert_int_equal(m.hcm_mtu, 1300);
	assert_int_equal(m.hcm_rtt, UINT32_MAX - 1);
}

LIBVNET_TEST(families_with_equal_words_are_different_hosts)
{
	struct vnet *v = one_bucket();

	LIBVNET_IN(v) {
		assert_int_equal(input(ip4(0x20010db8), 40), 0);
		assert_false(known(ip6(0x20010db8, 0)));
		assert_int_equal(input(ip6(0x20010db8, 0), 40), 0);
		assert_int_equal(value("net.inet.hostcache.count"), 2);
	}
	assert_int_equal(libvnet_destroy(v), 0);
}

LIBVNET_TEST_VNET(input_counts_packets_and_keeps_the_largest, v)
{
	struct hc_metrics m;

	assert_int_equal(input(host6(1), 100), 0);
	assert_int_equal(input(host6(1), 1500), 0);
	assert_int_equal(input(host6(1), 40), 0);
	assert_int_equal(get(host6(1), &m), 0);
	assert_int_equal(m.hcm_maxlen, 1500);
	assert_int_equal(stats().hcs_packets, 3);
	assert_int_equal(stats().hcs_octets, 1640);
	assert_int_equal(stats().hcs_added, 1);
}

/* ---- what is refused */

LIBVNET_TEST_VNET(addresses_of_no_host_are_refused, v)
{
	const struct hc_addr bad[] = {
		ip4(INADDR_ANY), ip4(INADDR_BROADCAST), ip4(0xe0000001),
		ip4(0xefffffff), ip6(0, 0), ip6(0xff020000, 1)
	};
	const struct hc_addr good[] = {
		ip4(1), ip4(0xdfffffff), ip4(0xf0000000), ip4(0xfffffffe),
		ip6(0, 1), ip6(0xfe800000, 1)
	};
	struct hc_metrics m;

	for (size_t i = 0; i < nitems(bad); i++) {
		assert_int_equal(input(bad[i], 40), EADDRNOTAVAIL);
		assert_int_equal(update(bad[i], 1500, 0), EADDRNOTAVAIL);
		assert_int_equal(get(bad[i], &m), EADDRNOTAVAIL);
	}
	assert_int_equal(stats().hcs_badaddr, 3 * nitems(bad));
	assert_int_equal(value("net.inet.hostcache.count"), 0);
	for (size_t i = 0; i < nitems(good); i++)
		assert_int_equal(input(good[i], 40), 0);
}

LIBVNET_TEST_VNET(lengths_and_mtus_have_bounds, v)
{
	assert_int_equal(input(host4(1), 0), EMSGSIZE);
	assert_int_equal(input(host4(1), 1), 0);
	assert_int_equal(input(host4(1), HC_PACKET_MAX), 0);
	assert_int_equal(input(host4(1), HC_PACKET_MAX + 1), EMSGSIZE);
	assert_int_equal(update(host4(2), HC_MTU_MIN4 - 1, 0), EINVAL);
	assert_int_equal(update(host4(2), HC_MTU_MIN4, 0), 0);
	assert_int_equal(update(host6(2), HC_MTU_MIN6 - 1, 0), EINVAL);
	assert_int_equal(update(host6(2), HC_MTU_MIN6, 0), 0);
	assert_int_equal(stats().hcs_badlen, 4);
}

LIBVNET_TEST_VNET(unknown_family_fails_an_assertion, v)
{
	struct hc_addr a = host4(1);

	if (!libvnet_has_checks())
		libvnet_skip("needs option INVARIANTS");
	a.hca_af = AF_UNSPEC;
	libvnet_expect_panic("hc_ishost: address family 0");
	(void)hc_input(&a, 40);
}

LIBVNET_TEST(use_without_a_vnet_panics)
{
	if (!libvnet_has_vimage() || !libvnet_has_checks())
		libvnet_skip("needs options VIMAGE and INVARIANTS");
	libvnet_expect_panic("V_hcstat used with no vnet set");
	(void)input(host4(1), 40);
}

/* ---- vnets */

LIBVNET_TEST_VNETS(vnets_do_not_see_each_other, a, b)
{
	struct hc_metrics m;

	LIBVNET_IN(a)
		assert_int_equal(update(host4(1), 1400, 0), 0);
	LIBVNET_IN(b) {
		assert_false(known(host4(1)));
		assert_int_equal(update(host4(1), 600, 0), 0);
		set("net.inet.hostcache.purgenow", 1);
		assert_int_equal(value("net.inet.hostcache.count"), 0);
	}
	LIBVNET_IN(a) {
		assert_int_equal(get(host4(1), &m), 0);
		assert_int_equal(m.hcm_mtu, 1400);
	}
}

LIBVNET_TEST_VNETS(counters_and_limits_belong_to_a_vnet, a, b)
{
	uint64_t n;

	LIBVNET_IN(a) {
		set("net.inet.hostcache.bucketlimit", 1);
		assert_int_equal(input(host4(1), 40), 0);
		assert_int_equal(input(host4(1), 40), 0);
	}
	assert_int_equal(libvnet_counter_get(a, "hcstat",
	    STAT_INDEX(hcs_packets), &n), 0);
	assert_int_equal(n, 2);
	assert_int_equal(libvnet_counter_get(b, "hcstat",
	    STAT_INDEX(hcs_packets), &n), 0);
	assert_int_equal(n, 0);
	LIBVNET_IN(b)
		assert_int_equal(value("net.inet.hostcache.bucketlimit"), 16);
}

LIBVNET_TEST_VNETS(each_vnet_expires_by_its_own_times, a, b)
{
	LIBVNET_IN(a) {
		set("net.inet.hostcache.expire", 1000);
		assert_int_equal(input(host4(1), 40), 0);
	}
	LIBVNET_IN(b)
		assert_int_equal(input(host4(1), 40), 0);
	pass(1200);
	LIBVNET_IN(a)
		assert_int_equal(value("net.inet.hostcache.count"), 0);
	LIBVNET_IN(b)
		assert_int_equal(value("net.inet.hostcache.count"), 1);
}

LIBVNET_TEST(destroy_of_a_full_vnet_leaves_nothing)
{
	struct vnet *v;

	if (!libvnet_has_vimage())
		libvnet_skip("needs option VIMAGE");
	for (int round = 0; round < 3; round++) {
		assert_int_equal(libvnet_create(&v), 0);
		LIBVNET_IN(v)
			for (uint32_t n = 1; n <= 3000; n++)
				(void)input(n % 2 ? host4(n) : host6(n), n);
		assert_int_equal(libvnet_destroy(v), 0);
		pass(86400);
	}
	assert_int_equal(libvnet_finding_count(), 0);
}

/* ---- time */

LIBVNET_TEST_VNET(entry_is_gone_at_its_second, v)
{
	set("net.inet.hostcache.expire", 100);
	assert_int_equal(input(host4(1), 40), 0);
	pass(99);
	assert_true(known(host4(1)));
	pass(1);				/* long before the pruning */
	assert_false(known(host4(1)));
	assert_int_equal(stats().hcs_expired, 1);
	assert_int_equal(value("net.inet.hostcache.count"), 0);
}

LIBVNET_TEST_VNET(news_prolongs_and_reading_does_not, v)
{
	set("net.inet.hostcache.expire", 100);
	assert_int_equal(input(host4(1), 40), 0);
	assert_int_equal(input(host4(2), 40), 0);
	pass(60);
	assert_true(known(host4(1)));
	assert_int_equal(update(host4(2), 0, 7), 0);
	pass(60);
	assert_false(known(host4(1)));
	assert_true(known(host4(2)));
}

LIBVNET_TEST_VNET(pruning_frees_what_nobody_asks_for, v)
{
	set("net.inet.hostcache.expire", 10);
	for (uint32_t n = 1; n <= 50; n++)
		assert_int_equal(input(host6(n), 40), 0);
	pass(299);
	assert_int_equal(value("net.inet.hostcache.count"), 50);
	pass(2);
	assert_int_equal(value("net.inet.hostcache.count"), 0);
	assert_int_equal(stats().hcs_expired, 50);
	assert_int_equal(input(host6(1), 40), 0);
	pass(300);				/* it runs again and again */
	assert_int_equal(value("net.inet.hostcache.count"), 0);
}

LIBVNET_TEST_VNET(new_prune_interval_counts_from_now, v)
{
	set("net.inet.hostcache.expire", 10);
	assert_int_equal(input(host4(1), 40), 0);
	pass(100);
	set("net.inet.hostcache.prune", 20);
	pass(19);
	assert_int_equal(value("net.inet.hostcache.count"), 1);
	pass(1);
	assert_int_equal(value("net.inet.hostcache.count"), 0);
}

/* ---- limits */

LIBVNET_TEST(bucket_evicts_the_least_recently_used)
{
	struct vnet *v = one_bucket();

	LIBVNET_IN(v) {
		set("net.inet.hostcache.bucketlimit", 3);
		for (uint32_t n = 1; n <= 3; n++)
			assert_int_equal(input(host4(n), 40), 0);
		assert_true(known(host4(1)));		/* 2 is the oldest now */
		assert_int_equal(input(host4(4), 40), 0);
		assert_int_equal(value("net.inet.hostcache.count"), 3);
		assert_false(known(host4(2)));
		assert_int_equal(update(host4(3), 1500, 0), 0);
		assert_int_equal(input(host4(5), 40), 0);
		assert_false(known(host4(1)));
		assert_true(known(host4(3)));
		assert_int_equal(stats().hcs_evicted, 2);
	}
	assert_int_equal(libvnet_destroy(v), 0);
}

LIBVNET_TEST(lower_bucketlimit_shrinks_the_bucket_at_the_next_entry)
{
	struct vnet *v = one_bucket();

	LIBVNET_IN(v) {
		for (uint32_t n = 1; n <= 10; n++)
			assert_int_equal(input(host4(n), 40), 0);
		set("net.inet.hostcache.bucketlimit", 2);
		assert_int_equal(value("net.inet.hostcache.count"), 10);
		assert_int_equal(input(host4(11), 40), 0);
		assert_int_equal(value("net.inet.hostcache.count"), 2);
		assert_true(known(host4(10)));
	}
	assert_int_equal(libvnet_destroy(v), 0);
}

LIBVNET_TEST(full_cache_evicts_from_the_same_bucket)
{
	struct vnet *v = one_bucket();

	LIBVNET_IN(v) {
		set("net.inet.hostcache.cachelimit", 3);
		for (uint32_t n = 1; n <= 8; n++)
			assert_int_equal(input(host4(n), 40), 0);
		assert_int_equal(value("net.inet.hostcache.count"), 3);
		assert_int_equal(stats().hcs_evicted, 5);
		assert_int_equal(stats().hcs_nomem, 0);
		assert_true(known(host4(8)));
	}
	assert_int_equal(libvnet_destroy(v), 0);
}

LIBVNET_TEST_VNET(cachelimit_holds_from_the_start, v)
{
	set("net.inet.hostcache.bucketlimit", 1000);
	for (uint32_t n = 1; n <= 3000; n++)
		(void)input(host6(n), 40);
	assert_int_equal(value("net.inet.hostcache.count"),
	    value("net.inet.hostcache.cachelimit"));
}

LIBVNET_TEST_VNET(full_cache_refuses_where_the_bucket_is_empty, v)
{
	struct hcstat s;

	set("net.inet.hostcache.cachelimit", 4);
	for (uint32_t n = 1; n <= 200; n++)
		(void)input(host4(n), 40);
	s = stats();
	assert_int_equal(value("net.inet.hostcache.count"), 4);
	assert_int_equal(s.hcs_added - s.hcs_evicted, 4);
	assert_int_equal(s.hcs_added + s.hcs_nomem, 200);
	assert_true(s.hcs_nomem > 0);
}

/* ---- sysctl */

LIBVNET_TEST_VNET(sysctl_limits_refuse_what_is_out_of_range, v)
{
	static const char *const names[] = { "net.inet.hostcache.cachelimit",
	    "net.inet.hostcache.bucketlimit", "net.inet.hostcache.expire",
	    "net.inet.hostcache.prune" };
	int64_t before;
	int kerr;

	for (size_t i = 0; i < nitems(names); i++) {
		before = value(names[i]);
		assert_int_equal(libvnet_sysctl_set(NULL, names[i], 0, &kerr),
		    LIBVNET_EKERNEL);
		assert_int_equal(kerr, EINVAL);
		assert_int_equal(libvnet_sysctl_set(NULL, names[i], UINT32_MAX,
		    &kerr), LIBVNET_EKERNEL);
		assert_int_equal(kerr, EINVAL);
		assert_int_equal(value(names[i]), before);
		set(names[i], before + 1);
		assert_int_equal(value(names[i]), before + 1);
	}
	assert_int_equal(libvnet_sysctl_set(NULL, "net.inet.hostcache.hashsize",
	    1, &kerr), LIBVNET_EKERNEL);
	assert_int_equal(kerr, EPERM);
}

LIBVNET_TEST_VNET(purgenow_empties_the_cache, v)
{
	for (uint32_t n = 1; n <= 100; n++)
		assert_int_equal(input(host4(n), 40), 0);
	set("net.inet.hostcache.purgenow", 0);
	assert_int_equal(value("net.inet.hostcache.count"), 100);
	set("net.inet.hostcache.purgenow", 1);
	assert_int_equal(value("net.inet.hostcache.count"), 0);
	assert_int_equal(stats().hcs_purged, 100);
}

LIBVNET_TEST_VNET(stats_are_zeroed_by_writing, v)
{
	struct hcstat zero = { 0 };

	assert_int_equal(input(host4(1), 40), 0);
	assert_int_equal(libvnet_sysctl_write(NULL, "net.inet.hostcache.stats",
	    &zero, sizeof(zero), NULL), 0);
	assert_int_equal(stats().hcs_packets, 0);
	assert_int_equal(value("net.inet.hostcache.count"), 1);
}

LIBVNET_TEST(list_shows_entries_last_used_first)
{
	struct xhc_entry x[4];
	struct vnet *v = one_bucket();
	size_t size;

	LIBVNET_IN(v) {
		assert_int_equal(input(host4(1), 100), 0);
		assert_int_equal(input(host4(2), 200), 0);
		assert_int_equal(update(host6(3), 1400, 0), 0);
		pass(10);
		assert_true(known(host4(1)));
		size = 0;
		assert_int_equal(libvnet_sysctl_read(NULL,
		    "net.inet.hostcache.list", NULL, &size, NULL), 0);
		assert_int_equal(size, 3 * sizeof(x[0]));
		size = sizeof(x);
		assert_int_equal(libvnet_sysctl_read(NULL,
		    "net.inet.hostcache.list", x, &size, NULL), 0);
		assert_int_equal(size, 3 * sizeof(x[0]));
		assert_int_equal(x[0].xhe_addr.hca_in.s_addr, htonl(0xc0000201));
		assert_int_equal(x[0].xhe_hits, 1);
		assert_int_equal(x[0].xhe_packets, 1);
		assert_int_equal(x[0].xhe_metrics.hcm_maxlen, 100);
		assert_int_equal(x[0].xhe_expire, 3590);
		assert_int_equal(x[1].xhe_addr.hca_af, AF_INET6);
		assert_int_equal(x[1].xhe_metrics.hcm_mtu, 1400);
		assert_int_equal(x[2].xhe_addr.hca_in.s_addr, htonl(0xc0000202));
		size = sizeof(x[0]);			/* no room for all */
		assert_int_equal(libvnet_sysctl_read(NULL,
		    "net.inet.hostcache.list", x, &size, NULL),
		    LIBVNET_EKERNEL);
	}
	assert_int_equal(libvnet_destroy(v), 0);
}

LIBVNET_TEST(bad_tunable_is_replaced_with_a_warning)
{
	struct vnet *v;

	if (!libvnet_has_vimage())
		libvnet_skip("needs option VIMAGE");
	assert_int_equal(kern_setenv("net.inet.hostcache.hashsize", "3"), 0);
	assert_int_equal(libvnet_create(&v), 0);
	assert_int_equal(libvnet_log_count("WARNING: .*hashsize=3 is not"), 1);
	LIBVNET_IN(v)
		assert_int_equal(value("net.inet.hostcache.hashsize"), 128);
	assert_int_equal(libvnet_destroy(v), 0);
}
