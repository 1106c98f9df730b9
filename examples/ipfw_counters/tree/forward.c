/*-
 * SPDX-License-Identifier: BSD-2-Clause
 */
/*
 * What ../bench_forward.c is, with a tree's own stack: packets arrive at one
 * interface, are forwarded, and leave by another, which discards them.  ipfw
 * sees each twice, in and out, and counts it by its last rule.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/counter.h>
#include <sys/epoch.h>
#include <sys/errno.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mbuf.h>
#include <sys/rmlock.h>
#include <sys/rwlock.h>
#include <sys/socket.h>

#include <net/if.h>
#include <net/if_var.h>
#include <net/netisr.h>
#include <net/vnet.h>

#include <netinet/in.h>
#include <netinet/in_systm.h>
#include <netinet/ip.h>
#include <netinet/ip_var.h>
#include <netinet/ip_fw.h>
#include <netinet/udp.h>
#include <netpfil/ipfw/ip_fw_private.h>

#include <libvnet/libvnet.h>

#include "../bench.h"
#include "../ipfw.h"

#define OCTETS 512

#define NAME(form) #form,
const char *const bench_names[] = { "none", IPFW_FORMS(NAME) NULL };

enum ipfw_form tree_form;
static struct ifnet *arrives;

static void
ok(int error)
{
	if (error < 0)
		panic("forward: %s", libvnet_error());
}

int
bench_rules(void)
{
	struct vnet *v = libvnet_current();
	char in[LIBVNET_IFNAME], out[LIBVNET_IFNAME];

	ok(libvnet_if_create(v, "disc", in, NULL));
	ok(libvnet_if_create(v, "disc", out, NULL));
	ok(libvnet_if_address_add(v, in, "10.0.0.1/24", NULL));
	ok(libvnet_if_address_add(v, out, "10.0.1.1/24", NULL));
	ok(libvnet_if_up(v, in, NULL));
	ok(libvnet_if_up(v, out, NULL));
	ok(libvnet_route_add(v, "10.0.2.0/24", out, NULL));
	ok(libvnet_sysctl_set(v, "net.inet.ip.forwarding", 1, NULL));
	arrives = ifunit(in);
	return (arrives == NULL ? ENXIO : 0);
}

static void
packet(void)
{
	struct mbuf *m = m_getcl(M_NOWAIT, MT_DATA, M_PKTHDR);
	struct udphdr *udp;
	struct ip *ip;

	if (m == NULL)
		panic("%s: no mbuf", __func__);
	m->m_len = m->m_pkthdr.len = OCTETS;
	m->m_pkthdr.rcvif = arrives;
	m->m_pkthdr.csum_flags = CSUM_IP_CHECKED | CSUM_IP_VALID;
	ip = mtod(m, struct ip *);
	*ip = (struct ip){ .ip_v = 4, .ip_hl = 5, .ip_len = htons(OCTETS),
	    .ip_ttl = 64, .ip_p = IPPROTO_UDP,
	    .ip_src.s_addr = htonl(0x0a000002),
	    .ip_dst.s_addr = htonl(0x0a000202) };
	udp = (struct udphdr *)(ip + 1);
	*udp = (struct udphdr){ .uh_sport = htons(5060),
	    .uh_dport = htons(5060), .uh_ulen = htons(OCTETS - 20) };
	netisr_dispatch(NETISR_IP, m);
}

/* All forms count in one place. */
unsigned long
bench_counted(int which)
{
	return (counter_u64_fetch(V_layer3_chain.default_rule->cntr) / 2);
}

void
bench_begin(int which)
{
	tree_form = which == 0 ? IPFW_COUNT_off : which - 1;
	ok(libvnet_sysctl_set(libvnet_current(), "net.inet.ip.fw.enable",
	    which != 0, NULL));
}

void
bench_forward(unsigned long packets)
{
	struct epoch_tracker et;

	NET_EPOCH_ENTER(et);
	for (unsigned long i = 0; i < packets; i++)
		packet();
	NET_EPOCH_EXIT(et);
}
