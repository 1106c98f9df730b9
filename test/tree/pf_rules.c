/* SPDX-License-Identifier: BSD-2-Clause */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/errno.h>
#include <sys/ioccom.h>
#include <sys/malloc.h>
#include <sys/mbuf.h>
#include <sys/nv.h>
#include <sys/socket.h>
#include <net/if.h>
#include <net/vnet.h>
#include <netinet/in.h>
#include <net/pfvar.h>

#include <libvnet/test.h>
#include "pf_rules.h"

/* Two paths and a rule: too big for the stack of a kernel thread. */
static struct pfioc_rule request;

int
pf_rules_ask(struct libvnet_device *pf, unsigned long command, void *data)
{
	int kerr = 0;

	if (libvnet_device_ioctl(pf, command, data, &kerr) < 0 && kerr == 0)
		fail_msg("%s", libvnet_error());
	return (kerr);
}

struct libvnet_device *
pf_rules_open(struct vnet *v)
{
	struct libvnet_device *pf;

	if (libvnet_device_open(v, "pf", LIBVNET_DEVICE_RDWR |
	    LIBVNET_DEVICE_NOVNET, &pf, NULL) != 0)
		fail_msg("%s", libvnet_error());
	return (pf);
}

void
pf_rules_close(struct libvnet_device *pf)
{
	assert_int_equal(libvnet_device_close(pf, NULL), 0);
}

int
pf_rules_start(struct libvnet_device *pf)
{
	return (pf_rules_ask(pf, DIOCSTART, NULL));
}

int
pf_rules_stop(struct libvnet_device *pf)
{
	return (pf_rules_ask(pf, DIOCSTOP, NULL));
}

static int
add(struct libvnet_device *pf, const struct pf_terms *t, u_int ticket)
{
	static struct pfioc_pooladdr pool;
	struct pf_rule *r = &request.rule;
	int error;

	memset(&pool, 0, sizeof(pool));
	error = pf_rules_ask(pf, DIOCBEGINADDRS, &pool);
	if (error != 0)
		return (error);
	memset(&request, 0, sizeof(request));
	request.ticket = ticket;
	request.pool_ticket = pool.ticket;
	r->action = t->action;
	r->direction = t->direction;
	r->proto = t->protocol;
	r->quick = t->quick;
	r->keep_state = t->keep_state ? PF_STATE_NORMAL : 0;
	r->rtableid = -1;
	return (pf_rules_ask(pf, DIOCADDRULE, &request));
}

int
pf_rules_load(struct libvnet_device *pf, const struct pf_terms *terms,
    unsigned n)
{
	static struct pfioc_trans_e filter;
	struct pfioc_trans t = {
		.size = 1, .esize = sizeof(filter), .array = &filter
	};
	int error;

	memset(&filter, 0, sizeof(filter));
	filter.rs_num = PF_RULESET_FILTER;
	error = pf_rules_ask(pf, DIOCXBEGIN, &t);
	for (u_int i = 0; i < n && error == 0; i++)
		error = add(pf, &terms[i], filter.ticket);
	return (error != 0 ? error : pf_rules_ask(pf, DIOCXCOMMIT, &t));
}

/* Which opens the set for reading, too. */
int
pf_rules_count(struct libvnet_device *pf, unsigned *n)
{
	int error;

	memset(&request, 0, sizeof(request));
	request.rule.action = PF_PASS;
	error = pf_rules_ask(pf, DIOCGETRULES, &request);
	*n = request.nr;
	return (error);
}

#ifdef DIOCGETRULE
static int
get_counters(struct libvnet_device *pf, unsigned n, uint64_t *packets,
    uint64_t *bytes)
{
	int error;

	request.nr = n;
	error = pf_rules_ask(pf, DIOCGETRULE, &request);
	*packets = request.rule.packets[0] + request.rule.packets[1];
	*bytes = request.rule.bytes[0] + request.rule.bytes[1];
	return (error);
}

static int
get_states(struct libvnet_device *pf, unsigned *n)
{
	static struct pf_status status;
	int error;

	memset(&status, 0, sizeof(status));
	error = pf_rules_ask(pf, DIOCGETSTATUS, &status);
	*n = status.states;
	return (error);
}
#else	/* later trees ask and answer in lists of names and values */
static char packed[16384];

static int
ask_nv(struct libvnet_device *pf, unsigned long command, nvlist_t *question,
    nvlist_t **answer)
{
	struct pfioc_nv nv = { .data = packed, .size = sizeof(packed) };
	void *data;
	int error;

	*answer = NULL;
	if (question != NULL) {
		data = nvlist_pack(question, &nv.len);
		nvlist_destroy(question);
		assert_true(nv.len <= sizeof(packed));
		memcpy(packed, data, nv.len);
		free(data, M_NVLIST);
	}
	error = pf_rules_ask(pf, command, &nv);
	if (error != 0)
		return (error);
	*answer = nvlist_unpack(packed, nv.len, 0);
	return (*answer != NULL ? 0 : EBADMSG);
}

static uint64_t
both(const nvlist_t *rule, const char *name)
{
	const uint64_t *numbers;
	size_t n;

	numbers = nvlist_get_number_array(rule, name, &n);
	assert_int_equal(n, 2);
	return (numbers[0] + numbers[1]);
}

static int
get_counters(struct libvnet_device *pf, unsigned n, uint64_t *packets,
    uint64_t *bytes)
{
	nvlist_t *list = nvlist_create(0);
	const nvlist_t *rule;
	int error;

	nvlist_add_string(list, "anchor", "");
	nvlist_add_number(list, "ruleset", PF_PASS);
	nvlist_add_number(list, "ticket", request.ticket);
	nvlist_add_number(list, "nr", n);
	error = ask_nv(pf, DIOCGETRULENV, list, &list);
	if (error != 0)
		return (error);
	rule = nvlist_get_nvlist(list, "rule");
	*packets = both(rule, "packets");
	*bytes = both(rule, "bytes");
	nvlist_destroy(list);
	return (0);
}

static int
get_states(struct libvnet_device *pf, unsigned *n)
{
	nvlist_t *list;
	int error;

	error = ask_nv(pf, DIOCGETSTATUSNV, NULL, &list);
	if (error != 0)
		return (error);
	*n = (unsigned)nvlist_get_number(list, "states");
	nvlist_destroy(list);
	return (0);
}
#endif

int
pf_rules_counters(struct libvnet_device *pf, unsigned n, uint64_t *packets,
    uint64_t *bytes)
{
	unsigned all;
	int error;

	error = pf_rules_count(pf, &all);
	return (error != 0 ? error : get_counters(pf, n, packets, bytes));
}

int
pf_rules_states(struct libvnet_device *pf, unsigned *n)
{
	return (get_states(pf, n));
}
