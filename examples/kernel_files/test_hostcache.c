/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The cache of what TCP knows of other hosts: each vnet has its own, and an
 * hour of virtual time, in which its callout prunes it, passes at once.
 *
 * Under test: netinet/tcp_hostcache.c
 */
#include "packets.h"
#include <netinet/in_pcb.h>
#include <netinet/tcp_var.h>
#if __FreeBSD_version >= 1400000
#include <netinet/tcp_hostcache.h>
#endif

#include <libvnet/test.h>

#define HOUR_NS (3600ll * 1000000000)

static struct in_conninfo peer = { .inc_faddr.s_addr = 0x0100000a };

/* tcp_init() would do that for each vnet. */
static void
begin(void)
{
	tcp_hc_init();
}

static void
end(void)
{
#ifdef VIMAGE
	tcp_hc_destroy();
#endif
}

LIBVNET_TEST_VNETS(each_vnet_has_a_cache_of_its_own, a, b)
{
	LIBVNET_IN(a) {
		begin();
		assert_int_equal(tcp_hc_getmtu(&peer), 0);
		tcp_hc_updatemtu(&peer, 1400);
		assert_int_equal(tcp_hc_getmtu(&peer), 1400);
	}
	LIBVNET_IN(b) {
		begin();
		assert_int_equal(tcp_hc_getmtu(&peer), 0);
		end();
	}
	LIBVNET_IN(a) {
		assert_int_equal(tcp_hc_getmtu(&peer), 1400);
		end();
	}
}

LIBVNET_TEST_VNET(an_entry_is_gone_after_its_time, v)
{
	int64_t n;

	begin();
	tcp_hc_updatemtu(&peer, 1400);
	assert_int_equal(libvnet_sysctl_get(v, "net.inet.tcp.hostcache.count",
	    &n, NULL), 0);
	assert_int_equal(n, 1);
	libvnet_clock_advance_ns(HOUR_NS / 2);
	assert_int_equal(tcp_hc_getmtu(&peer), 1400);	/* used: stays */
	libvnet_clock_advance_ns(2 * HOUR_NS);
	assert_int_equal(tcp_hc_getmtu(&peer), 0);
	assert_int_equal(libvnet_sysctl_get(v, "net.inet.tcp.hostcache.count",
	    &n, NULL), 0);
	assert_int_equal(n, 0);
	end();
}
