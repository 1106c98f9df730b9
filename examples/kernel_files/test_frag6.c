/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reassembly of IPv6.  Of the rest of IPv6 that it calls, one function is
 * written here, one looks for addresses and finds none, and one, which would
 * send an error, frees its packet and is counted.
 *
 * Under test: netinet6/frag6.c
 */
#include "packets.h"
#include <sys/epoch.h>
#include <netinet/icmp6.h>
#include <netinet6/in6_var.h>
#include <netinet6/ip6_var.h>

#include <libvnet/test.h>

LIBVNET_STUB_NULL(in6ifa_ifwithaddr);
LIBVNET_STUB_FREE_MBUF(icmp6_error, 1);

static struct ifnet ifn;

/* No other header stands before the fragment's. */
int
ip6_get_prevhdr(const struct mbuf *m __unused, int off __unused)
{
	return (offsetof(struct ip6_hdr, ip6_nxt));
}

/* As the vnet's start would; how many are kept in all is set for vnet0. */
static void
begin(void)
{
	frag6_init();
	assert_int_equal(libvnet_sysctl_set(vnet0, "net.inet6.ip6.maxfrags", 100, NULL), 0);
}

static void
end(void)
{
	frag6_destroy();
}

/* Returns the next header, or IPPROTO_DONE; *mp is what there is now. */
static int
fragment(int id, int off, int len, bool more, struct mbuf **mp)
{
	struct {
		struct ip6_hdr ip6;
		struct ip6_frag frag;
		char data[1000];
	} __packed f;
	struct epoch_tracker et;
	int offset = sizeof(struct ip6_hdr), next;

	ip6_header(&f.ip6, IPPROTO_FRAGMENT, (int)sizeof(f.frag) + len, 1, 2);
	f.frag.ip6f_nxt = IPPROTO_UDP;
	f.frag.ip6f_reserved = 0;
	f.frag.ip6f_offlg = htons((uint16_t)off) |
	    (more ? IP6F_MORE_FRAG : 0);
	f.frag.ip6f_ident = htonl((uint32_t)id);
	pattern(f.data, len, off);
	*mp = packet_of(&f, (int)(sizeof(f.ip6) + sizeof(f.frag)) + len);
	(*mp)->m_pkthdr.rcvif = &ifn;
	NET_EPOCH_ENTER(et);
	next = frag6_input(mp, &offset, IPPROTO_FRAGMENT);
	NET_EPOCH_EXIT(et);
	return (next);
}

LIBVNET_TEST_VNET(fragments_become_a_packet, v)
{
	struct mbuf *m;

	begin();
	assert_int_equal(fragment(1, 640, 100, false, &m), IPPROTO_DONE);
	assert_int_equal(fragment(1, 0, 640, true, &m), IPPROTO_UDP);
	assert_int_equal(m_length(m, NULL),
	    (int)sizeof(struct ip6_hdr) + 740);
	assert_true(pattern_holds(m, sizeof(struct ip6_hdr), 740, 0));
	assert_int_equal(mtod(m, struct ip6_hdr *)->ip6_nxt, IPPROTO_UDP);
	m_freem(m);
	assert_int_equal(libvnet_stub_calls("icmp6_error"), 0);
	end();
}

LIBVNET_TEST_VNETS(fragments_of_two_vnets_do_not_meet, a, b)
{
	struct mbuf *m;

	LIBVNET_IN(a) {
		begin();
		assert_int_equal(fragment(1, 0, 640, true, &m), IPPROTO_DONE);
	}
	LIBVNET_IN(b) {
		begin();
		assert_int_equal(fragment(1, 640, 99, false, &m),
		    IPPROTO_DONE);
		end();
	}
	LIBVNET_IN(a) {
		assert_int_equal(fragment(1, 640, 99, false, &m), IPPROTO_UDP);
		m_freem(m);
		end();
	}
}

/* RFC 8200, 4.5: all but the last have a multiple of 8 bytes. */
LIBVNET_TEST_VNET(an_odd_length_in_the_middle_is_answered, v)
{
	struct mbuf *m;

	begin();
	assert_int_equal(fragment(1, 0, 641, true, &m), IPPROTO_DONE);
	assert_int_equal(libvnet_stub_calls("icmp6_error"), 1);
	end();
}

/* The number of fragments that a vnet keeps can be set; 0 is none. */
LIBVNET_TEST_VNET(no_fragments_are_kept_where_none_are_wanted, v)
{
	struct mbuf *m;

	begin();
	assert_int_equal(libvnet_sysctl_set(v, "net.inet6.ip6.maxfragsperpacket",
	    0, NULL), 0);
	assert_int_equal(fragment(1, 0, 640, true, &m), IPPROTO_DONE);
	assert_int_equal(fragment(1, 640, 100, false, &m), IPPROTO_DONE);
	end();
}
