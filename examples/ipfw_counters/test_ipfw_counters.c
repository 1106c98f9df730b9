/*-
 * SPDX-License-Identifier: BSD-2-Clause
 */
/*
 * The rules match; and which forms of their counters can lose a packet.  The
 * latter is explored, in presets explore and explore-asan: a form that loses
 * must do so, and its token must do it again; one that does not must hold
 * under every schedule of the bound.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/errno.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/pcpu.h>
#include <sys/proc.h>
#include <sys/sched.h>
#include <sys/smp.h>
#include <sys/socket.h>

#include <net/vnet.h>

#include <netinet/in.h>

#include "ipfw.h"

#include <libvnet/test.h>

#define OCTETS 64

static const struct ipfw_match rules[] = {
	{ IPPROTO_TCP, { 22, 22 }, IPFW_ALLOW },
	{ IPPROTO_UDP, { 53, 53 }, IPFW_COUNT },
	{ IPPROTO_UDP, { 0, 1023 }, IPFW_ALLOW },
	{ 0, { 0, 65535 }, IPFW_DENY }
};
enum { SSH, DNS, LOW_UDP, REST };

static const uint8_t ssh[OCTETS] = {
	0x45, 0, 0, OCTETS, [8] = 64, IPPROTO_TCP, [22] = 0, 22
};
static const uint8_t dns[OCTETS] = {
	0x45, 0, 0, OCTETS, [8] = 64, IPPROTO_UDP, [22] = 0, 53
};
static const uint8_t ping[OCTETS] = {
	0x45, 0, 0, OCTETS, [8] = 64, IPPROTO_ICMP
};

static void
add_rules(void)
{
	for (u_int i = 0; i < nitems(rules); i++)
		assert_int_equal(ipfw_add(&rules[i]), 0);
}

static u_int
packets(u_int rule, enum ipfw_form form)
{
	struct ipfw_count c = ipfw_counted(rule, form);

	assert_int_equal(c.ic_octets, c.ic_packets * OCTETS);
	return (c.ic_packets);
}

/* ---- matching and counting */

LIBVNET_TEST_VNET(every_form_matches_alike, v)
{
	add_rules();
	for (u_int form = 0; form < IPFW_NFORMS; form++) {
		assert_int_equal(ipfw_chks[form](ssh, OCTETS), IPFW_ALLOW);
		assert_int_equal(ipfw_chks[form](dns, OCTETS), IPFW_ALLOW);
		assert_int_equal(ipfw_chks[form](ping, OCTETS), IPFW_DENY);
	}
}

/* Forms of one storage, in vnets of their own. */
static void
counts(enum ipfw_form form)
{
	add_rules();
	for (u_int i = 0; i < 3; i++)
		(void)ipfw_chks[form](dns, OCTETS);
	(void)ipfw_chks[form](ping, OCTETS);
	assert_int_equal(packets(SSH, form), 0);
	assert_int_equal(packets(DNS, form), 3);
	assert_int_equal(packets(LOW_UDP, form), 3);
	assert_int_equal(packets(REST, form), 1);
}

LIBVNET_TEST_VNET(shared_counts, v) { counts(IPFW_COUNT_shared); }
LIBVNET_TEST_VNET(percpu_counts, v) { counts(IPFW_COUNT_percpu); }
LIBVNET_TEST_VNET(critical_counts, v) { counts(IPFW_COUNT_critical); }
LIBVNET_TEST_VNET(counter9_counts, v) { counts(IPFW_COUNT_counter9); }

LIBVNET_TEST_VNETS(each_vnet_has_rules_of_its_own, a, b)
{
	LIBVNET_IN(a) {
		add_rules();
		(void)ipfw_chk_counter9(dns, OCTETS);
	}
	LIBVNET_IN(b) {
		assert_int_equal(ipfw_chk_counter9(ping, OCTETS), IPFW_ALLOW);
		add_rules();
		assert_int_equal(packets(DNS, IPFW_COUNT_counter9), 0);
	}
	LIBVNET_IN(a)
		assert_int_equal(packets(DNS, IPFW_COUNT_counter9), 1);
}

LIBVNET_TEST_VNET(what_is_no_packet_is_denied, v)
{
	uint8_t six[OCTETS] = { 0x60 }, long_header[OCTETS] = { 0x4f };

	assert_int_equal(ipfw_chk_off(dns, 19), IPFW_DENY);
	assert_int_equal(ipfw_chk_off(dns, 23), IPFW_DENY);
	assert_int_equal(ipfw_chk_off(dns, 24), IPFW_ALLOW);
	assert_int_equal(ipfw_chk_off(six, OCTETS), IPFW_DENY);
	assert_int_equal(ipfw_chk_off(long_header, 59), IPFW_DENY);
}

LIBVNET_TEST_VNET(rules_that_cannot_be_are_refused, v)
{
	struct ipfw_match m = { IPPROTO_UDP, { 2, 1 }, IPFW_DENY };

	assert_int_equal(ipfw_add(&m), EINVAL);
	m.im_port[1] = 2;
	for (int i = 0; i < IPFW_RULES_MAX; i++)
		assert_int_equal(ipfw_add(&m), 0);
	assert_int_equal(ipfw_add(&m), ENOSPC);
}

/* ---- what is lost */

static enum ipfw_form form;

/* A kernel boots with all of its variables as they were compiled. */
static void
boot(int ncpus)
{
	struct libvnet_options options = { .ncpus = ncpus };

	assert_int_equal(libvnet_abandon(), 0);
	assert_int_equal(libvnet_boot(&options), 0);
}

static void
one_rule(void *arg)
{
	CURVNET_SET(vnet0);
	assert_int_equal(ipfw_add(&rules[REST]), 0);
	CURVNET_RESTORE();
}

static void
a_packet(void *arg)
{
	CURVNET_SET(vnet0);
	(void)ipfw_chks[form](dns, OCTETS);
	CURVNET_RESTORE();
}

static void
a_packet_bound(void *arg)
{
	thread_lock(curthread);
	sched_bind(curthread, 0);
	thread_unlock(curthread);
	a_packet(arg);
}

static bool
two_packets(void *arg)
{
	struct ipfw_count c;

	CURVNET_SET(vnet0);
	c = ipfw_counted(0, form);
	CURVNET_RESTORE();
	return (c.ic_packets == 2 && c.ic_octets == 2 * OCTETS);
}

/* Two threads, a packet each.  Only what is lost in the end fails. */
static struct libvnet_explore
two(enum ipfw_form f, int cpu_of_second)
{
	form = f;
	return ((struct libvnet_explore){
		.threads = { { "a", a_packet, NULL, 0 },
		    { "b", a_packet, NULL, cpu_of_second } },
		.setup = one_rule, .check = two_packets,
		.races = LIBVNET_RACES_OFF,
	});
}

static struct libvnet_explore_result
explored(const struct libvnet_explore *what)
{
	struct libvnet_explore_result r;

	switch (libvnet_explore(what, &r)) {
	case 0:
		break;
	case LIBVNET_ENOTSUP:
		libvnet_skip(libvnet_error());
		break;
	default:
		fail_msg("%s", libvnet_error());
	}
	return (r);
}

static void
fails(struct libvnet_explore what, enum libvnet_schedule_end end,
    u_int preemptions)
{
	static const char *const names[] = { "random", "PCT", "depth first" };
	struct libvnet_explore_result r, again;

	what.quiet = true;
	r = explored(&what);
	if (r.end != end)
		fail_msg("ended as %d after %lu schedules: %s", r.end,
		    r.schedules, r.message);
	assert_true(r.schedules < 1000);
	assert_true(r.preemptions <= preemptions);
	print_message("# %s, %s: in %lu schedules, %u preemptions: "
	    "LIBVNET_SCHEDULE=%s\n", ipfw_form_names[form],
	    names[what.strategy], r.schedules, r.preemptions, r.token);
	what.token = r.token;
	again = explored(&what);
	assert_int_equal(again.end, end);
	assert_int_equal(again.schedules, 1);
	assert_string_equal(again.token, r.token);
	assert_true(again.hash == r.hash);
}

static void
loses(struct libvnet_explore what)
{
	for (what.strategy = LIBVNET_RANDOM; what.strategy <= LIBVNET_DFS;
	    what.strategy++)
		fails(what, LIBVNET_SCHEDULE_CHECK, 2);
}

/* Nothing, by up to so many preemptions in whatever places. */
static void
loses_nothing(struct libvnet_explore what, int preemptions)
{
	struct libvnet_explore_result r;

	what.strategy = LIBVNET_DFS;
	what.preemptions = preemptions;
	what.schedules = 1000000;
	r = explored(&what);
	if (r.end != LIBVNET_SCHEDULE_OK)
		fail_msg("%s\n%s", r.message, r.report);
	assert_true(r.complete);
	print_message("# %s: %lu schedules, and there are no others\n",
	    ipfw_form_names[form], r.schedules);
}

static void
loses_nothing_by_migration(struct libvnet_explore what)
{
	struct libvnet_explore_result r;

	what.migrate = true;
	what.schedules = 2000;
	for (what.strategy = LIBVNET_RANDOM; what.strategy <= LIBVNET_PCT;
	    what.strategy++) {
		r = explored(&what);
		if (r.end != LIBVNET_SCHEDULE_OK)
			fail_msg("%s\n%s", r.message, r.report);
	}
}

LIBVNET_TEST(shared_loses_a_packet_on_one_cpu)
{
	loses(two(IPFW_COUNT_shared, 0));
}

LIBVNET_TEST(shared_loses_a_packet_on_two_cpus)
{
	boot(2);
	loses(two(IPFW_COUNT_shared, 1));
}

LIBVNET_TEST(shared_is_a_race)
{
	struct libvnet_explore what = two(IPFW_COUNT_shared, 0);

	what.races = LIBVNET_RACES_FAIL;
	fails(what, LIBVNET_SCHEDULE_RACE, 0);
}

LIBVNET_TEST(percpu_loses_a_packet_on_one_cpu)
{
	loses(two(IPFW_COUNT_percpu, 0));
}

/* Binding is not enough. */
LIBVNET_TEST(percpu_loses_a_packet_of_bound_threads)
{
	struct libvnet_explore what;

	boot(2);
	what = two(IPFW_COUNT_percpu, 1);
	what.threads[0].fn = what.threads[1].fn = a_packet_bound;
	loses(what);
}

/* Where each thread has a CPU they must be moved to meet. */
LIBVNET_TEST(percpu_loses_a_packet_by_migration_only)
{
	struct libvnet_explore what;

	boot(2);
	what = two(IPFW_COUNT_percpu, 1);
	loses_nothing(what, -1);
	what.migrate = true;
	what.strategy = LIBVNET_PCT;
	fails(what, LIBVNET_SCHEDULE_CHECK, 2);
}

LIBVNET_TEST(percpu_is_named)
{
	struct libvnet_explore what = two(IPFW_COUNT_percpu, 0);

	what.races = LIBVNET_RACES_FAIL;
	fails(what, LIBVNET_SCHEDULE_PERCPU, 0);
}

static void
holds(enum ipfw_form f)
{
	struct libvnet_explore what = two(f, 0);

	what.races = LIBVNET_RACES_FAIL;
	loses_nothing(what, -1);
	boot(2);
	what = two(f, 1);
	what.races = LIBVNET_RACES_FAIL;
	loses_nothing(what, -1);
	loses_nothing_by_migration(what);
}

LIBVNET_TEST(critical_loses_nothing)
{
	holds(IPFW_COUNT_critical);
}

LIBVNET_TEST(counter9_loses_nothing)
{
	holds(IPFW_COUNT_counter9);
}

static bool
no_packets(void *arg)
{
	return (!two_packets(arg));
}

LIBVNET_TEST(off_counts_nothing_and_touches_nothing)
{
	struct libvnet_explore what = two(IPFW_COUNT_off, 0);

	what.races = LIBVNET_RACES_FAIL;
	what.check = no_packets;
	loses_nothing(what, -1);
}
