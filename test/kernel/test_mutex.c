/* SPDX-License-Identifier: BSD-2-Clause */
/* mutex(9): what it forbids panics, and the right use beside it does not. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/proc.h>

#include <libvnet/test.h>

static struct mtx m, n, spin;

static struct mtx early;
MTX_SYSINIT(early, &early, "early", MTX_DEF);

static void
make(int opts)
{
	mtx_init(&m, "m", NULL, opts);
}

/* ---- what is allowed */

LIBVNET_TEST(mtx_lock_makes_the_thread_its_owner)
{
	make(MTX_DEF);
	assert_false(mtx_owned(&m));
	mtx_lock(&m);
	assert_true(mtx_owned(&m));
	assert_ptr_equal(mtx_owner(&m), curthread);
	assert_int_equal(m.mtx_lock, (uintptr_t)curthread);
	mtx_unlock(&m);
	assert_int_equal(m.mtx_lock, MTX_UNOWNED);
	mtx_destroy(&m);
	assert_false(mtx_initialized(&m));
}

LIBVNET_TEST(mtx_counts_in_the_threads_locks)
{
	make(MTX_DEF);
	mtx_init(&n, "n", NULL, MTX_DEF);
	mtx_lock(&m);
	mtx_lock(&n);
	assert_int_equal(curthread->td_locks, 2);
	mtx_unlock(&m);
	mtx_unlock(&n);
	assert_int_equal(curthread->td_locks, 0);
}

LIBVNET_TEST(mtx_recursable_counts_its_depth)
{
	make(MTX_DEF | MTX_RECURSE);
	mtx_lock(&m);
	assert_false(mtx_recursed(&m));
	mtx_lock(&m);
	assert_true(mtx_recursed(&m));
	assert_true((m.mtx_lock & MTX_RECURSED) != 0);
	mtx_assert(&m, MA_OWNED | MA_RECURSED);
	mtx_unlock(&m);
	assert_true(mtx_owned(&m));
	mtx_assert(&m, MA_OWNED | MA_NOTRECURSED);
	mtx_unlock(&m);
	assert_false(mtx_owned(&m));
}

LIBVNET_TEST(mtx_recursion_may_be_asked_for_at_the_lock)
{
	make(MTX_DEF);
	mtx_lock(&m);
	mtx_lock_flags(&m, MTX_RECURSE);
	mtx_unlock(&m);
	mtx_unlock(&m);
	assert_true(mtx_unowned(&m));
}

LIBVNET_TEST(mtx_trylock_fails_on_a_mutex_one_holds)
{
	make(MTX_DEF);
	assert_int_equal(mtx_trylock(&m), 1);
	assert_int_equal(mtx_trylock(&m), 0);
	assert_int_equal(curthread->td_locks, 1);
	mtx_unlock(&m);
	mtx_init(&n, "n", NULL, MTX_DEF | MTX_RECURSE);
	assert_int_equal(mtx_trylock(&n), 1);
	assert_int_equal(mtx_trylock(&n), 1);
	mtx_unlock(&n);
	mtx_unlock(&n);
}

LIBVNET_TEST(mtx_destroy_of_a_held_mutex_drops_it)
{
	make(MTX_DEF);
	mtx_lock(&m);
	mtx_destroy(&m);
	assert_int_equal(curthread->td_locks, 0);
	mtx_init(&spin, "spin", NULL, MTX_SPIN);
	mtx_lock_spin(&spin);
	mtx_destroy(&spin);
	assert_int_equal(curthread->td_critnest, 0);
}

LIBVNET_TEST(mtx_spin_is_a_critical_section)
{
	mtx_init(&spin, "spin", NULL, MTX_SPIN | MTX_RECURSE);
	mtx_lock_spin(&spin);
	assert_int_equal(curthread->td_critnest, 1);
	assert_int_equal(mtx_trylock_spin(&spin), 0);
	assert_int_equal(curthread->td_critnest, 1);
	mtx_lock_spin(&spin);
	assert_int_equal(curthread->td_critnest, 2);
	assert_true(mtx_recursed(&spin));
	mtx_unlock_spin(&spin);
	mtx_unlock_spin(&spin);
	assert_int_equal(curthread->td_critnest, 0);
	assert_int_equal(mtx_trylock_spin(&spin), 1);
	mtx_unlock_spin(&spin);
	assert_true(mtx_unowned(&spin));
}

LIBVNET_TEST(mtx_sysinit_makes_it_at_boot)
{
	assert_true(mtx_initialized(&early));
	assert_string_equal(mtx_name(&early), "early");
	mtx_lock(&early);
	mtx_unlock(&early);
}

LIBVNET_TEST(giant_may_be_recursed)
{
	mtx_lock(&Giant);
	mtx_lock(&Giant);
	mtx_unlock(&Giant);
	mtx_unlock(&Giant);
	assert_string_equal(mtx_name(&Giant), "Giant");
}

LIBVNET_TEST(mtx_class_gives_it_back_and_takes_it_again)
{
	struct lock_class *class;
	uintptr_t how;

	make(MTX_DEF);
	class = LOCK_CLASS(&m.lock_object);
	assert_string_equal(class->lc_name, "sleep mutex");
	assert_int_equal(class->lc_flags & (LC_SLEEPLOCK | LC_SLEEPABLE),
	    LC_SLEEPLOCK);
	mtx_lock(&m);
	how = class->lc_unlock(&m.lock_object);
	assert_false(mtx_owned(&m));
	class->lc_lock(&m.lock_object, how);
	assert_true(mtx_owned(&m));
	mtx_unlock(&m);
}

LIBVNET_TEST(mtx_unlock_of_a_free_mutex_panics)
{
	libvnet_expect_panic("^mutex m not owned at .*test_mutex.c:[0-9]+$");
	make(MTX_DEF);
	mtx_unlock(&m);
}

LIBVNET_TEST(mtx_held_at_the_end_of_the_test_is_found)
{
	libvnet_expect("lock", "");
	make(MTX_DEF);
	mtx_lock(&m);
}

static void
lock_it(void *arg __unused)
{
	mtx_lock(&m);
	mtx_unlock(&m);
}

static struct callout c;

LIBVNET_TEST(mtx_that_an_interrupt_waits_for_is_a_deadlock)
{
	libvnet_expect_panic("^deadlock: lock \"m\" is held.*test_mutex.c:");
	make(MTX_DEF);
	callout_init(&c, 1);
	callout_reset(&c, 1, lock_it, NULL);
	mtx_lock(&m);
	libvnet_clock_advance_ns(LIBVNET_NS_PER_SECOND);
}

LIBVNET_TEST(mtx_that_an_interrupt_finds_free_is_none)
{
	make(MTX_DEF);
	callout_init(&c, 1);
	callout_reset(&c, 1, lock_it, NULL);
	libvnet_clock_advance_ns(LIBVNET_NS_PER_SECOND);
}

/* ---- what INVARIANTS finds */

#ifdef INVARIANTS

LIBVNET_TEST(mtx_lock_twice_panics)
{
	libvnet_expect_panic("_mtx_lock_sleep: recursed on non-recursive mutex "
	    "m @ .*test_mutex.c:[0-9]+");
	make(MTX_DEF);
	mtx_lock(&m);
	mtx_lock(&m);
}

LIBVNET_TEST(mtx_lock_spin_twice_panics)
{
	libvnet_expect_panic("mtx_lock_spin: recursed on non-recursive mutex");
	mtx_init(&spin, "spin", NULL, MTX_SPIN);
	mtx_lock_spin(&spin);
	mtx_lock_spin(&spin);
}

LIBVNET_TEST(mtx_lock_of_a_spin_mutex_panics)
{
	libvnet_expect_panic("mtx_lock\\(\\) of spin mutex \"spin\", which is "
	    "no sleep mutex @ .*test_mutex.c:");
	mtx_init(&spin, "spin", NULL, MTX_SPIN);
	mtx_lock(&spin);
}

LIBVNET_TEST(mtx_lock_spin_of_a_sleep_mutex_panics)
{
	libvnet_expect_panic("mtx_lock_spin\\(\\) of sleep mutex \"m\"");
	make(MTX_DEF);
	mtx_lock_spin(&m);
}

LIBVNET_TEST(mtx_unlock_of_a_spin_mutex_panics)
{
	libvnet_expect_panic("mtx_unlock\\(\\) of spin mutex \"spin\"");
	mtx_init(&spin, "spin", NULL, MTX_SPIN);
	mtx_lock_spin(&spin);
	mtx_unlock(&spin);
}

LIBVNET_TEST(mtx_lock_of_zeroed_memory_panics)
{
	libvnet_expect_panic("mtx_lock\\(\\) of uninitialized sleep mutex");
	mtx_lock(&m);
}

LIBVNET_TEST(mtx_lock_after_destroy_panics)
{
	libvnet_expect_panic("mtx_lock\\(\\) of destroyed sleep mutex");
	make(MTX_DEF);
	mtx_destroy(&m);
	mtx_lock(&m);
}

LIBVNET_TEST(mtx_may_be_made_again_after_destroy)
{
	make(MTX_DEF);
	mtx_destroy(&m);
	make(MTX_DEF);
	mtx_lock(&m);
	mtx_unlock(&m);
}

LIBVNET_TEST(mtx_init_twice_panics)
{
	libvnet_expect_panic("lock \"m\" .* already initialized");
	make(MTX_DEF);
	make(MTX_DEF);
}

LIBVNET_TEST(mtx_init_twice_with_mtx_new_is_allowed)
{
	make(MTX_DEF);
	make(MTX_DEF | MTX_NEW);
}

LIBVNET_TEST(mtx_init_with_a_lock_flag_of_another_kind_panics)
{
	libvnet_expect_panic("mtx_init: unknown option in 0x1000");
	make(0x1000);
}

LIBVNET_TEST(mtx_destroy_twice_panics)
{
	libvnet_expect_panic("mtx_destroy\\(\\) of a mutex .* destroyed");
	make(MTX_DEF);
	mtx_destroy(&m);
	mtx_destroy(&m);
}

LIBVNET_TEST(mtx_destroy_of_a_recursed_mutex_panics)
{
	libvnet_expect_panic("mtx_destroy: mutex m is recursed");
	make(MTX_DEF | MTX_RECURSE);
	mtx_lock(&m);
	mtx_lock(&m);
	mtx_destroy(&m);
}

static void
destroy_it(void *arg __unused)
{
	mtx_destroy(&m);
}

LIBVNET_TEST(mtx_destroy_of_anothers_mutex_panics)
{
	libvnet_expect_panic("mtx_destroy: mutex m is held by thread");
	make(MTX_DEF);
	callout_init(&c, 1);
	callout_reset(&c, 1, destroy_it, NULL);
	mtx_lock(&m);
	libvnet_clock_advance_ns(LIBVNET_NS_PER_SECOND);
}

static void
unlock_it(void *arg __unused)
{
	mtx_unlock(&m);
}

LIBVNET_TEST(mtx_unlock_by_another_thread_panics)
{
	libvnet_expect_panic("^mutex m not owned at ");
	make(MTX_DEF);
	callout_init(&c, 1);
	callout_reset(&c, 1, unlock_it, NULL);
	mtx_lock(&m);
	libvnet_clock_advance_ns(LIBVNET_NS_PER_SECOND);
}

LIBVNET_TEST(mtx_assert_owned_of_a_free_mutex_panics)
{
	libvnet_expect_panic("^mutex m not owned at .*test_mutex.c:");
	make(MTX_DEF);
	mtx_assert(&m, MA_OWNED);
}

LIBVNET_TEST(mtx_assert_notowned_of_a_held_mutex_panics)
{
	libvnet_expect_panic("^mutex m owned at .*test_mutex.c:");
	make(MTX_DEF);
	mtx_assert(&m, MA_NOTOWNED);
	mtx_lock(&m);
	mtx_assert(&m, MA_OWNED);
	mtx_assert(&m, MA_NOTOWNED);
}

LIBVNET_TEST(mtx_assert_recursed_of_an_unrecursed_mutex_panics)
{
	libvnet_expect_panic("^mutex m unrecursed at ");
	make(MTX_DEF | MTX_RECURSE);
	mtx_lock(&m);
	mtx_assert(&m, MA_OWNED | MA_RECURSED);
}

LIBVNET_TEST(mtx_assert_notrecursed_of_a_recursed_mutex_panics)
{
	libvnet_expect_panic("^mutex m recursed at ");
	make(MTX_DEF | MTX_RECURSE);
	mtx_lock(&m);
	mtx_lock(&m);
	mtx_assert(&m, MA_OWNED | MA_NOTRECURSED);
}

LIBVNET_TEST(malloc_waitok_under_a_spin_mutex_panics)
{
	libvnet_expect_panic("malloc.*spin lock held or in a critical section");
	mtx_init(&spin, "spin", NULL, MTX_SPIN);
	mtx_lock_spin(&spin);
	(void)!malloc(8, M_TEMP, M_WAITOK);
}

#endif /* INVARIANTS */
