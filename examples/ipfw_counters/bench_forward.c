/*-
 * SPDX-License-Identifier: BSD-2-Clause
 */
/*
 * The path of a packet that is forwarded, around the filter: it is copied out
 * of a ring, its header's and its payload's checksums are verified, then the
 * filter, then its TTL and checksum are changed.  So it is without a driver's
 * offload; what a driver, a lock or a route would take is not there.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/socket.h>

#include <net/vnet.h>

#include <netinet/in.h>

#include "ipfw.h"

#include "bench.h"

#define OCTETS	512
#define HEADER	20
#define RING	64			/* packets */
#define RULES	12

#define NAME(form) #form,
const char *const bench_names[] = { "none", IPFW_FORMS(NAME) NULL };

static ipfw_chk_t *chk;		/* NULL: the firewall is off */
static uint8_t ring[RING][OCTETS] __aligned(CACHE_LINE_SIZE);

/* Octets are even in number. */
static uint16_t
checksum(const uint8_t *p, u_int octets)
{
	uint64_t sum = 0;
	uint32_t word;

	for (u_int i = 0; i + sizeof(word) <= octets; i += sizeof(word)) {
		memcpy(&word, p + i, sizeof(word));
		sum += word;
	}
	while (sum >> 16 != 0)
		sum = (sum & 0xffff) + (sum >> 16);
	return ((uint16_t)~sum);
}

static void
ring_fill(const void *unused)
{
	for (u_int n = 0; n < RING; n++) {
		uint8_t *p = ring[n];
		uint16_t sum;

		for (u_int i = 0; i < OCTETS; i++)
			p[i] = i < HEADER ? 0 : (uint8_t)(i * 7 + n);
		p[0] = 0x45;
		p[2] = OCTETS >> 8;
		p[8] = 64;
		p[9] = IPPROTO_UDP;
		p[22] = 0x13;		/* port 5060 and on */
		p[23] = 0xc4 + n % 16;
		sum = checksum(p, HEADER);
		memcpy(p + 10, &sum, sizeof(sum));
	}
}
SYSINIT(ring_fill, SI_SUB_INIT_IF, SI_ORDER_ANY, ring_fill, NULL);

/* The last but one counts, the last allows. */
int
bench_rules(void)
{
	struct ipfw_match m = { IPPROTO_TCP, { 0, 0 }, IPFW_DENY };
	int error = 0;

	for (u_int i = 0; i < RULES && error == 0; i++) {
		if (i == RULES - 2)
			m = (struct ipfw_match){ IPPROTO_UDP, { 5000, 6000 },
			    IPFW_COUNT };
		else if (i == RULES - 1)
			m = (struct ipfw_match){ 0, { 0, 65535 }, IPFW_ALLOW };
		else
			m.im_port[0] = m.im_port[1] = 80 + i;
		error = ipfw_add(&m);
	}
	return (error);
}

static __noinline bool
forward(uint8_t *p, const uint8_t *from)
{
	uint16_t sum = 0;

	memcpy(p, from, OCTETS);
	if (checksum(p, HEADER) != 0)
		return (false);
	if (checksum(p + HEADER, OCTETS - HEADER) == 0)
		return (false);		/* one that does not occur */
	if (chk != NULL && chk(p, OCTETS) == IPFW_DENY)
		return (false);
	p[8]--;
	memcpy(p + 10, &sum, sizeof(sum));
	sum = checksum(p, HEADER);
	memcpy(p + 10, &sum, sizeof(sum));
	return (true);
}

void
bench_begin(int which)
{
	chk = which == 0 ? NULL : ipfw_chks[which - 1];
}

void
bench_forward(unsigned long packets)
{
	uint8_t p[OCTETS] __aligned(CACHE_LINE_SIZE);

	for (unsigned long i = 0; i < packets; i++) {
		if (!forward(p, ring[i % RING]))
			panic("%s: a packet was dropped", __func__);
		__asm__ volatile("" : : "r"(p) : "memory");
	}
}

unsigned long
bench_counted(int which)
{
	return (ipfw_counted(RULES - 1, which - 1).ic_packets);
}
