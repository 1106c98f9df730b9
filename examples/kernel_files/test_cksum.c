/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The Internet checksum over chains of mbufs of odd sizes, against the sum
 * written for clarity.
 *
 * Under test: netinet/in_cksum.c
 */
#include "packets.h"

#include <libvnet/test.h>

#undef in_cksum		/* the machine's own may be another */
#if __FreeBSD_version < 1400000
int	in_cksum(struct mbuf *, int);
#define SUM(m, len) in_cksum(m, len)
#else
u_short	in_cksum_skip(struct mbuf *, int, int);
#define SUM(m, len) in_cksum_skip(m, len, 0)
#endif

static uint8_t bytes[600];

/* The bytes in mbufs of these sizes, the last of what is left. */
static struct mbuf *
chain(const int *sizes, int n, int total)
{
	struct mbuf *head = NULL, **next = &head, *m;
	int at = 0;

	for (int i = 0; at < total; i++) {
		int size = i < n ? MIN(sizes[i], total - at) : total - at;

		m = m_getcl(M_WAITOK, MT_DATA, head == NULL ? M_PKTHDR : 0);
		memcpy(mtod(m, char *), bytes + at, (size_t)size);
		m->m_len = size;
		at += size;
		*next = m;
		next = &m->m_next;
	}
	head->m_pkthdr.len = total;
	return (head);
}

LIBVNET_TEST(a_chain_has_the_sum_of_its_bytes)
{
	static const int sizes[][4] = {
		{ 600, 0, 0, 0 }, { 1, 1, 1, 1 }, { 3, 20, 1, 64 },
		{ 33, 7, 128, 2 }, { 2, 0, 5, 0 }
	};

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)(i * 37 + i / 7);
	for (size_t i = 0; i < nitems(sizes); i++)
		for (int total = 1; total < 600; total += 13) {
			struct mbuf *m = chain(sizes[i], 4, total);

			assert_int_equal(ntohs((uint16_t)SUM(m, total)),
			    (uint16_t)~plain_sum(bytes, total, 0));
			m_freem(m);
		}
}

LIBVNET_TEST(a_right_header_sums_up_to_zero)
{
	struct ip ip;
	struct mbuf *m;

	ip_header(&ip, IPPROTO_UDP, 8, 0x0a000001, 0xc0a80101);
	ip.ip_sum = htons((uint16_t)~plain_sum((uint8_t *)&ip, sizeof(ip), 0));
	m = packet_of(&ip, sizeof(ip));
	assert_int_equal((uint16_t)SUM(m, sizeof(ip)), 0);
	mtod(m, struct ip *)->ip_ttl--;
	assert_int_not_equal((uint16_t)SUM(m, sizeof(ip)), 0);
	m_freem(m);
}
