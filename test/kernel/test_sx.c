/* SPDX-License-Identifier: BSD-2-Clause */
/* sx(9): what it forbids panics, and the right use beside it does not. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/callout.h>
#include <sys/epoch.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/proc.h>
#include <sys/sx.h>

#include <libvnet/test.h>

static struct sx sx;
static struct callout c;

static struct sx early;
SX_SYSINIT(early, &early, "early");

static void
make(int opts)
{
	sx_init_flags(&sx, "sx", opts);
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

LIBVNET_TEST(sx_xlock_owns_the_lock)
{
	make(0);
	assert_false(sx_xlocked(&sx));
	sx_xlock(&sx);
	assert_true(sx_xlocked(&sx));
	assert_ptr_equal(sx_xholder(&sx), curthread);
	assert_int_equal(curthread->td_locks, 1);
	sx_assert(&sx, SA_XLOCKED | SA_NOTRECURSED);
	sx_xunlock(&sx);
	assert_int_equal(sx.sx_lock, SX_LOCK_UNLOCKED);
	assert_int_equal(curthread->td_locks, 0);
	sx_destroy(&sx);
}

LIBVNET_TEST(sx_sharers_are_counted)
{
	make(0);
	sx_slock(&sx);
	sx_slock(&sx);
	assert_int_equal(SX_SHARERS(sx.sx_lock), 2);
	assert_int_equal(curthread->td_sx_slocks, 2);
	sx_assert(&sx, SA_SLOCKED);
	sx_assert(&sx, SA_LOCKED);
	sx_sunlock(&sx);
	sx_sunlock(&sx);
	assert_int_equal(sx.sx_lock, SX_LOCK_UNLOCKED);
	assert_int_equal(curthread->td_sx_slocks, 0);
}

LIBVNET_TEST(sx_interruptible_calls_succeed)
{
	make(0);
	assert_int_equal(sx_xlock_sig(&sx), 0);
	sx_xunlock(&sx);
	assert_int_equal(sx_slock_sig(&sx), 0);
	sx_sunlock(&sx);
}

LIBVNET_TEST(sx_recursable_counts_its_depth)
{
	make(SX_RECURSE);
	sx_xlock(&sx);
	sx_xlock(&sx);
	assert_true((sx.sx_lock & SX_LOCK_RECURSED) != 0);
	assert_true(sx_xlocked(&sx));
	sx_assert(&sx, SA_XLOCKED | SA_RECURSED);
	sx_xunlock(&sx);
	assert_int_equal(sx_try_xlock(&sx), 1);
	sx_xunlock(&sx);
	sx_xunlock(&sx);
	assert_int_equal(sx.sx_lock, SX_LOCK_UNLOCKED);
}

LIBVNET_TEST(sx_try_respects_who_is_in)
{
	make(0);
	assert_int_equal(sx_try_xlock(&sx), 1);
	assert_int_equal(sx_try_xlock(&sx), 0);
	assert_int_equal(sx_try_slock(&sx), 0);
	sx_xunlock(&sx);
	assert_int_equal(sx_try_slock(&sx), 1);
	assert_int_equal(sx_try_xlock(&sx), 0);
	sx_sunlock(&sx);
	assert_int_equal(curthread->td_locks, 0);
}

LIBVNET_TEST(sx_upgrade_needs_to_be_the_only_sharer)
{
	make(0);
	sx_slock(&sx);
	sx_slock(&sx);
	assert_int_equal(sx_try_upgrade(&sx), 0);
	sx_sunlock(&sx);
	assert_int_equal(sx_try_upgrade(&sx), 1);
	assert_true(sx_xlocked(&sx));
	sx_downgrade(&sx);
	assert_int_equal(curthread->td_sx_slocks, 1);
	sx_unlock(&sx);
	assert_int_equal(sx.sx_lock, SX_LOCK_UNLOCKED);
}

LIBVNET_TEST(sx_may_be_held_across_malloc_waitok)
{
	make(0);
	sx_xlock(&sx);
	free(malloc(8, M_TEMP, M_WAITOK), M_TEMP);
	sx_xunlock(&sx);
}

LIBVNET_TEST(sx_sysinit_makes_it_at_boot)
{
	assert_true(sx_initialized(&early));
	sx_xlock(&early);
	sx_xunlock(&early);
}

LIBVNET_TEST(sx_class_is_sleepable_and_keeps_how_it_was_held)
{
	struct lock_class *class;
	uintptr_t how;

	make(0);
	class = LOCK_CLASS(&sx.lock_object);
	assert_true((class->lc_flags & LC_SLEEPABLE) != 0);
	sx_slock(&sx);
	how = class->lc_unlock(&sx.lock_object);
	class->lc_lock(&sx.lock_object, how);
	assert_int_equal(SX_SHARERS(sx.sx_lock), 1);
	sx_sunlock(&sx);
	sx_xlock(&sx);
	how = class->lc_unlock(&sx.lock_object);
	class->lc_lock(&sx.lock_object, how);
	assert_true(sx_xlocked(&sx));
	sx_xunlock(&sx);
}

static void
try_it(void *arg __unused)
{
	assert_int_equal(sx_try_slock(&sx), 1);
	sx_sunlock(&sx);
}

LIBVNET_TEST(sx_may_be_tried_in_an_interrupt)
{
	make(0);
	sx_slock(&sx);
	from_interrupt(try_it);
	sx_sunlock(&sx);
}

LIBVNET_TEST(sx_xlock_of_a_sharer_is_a_deadlock)
{
	libvnet_expect_panic("^deadlock: lock \"sx\" is held");
	make(0);
	sx_slock(&sx);
	sx_xlock(&sx);
}

LIBVNET_TEST(sx_xunlock_of_a_free_lock_panics)
{
	libvnet_expect_panic("^Lock sx not exclusively locked @ "
	    ".*test_sx.c:[0-9]+$");
	make(0);
	sx_xunlock(&sx);
}

LIBVNET_TEST(sx_xunlock_by_a_sharer_panics)
{
	libvnet_expect_panic("^Lock sx not exclusively locked @ ");
	make(0);
	sx_slock(&sx);
	sx_xunlock(&sx);
}

LIBVNET_TEST(sx_sunlock_by_the_holder_panics)
{
	libvnet_expect_panic("^Lock sx not share locked @ ");
	make(0);
	sx_xlock(&sx);
	sx_sunlock(&sx);
}

LIBVNET_TEST(sx_downgrade_of_a_recursed_lock_panics)
{
	libvnet_expect_panic("^Lock sx recursed");
	make(SX_RECURSE);
	sx_xlock(&sx);
	sx_xlock(&sx);
	sx_downgrade(&sx);
}

LIBVNET_TEST(sx_try_upgrade_by_the_holder_panics)
{
	libvnet_expect_panic("^Lock sx not share locked @ ");
	make(0);
	sx_xlock(&sx);
	(void)sx_try_upgrade(&sx);
}

/* ---- what INVARIANTS finds */

#ifdef INVARIANTS

LIBVNET_TEST(sx_xlock_twice_panics)
{
	libvnet_expect_panic("sx_xlock: recursed on non-recursive sx sx @ "
	    ".*test_sx.c:");
	make(0);
	sx_xlock(&sx);
	sx_xlock(&sx);
}

LIBVNET_TEST(sx_slock_by_the_holder_panics)
{
	libvnet_expect_panic("sx_slock: xlock already held for sx @ ");
	make(0);
	sx_xlock(&sx);
	sx_slock(&sx);
}

static void
sunlock_it(void *arg __unused)
{
	sx_sunlock(&sx);
}

LIBVNET_TEST(sx_sunlock_by_another_thread_panics)
{
	libvnet_expect_panic("Lock sx not share locked by this thread @ ");
	make(0);
	sx_slock(&sx);
	from_interrupt(sunlock_it);
}

static void
slock_it(void *arg __unused)
{
	sx_slock(&sx);
	sx_sunlock(&sx);
}

LIBVNET_TEST(sx_slock_in_an_interrupt_panics)
{
	libvnet_expect_panic("sx_slock: may sleep, in an interrupt context");
	make(0);
	from_interrupt(slock_it);
}

LIBVNET_TEST(sx_xlock_in_a_critical_section_panics)
{
	libvnet_expect_panic("sx_xlock: may sleep, in a critical section");
	make(0);
	critical_enter();
	sx_xlock(&sx);
}

LIBVNET_TEST(sx_lock_in_an_epoch_section_is_found)
{
	struct epoch_tracker et;

	libvnet_expect("sleep", "^sx_xlock of \"sx\": may sleep.*epoch");
	libvnet_expect("sleep", "^sx_slock of \"sx\": may sleep.*epoch");
	make(0);
	NET_EPOCH_ENTER(et);
	sx_xlock(&sx);
	sx_xunlock(&sx);
	sx_slock(&sx);
	sx_sunlock(&sx);
	NET_EPOCH_EXIT(et);
}

LIBVNET_TEST(sx_xlock_after_an_epoch_section_is_allowed)
{
	struct epoch_tracker et;

	make(0);
	NET_EPOCH_ENTER(et);
	NET_EPOCH_EXIT(et);
	sx_xlock(&sx);
	sx_xunlock(&sx);
}

LIBVNET_TEST(sx_lock_of_zeroed_memory_panics)
{
	libvnet_expect_panic("sx_xlock\\(\\) of uninitialized sx");
	sx_xlock(&sx);
}

LIBVNET_TEST(sx_lock_after_destroy_panics)
{
	libvnet_expect_panic("sx_slock\\(\\) of destroyed sx");
	make(0);
	sx_destroy(&sx);
	sx_slock(&sx);
}

LIBVNET_TEST(sx_init_twice_panics)
{
	libvnet_expect_panic("lock \"sx\" .* already initialized");
	make(0);
	make(0);
}

LIBVNET_TEST(sx_init_twice_with_sx_new_is_allowed)
{
	make(0);
	make(SX_NEW);
}

LIBVNET_TEST(sx_init_with_an_unknown_option_panics)
{
	libvnet_expect_panic("sx_init: unknown option in 0x4000");
	make(0x4000);
}

LIBVNET_TEST(sx_destroy_of_a_held_lock_panics)
{
	libvnet_expect_panic("sx_destroy: sx lock sx is still held");
	make(0);
	sx_slock(&sx);
	sx_destroy(&sx);
}

LIBVNET_TEST(sx_assert_xlocked_of_a_sharer_panics)
{
	libvnet_expect_panic("^Lock sx not exclusively locked @ .*test_sx.c:");
	make(0);
	sx_slock(&sx);
	sx_assert(&sx, SA_XLOCKED);
}

LIBVNET_TEST(sx_assert_slocked_of_the_holder_panics)
{
	libvnet_expect_panic("^Lock sx not share locked @ ");
	make(0);
	sx_xlock(&sx);
	sx_assert(&sx, SA_SLOCKED);
}

LIBVNET_TEST(sx_assert_locked_of_a_free_lock_panics)
{
	libvnet_expect_panic("^Lock sx not locked @ ");
	make(0);
	sx_assert(&sx, SA_LOCKED);
}

LIBVNET_TEST(sx_assert_unlocked_of_the_holder_panics)
{
	libvnet_expect_panic("^Lock sx exclusively locked @ ");
	make(0);
	sx_assert(&sx, SA_UNLOCKED);
	sx_xlock(&sx);
	sx_assert(&sx, SA_UNLOCKED);
}

LIBVNET_TEST(sx_assert_notrecursed_of_a_recursed_lock_panics)
{
	libvnet_expect_panic("^Lock sx recursed @ ");
	make(SX_RECURSE);
	sx_xlock(&sx);
	sx_xlock(&sx);
	sx_assert(&sx, SA_XLOCKED | SA_NOTRECURSED);
}

#endif /* INVARIANTS */
