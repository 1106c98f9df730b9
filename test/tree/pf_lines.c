/* SPDX-License-Identifier: BSD-2-Clause */
#include "pf_lines.h"

#include <libvnet/test.h>
#include "pf_rules.h"

static int
family(const char *text)
{
	return (strchr(text, ':') != NULL ? AF_INET6 : AF_INET);
}

/* An address for itself, or a table. */
static void
fill(struct pf_addr_wrap *w, const char *text)
{
	if (text == NULL)
		return;
	if (*text == '<') {
		w->type = PF_ADDR_TABLE;
		strlcpy(w->v.tblname, text + 1, strlen(text) - 1);
		return;
	}
	w->type = PF_ADDR_ADDRMASK;
	assert_int_equal(inet_pton(family(text), text, &w->v.a.addr), 1);
	memset(&w->v.a.mask, 0xff, family(text) == AF_INET ? 4 : 16);
}

static int
pool(struct libvnet_device *pf, const char *address, uint32_t *ticket)
{
	static struct pfioc_pooladdr p;
	int error;

	memset(&p, 0, sizeof(p));
	error = pf_rules_ask(pf, DIOCBEGINADDRS, &p);
	*ticket = p.ticket;
	if (error != 0 || address == NULL)
		return (error);
	p.af = (uint8_t)family(address);
	fill(&p.addr.addr, address);
	return (pf_rules_ask(pf, DIOCADDADDR, &p));
}

static void
put(struct pf_rule *r, const struct pf_line *l)
{
	r->action = l->action;
	r->direction = l->direction;
	r->proto = l->protocol;
	r->af = l->family;
	r->quick = l->quick;
	r->keep_state = l->keep_state;
	r->type = l->type;
	r->rule_flag = l->flag;
	r->return_icmp = l->icmp;
	r->return_icmp6 = l->icmp6;
	r->rtableid = -1;
	fill(&r->src.addr, l->from);
	fill(&r->dst.addr, l->to);
	if (l->to_port != 0) {
		r->dst.port_op = PF_OP_EQ;
		r->dst.port[0] = htons(l->to_port);
	}
	r->rpool.proxy_port[0] = l->pool_port[0];
	r->rpool.proxy_port[1] = l->pool_port[1];
}

static int
add(struct libvnet_device *pf, const char *anchor, const struct pf_line *l,
    uint32_t ticket)
{
	static struct pfioc_rule r;
	uint32_t pool_ticket;
	int error = pool(pf, l->pool, &pool_ticket);

	if (error != 0)
		return (error);
	memset(&r, 0, sizeof(r));
	r.ticket = ticket;
	r.pool_ticket = pool_ticket;
	strlcpy(r.anchor, anchor, sizeof(r.anchor));
	if (l->anchor != NULL)
		strlcpy(r.anchor_call, l->anchor, sizeof(r.anchor_call));
	put(&r.rule, l);
	return (pf_rules_ask(pf, DIOCADDRULE, &r));
}

int
pf_lines_load(struct libvnet_device *pf, int set, const char *anchor,
    const struct pf_line *lines, unsigned n)
{
	static struct pfioc_trans_e e;
	struct pfioc_trans t = { .size = 1, .esize = sizeof(e), .array = &e };
	int error;

	memset(&e, 0, sizeof(e));
	e.rs_num = set;
	strlcpy(e.anchor, anchor, sizeof(e.anchor));
	error = pf_rules_ask(pf, DIOCXBEGIN, &t);
	for (u_int i = 0; i < n && error == 0; i++)
		error = add(pf, anchor, &lines[i], e.ticket);
	return (error != 0 ? error : pf_rules_ask(pf, DIOCXCOMMIT, &t));
}

int
pf_table_add(struct libvnet_device *pf, const char *table, const char *address)
{
	static struct pfr_table t;
	static struct pfioc_table io;
	struct pfr_addr a;
	int error;

	memset(&t, 0, sizeof(t));
	strlcpy(t.pfrt_name, table, sizeof(t.pfrt_name));
	t.pfrt_flags = PFR_TFLAG_PERSIST;
	memset(&io, 0, sizeof(io));
	io.pfrio_buffer = &t;
	io.pfrio_esize = sizeof(t);
	io.pfrio_size = 1;
	error = pf_rules_ask(pf, DIOCRADDTABLES, &io);
	if (error != 0)
		return (error);
	memset(&a, 0, sizeof(a));
	a.pfra_af = (uint8_t)family(address);
	a.pfra_net = family(address) == AF_INET ? 32 : 128;
	assert_int_equal(inet_pton(family(address), address, &a.pfra_u), 1);
	memset(&io, 0, sizeof(io));
	io.pfrio_table = t;
	io.pfrio_table.pfrt_flags = 0;
	io.pfrio_buffer = &a;
	io.pfrio_esize = sizeof(a);
	io.pfrio_size = 1;
	error = pf_rules_ask(pf, DIOCRADDADDRS, &io);
	if (error == 0)
		assert_int_equal(io.pfrio_nadd, 1);
	return (error);
}
