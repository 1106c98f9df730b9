/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reassembly of IPv4: fragments in any order, in each vnet for itself, and
 * what does not come whole is gone when its time has passed.
 *
 * Under test: netinet/ip_reass.c
 */
#include "packets.h"
#include <netinet/ip_var.h>

#include <libvnet/test.h>

/* Its callers declare them. */
void	ipreass_init(void);
void	ipreass_vnet_init(void);
void	ipreass_slowtimo(void);
void	ipreass_destroy(void);

static struct ifnet ifn;

/* As the vnet's start would; how many are kept in all is set for vnet0. */
static void
begin(void)
{
#if __FreeBSD_version < 1400000
	ipreass_init();
#else
	ipreass_vnet_init();
#endif
	assert_int_equal(libvnet_sysctl_set(vnet0, "net.inet.ip.maxfrags", 100, NULL), 0);
}

static void
end(void)
{
	ipreass_destroy();
}

/* Bytes from off on of datagram `id'. */
static struct mbuf *
fragment(int id, int off, int len, bool more)
{
	struct {
		struct ip ip;
		char data[1000];
	} __packed f;
	struct mbuf *m;

	ip_header(&f.ip, IPPROTO_UDP, len, 0x0a000001, 0x0a000002);
	f.ip.ip_id = htons((uint16_t)id);
	f.ip.ip_off = htons((uint16_t)(off / 8 | (more ? IP_MF : 0)));
	pattern(f.data, len, off);
	m = packet_of(&f, (int)sizeof(f.ip) + len);
	m->m_pkthdr.rcvif = &ifn;
	return (ip_reass(m));
}

static void
whole(struct mbuf *m, int len)
{
	assert_non_null(m);
	m = m_pullup(m, sizeof(struct ip));
	/* ip_reass() has taken the header's length off ip_len. */
	assert_int_equal(m_length(m, NULL), (int)sizeof(struct ip) + len);
	assert_true(pattern_holds(m, sizeof(struct ip), len, 0));
	m_freem(m);
}

static uint64_t
stat(size_t which)
{
	return (VNET_PCPUSTAT_FETCH(struct ipstat, ipstat, ips_reassembled) *
	    (which == 0) + VNET_PCPUSTAT_FETCH(struct ipstat, ipstat,
	    ips_fragtimeout) * (which == 1));
}

LIBVNET_TEST_VNET(fragments_in_any_order_become_a_datagram, v)
{
	begin();
	assert_null(fragment(7, 800, 400, true));
	assert_null(fragment(7, 1200, 100, false));
	whole(fragment(7, 0, 800, true), 1300);
	assert_int_equal(stat(0), 1);
	end();
}

LIBVNET_TEST_VNETS(fragments_of_two_vnets_do_not_meet, a, b)
{
	LIBVNET_IN(a) {
		begin();
		assert_null(fragment(9, 0, 512, true));
	}
	LIBVNET_IN(b) {
		begin();
		assert_null(fragment(9, 512, 100, false));
		assert_int_equal(stat(0), 0);
	}
	LIBVNET_IN(a)
		whole(fragment(9, 512, 100, false), 612);
	LIBVNET_IN(b) {
		whole(fragment(9, 0, 512, true), 612);
		end();
	}
	LIBVNET_IN(a)
		end();
}

LIBVNET_TEST_VNET(what_stays_in_parts_is_gone_after_its_time, v)
{
	begin();
	assert_null(fragment(3, 0, 512, true));
#if __FreeBSD_version < 1400000
	for (int i = 0; i < 2 * IPFRAGTTL; i++)
		ipreass_slowtimo();	/* as pfslowtimo() would */
#else
	libvnet_clock_advance_ns(2ll * 60 * 1000000000);
#endif
	assert_int_equal(stat(1), 1);
	assert_null(fragment(3, 512, 100, false));
	end();
}
