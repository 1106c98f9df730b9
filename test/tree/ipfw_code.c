/* SPDX-License-Identifier: BSD-2-Clause */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/socket.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/ip_fw.h>

#include <libvnet/test.h>
#include "ipfw_code.h"
#include "ipfw_rules.h"

void
ipfw_code(struct ipfw_code *c, uint8_t opcode, uint8_t flags, uint16_t arg,
    const void *operand, size_t size)
{
	ipfw_insn *i = (ipfw_insn *)&c->words[c->n];
	unsigned words = 1 + (unsigned)((size + 3) / 4);

	KASSERT(c->n + words <= IPFW_CODE_WORDS, ("a rule that long"));
	memset(i, 0, words * 4);
	i->opcode = opcode;
	i->len = (uint8_t)(flags | words);
	i->arg1 = arg;
	if (operand != NULL)
		memcpy(i + 1, operand, size);
	c->n += words;
}

void
ipfw_code_act(struct ipfw_code *c)
{
	c->action = c->n;
}

static void
mask(uint8_t *m, unsigned octets, unsigned bits)
{
	for (unsigned i = 0; i < octets; i++, bits -= MIN(bits, 8))
		m[i] = (uint8_t)(0xff00 >> MIN(bits, 8));
}

static void
address(struct ipfw_code *c, const char *text, bool to)
{
	char addr[64];
	const char *slash = strchr(text, '/');
	uint8_t both[32];
	unsigned n;

	strlcpy(addr, text, sizeof(addr));
	if (strcmp(text, "me6") == 0) {
		ipfw_code(c, to ? O_IP6_DST_ME : O_IP6_SRC_ME, 0, 0, NULL, 0);
		return;
	}
	if (strcmp(text, "me") == 0) {
		ipfw_code(c, to ? O_IP_DST_ME : O_IP_SRC_ME, 0, 0, NULL, 0);
		return;
	}
	if (slash != NULL)
		addr[slash - text] = '\0';
	n = strchr(text, ':') != NULL ? 16 : 4;
	assert_int_equal(inet_pton(n == 16 ? AF_INET6 : AF_INET, addr, both),
	    1);
	mask(both + n, n, slash != NULL ? (u_int)strtoul(slash + 1, NULL, 10) :
	    8 * n);
	if (n == 16)
		ipfw_code(c, slash != NULL ? (to ? O_IP6_DST_MASK :
		    O_IP6_SRC_MASK) : (to ? O_IP6_DST : O_IP6_SRC), 0, 0, both,
		    slash != NULL ? 32 : 16);
	else
		ipfw_code(c, to ? O_IP_DST_MASK : O_IP_SRC_MASK, 0, 0, both,
		    8);
}

void
ipfw_code_from(struct ipfw_code *c, const char *text)
{
	address(c, text, false);
}

void
ipfw_code_to(struct ipfw_code *c, const char *text)
{
	address(c, text, true);
}

int
ipfw_code_add(struct vnet *v, uint32_t number, const struct ipfw_code *c)
{
	struct {
		ip_fw3_opheader op;
		ipfw_obj_ctlv list;
		char rule[sizeof(struct ip_fw_rule) + IPFW_CODE_WORDS * 4]
		    __aligned(8);
	} a;
	struct ip_fw_rule *r = (struct ip_fw_rule *)a.rule;
	size_t size;

	memset(&a, 0, sizeof(a));
	r->rulenum = number;
	r->cmd_len = (uint16_t)c->n;
	r->act_ofs = (uint16_t)c->action;
	memcpy(r->cmd, c->words, c->n * 4);
	size = roundup2(RULESIZE(r), sizeof(uint64_t));
	a.list.head.type = IPFW_TLV_RULE_LIST;
	a.list.head.length = (uint16_t)(sizeof(a.list) + size);
	a.list.count = 1;
	size += offsetof(typeof(a), rule);
	return (ipfw_rules_ask(v, IP_FW_XADD, 0, &a, &size, false));
}

/* ---- libalias */

static void
name(ipfw_obj_header *oh, int number)
{
	oh->ntlv.head.length = sizeof(oh->ntlv);
	snprintf(oh->ntlv.name, sizeof(oh->ntlv.name), "%d", number);
}

int
ipfw_nat(struct vnet *v, int number, const char *address_, uint32_t mode,
    const struct ipfw_redirect *redirect)
{
	struct {
		ipfw_obj_header oh;
		struct nat44_cfg_nat nat;
		struct nat44_cfg_redir redir;
	} r;
	size_t size = sizeof(r);

	memset(&r, 0, sizeof(r));
	name(&r.oh, number);
	snprintf(r.nat.name, sizeof(r.nat.name), "%d", number);
	(void)inet_pton(AF_INET, address_, &r.nat.ip);
	r.nat.mode = mode;
	if (redirect != NULL) {
		r.nat.redir_cnt = 1;
		r.redir.mode = NAT44_REDIR_PORT;
		(void)inet_pton(AF_INET, redirect->to, &r.redir.laddr);
		(void)inet_pton(AF_INET, address_, &r.redir.paddr);
		r.redir.lport = r.redir.pport = redirect->port;
		r.redir.pport_cnt = r.redir.rport_cnt = 1;
		r.redir.proto = redirect->protocol;
	}
	return (ipfw_rules_ask(v, IP_FW_NAT44_XCONFIG, 0, &r, &size, true));
}

int
ipfw_nat_destroy(struct vnet *v, int number)
{
	ipfw_obj_header oh;
	size_t size = sizeof(oh);

	memset(&oh, 0, sizeof(oh));
	name(&oh, number);
	return (ipfw_rules_ask(v, IP_FW_NAT44_DESTROY, 0, &oh, &size, true));
}

void
ipfw_code_nat(struct ipfw_code *c, int number)
{
	ipfw_code(c, O_NAT, 0, (uint16_t)number, NULL,
	    sizeof(ipfw_insn_nat) - sizeof(ipfw_insn));
}
