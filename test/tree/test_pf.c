/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pf of a tree's stack: a rule set loaded through /dev/pf in one vnet acts
 * there, and its states are there; other vnets have their own.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/counter.h>
#include <sys/errno.h>
#include <sys/socket.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netpfil/pf/pf.h>

#include <libvnet/test.h>
#include "leaks.h"
#include "pf_rules.h"
#include "star.h"

#define SECOND 1000000000LL
#define PING 84			/* octets of ping()'s packets, with IP's header */

static const struct pf_terms block = { .action = PF_DROP };
static const struct pf_terms block_in = {
	.action = PF_DROP, .direction = PF_IN
};

struct devices {
	struct libvnet_device *a, *b;
};

static void
begin(struct star *s, struct devices *pf, struct vnet *a, struct vnet *b)
{
	star_begin(s, a, b);
	pf->a = pf_rules_open(a);
	pf->b = pf_rules_open(b);
}

static void
end(struct star *s, struct devices *pf)
{
	pf_rules_close(pf->a);
	pf_rules_close(pf->b);
	star_end(s);
}

/* The purge thread counts them, ten times a second. */
static u_int
states(struct libvnet_device *pf)
{
	u_int n = ~0U;

	assert_int_equal(libvnet_clock_advance_ns(SECOND / 5), 0);
	assert_int_equal(pf_rules_states(pf, &n), 0);
	return (n);
}

/* Outwards the sender is told, inwards nobody. */
static void
assert_a_closed(struct star *s)
{
	assert_int_equal(star_a_to_c(s), EACCES);
	assert_int_equal(star_c_to_a(s), EWOULDBLOCK);
	assert_int_equal(star_b_to_c(s), 0);
	assert_int_equal(star_c_to_b(s), 0);
}

LIBVNET_TEST_VNETS(blocked_packets_are_dropped_in_that_vnet_only, a, b)
{
	struct devices pf;
	struct star s;
	u_int n;

	begin(&s, &pf, a, b);
	assert_int_equal(pf_rules_load(pf.a, &block, 1), 0);
	star_assert_open(&s);			/* not started */
	assert_int_equal(pf_rules_start(pf.a), 0);
	assert_int_equal(pf_rules_start(pf.a), EEXIST);
	assert_a_closed(&s);
	assert_int_equal(pf_rules_start(pf.b), 0);
	assert_a_closed(&s);			/* b has no rules */
	assert_int_equal(pf_rules_count(pf.a, &n), 0);
	assert_int_equal(n, 1);
	assert_int_equal(pf_rules_count(pf.b, &n), 0);
	assert_int_equal(n, 0);

	assert_int_equal(pf_rules_load(pf.a, NULL, 0), 0);
	star_assert_open(&s);
	assert_int_equal(pf_rules_load(pf.b, &block, 1), 0);
	assert_int_equal(star_b_to_c(&s), EACCES);
	assert_int_equal(star_a_to_c(&s), 0);
	end(&s, &pf);
}

LIBVNET_TEST_VNETS(stopped_pf_lets_all_pass, a, b)
{
	struct devices pf;
	struct star s;

	begin(&s, &pf, a, b);
	assert_int_equal(pf_rules_stop(pf.a), ENOENT);
	assert_int_equal(pf_rules_load(pf.a, &block, 1), 0);
	assert_int_equal(pf_rules_load(pf.b, &block, 1), 0);
	assert_int_equal(pf_rules_start(pf.a), 0);
	assert_int_equal(pf_rules_start(pf.b), 0);
	assert_int_equal(star_b_to_c(&s), EACCES);
	assert_int_equal(pf_rules_stop(pf.b), 0);
	assert_a_closed(&s);
	assert_int_equal(pf_rules_stop(pf.a), 0);
	star_assert_open(&s);
	end(&s, &pf);
}

LIBVNET_TEST_VNETS(counters_are_the_packets_of_their_vnet, a, b)
{
	static const struct pf_terms pass = { .action = PF_PASS };
	struct devices pf;
	struct star s;
	uint64_t p, o;

	begin(&s, &pf, a, b);
	assert_int_equal(pf_rules_load(pf.a, &pass, 1), 0);
	assert_int_equal(pf_rules_load(pf.b, &pass, 1), 0);
	assert_int_equal(pf_rules_start(pf.a), 0);
	assert_int_equal(pf_rules_start(pf.b), 0);
	for (int i = 0; i < 10; i++)
		assert_int_equal(star_a_to_c(&s), 0);
	for (int i = 0; i < 3; i++)
		assert_int_equal(star_c_to_b(&s), 0);
	assert_int_equal(pf_rules_counters(pf.a, 0, &p, &o), 0);
	assert_int_equal(p, 20);
	assert_int_equal(o, 20 * PING);
	assert_int_equal(pf_rules_counters(pf.b, 0, &p, &o), 0);
	assert_int_equal(p, 6);
	assert_int_equal(o, 6 * PING);
	assert_int_equal(states(pf.a), 0);
	end(&s, &pf);
}

LIBVNET_TEST_VNETS(state_lets_answers_in_until_it_expires, a, b)
{
	static const struct pf_terms stateless[] = {
		{ .action = PF_DROP, .direction = PF_IN },
		{ .action = PF_PASS, .direction = PF_OUT }
	}, stateful[] = {
		{ .action = PF_DROP, .direction = PF_IN },
		{ .action = PF_PASS, .direction = PF_OUT, .keep_state = true }
	};
	struct devices pf;
	struct star s;

	/* A bug of 15's: it purges rules in an epoch section. */
	if (__FreeBSD_version >= 1500000)
		libvnet_expect("sleep", "pf config");
	begin(&s, &pf, a, b);
	assert_int_equal(pf_rules_start(pf.a), 0);
	assert_int_equal(pf_rules_start(pf.b), 0);
	assert_int_equal(pf_rules_load(pf.a, stateless, nitems(stateless)), 0);
	assert_int_equal(star_a_to_c(&s), EWOULDBLOCK);
	assert_int_equal(states(pf.a), 0);

	assert_int_equal(pf_rules_load(pf.a, stateful, nitems(stateful)), 0);
	assert_int_equal(star_c_to_a(&s), EWOULDBLOCK);
	assert_int_equal(states(pf.a), 0);
	assert_int_equal(star_a_to_c(&s), 0);
	assert_int_equal(states(pf.a), 1);
	assert_int_equal(states(pf.b), 0);

	/* Answered, it lives for ten seconds; purging all rows takes more. */
	assert_int_equal(libvnet_clock_advance_ns(8 * SECOND), 0);
	assert_int_equal(states(pf.a), 1);
	assert_int_equal(libvnet_clock_advance_ns(30 * SECOND), 0);
	assert_int_equal(states(pf.a), 0);
	end(&s, &pf);
}

LIBVNET_TEST_VNETS(quick_rule_ends_the_search, a, b)
{
	static const struct pf_terms last[] = {
		{ .action = PF_PASS, .protocol = IPPROTO_ICMP },
		{ .action = PF_DROP }
	}, first[] = {
		{ .action = PF_PASS, .protocol = IPPROTO_ICMP, .quick = true },
		{ .action = PF_DROP }
	};
	struct devices pf;
	struct star s;

	begin(&s, &pf, a, b);
	assert_int_equal(pf_rules_start(pf.a), 0);
	assert_int_equal(pf_rules_load(pf.a, last, nitems(last)), 0);
	assert_a_closed(&s);
	assert_int_equal(pf_rules_load(pf.a, first, nitems(first)), 0);
	star_assert_open(&s);
	end(&s, &pf);
}

/*
 * With and without rules in force when it goes; many, as each has counters, of
 * which 13.0 leaves a few of others behind.
 */
LIBVNET_TEST(rules_die_with_their_vnet)
{
	static struct pf_terms many[20];
	struct libvnet_device *pf;
	struct vnet *plain, *v;
	u_int n;

	for (u_int i = 0; i < nitems(many); i++) {
		many[i] = block_in;	/* 14 takes none twice */
		many[i].protocol = (uint8_t)(100 + i);
	}
	for (int i = 0; i < 5; i++) {
		assert_int_equal(libvnet_create(&plain), 0);
		assert_int_equal(libvnet_create(&v), 0);
		pf = pf_rules_open(v);
		assert_int_equal(pf_rules_count(pf, &n), 0);
		assert_int_equal(n, 0);
		assert_int_equal(pf_rules_load(pf, many, nitems(many)), 0);
		assert_int_equal(pf_rules_start(pf), 0);
		pf_rules_close(pf);
		assert_true(leaks_alike(plain, v));
	}
}
