/*-
 * SPDX-License-Identifier: BSD-2-Clause
 */
/*
 * A tree's own ip_fw2.c, whose file of that name this one replaces: all of it,
 * but with a choice of how a rule counts a packet.  The choice costs each form
 * the same, a jump that the CPU foresees.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/counter.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mbuf.h>
#include <sys/rmlock.h>
#include <sys/rwlock.h>
#include <sys/socket.h>
#include <sys/pcpu.h>
#include <sys/proc.h>
#include <sys/time.h>

#include <net/if.h>
#include <net/vnet.h>

#include <netinet/in.h>
#include <netinet/ip.h>
#include <netinet/ip_var.h>
#include <netinet/ip_fw.h>
#include <netpfil/ipfw/ip_fw_private.h>

#include "../ipfw.h"

extern enum ipfw_form tree_form;

static __always_inline void
tree_slot_add(uint64_t *slot, u_int octets)
{
	slot[0]++;
	slot[1] += octets;
}

static __always_inline void
tree_count(counter_u64_t c, u_int octets)
{
	switch (tree_form) {
	case IPFW_COUNT_shared:
		tree_slot_add(zpcpu_get_cpu(c, 0), octets);
		break;
	case IPFW_COUNT_percpu:
		tree_slot_add(zpcpu_get(c), octets);
		break;
	case IPFW_COUNT_critical:
		critical_enter();
		tree_slot_add(zpcpu_get(c), octets);
		critical_exit();
		break;
	case IPFW_COUNT_counter9:
		counter_u64_add(c, 1);
		counter_u64_add(c + 1, octets);
		break;
	default:
		break;
	}
}

/* The time of a rule's last packet is kept in every form. */
#undef IPFW_INC_RULE_COUNTER
#define IPFW_INC_RULE_COUNTER(rule, octets) do {			\
	tree_count((rule)->cntr, (octets));				\
	if ((rule)->timestamp != time_uptime)				\
		(rule)->timestamp = time_uptime;			\
} while (0)

#include <netpfil/ipfw/ip_fw2.c>
