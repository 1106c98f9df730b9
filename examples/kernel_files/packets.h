/* SPDX-License-Identifier: BSD-2-Clause */
/* Packets for these tests, made of the tree's own mbufs and headers. */
#ifndef PACKETS_H
#define PACKETS_H

#include <sys/param.h>
#include <sys/systm.h>
#include <sys/malloc.h>
#include <sys/mbuf.h>
#include <sys/socket.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <net/if_var.h>
#if __FreeBSD_version >= 1400000
#include <net/if_private.h>
#endif
#include <net/vnet.h>
#include <netinet/in.h>
#include <netinet/in_systm.h>
#include <netinet/ip.h>
#include <netinet/ip6.h>
#include <netinet/tcp.h>
#include <netinet/udp.h>

/* n bytes that tell their place: byte i of the stream is (first + i) % 251. */
static inline void
pattern(char *p, int n, int first)
{
	for (int i = 0; i < n; i++)
		p[i] = (char)((first + i) % 251);
}

static inline int
pattern_holds(const struct mbuf *m, int off, int n, int first)
{
	char c;

	for (int i = 0; i < n; i++) {
		m_copydata(m, off + i, 1, &c);
		if (c != (char)((first + i) % 251))
			return (0);
	}
	return (1);
}

/* A packet of n bytes in one cluster. */
static inline struct mbuf *
packet_of(const void *bytes, int n)
{
	struct mbuf *m = m_getcl(M_WAITOK, MT_DATA, M_PKTHDR);

	memcpy(mtod(m, char *), bytes, (size_t)n);
	m->m_len = m->m_pkthdr.len = n;
	return (m);
}

static inline void
ip_header(void *p, int proto, int payload, uint32_t src, uint32_t dst)
{
	struct ip *ip = p;

	memset(ip, 0, sizeof(*ip));
	ip->ip_v = IPVERSION;
	ip->ip_hl = sizeof(*ip) >> 2;
	ip->ip_len = htons((uint16_t)(sizeof(*ip) + (size_t)payload));
	ip->ip_ttl = 64;
	ip->ip_p = (uint8_t)proto;
	ip->ip_src.s_addr = htonl(src);
	ip->ip_dst.s_addr = htonl(dst);
}

static inline void
ip6_header(void *p, int next, int payload, int src, int dst)
{
	struct ip6_hdr *ip6 = p;

	memset(ip6, 0, sizeof(*ip6));
	ip6->ip6_vfc = IPV6_VERSION;
	ip6->ip6_plen = htons((uint16_t)payload);
	ip6->ip6_nxt = (uint8_t)next;
	ip6->ip6_hlim = 64;
	ip6->ip6_src.s6_addr[0] = ip6->ip6_dst.s6_addr[0] = 0xfd;
	ip6->ip6_src.s6_addr[15] = (uint8_t)src;
	ip6->ip6_dst.s6_addr[15] = (uint8_t)dst;
}

/* The sum of RFC 1071 over bytes, written for clarity. */
static inline uint16_t
plain_sum(const uint8_t *p, int n, uint32_t sum)
{
	for (int i = 0; i < n; i++)
		sum += i % 2 == 0 ? (uint32_t)p[i] << 8 : p[i];
	while (sum > 0xffff)
		sum = (sum & 0xffff) + (sum >> 16);
	return ((uint16_t)sum);
}

#endif /* PACKETS_H */
