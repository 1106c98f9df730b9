/* SPDX-License-Identifier: BSD-2-Clause */
/* rmlock(9): what it forbids panics, and the right use beside it does not. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/callout.h>
#include <sys/epoch.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/proc.h>
#include <sys/rmlock.h>

#include <libvnet/test.h>

static struct rmlock rm;
static struct rm_priotracker t1, t2;
static struct callout c;

static struct rmlock early;
RM_SYSINIT(early, &early, "early");

static void
make(int opts)
{
	rm_init_flags(&rm, "rm", opts);
}

/* From an interrupt context, which is another thread. */
static void
from_interrupt(callout_func_t *fn)
{
	callout_init(&c, 1);
	callout_reset(&c, 1, fn, NULL);
	libvnet_clock_advance_ns(LIBVNET_NS_PER_SECOND);
}

/* ---- what is allowed */

static void
write_and_read(int opts)
{
	make(opts);
	rm_wlock(&rm);
	assert_true(rm_wowned(&rm));
	rm_assert(&rm, RA_WLOCKED);
	rm_wunlock(&rm);
	assert_false(rm_wowned(&rm));
	rm_rlock(&rm, &t1);
	rm_assert(&rm, RA_RLOCKED | RA_NOTRECURSED);
	assert_int_equal(curthread->td_pinned, 1);
	rm_runlock(&rm, &t1);
	rm_assert(&rm, RA_UNLOCKED);
	assert_int_equal(curthread->td_pinned, 0);
	assert_int_equal(curthread->td_locks, 0);
	assert_int_equal(rm_try_rlock(&rm, &t1), 1);
	rm_runlock(&rm, &t1);
	rm_destroy(&rm);
}

LIBVNET_TEST(rm_writes_and_reads)
{
	write_and_read(0);
}

LIBVNET_TEST(rm_sleepable_writes_and_reads)
{
	write_and_read(RM_SLEEPABLE);
	assert_int_equal(curthread->td_no_sleeping, 0);
}

LIBVNET_TEST(rm_recursable_reader_counts_its_depth)
{
	make(RM_RECURSE);
	rm_rlock(&rm, &t1);
	rm_rlock(&rm, &t2);
	rm_assert(&rm, RA_RLOCKED | RA_RECURSED);
	assert_int_equal(curthread->td_locks, 2);
	rm_runlock(&rm, &t1);
	rm_assert(&rm, RA_RLOCKED | RA_NOTRECURSED);
	rm_runlock(&rm, &t2);
	rm_assert(&rm, RA_UNLOCKED);
}

LIBVNET_TEST(rm_try_rlock_fails_while_a_writer_is_in)
{
	make(0);
	rm_wlock(&rm);
	assert_int_equal(rm_try_rlock(&rm, &t1), 0);
	rm_wunlock(&rm);
	assert_int_equal(rm_try_rlock(&rm, &t1), 1);
	rm_runlock(&rm, &t1);
}

LIBVNET_TEST(rm_sysinit_makes_it_at_boot)
{
	rm_rlock(&early, &t1);
	rm_runlock(&early, &t1);
}

LIBVNET_TEST(rm_class_hands_the_tracker_through)
{
	struct lock_class *class;
	uintptr_t how;

	make(0);
	class = LOCK_CLASS(&rm.lock_object);
	rm_rlock(&rm, &t1);
	how = class->lc_unlock(&rm.lock_object);
	assert_int_equal(how, (uintptr_t)&t1);
	rm_assert(&rm, RA_UNLOCKED);
	class->lc_lock(&rm.lock_object, how);
	rm_assert(&rm, RA_RLOCKED);
	rm_runlock(&rm, &t1);
	rm_wlock(&rm);
	how = class->lc_unlock(&rm.lock_object);
	assert_int_equal(how, 0);
	class->lc_lock(&rm.lock_object, how);
	assert_true(rm_wowned(&rm));
	rm_wunlock(&rm);
}

LIBVNET_TEST(rm_classes_differ_in_sleepable)
{
	make(0);
	assert_int_equal(LOCK_CLASS(&rm.lock_object)->lc_flags & LC_SLEEPABLE,
	    0);
	rm_destroy(&rm);
	make(RM_SLEEPABLE);
	assert_true((LOCK_CLASS(&rm.lock_object)->lc_flags & LC_SLEEPABLE) !=
	    0);
}

LIBVNET_TEST(rm_sleepable_writer_may_sleep)
{
	make(RM_SLEEPABLE);
	rm_wlock(&rm);
	free(malloc(8, M_TEMP, M_WAITOK), M_TEMP);
	rm_wunlock(&rm);
}

static void
read_it(void *arg __unused)
{
	rm_rlock(&rm, &t2);
	rm_runlock(&rm, &t2);
}

LIBVNET_TEST(rm_readers_share)
{
	make(0);
	rm_rlock(&rm, &t1);
	from_interrupt(read_it);
	rm_runlock(&rm, &t1);
}

LIBVNET_TEST(rm_writer_that_an_interrupt_waits_for_is_a_deadlock)
{
	libvnet_expect_panic("^deadlock: lock \"rm\" is held");
	make(0);
	rm_wlock(&rm);
	from_interrupt(read_it);
}

static void
write_it(void *arg __unused)
{
	rm_wlock(&rm);
}

LIBVNET_TEST(rm_reader_that_a_writer_waits_for_is_a_deadlock)
{
	libvnet_expect_panic("^deadlock: lock \"rm\" is held");
	make(0);
	rm_rlock(&rm, &t1);
	from_interrupt(write_it);
}

LIBVNET_TEST(rm_runlock_of_a_free_lock_panics)
{
	libvnet_expect_panic("^Lock rm not read locked by this thread with "
	    "tracker .* @ .*test_rmlock.c:[0-9]+$");
	make(0);
	rm_runlock(&rm, &t1);
}

LIBVNET_TEST(rm_runlock_with_another_tracker_panics)
{
	libvnet_expect_panic("^Lock rm not read locked by this thread with "
	    "tracker");
	make(0);
	rm_rlock(&rm, &t1);
	rm_runlock(&rm, &t2);
}

static void
runlock_it(void *arg __unused)
{
	rm_runlock(&rm, &t1);
}

LIBVNET_TEST(rm_runlock_by_another_thread_panics)
{
	libvnet_expect_panic("^Lock rm not read locked by this thread with "
	    "tracker");
	make(0);
	rm_rlock(&rm, &t1);
	from_interrupt(runlock_it);
}

LIBVNET_TEST(rm_wunlock_of_a_free_lock_panics)
{
	libvnet_expect_panic("^Lock rm not exclusively locked @ ");
	make(0);
	rm_wunlock(&rm);
}

/* ---- what INVARIANTS finds */

#ifdef INVARIANTS

LIBVNET_TEST(rm_rlock_twice_panics)
{
	libvnet_expect_panic("rm_rlock: recursed on non-recursive rmlock rm @ "
	    ".*test_rmlock.c:");
	make(0);
	rm_rlock(&rm, &t1);
	rm_rlock(&rm, &t2);
}

LIBVNET_TEST(rm_rlock_by_the_writer_panics)
{
	libvnet_expect_panic("rm_rlock: wlock already held for rm @ ");
	make(0);
	rm_wlock(&rm);
	rm_rlock(&rm, &t1);
}

LIBVNET_TEST(rm_wlock_by_a_reader_panics)
{
	libvnet_expect_panic("^Lock rm read locked @ ");
	make(0);
	rm_rlock(&rm, &t1);
	rm_wlock(&rm);
}

LIBVNET_TEST(rm_wlock_twice_panics)
{
	libvnet_expect_panic("^Lock rm exclusively locked @ ");
	make(RM_RECURSE);
	rm_wlock(&rm);
	rm_wlock(&rm);
}

LIBVNET_TEST(rm_sleepable_reader_must_not_sleep)
{
	libvnet_expect_panic("malloc\\(M_WAITOK\\): may sleep");
	make(RM_SLEEPABLE);
	rm_rlock(&rm, &t1);
	(void)!malloc(8, M_TEMP, M_WAITOK);
}

LIBVNET_TEST(rm_sleepable_wlock_in_an_epoch_section_panics)
{
	struct epoch_tracker et;

	libvnet_expect_panic("rm_wlock: may sleep");
	make(RM_SLEEPABLE);
	NET_EPOCH_ENTER(et);
	rm_wlock(&rm);
}

LIBVNET_TEST(rm_sleepable_rlock_in_an_interrupt_panics)
{
	libvnet_expect_panic("rm_rlock: may sleep, in an interrupt context");
	make(RM_SLEEPABLE);
	from_interrupt(read_it);
}

LIBVNET_TEST(rm_wlock_in_an_epoch_section_is_allowed)
{
	struct epoch_tracker et;

	make(0);
	NET_EPOCH_ENTER(et);
	rm_wlock(&rm);
	rm_wunlock(&rm);
	NET_EPOCH_EXIT(et);
}

LIBVNET_TEST(rm_lock_of_zeroed_memory_panics)
{
	libvnet_expect_panic("rm_rlock\\(\\) of uninitialized rm");
	rm_rlock(&rm, &t1);
}

LIBVNET_TEST(rm_lock_after_destroy_panics)
{
	libvnet_expect_panic("rm_wlock\\(\\) of destroyed rm");
	make(0);
	rm_destroy(&rm);
	rm_wlock(&rm);
}

LIBVNET_TEST(rm_init_twice_panics)
{
	libvnet_expect_panic("lock \"rm\" .* already initialized");
	make(0);
	make(0);
}

LIBVNET_TEST(rm_init_twice_with_rm_new_is_allowed)
{
	make(0);
	make(RM_NEW);
}

LIBVNET_TEST(rm_destroy_by_the_writer_panics)
{
	libvnet_expect_panic("^Lock rm exclusively locked @ ");
	make(0);
	rm_wlock(&rm);
	rm_destroy(&rm);
}

LIBVNET_TEST(rm_destroy_by_a_reader_panics)
{
	libvnet_expect_panic("^Lock rm read locked @ ");
	make(0);
	rm_rlock(&rm, &t1);
	rm_destroy(&rm);
}

static void
destroy_it(void *arg __unused)
{
	rm_destroy(&rm);
}

LIBVNET_TEST(rm_destroy_while_others_read_panics)
{
	libvnet_expect_panic("rm_destroy: rm lock rm has readers");
	make(0);
	rm_rlock(&rm, &t1);
	from_interrupt(destroy_it);
}

LIBVNET_TEST(rm_assert_rlocked_of_a_free_lock_panics)
{
	libvnet_expect_panic("^Lock rm not read locked @ .*test_rmlock.c:");
	make(0);
	rm_assert(&rm, RA_RLOCKED);
}

LIBVNET_TEST(rm_assert_unlocked_of_a_reader_panics)
{
	libvnet_expect_panic("^Lock rm read locked @ ");
	make(0);
	rm_rlock(&rm, &t1);
	rm_assert(&rm, RA_UNLOCKED);
}

LIBVNET_TEST(rm_assert_notrecursed_of_a_recursed_lock_panics)
{
	libvnet_expect_panic("^Lock rm recursed @ ");
	make(RM_RECURSE);
	rm_rlock(&rm, &t1);
	rm_rlock(&rm, &t2);
	rm_assert(&rm, RA_LOCKED | RA_NOTRECURSED);
}

#endif /* INVARIANTS */
