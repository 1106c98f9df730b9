/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Large receive offload: segments of a flow, as a driver hands them over,
 * become one packet for the interface's input.  V_ipforwarding is not there:
 * it is a stub, with a value in each vnet.
 *
 * Under test: netinet/tcp_lro.c netinet6/in6_cksum.c
 */
#include "packets.h"
#include <sys/counter.h>
#include <netinet/tcp_lro.h>

#include <libvnet/test.h>

VNET_DECLARE(int, ipforwarding);
#define V_ipforwarding VNET(ipforwarding)

LIBVNET_STUB_RETURN(in6_getscope, 0);

#define SEQ 5000

static struct ifnet ifn;
static struct lro_ctrl lro;
static struct mbuf *got[8];
static int ngot;

static void
input(struct ifnet *ifp, struct mbuf *m)
{
	assert_ptr_equal(ifp, &ifn);
	assert_true(ngot < 8);
	got[ngot++] = m;
}

/* Of 13: tcp_init() would allocate them. */
#if __FreeBSD_version < 1400000
extern counter_u64_t tcp_inp_lro_compressed, tcp_inp_lro_single_push;
static counter_u64_t *const counters[] = {
	&tcp_inp_lro_compressed, &tcp_inp_lro_single_push
};
#else
static counter_u64_t *const counters[] = { };
#endif

static void
begin(struct vnet *v)
{
	for (size_t i = 0; i < nitems(counters); i++)
		*counters[i] = counter_u64_alloc(M_WAITOK);
	strlcpy(ifn.if_xname, "lro0", sizeof(ifn.if_xname));
	ifn.if_vnet = v;
	ifn.if_input = input;
	assert_int_equal(tcp_lro_init(&lro), 0);
	lro.ifp = &ifn;
}

static void
end(void)
{
	while (ngot > 0)
		m_freem(got[--ngot]);
	tcp_lro_free(&lro);
	for (size_t i = 0; i < nitems(counters); i++)
		counter_u64_free(*counters[i]);
}

/* A frame with `len' bytes of the stream, checksums found right by hardware. */
static int
segment(int type, const void *iphdr, int iplen, int port, int seq, int len,
    int ack)
{
	struct ether_header eh = { .ether_type = htons((uint16_t)type) };
	struct tcphdr th = {
		.th_sport = htons((uint16_t)port), .th_dport = htons(80),
		.th_seq = htonl((uint32_t)seq), .th_ack = htonl((uint32_t)ack),
		.th_off = sizeof(th) >> 2, .th_flags = TH_ACK,
		.th_win = htons(1000)
	};
	struct mbuf *m = m_getcl(M_WAITOK, MT_DATA, M_PKTHDR);
	char data[1000];

	m->m_data += ETHER_ALIGN;	/* as drivers do */
	pattern(data, len, seq - SEQ);
	m_append(m, sizeof(eh), (caddr_t)&eh);
	m_append(m, iplen, iphdr);
	m_append(m, sizeof(th), (caddr_t)&th);
	m_append(m, len, data);
	m->m_pkthdr.csum_flags = CSUM_IP_CHECKED | CSUM_IP_VALID |
	    CSUM_DATA_VALID | CSUM_PSEUDO_HDR;
	m->m_pkthdr.csum_data = 0xffff;
	return (tcp_lro_rx(&lro, m, 0));
}

static int
segment4(int port, int seq, int len, int ack)
{
	struct ip ip;

	ip_header(&ip, IPPROTO_TCP, (int)sizeof(struct tcphdr) + len,
	    0x0a000001, 0x0a000002);
	return (segment(ETHERTYPE_IP, &ip, sizeof(ip), port, seq, len, ack));
}

static int
segment6(int port, int seq, int len, int ack)
{
	struct ip6_hdr ip6;

	ip6_header(&ip6, IPPROTO_TCP, (int)sizeof(struct tcphdr) + len, 1, 2);
	return (segment(ETHERTYPE_IPV6, &ip6, sizeof(ip6), port, seq, len,
	    ack));
}

static struct tcphdr *
tcp_of(struct mbuf *m, int iphdr)
{
	return ((struct tcphdr *)(mtod(m, char *) + ETHER_HDR_LEN + iphdr));
}

LIBVNET_TEST_VNET(segments_of_a_flow_become_one_packet, v)
{
	const int hdr = ETHER_HDR_LEN + sizeof(struct ip) +
	    sizeof(struct tcphdr);
	struct ip *ip;

	begin(v);
	assert_int_equal(segment4(1024, SEQ, 100, 1), 0);
	assert_int_equal(segment4(1024, SEQ + 100, 300, 2), 0);
	assert_int_equal(segment4(1024, SEQ + 400, 77, 3), 0);
	assert_int_equal(ngot, 0);
	tcp_lro_flush_all(&lro);
	assert_int_equal(ngot, 1);
	assert_int_equal(got[0]->m_pkthdr.len, hdr + 477);
	ip = (struct ip *)(mtod(got[0], char *) + ETHER_HDR_LEN);
	assert_int_equal(ntohs(ip->ip_len), hdr + 477 - ETHER_HDR_LEN);
	assert_int_equal(ntohl(tcp_of(got[0], sizeof(*ip))->th_ack), 3);
	assert_true(pattern_holds(got[0], hdr, 477, 0));
	end();
}

LIBVNET_TEST_VNET(segments_of_ipv6_become_one_packet, v)
{
	const int hdr = ETHER_HDR_LEN + sizeof(struct ip6_hdr) +
	    sizeof(struct tcphdr);
	struct ip6_hdr *ip6;

	begin(v);
	assert_int_equal(segment6(1024, SEQ, 500, 1), 0);
	assert_int_equal(segment6(1024, SEQ + 500, 500, 9), 0);
	tcp_lro_flush_all(&lro);
	assert_int_equal(ngot, 1);
	assert_int_equal(got[0]->m_pkthdr.len, hdr + 1000);
	ip6 = (struct ip6_hdr *)(mtod(got[0], char *) + ETHER_HDR_LEN);
	assert_int_equal(ntohs(ip6->ip6_plen), sizeof(struct tcphdr) + 1000);
	assert_int_equal(ntohl(tcp_of(got[0], sizeof(*ip6))->th_ack), 9);
	assert_true(pattern_holds(got[0], hdr, 1000, 0));
	end();
}

LIBVNET_TEST_VNET(flows_and_gaps_stay_apart, v)
{
	begin(v);
	assert_int_equal(segment4(1024, SEQ, 100, 1), 0);
	assert_int_equal(segment4(1025, SEQ, 100, 1), 0);
	assert_int_equal(segment4(1024, SEQ + 200, 100, 1), 0);	/* a gap */
	assert_int_equal(segment6(1024, SEQ, 100, 1), 0);
	tcp_lro_flush_all(&lro);
	assert_int_equal(ngot, 4);
	for (int i = 0; i < ngot; i++)
		assert_true(got[i]->m_pkthdr.len < 200 + ETHER_HDR_LEN);
	end();
}

LIBVNET_TEST_VNETS(a_forwarding_vnet_takes_no_part, router, host)
{
	LIBVNET_IN(router)
		V_ipforwarding = 1;
	begin(router);
	assert_int_equal(segment4(1024, SEQ, 100, 1), TCP_LRO_CANNOT);
	ifn.if_vnet = host;
	assert_int_equal(segment4(1024, SEQ, 100, 1), 0);
	tcp_lro_flush_all(&lro);
	assert_int_equal(ngot, 1);
	end();
}
