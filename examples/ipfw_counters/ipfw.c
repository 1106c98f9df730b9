/*-
 * SPDX-License-Identifier: BSD-2-Clause
 */

/*
 * A packet filter for each vnet, as small as one can be: a chain of rules that
 * match by protocol and destination port, each with a count of the packets and
 * octets that it matched.  It exists for those counts: how they are kept is a
 * constant argument of ipfw_match_chain(), from which one function for each
 * form is made.
 *
 *	shared		lies in the rule.  Two CPUs that count at the same
 *			time may lose one of them, and have the rule's cache
 *			line go to and fro.
 *	percpu		a slot for each CPU.  The compiler makes of c++ what
 *			it likes, a load, an addition and a store among others,
 *			and the thread may have lost its CPU in between: to one
 *			that counts the same rule, or for another CPU.
 *	critical	keeps the CPU from the slot's address to the store.
 *	counter9	counter(9), which does what the machine needs: one
 *			instruction on amd64.
 *
 * The chain does not change while there are packets; locking it is no subject
 * here.
 */

#include <sys/param.h>
#include <sys/systm.h>
#include <sys/counter.h>
#include <sys/errno.h>
#include <sys/kernel.h>
#include <sys/malloc.h>
#include <sys/pcpu.h>
#include <sys/proc.h>
#include <sys/smp.h>
#include <sys/socket.h>
#include <sys/sysctl.h>

#include <vm/uma.h>

#include <net/vnet.h>

#include <netinet/in.h>

#include "ipfw.h"

#define IP_MIN		20		/* octets of a header without options */
#define IP_PROTO	9		/* where its protocol is */

struct ip_fw {
	struct ipfw_match if_match;
	struct ipfw_count if_shared;
	counter_u64_t	if_cntr;	/* per CPU: packets, then octets */
};

struct ipfw_flow {
	uint8_t		fl_proto;
	uint16_t	fl_port;	/* destination; 0 where there is none */
};

static MALLOC_DEFINE(M_IPFW, "ipfw_counters", "rules");

VNET_DEFINE_STATIC(struct ip_fw *, ipfw_rules);
VNET_DEFINE_STATIC(u_int, ipfw_nrules);
VNET_DEFINE_STATIC(uma_zone_t, ipfw_cntr_zone);
#define V_ipfw_rules	VNET(ipfw_rules)
#define V_ipfw_nrules	VNET(ipfw_nrules)
#define V_ipfw_cntr_zone VNET(ipfw_cntr_zone)

static bool
ipfw_parse(const uint8_t *p, u_int len, struct ipfw_flow *fl)
{
	u_int hlen;

	if (len < IP_MIN || p[0] >> 4 != 4)
		return (false);
	hlen = (p[0] & 0xf) * 4;
	if (hlen < IP_MIN || hlen > len)
		return (false);
	fl->fl_proto = p[IP_PROTO];
	fl->fl_port = 0;
	if (fl->fl_proto == IPPROTO_TCP || fl->fl_proto == IPPROTO_UDP) {
		if (len < hlen + 4)
			return (false);
		fl->fl_port = p[hlen + 2] << 8 | p[hlen + 3];
	}
	return (true);
}

static __always_inline bool
ipfw_matches(const struct ipfw_match *m, const struct ipfw_flow *fl)
{
	return ((m->im_proto == 0 || m->im_proto == fl->fl_proto) &&
	    fl->fl_port >= m->im_port[0] && fl->fl_port <= m->im_port[1]);
}

static __always_inline void
ipfw_slot_add(struct ip_fw *f, u_int len)
{
	uint64_t *slot = zpcpu_get(f->if_cntr);

	slot[0]++;
	slot[1] += len;
}

static __always_inline void
ipfw_count(struct ip_fw *f, u_int len, const enum ipfw_form form)
{
	switch (form) {
	case IPFW_COUNT_shared:
		f->if_shared.ic_packets++;
		f->if_shared.ic_octets += len;
		break;
	case IPFW_COUNT_percpu:
		ipfw_slot_add(f, len);
		break;
	case IPFW_COUNT_critical:
		critical_enter();
		ipfw_slot_add(f, len);
		critical_exit();
		break;
	case IPFW_COUNT_counter9:
		counter_u64_add(f->if_cntr, 1);
		counter_u64_add(f->if_cntr + 1, len);
		break;
	default:
		break;
	}
}

/* What no rule decides is allowed, what is no packet of IPv4 denied. */
static __always_inline enum ipfw_action
ipfw_match_chain(const uint8_t *p, u_int len, const enum ipfw_form form)
{
	struct ipfw_flow fl;
	struct ip_fw *f, *end;

	if (!ipfw_parse(p, len, &fl))
		return (IPFW_DENY);
	f = V_ipfw_rules;
	for (end = f + V_ipfw_nrules; f < end; f++) {
		if (!ipfw_matches(&f->if_match, &fl))
			continue;
		ipfw_count(f, len, form);
		if (f->if_match.im_action != IPFW_COUNT)
			return (f->if_match.im_action);
	}
	return (IPFW_ALLOW);
}

#define IPFW_DEFINE(form)						\
enum ipfw_action							\
ipfw_chk_##form(const uint8_t *p, u_int len)				\
{									\
	return (ipfw_match_chain(p, len, IPFW_COUNT_##form));		\
}
IPFW_FORMS(IPFW_DEFINE)

#define IPFW_CHK(form) ipfw_chk_##form,
#define IPFW_NAME(form) #form,
ipfw_chk_t *const ipfw_chks[IPFW_NFORMS] = { IPFW_FORMS(IPFW_CHK) };
const char *const ipfw_form_names[IPFW_NFORMS] = { IPFW_FORMS(IPFW_NAME) };

int
ipfw_add(const struct ipfw_match *m)
{
	struct ip_fw *f;

	if (m->im_port[0] > m->im_port[1])
		return (EINVAL);
	if (V_ipfw_nrules == IPFW_RULES_MAX)
		return (ENOSPC);
	f = &V_ipfw_rules[V_ipfw_nrules];
	f->if_match = *m;
	f->if_cntr = uma_zalloc_pcpu(V_ipfw_cntr_zone, M_WAITOK | M_ZERO);
	V_ipfw_nrules++;
	return (0);
}

struct ipfw_count
ipfw_counted(u_int n, enum ipfw_form form)
{
	struct ipfw_count sum = { 0, 0 };
	struct ip_fw *f;
	uint64_t *slot;
	u_int cpu;

	KASSERT(n < V_ipfw_nrules, ("%s: there is no rule %u", __func__, n));
	f = &V_ipfw_rules[n];
	switch (form) {
	case IPFW_COUNT_off:
		break;
	case IPFW_COUNT_shared:
		sum = f->if_shared;
		break;
	case IPFW_COUNT_counter9:
		sum.ic_packets = counter_u64_fetch(f->if_cntr);
		sum.ic_octets = counter_u64_fetch(f->if_cntr + 1);
		break;
	default:
		CPU_FOREACH(cpu) {
			slot = zpcpu_get_cpu(f->if_cntr, cpu);
			sum.ic_packets += slot[0];
			sum.ic_octets += slot[1];
		}
		break;
	}
	return (sum);
}

static void
ipfw_init(const void *unused)
{
	V_ipfw_cntr_zone = uma_zcreate("ipfw_counters", sizeof(struct
	    ipfw_count), NULL, NULL, NULL, NULL, UMA_ALIGN_PTR, UMA_ZONE_PCPU);
	V_ipfw_rules = malloc(IPFW_RULES_MAX * sizeof(struct ip_fw), M_IPFW,
	    M_WAITOK | M_ZERO);
}
VNET_SYSINIT(ipfw_init, SI_SUB_PROTO_FIREWALL, SI_ORDER_ANY, ipfw_init, NULL);

static void
ipfw_uninit(const void *unused)
{
	while (V_ipfw_nrules > 0)
		uma_zfree_pcpu(V_ipfw_cntr_zone,
		    V_ipfw_rules[--V_ipfw_nrules].if_cntr);
	free(V_ipfw_rules, M_IPFW);
	uma_zdestroy(V_ipfw_cntr_zone);
}
VNET_SYSUNINIT(ipfw_uninit, SI_SUB_PROTO_FIREWALL, SI_ORDER_ANY, ipfw_uninit,
    NULL);
