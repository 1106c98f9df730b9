/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rules of ipfw in a vnet, put there as ipfw(8) does it: by socket options on
 * a raw socket of that vnet.  The calls return 0 or a FreeBSD errno.
 */
#ifndef IPFW_RULES_H
#define IPFW_RULES_H

struct vnet;

enum ipfw_way {
	IPFW_BOTH_WAYS,
	IPFW_IN,
	IPFW_OUT
};

/* What is not said does not matter to the rule. */
struct ipfw_terms {
	uint32_t number;
	uint8_t action;			/* O_ACCEPT, O_DENY, O_CHECK_STATE ... */
	uint8_t protocol;		/* IPPROTO_* */
	enum ipfw_way way;
	const char *from_table;		/* a table of source addresses */
	bool keep_state;
};

int	ipfw_rules_add(struct vnet *, const struct ipfw_terms *);
int	ipfw_rules_delete(struct vnet *, uint32_t number);
int	ipfw_rules_flush(struct vnet *);
int	ipfw_rules_zero(struct vnet *);

/* ESRCH: there is no such rule. */
int	ipfw_rules_counters(struct vnet *, uint32_t number, uint64_t *packets,
	    uint64_t *bytes);

/* A request, which is answered in its own buffer. */
int	ipfw_rules_ask(struct vnet *, uint16_t opcode, uint16_t version,
	    void *request, size_t *size, bool set);

/* Tables of IPv4 addresses. */
int	ipfw_rules_table_create(struct vnet *, const char *table);
int	ipfw_rules_table_add(struct vnet *, const char *table,
	    const char *address);
/* ESRCH: no such table; ENOENT: not in it. */
int	ipfw_rules_table_find(struct vnet *, const char *table,
	    const char *address);

#endif /* IPFW_RULES_H */
