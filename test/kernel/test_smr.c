/* SPDX-License-Identifier: BSD-2-Clause */
/* smr(9): sections, grace periods, and their misuse. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/smp.h>
#include <sys/smr.h>
#include <sys/smr_types.h>

#include <libvnet/test.h>

static smr_t smr;

static void
make(int limit, int flags)
{
	smr = smr_create("test smr", limit, flags);
}

/* ---- sections */

LIBVNET_TEST(smr_section_is_critical_and_known)
{
	make(0, 0);
	assert_false(SMR_ENTERED(smr));
	smr_enter(smr);
	assert_true(SMR_ENTERED(smr));
	SMR_ASSERT_ENTERED(smr);
	assert_int_equal(curthread->td_critnest, 1);
	smr_exit(smr);
	SMR_ASSERT_NOT_ENTERED(smr);
	assert_int_equal(curthread->td_critnest, 0);
	smr_destroy(smr);
}

LIBVNET_TEST(smr_sections_of_two_nest)
{
	smr_t other = smr_create("other", 0, 0);

	make(0, 0);
	smr_enter(smr);
	smr_enter(other);
	assert_int_equal(curthread->td_critnest, 2);
	smr_exit(smr);
	assert_true(SMR_ENTERED(other));
	smr_exit(other);
	smr_destroy(smr);
	smr_destroy(other);
}

#ifdef INVARIANTS
LIBVNET_TEST(smr_enter_twice_panics)
{
	make(0, 0);
	smr_enter(smr);
	libvnet_expect_panic("smr_enter\\(test smr\\) does not support recurs");
	smr_enter(smr);
}

LIBVNET_TEST(smr_exit_without_enter_panics)
{
	make(0, 0);
	critical_enter();
	libvnet_expect_panic("smr_exit\\(test smr\\) not in a smr section");
	smr_exit(smr);
}
#endif

LIBVNET_TEST(smr_sleep_in_a_section_panics)
{
	make(0, 0);
	smr_enter(smr);
	libvnet_expect_panic("sleep on \"test\".*critical section");
	pause("test", 1);
}

LIBVNET_TEST(smr_sleep_behind_a_section_is_fine)
{
	make(0, 0);
	smr_enter(smr);
	smr_exit(smr);
	pause("test", 1);
	smr_destroy(smr);
}

#ifdef INVARIANTS
LIBVNET_TEST(smr_enter_of_a_lazy_one_panics)
{
	make(0, SMR_LAZY);
	libvnet_expect_panic("lazy smr");
	smr_enter(smr);
}
#endif

/* ---- grace periods */

LIBVNET_TEST(smr_goal_is_reached_when_nobody_reads)
{
	make(0, 0);
	assert_true(smr_poll(smr, smr_advance(smr), false));
	smr_synchronize(smr);
	smr_destroy(smr);
}

LIBVNET_TEST(smr_goal_of_before_does_not_wait_for_a_section)
{
	smr_seq_t goal;

	make(0, 0);
	goal = smr_advance(smr);
	smr_enter(smr);
	assert_true(smr_poll(smr, goal, false));
	smr_exit(smr);
	smr_destroy(smr);
}

/*
 * A reader on another CPU, as far as anybody can tell: this thread's critnest
 * says that it is none.
 */
static void
reader(smr_seq_t seen)
{
	zpcpu_get_cpu(smr, (int)mp_maxid)->c_seq = seen;
}

LIBVNET_TEST(smr_goal_waits_for_another_cpu)
{
	smr_seq_t before, first, second;

	make(0, 0);
	before = smr_current(smr);
	reader(before);
	first = smr_advance(smr);
	assert_int_equal(first, before + 2);
	second = smr_advance(smr);
	assert_false(smr_poll(smr, first, false));
	reader(first);
	assert_true(smr_poll(smr, first, false));
	assert_false(smr_poll(smr, second, false));
	reader(0);
	assert_true(smr_poll(smr, second, false));
	smr_destroy(smr);
}

/* The count wraps after some tens of these. */
LIBVNET_TEST(smr_count_wraps)
{
	smr_seq_t goal = 0, last;

	make(0, 0);
	for (int i = 0; i < 200; i++) {
		last = goal;
		goal = smr_advance(smr);
		assert_int_not_equal(goal, SMR_SEQ_INVALID);
		assert_true(i == 0 || SMR_SEQ_GT(goal, last));
		assert_true(smr_poll(smr, goal, i % 7 == 0));
	}
	assert_true(goal < 1000);
	smr_destroy(smr);
}

#ifdef INVARIANTS
LIBVNET_TEST(smr_advance_in_a_section_panics)
{
	make(0, 0);
	smr_enter(smr);
	libvnet_expect_panic("smr_advance: in a section of \"test smr\"");
	smr_advance(smr);
}

LIBVNET_TEST(smr_wait_in_a_section_panics)
{
	smr_seq_t goal;

	make(0, 0);
	goal = smr_advance(smr);
	smr_enter(smr);
	libvnet_expect_panic("smr_wait: in a section of \"test smr\"");
	smr_wait(smr, goal);
}
#endif

LIBVNET_TEST(smr_wait_for_a_section_that_never_ends_is_a_deadlock)
{
	make(0, 0);
	reader(smr_current(smr));
	libvnet_expect_panic("deadlock: smr_wait: a section of \"test smr\"");
	smr_synchronize(smr);
}

/* ---- the other kinds */

LIBVNET_TEST(smr_deferred_counts_one_in_so_many)
{
	smr_seq_t start, goal;

	make(3, SMR_DEFERRED);
	start = smr_current(smr);
	goal = smr_advance(smr);
	assert_int_equal(goal, start + 2);
	assert_int_equal(smr_current(smr), start);
	assert_false(smr_poll(smr, goal, false));
	smr_advance(smr);
	smr_advance(smr);
	assert_int_equal(smr_current(smr), start + 2);
	assert_true(smr_poll(smr, goal, false));
	goal = smr_advance(smr);
	smr_wait(smr, goal);
	smr_destroy(smr);
}

LIBVNET_TEST(smr_lazy_counts_by_the_clock)
{
	smr_seq_t goal;

	make(0, SMR_LAZY);
	goal = smr_advance(smr);
	assert_false(smr_poll(smr, goal, false));
	libvnet_clock_advance_ns(LIBVNET_NS_PER_SECOND / hz);
	assert_false(smr_poll(smr, goal, false));
	smr_lazy_enter(smr);
	assert_true(SMR_ENTERED(smr));
	smr_lazy_exit(smr);
	libvnet_clock_advance_ns(3 * LIBVNET_NS_PER_SECOND / hz);
	assert_true(smr_poll(smr, goal, false));
	smr_destroy(smr);
}

#ifdef INVARIANTS
LIBVNET_TEST(smr_wait_for_a_lazy_one_panics)
{
	make(0, SMR_LAZY);
	libvnet_expect_panic("smr_wait: \"test smr\" is lazy");
	smr_wait(smr, smr_advance(smr));
}
#endif

/* ---- pointers */

#ifdef INVARIANTS
LIBVNET_TEST(smr_pointer_outside_a_section_panics)
{
	SMR_POINTER(int *) p = { NULL };

	make(0, 0);
	libvnet_expect_panic("smr_entered_load: Assertion");
	(void)!smr_entered_load(&p, smr);
}
#endif

LIBVNET_TEST(smr_pointer_is_read_in_a_section)
{
	static int value = 7, other = 8;
	SMR_POINTER(int *) p = { NULL };

	make(0, 0);
	smr_unserialized_store(&p, &value, true);
	smr_enter(smr);
	assert_int_equal(*smr_entered_load(&p, smr), 7);
	smr_exit(smr);
	assert_ptr_equal(smr_serialized_swap(&p, &other, true), &value);
	assert_ptr_equal(smr_serialized_load(&p, true), &other);
	smr_serialized_store(&p, NULL, true);
	assert_null(smr_unserialized_load(&p, true));
	smr_destroy(smr);
}

LIBVNET_TEST_VNET(smr_destroyed_leaves_nothing, v)
{
	LIBVNET_IN(v) {
		make(0, 0);
		smr_destroy(smr);
	}
}
