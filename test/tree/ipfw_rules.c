/* SPDX-License-Identifier: BSD-2-Clause */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/errno.h>
#include <sys/malloc.h>
#include <sys/socket.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/ip_fw.h>

#include <libvnet/test.h>
#include "ipfw_rules.h"

#define TABLE 1			/* its index in a request */
#define WORDS 16		/* of instructions; more than any rule here */

int
ipfw_rules_ask(struct vnet *v, uint16_t opcode, uint16_t version, void *request,
    size_t *size, bool set)
{
	ip_fw3_opheader *op = request;
	int fd, error;

	op->opcode = opcode;
	op->version = version;
	fd = libvnet_socket(v, 4, LIBVNET_RAW, IPPROTO_RAW, &error);
	if (fd < 0)
		return (error);
	if (set)
		(void)libvnet_socket_set(fd, IPPROTO_IP, IP_FW3, request,
		    *size, &error);
	else
		(void)libvnet_socket_get(fd, IPPROTO_IP, IP_FW3, request,
		    size, &error);
	(void)libvnet_socket_close(fd, NULL);
	return (error);
}

/* ---- rules */

struct named {			/* the names that a rule's numbers stand for */
	ipfw_obj_ctlv list;
	ipfw_obj_ntlv name;
};

struct add {
	ip_fw3_opheader op;
	char rest[sizeof(struct named) + sizeof(ipfw_obj_ctlv) +
	    sizeof(struct ip_fw_rule) + WORDS * 4] __aligned(8);
};

static void
name_table(ipfw_obj_ntlv *name, const char *table)
{
	name->head.type = IPFW_TLV_TBL_NAME;
	name->head.length = sizeof(*name);
	name->idx = TABLE;
	name->type = IPFW_TABLE_ADDR;
	strlcpy(name->name, table, sizeof(name->name));
}

static size_t
put_names(void *at, const char *table)
{
	struct named *n = at;

	if (table == NULL)
		return (0);
	n->list.head.type = IPFW_TLV_TBLNAME_LIST;
	n->list.head.length = sizeof(*n);
	n->list.count = 1;
	n->list.objsize = sizeof(n->name);
	name_table(&n->name, table);
	return (sizeof(*n));
}

static void
put(struct ip_fw_rule *r, uint8_t opcode, uint8_t flags, uint16_t arg)
{
	ipfw_insn *i = (ipfw_insn *)((uint32_t *)r->cmd + r->cmd_len);

	i->opcode = opcode;
	i->len = flags | F_INSN_SIZE(ipfw_insn);
	i->arg1 = arg;
	r->cmd_len += F_INSN_SIZE(ipfw_insn);
}

/* The order matters: states are looked up first, the action comes last. */
static size_t
put_rule(void *at, const struct ipfw_terms *t)
{
	ipfw_obj_ctlv *list = at;
	struct ip_fw_rule *r = (struct ip_fw_rule *)(list + 1);

	r->rulenum = t->number;
	if (t->keep_state)
		put(r, O_PROBE_STATE, 0, 0);
	if (t->protocol != 0)
		put(r, O_PROTO, 0, t->protocol);
	if (t->way != IPFW_BOTH_WAYS)
		put(r, O_IN, t->way == IPFW_OUT ? F_NOT : 0, 0);
	if (t->from_table != NULL)
		put(r, O_IP_SRC_LOOKUP, 0, TABLE);
	if (t->keep_state)
		put(r, O_KEEP_STATE, 0, 0);
	r->act_ofs = r->cmd_len;
	put(r, t->action, 0, 0);

	list->head.type = IPFW_TLV_RULE_LIST;
	list->head.length = sizeof(*list) +
	    roundup2(RULESIZE(r), sizeof(uint64_t));
	list->count = 1;
	return (list->head.length);
}

int
ipfw_rules_add(struct vnet *v, const struct ipfw_terms *t)
{
	struct add add;
	size_t size;

	memset(&add, 0, sizeof(add));
	size = put_names(add.rest, t->from_table);
	size += put_rule(add.rest + size, t);
	size += offsetof(struct add, rest);
	return (ipfw_rules_ask(v, IP_FW_XADD, 0, &add, &size, false));
}

static int
range(struct vnet *v, uint16_t opcode, bool set, uint32_t number)
{
	ipfw_range_header h;
	size_t size = sizeof(h);

	memset(&h, 0, sizeof(h));
	h.range.head.length = sizeof(h.range);
	h.range.flags = number != 0 ? IPFW_RCFLAG_RANGE : IPFW_RCFLAG_ALL;
	h.range.start_rule = h.range.end_rule = (uint16_t)number;
	return (ipfw_rules_ask(v, opcode, 0, &h, &size, set));
}

int
ipfw_rules_delete(struct vnet *v, uint32_t number)
{
	return (range(v, IP_FW_XDEL, false, number));
}

int
ipfw_rules_flush(struct vnet *v)
{
	return (range(v, IP_FW_XDEL, false, 0));
}

int
ipfw_rules_zero(struct vnet *v)
{
	return (range(v, IP_FW_XZERO, true, 0));
}

/* The whole configuration, which the caller frees. */
static int
configuration(struct vnet *v, ipfw_cfg_lheader **answer)
{
	ipfw_cfg_lheader h, *all;
	size_t size = sizeof(h);
	int error;

	memset(&h, 0, sizeof(h));
	h.flags = IPFW_CFG_GET_STATIC | IPFW_CFG_GET_COUNTERS;
	error = ipfw_rules_ask(v, IP_FW_XGET, 0, &h, &size, false);
	if (error != ENOMEM)
		return (error);
	size = h.size;
	all = malloc(size, M_TEMP, M_WAITOK | M_ZERO);
	all->flags = h.flags;
	error = ipfw_rules_ask(v, IP_FW_XGET, 0, all, &size, false);
	if (error != 0)
		free(all, M_TEMP);
	*answer = all;
	return (error);
}

int
ipfw_rules_counters(struct vnet *v, uint32_t number, uint64_t *packets,
    uint64_t *bytes)
{
	ipfw_cfg_lheader *all = NULL;
	struct ip_fw_bcounter *c;
	ipfw_obj_ctlv *list;
	ipfw_obj_tlv *tlv;
	int error;

	error = configuration(v, &all);
	if (error != 0)
		return (error);
	list = (ipfw_obj_ctlv *)(all + 1);
	if (list->head.type == IPFW_TLV_TBLNAME_LIST)
		list = (ipfw_obj_ctlv *)((char *)list + list->head.length);
	tlv = (ipfw_obj_tlv *)(list + 1);
	error = ESRCH;
	for (uint32_t i = 0; i < list->count && error != 0; i++) {
		c = (struct ip_fw_bcounter *)(tlv + 1);
		if (((struct ip_fw_rule *)(c + 1))->rulenum == number) {
			*packets = c->pcnt;
			*bytes = c->bcnt;
			error = 0;
		}
		tlv = (ipfw_obj_tlv *)((char *)tlv + tlv->length);
	}
	free(all, M_TEMP);
	return (error);
}

/* ---- tables */

static void
name_object(ipfw_obj_header *oh, const char *table)
{
	oh->idx = TABLE;
	name_table(&oh->ntlv, table);
}

static void
put_entry(ipfw_obj_tentry *e, const char *address)
{
	e->head.type = IPFW_TLV_TBL_ENT;
	e->head.length = sizeof(*e);
	e->subtype = AF_INET;
	e->masklen = 32;
	e->idx = TABLE;
	(void)inet_pton(AF_INET, address, &e->k.addr);
}

int
ipfw_rules_table_create(struct vnet *v, const char *table)
{
	struct {
		ipfw_obj_header oh;
		ipfw_xtable_info info;
	} r;
	size_t size = sizeof(r);

	memset(&r, 0, sizeof(r));
	name_object(&r.oh, table);
	r.info.type = IPFW_TABLE_ADDR;
	r.info.vmask = IPFW_VTYPE_LEGACY;
	return (ipfw_rules_ask(v, IP_FW_TABLE_XCREATE, 0, &r, &size, true));
}

int
ipfw_rules_table_add(struct vnet *v, const char *table, const char *address)
{
	struct {
		ipfw_obj_header oh;
		ipfw_obj_ctlv list;
		ipfw_obj_tentry entry;
	} r;
	size_t size = sizeof(r);

	memset(&r, 0, sizeof(r));
	name_object(&r.oh, table);
	r.list.head.type = IPFW_TLV_TBLENT_LIST;
	r.list.head.length = sizeof(r) - sizeof(r.oh);
	r.list.count = 1;
	r.list.objsize = sizeof(r.entry);
	put_entry(&r.entry, address);
	return (ipfw_rules_ask(v, IP_FW_TABLE_XADD, 1, &r, &size, false));
}

int
ipfw_rules_table_find(struct vnet *v, const char *table, const char *address)
{
	struct {
		ipfw_obj_header oh;
		ipfw_obj_tentry entry;
	} r;
	size_t size = sizeof(r);

	memset(&r, 0, sizeof(r));
	name_object(&r.oh, table);
	put_entry(&r.entry, address);
	return (ipfw_rules_ask(v, IP_FW_TABLE_XFIND, 0, &r, &size, false));
}
