/*-
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef _NETINET_IPFW_COUNTERS_H_
#define _NETINET_IPFW_COUNTERS_H_

/*
 * How a rule counts the packets and octets that it matched.  There is a
 * ipfw_chk() for each, compiled with nothing of the others in it.
 */
#define IPFW_FORMS(form)						\
	form(off)	/* not at all */				\
	form(shared)	/* one place for all CPUs, c++ */		\
	form(percpu)	/* one for each CPU, c[curcpu]++ */		\
	form(critical)	/* the same in a critical section */		\
	form(counter9)	/* counter(9) */

#define IPFW_ENUM(form) IPFW_COUNT_##form,
enum ipfw_form { IPFW_FORMS(IPFW_ENUM) IPFW_NFORMS };

enum ipfw_action {
	IPFW_COUNT,			/* and go on with the next rule */
	IPFW_ALLOW,
	IPFW_DENY
};

#define IPFW_RULES_MAX	64

/* What a rule wants of a packet; protocol 0 is any, ports of any are 0-65535. */
struct ipfw_match {
	uint8_t		im_proto;
	uint16_t	im_port[2];	/* destination, from and to */
	enum ipfw_action im_action;
};

struct ipfw_count {
	uint64_t	ic_packets;
	uint64_t	ic_octets;
};

#ifdef _KERNEL
/* A packet from its IPv4 header on, `len' octets. */
typedef enum ipfw_action ipfw_chk_t(const uint8_t *, u_int len);

#define IPFW_DECLARE(form) ipfw_chk_t ipfw_chk_##form;
IPFW_FORMS(IPFW_DECLARE)

extern ipfw_chk_t *const ipfw_chks[IPFW_NFORMS];
extern const char *const ipfw_form_names[IPFW_NFORMS];

/* Rules are added before there are packets.  0 or an errno. */
int	ipfw_add(const struct ipfw_match *);
/* What rule n has counted in this form, over all CPUs. */
struct ipfw_count ipfw_counted(u_int n, enum ipfw_form);
#endif

#endif /* _NETINET_IPFW_COUNTERS_H_ */
