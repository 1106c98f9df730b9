/* SPDX-License-Identifier: BSD-2-Clause */
/* rwlock(9): what it forbids panics, and the right use beside it does not. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/callout.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/proc.h>
#include <sys/rwlock.h>

#include <libvnet/test.h>

static struct rwlock rw, other;
static struct callout c;

static struct rwlock early;
RW_SYSINIT(early, &early, "early");

static void
make(int opts)
{
	rw_init_flags(&rw, "rw", opts);
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

LIBVNET_TEST(rw_writer_owns_the_lock)
{
	make(0);
	assert_false(rw_wowned(&rw));
	rw_wlock(&rw);
	assert_true(rw_wowned(&rw));
	assert_int_equal(rw.rw_lock, (uintptr_t)curthread);
	assert_int_equal(curthread->td_locks, 1);
	rw_assert(&rw, RA_WLOCKED);
	rw_assert(&rw, RA_LOCKED | RA_NOTRECURSED);
	rw_wunlock(&rw);
	assert_int_equal(rw.rw_lock, RW_UNLOCKED);
	assert_int_equal(curthread->td_locks, 0);
	rw_destroy(&rw);
}

LIBVNET_TEST(rw_readers_are_counted)
{
	make(0);
	rw_rlock(&rw);
	rw_rlock(&rw);
	assert_int_equal(RW_READERS(rw.rw_lock), 2);
	assert_int_equal(curthread->td_rw_rlocks, 2);
	assert_int_equal(curthread->td_locks, 2);
	rw_assert(&rw, RA_RLOCKED);
	rw_assert(&rw, RA_LOCKED);
	rw_runlock(&rw);
	rw_runlock(&rw);
	assert_int_equal(rw.rw_lock, RW_UNLOCKED);
	assert_int_equal(curthread->td_rw_rlocks, 0);
}

LIBVNET_TEST(rw_recursable_writer_counts_its_depth)
{
	make(RW_RECURSE);
	rw_wlock(&rw);
	rw_wlock(&rw);
	assert_true((rw.rw_lock & RW_LOCK_WRITER_RECURSED) != 0);
	assert_true(rw_wowned(&rw));
	rw_assert(&rw, RA_WLOCKED | RA_RECURSED);
	rw_wunlock(&rw);
	rw_assert(&rw, RA_WLOCKED | RA_NOTRECURSED);
	assert_int_equal(rw_try_wlock(&rw), 1);
	rw_wunlock(&rw);
	rw_wunlock(&rw);
	assert_int_equal(rw.rw_lock, RW_UNLOCKED);
}

LIBVNET_TEST(rw_try_respects_who_is_in)
{
	make(0);
	assert_int_equal(rw_try_wlock(&rw), 1);
	assert_int_equal(rw_try_wlock(&rw), 0);
	assert_int_equal(rw_try_rlock(&rw), 0);
	rw_wunlock(&rw);
	assert_int_equal(rw_try_rlock(&rw), 1);
	assert_int_equal(rw_try_rlock(&rw), 1);
	assert_int_equal(rw_try_wlock(&rw), 0);
	rw_runlock(&rw);
	rw_runlock(&rw);
	assert_int_equal(curthread->td_locks, 0);
}

LIBVNET_TEST(rw_upgrade_needs_to_be_the_only_reader)
{
	make(0);
	rw_rlock(&rw);
	rw_rlock(&rw);
	assert_int_equal(rw_try_upgrade(&rw), 0);
	rw_runlock(&rw);
	assert_int_equal(rw_try_upgrade(&rw), 1);
	assert_true(rw_wowned(&rw));
	assert_int_equal(curthread->td_rw_rlocks, 0);
	rw_downgrade(&rw);
	assert_false(rw_wowned(&rw));
	assert_int_equal(curthread->td_rw_rlocks, 1);
	assert_int_equal(curthread->td_locks, 1);
	rw_runlock(&rw);
	assert_int_equal(rw.rw_lock, RW_UNLOCKED);
}

LIBVNET_TEST(rw_unlock_finds_out_how_it_is_held)
{
	make(0);
	rw_wlock(&rw);
	rw_unlock(&rw);
	rw_rlock(&rw);
	rw_unlock(&rw);
	assert_int_equal(rw.rw_lock, RW_UNLOCKED);
}

LIBVNET_TEST(rw_sysinit_makes_it_at_boot)
{
	assert_true(rw_initialized(&early));
	rw_rlock(&early);
	rw_runlock(&early);
}

LIBVNET_TEST(rw_class_takes_it_again_as_it_was_held)
{
	struct lock_class *class;
	uintptr_t how;

	make(0);
	class = LOCK_CLASS(&rw.lock_object);
	rw_rlock(&rw);
	how = class->lc_unlock(&rw.lock_object);
	assert_int_equal(rw.rw_lock, RW_UNLOCKED);
	class->lc_lock(&rw.lock_object, how);
	assert_int_equal(RW_READERS(rw.rw_lock), 1);
	rw_runlock(&rw);
	rw_wlock(&rw);
	how = class->lc_unlock(&rw.lock_object);
	class->lc_lock(&rw.lock_object, how);
	assert_true(rw_wowned(&rw));
	rw_wunlock(&rw);
}

static void
read_it(void *arg __unused)
{
	rw_rlock(&rw);
	rw_runlock(&rw);
}

LIBVNET_TEST(rw_reader_shares_with_an_interrupt)
{
	make(0);
	rw_rlock(&rw);
	from_interrupt(read_it);
	rw_runlock(&rw);
}

LIBVNET_TEST(rw_writer_that_an_interrupt_waits_for_is_a_deadlock)
{
	libvnet_expect_panic("^deadlock: lock \"rw\" is held");
	make(0);
	rw_wlock(&rw);
	from_interrupt(read_it);
}

LIBVNET_TEST(rw_wlock_of_a_reader_is_a_deadlock)
{
	libvnet_expect_panic("^deadlock: lock \"rw\" is held");
	make(0);
	rw_rlock(&rw);
	rw_wlock(&rw);
}

LIBVNET_TEST(rw_wunlock_of_a_free_lock_panics)
{
	libvnet_expect_panic("^Lock rw not exclusively locked @ "
	    ".*test_rwlock.c:[0-9]+$");
	make(0);
	rw_wunlock(&rw);
}

LIBVNET_TEST(rw_wunlock_by_a_reader_panics)
{
	libvnet_expect_panic("^Lock rw not exclusively locked @ ");
	make(0);
	rw_rlock(&rw);
	rw_wunlock(&rw);
}

LIBVNET_TEST(rw_runlock_by_the_writer_panics)
{
	libvnet_expect_panic("^Lock rw not read locked @ ");
	make(0);
	rw_wlock(&rw);
	rw_runlock(&rw);
}

LIBVNET_TEST(rw_runlock_of_a_free_lock_panics)
{
	libvnet_expect_panic("^Lock rw not read locked @ ");
	make(0);
	rw_runlock(&rw);
}

LIBVNET_TEST(rw_downgrade_of_a_recursed_lock_panics)
{
	libvnet_expect_panic("^Lock rw recursed");
	make(RW_RECURSE);
	rw_wlock(&rw);
	rw_wlock(&rw);
	rw_downgrade(&rw);
}

LIBVNET_TEST(rw_downgrade_by_a_reader_panics)
{
	libvnet_expect_panic("^Lock rw not exclusively locked @ ");
	make(0);
	rw_rlock(&rw);
	rw_downgrade(&rw);
}

LIBVNET_TEST(rw_try_upgrade_by_the_writer_panics)
{
	libvnet_expect_panic("^Lock rw not read locked @ ");
	make(0);
	rw_wlock(&rw);
	(void)rw_try_upgrade(&rw);
}

/* ---- what INVARIANTS finds */

#ifdef INVARIANTS

LIBVNET_TEST(rw_wlock_twice_panics)
{
	libvnet_expect_panic("rw_wlock: recursing but non-recursive rw rw @ "
	    ".*test_rwlock.c:");
	make(0);
	rw_wlock(&rw);
	rw_wlock(&rw);
}

LIBVNET_TEST(rw_rlock_by_the_writer_panics)
{
	libvnet_expect_panic("rw_rlock: wlock already held for rw @ ");
	make(0);
	rw_wlock(&rw);
	rw_rlock(&rw);
}

static void
runlock_it(void *arg __unused)
{
	rw_runlock(&rw);
}

LIBVNET_TEST(rw_runlock_by_another_thread_panics)
{
	libvnet_expect_panic("Lock rw not read locked by this thread @ ");
	make(0);
	rw_rlock(&rw);
	from_interrupt(runlock_it);
}

static void
wunlock_it(void *arg __unused)
{
	rw_wunlock(&rw);
}

LIBVNET_TEST(rw_wunlock_by_another_thread_panics)
{
	libvnet_expect_panic("^Lock rw not exclusively locked @ ");
	make(0);
	rw_wlock(&rw);
	from_interrupt(wunlock_it);
}

LIBVNET_TEST(rw_lock_of_zeroed_memory_panics)
{
	libvnet_expect_panic("rw_rlock\\(\\) of uninitialized rwlock");
	rw_rlock(&rw);
}

LIBVNET_TEST(rw_lock_after_destroy_panics)
{
	libvnet_expect_panic("rw_wlock\\(\\) of destroyed rwlock");
	make(0);
	rw_destroy(&rw);
	rw_wlock(&rw);
}

LIBVNET_TEST(rw_init_twice_panics)
{
	libvnet_expect_panic("lock \"rw\" .* already initialized");
	make(0);
	make(0);
}

LIBVNET_TEST(rw_init_twice_with_rw_new_is_allowed)
{
	make(0);
	make(RW_NEW);
}

LIBVNET_TEST(rw_init_with_an_unknown_option_panics)
{
	libvnet_expect_panic("rw_init: unknown option in 0x4000");
	make(0x4000);
}

LIBVNET_TEST(rw_destroy_of_a_held_lock_panics)
{
	libvnet_expect_panic("rw_destroy: rwlock rw is not unlocked");
	make(0);
	rw_wlock(&rw);
	rw_destroy(&rw);
}

LIBVNET_TEST(rw_destroy_twice_panics)
{
	libvnet_expect_panic("rw_destroy\\(\\) of destroyed rwlock");
	make(0);
	rw_destroy(&rw);
	rw_destroy(&rw);
}

LIBVNET_TEST(rw_assert_wlocked_of_a_reader_panics)
{
	libvnet_expect_panic("^Lock rw not exclusively locked @ "
	    ".*test_rwlock.c:");
	make(0);
	rw_rlock(&rw);
	rw_assert(&rw, RA_WLOCKED);
}

LIBVNET_TEST(rw_assert_rlocked_of_the_writer_panics)
{
	libvnet_expect_panic("^Lock rw not read locked @ ");
	make(0);
	rw_wlock(&rw);
	rw_assert(&rw, RA_RLOCKED);
}

LIBVNET_TEST(rw_assert_rlocked_without_a_read_lock_panics)
{
	libvnet_expect_panic("^Lock rw not read locked @ ");
	make(0);
	rw_init(&other, "other");
	rw_wlock(&other);
	rw_assert(&rw, RA_RLOCKED);
}

LIBVNET_TEST(rw_assert_locked_of_a_free_lock_panics)
{
	libvnet_expect_panic("^Lock rw not locked @ ");
	make(0);
	rw_assert(&rw, RA_LOCKED);
}

LIBVNET_TEST(rw_assert_unlocked_of_the_writer_panics)
{
	libvnet_expect_panic("^Lock rw exclusively locked @ ");
	make(0);
	rw_assert(&rw, RA_UNLOCKED);
	rw_wlock(&rw);
	rw_assert(&rw, RA_UNLOCKED);
}

LIBVNET_TEST(rw_assert_recursed_of_an_unrecursed_lock_panics)
{
	libvnet_expect_panic("^Lock rw not recursed @ ");
	make(RW_RECURSE);
	rw_wlock(&rw);
	rw_assert(&rw, RA_WLOCKED | RA_RECURSED);
}

LIBVNET_TEST(rw_assert_notrecursed_of_a_recursed_lock_panics)
{
	libvnet_expect_panic("^Lock rw recursed @ ");
	make(RW_RECURSE);
	rw_wlock(&rw);
	rw_wlock(&rw);
	rw_assert(&rw, RA_WLOCKED | RA_NOTRECURSED);
}

#endif /* INVARIANTS */
