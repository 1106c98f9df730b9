/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rule sets of pf of any kind, with addresses, ports, pools, anchors and
 * tables.  Includes what <net/pfvar.h> wants.  The calls return 0 or a
 * FreeBSD errno.
 */
#ifndef PF_LINES_H
#define PF_LINES_H

#include <sys/param.h>
#include <sys/systm.h>
#include <sys/ioccom.h>
#include <sys/mbuf.h>
#include <sys/socket.h>
#include <net/if.h>
#include <net/vnet.h>
#include <netinet/in.h>
#include <net/pfvar.h>

struct libvnet_device;

/* What is not said does not matter to the rule. */
struct pf_line {
	uint8_t action;			/* PF_PASS, PF_NAT, PF_RDR ... */
	uint8_t direction, protocol, family;
	bool quick;
	uint8_t keep_state;		/* PF_STATE_* */
	uint8_t type;			/* of ICMP, and 1 */
	uint32_t flag;			/* PFRULE_* */
	uint16_t icmp, icmp6;		/* what PFRULE_RETURNICMP answers */
	const char *from, *to;		/* an address, or "<table>" */
	uint16_t to_port;
	const char *pool;		/* the address of NAT and RDR */
	uint16_t pool_port[2];
	const char *anchor;		/* is evaluated here */
};

/*
 * These lines instead of what is there; `set' is PF_RULESET_*, `anchor' ""
 * the main one.
 */
int	pf_lines_load(struct libvnet_device *, int set, const char *anchor,
	    const struct pf_line *, unsigned n);
int	pf_table_add(struct libvnet_device *, const char *table,
	    const char *address);

#endif /* PF_LINES_H */
