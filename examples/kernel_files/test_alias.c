/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Address translation: what goes out has another address and port, what comes
 * back finds its way, and both have a right checksum.
 *
 * Under test: netinet/libalias/alias.c netinet/libalias/alias_db.c netinet/libalias/alias_mod.c netinet/libalias/alias_proxy.c netinet/libalias/alias_sctp.c netinet/libalias/alias_util.c
 */
#include "packets.h"
#include <netinet/libalias/alias.h>

#include <libvnet/test.h>

#define INSIDE 0x0a000005
#define OUTSIDE 0xcb007101
#define SERVER 0xc6336401

struct datagram {
	struct ip ip;
	struct udphdr uh;
	char data[32];
} __packed __aligned(4);

static struct libalias *la;

/* As the pseudo header and the datagram sum up; 0xffff where it is right. */
static uint16_t
udp_sum(const struct datagram *d)
{
	uint32_t pseudo = IPPROTO_UDP + ntohs(d->uh.uh_ulen);

	pseudo += plain_sum((const uint8_t *)&d->ip.ip_src, 8, 0);
	return (plain_sum((const uint8_t *)&d->uh, ntohs(d->uh.uh_ulen),
	    pseudo));
}

static void
make(struct datagram *d, uint32_t src, int sport, uint32_t dst, int dport)
{
	memset(d, 0, sizeof(*d));
	ip_header(&d->ip, IPPROTO_UDP, sizeof(*d) - sizeof(d->ip), src, dst);
	d->uh.uh_sport = htons((uint16_t)sport);
	d->uh.uh_dport = htons((uint16_t)dport);
	d->uh.uh_ulen = htons(sizeof(*d) - sizeof(d->ip));
	pattern(d->data, sizeof(d->data), sport);
	d->uh.uh_sum = htons((uint16_t)~udp_sum(d));
	d->ip.ip_sum = htons((uint16_t)~plain_sum((uint8_t *)&d->ip,
	    sizeof(d->ip), 0));
}

static void
right(const struct datagram *d)
{
	assert_int_equal(plain_sum((const uint8_t *)&d->ip, sizeof(d->ip), 0),
	    0xffff);
	assert_int_equal(udp_sum(d), 0xffff);
}

static void
begin(unsigned mode)
{
	la = LibAliasInit(NULL);
	assert_non_null(la);
	LibAliasSetAddress(la, (struct in_addr){ htonl(OUTSIDE) });
	LibAliasSetMode(la, mode, ~0u);
}

LIBVNET_TEST_VNET(a_datagram_goes_out_and_its_answer_comes_back, v)
{
	struct datagram d;
	int port;

	begin(0);
	make(&d, INSIDE, 4000, SERVER, 53);
	assert_int_equal(LibAliasOut(la, &d, sizeof(d)), PKT_ALIAS_OK);
	assert_int_equal(ntohl(d.ip.ip_src.s_addr), OUTSIDE);
	assert_int_equal(ntohl(d.ip.ip_dst.s_addr), SERVER);
	right(&d);
	port = ntohs(d.uh.uh_sport);

	make(&d, SERVER, 53, OUTSIDE, port);
	assert_int_equal(LibAliasIn(la, &d, sizeof(d)), PKT_ALIAS_OK);
	assert_int_equal(ntohl(d.ip.ip_dst.s_addr), INSIDE);
	assert_int_equal(ntohs(d.uh.uh_dport), 4000);
	right(&d);
	LibAliasUninit(la);
}

LIBVNET_TEST_VNET(two_hosts_with_one_port_get_two, v)
{
	struct datagram a, b;

	begin(PKT_ALIAS_SAME_PORTS);
	make(&a, INSIDE, 4000, SERVER, 53);
	make(&b, INSIDE + 1, 4000, SERVER, 53);
	assert_int_equal(LibAliasOut(la, &a, sizeof(a)), PKT_ALIAS_OK);
	assert_int_equal(LibAliasOut(la, &b, sizeof(b)), PKT_ALIAS_OK);
	assert_int_equal(ntohs(a.uh.uh_sport), 4000);
	assert_int_not_equal(ntohs(b.uh.uh_sport), 4000);
	right(&a);
	right(&b);
	LibAliasUninit(la);
}

LIBVNET_TEST_VNET(what_nobody_asked_for_is_not_let_in, v)
{
	struct datagram d;

	begin(PKT_ALIAS_DENY_INCOMING);
	make(&d, SERVER, 53, OUTSIDE, 4000);
	assert_int_equal(LibAliasIn(la, &d, sizeof(d)), PKT_ALIAS_IGNORED);
	LibAliasUninit(la);
}
