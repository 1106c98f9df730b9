/* SPDX-License-Identifier: BSD-2-Clause */
/* callout(9): the state that handlers run in, and misuse. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/callout.h>
#include <sys/epoch.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/rmlock.h>
#include <sys/rwlock.h>
#include <sys/sx.h>
#include <sys/time.h>
#include <net/vnet.h>

#include <libvnet/test.h>
#include "callout_test.h"

static struct mtx mtx;
static struct rwlock rw;
static struct rmlock rm;

static void
locks_init(void *arg __unused)
{
	mtx_init(&mtx, "callout test", NULL, MTX_DEF);
	rw_init(&rw, "callout test rw");
	rm_init(&rm, "callout test rm");
}
SYSINIT(locks, SI_SUB_INIT_IF, SI_ORDER_ANY, locks_init, NULL);

static void
reboot_with(int ncpus, int rate)
{
	struct libvnet_options options = { .ncpus = ncpus, .hz = rate };

	assert_int_equal(libvnet_shutdown(), 0);
	assert_int_equal(libvnet_boot(&options), 0);
}

/* ---- in what state handlers run */

static int giant_held, mtx_held, rw_held, rm_held;
static struct thread *handler_thread;

static void
note_state(void *arg)
{
	calls++;
	giant_held = mtx_owned(&Giant);
	mtx_held = mtx_owned(&mtx);
	rw_held = rw_wowned(&rw);
	rm_held = rm_wowned(&rm);
	handler_thread = curthread;
#ifdef VIMAGE
	assert_null(curvnet);
#endif
	assert_false(THREAD_CAN_SLEEP());
}

LIBVNET_TEST_VNET(handler_runs_in_an_own_thread_without_vnet, v)
{
	callout_init(&co, 1);
	callout_reset(&co, 1, note_state, NULL);
	run_ms(10);
	assert_int_equal(calls, 1);
	assert_int_equal(giant_held, 0);
	assert_ptr_not_equal(handler_thread, curthread);
	assert_ptr_equal(curvnet, v);
}

LIBVNET_TEST(handler_holds_its_lock)
{
	callout_init(&co, 0);
	callout_reset(&co, 1, note_state, NULL);
	run_ms(10);
	assert_int_equal(giant_held, 1);
	callout_init_mtx(&co, &mtx, 0);
	callout_reset(&co, 1, note_state, NULL);
	run_ms(10);
	assert_int_equal(mtx_held, 1);
	callout_init_rw(&co, &rw, 0);
	callout_reset(&co, 1, note_state, NULL);
	run_ms(10);
	assert_int_equal(rw_held, 1);
	callout_init_rm(&co, &rm, 0);
	callout_reset(&co, 1, note_state, NULL);
	run_ms(10);
	assert_int_equal(rm_held, 1);
	assert_int_equal(calls, 4);
	assert_true(mtx_unowned(&mtx) && !rw_wowned(&rw) && !rm_wowned(&rm));
}

static void
assert_shared(void *arg)
{
	calls++;
	if (arg == &rw)
		rw_assert(&rw, RA_RLOCKED);
	else
		rm_assert(&rm, RA_RLOCKED);
	assert_true(!rw_wowned(&rw) && !rm_wowned(&rm));
}

LIBVNET_TEST(shared_lock_is_held_shared)
{
	callout_init_rw(&co, &rw, CALLOUT_SHAREDLOCK);
	callout_reset(&co, 1, assert_shared, &rw);
	run_ms(10);
	callout_init_rm(&co, &rm, CALLOUT_SHAREDLOCK);
	callout_reset(&co, 1, assert_shared, &rm);
	run_ms(10);
	assert_int_equal(calls, 2);
	rw_wlock(&rw);
	rw_wunlock(&rw);
	rm_wlock(&rm);
	rm_wunlock(&rm);
}

static void
unlock_mtx(void *arg)
{
	calls++;
	mtx_assert(&mtx, MA_OWNED);
	mtx_unlock(&mtx);
}

LIBVNET_TEST(handler_releases_the_lock_where_that_was_agreed)
{
	callout_init_mtx(&co, &mtx, CALLOUT_RETURNUNLOCKED);
	callout_reset(&co, 1, unlock_mtx, NULL);
	run_ms(10);
	assert_int_equal(calls, 1);
	assert_true(mtx_unowned(&mtx));
}

LIBVNET_TEST(lock_null_means_none)
{
	callout_init_mtx(&co, (struct mtx *)NULL, 0);
	callout_reset(&co, 1, note_state, NULL);
	run_ms(10);
	assert_int_equal(calls, 1);
	assert_int_equal(giant_held, 0);
}

static u_int cpu_seen, critnest_seen;

static void
note_cpu(void *arg)
{
	calls++;
	cpu_seen = curcpu;
	critnest_seen = curthread->td_critnest;
}

LIBVNET_TEST(handler_runs_on_the_cpu_asked_for)
{
	reboot_with(3, 0);
	callout_init(&co, 1);
	callout_reset_on(&co, 1, note_cpu, NULL, 2);
	run_ms(10);
	assert_int_equal(cpu_seen, 2);
	/* It stays there until another is asked for. */
	callout_schedule(&co, 1);
	run_ms(10);
	assert_int_equal(cpu_seen, 2);
	callout_schedule_on(&co, 1, 1);
	callout_schedule_curcpu(&co, 1);
	run_ms(10);
	assert_int_equal(cpu_seen, 0);
	assert_int_equal(calls, 3);
	assert_int_equal(curcpu, 0);
}

LIBVNET_TEST(cpus_take_turns_by_time)
{
	static char a[] = "a", b[] = "b", c[] = "c";
	struct callout many[3];

	reboot_with(2, 0);
	for (int i = 0; i < 3; i++)
		callout_init(&many[i], 1);
	callout_reset_on(&many[0], 30, count, c, 1);
	callout_reset_on(&many[1], 20, count, b, 0);
	callout_reset_on(&many[2], 10, count, a, 1);
	run_ms(100);
	assert_string_equal(order, "abc");
}

LIBVNET_TEST(direct_handler_runs_in_a_critical_section)
{
	callout_init(&co, 1);
	callout_reset_sbt(&co, SBT_1MS, 0, note_cpu, NULL, C_DIRECT_EXEC);
	run_ms(10);
	assert_int_equal(calls, 1);
	assert_int_equal(critnest_seen, 1);
	callout_reset_sbt(&co, SBT_1MS, 0, note_cpu, NULL, 0);
	run_ms(10);
	assert_int_equal(critnest_seen, 0);
}

LIBVNET_TEST(hz_sets_the_length_of_a_tick)
{
	reboot_with(1, 100);
	callout_init(&co, 1);
	callout_reset(&co, 10, count, NULL);
	run_ms(95);
	assert_int_equal(calls, 0);
	run_ms(10);
	assert_int_equal(calls, 1);
}

/* ---- misuse, each beside its right use above or here */

#ifdef INVARIANTS

LIBVNET_TEST(reset_of_uninitialised_panics)
{
	static struct callout zeroed;

	libvnet_expect_panic("callout_reset: callout .* is not initialised; "
	    "call callout_init");
	callout_reset(&zeroed, 1, count, NULL);
}

LIBVNET_TEST(reset_of_fresh_memory_panics)
{
	struct callout *c = malloc(sizeof(*c), M_TEMP, M_WAITOK);

	libvnet_expect_panic("is not initialised");
	memset(c, 0xde, sizeof(*c));
	callout_reset(c, 1, count, NULL);
}

LIBVNET_TEST(stop_of_fresh_memory_panics)
{
	struct callout c;

	libvnet_expect_panic("callout_stop: callout .* is not initialised");
	memset(&c, 0xde, sizeof(c));
	callout_stop(&c);
}

LIBVNET_TEST(init_of_fresh_memory_is_right)
{
	struct callout c;

	memset(&c, 0xff, sizeof(c));
	callout_init(&c, 1);
	callout_reset(&c, 1, count, NULL);
	run_ms(10);
	assert_int_equal(calls, 1);
}

LIBVNET_TEST(init_of_pending_panics)
{
	libvnet_expect_panic("callout_init: callout .* is pending "
	    "\\(handler .*\\); stop it");
	callout_init(&co, 1);
	callout_reset(&co, 1, count, NULL);
	callout_init(&co, 1);
}

LIBVNET_TEST(init_lock_of_pending_panics)
{
	libvnet_expect_panic("callout_init_lock: callout .* is pending");
	callout_init(&co, 1);
	callout_reset(&co, 1, count, NULL);
	callout_init_mtx(&co, &mtx, 0);
}

LIBVNET_TEST(init_after_drain_is_right)
{
	callout_init(&co, 1);
	callout_reset(&co, 1, count, NULL);
	callout_drain(&co);
	callout_init(&co, 1);
}

static void
keep_lock(void *arg)
{
	mtx_lock(&mtx);
}

LIBVNET_TEST(handler_that_keeps_a_lock_panics_with_its_address)
{
	char text[80];

	snprintf(text, sizeof(text), "callout handler %p returned holding a "
	    "lock \\(0 locks before, 1 after\\)", keep_lock);
	libvnet_expect_panic(text);
	callout_init(&co, 1);
	callout_reset(&co, 1, keep_lock, NULL);
	run_ms(10);
}

static void
keep_own_lock(void *arg)
{
}

LIBVNET_TEST(handler_that_keeps_the_lock_it_was_to_release_panics)
{
	libvnet_expect_panic("returned holding a lock that it had to release");
	callout_init_mtx(&co, &mtx, CALLOUT_RETURNUNLOCKED);
	callout_reset(&co, 1, keep_own_lock, NULL);
	run_ms(10);
}

LIBVNET_TEST(handler_that_releases_its_lock_unasked_panics)
{
	libvnet_expect_panic("returned having released a lock");
	callout_init_mtx(&co, &mtx, 0);
	callout_reset(&co, 1, unlock_mtx, NULL);
	run_ms(10);
}

static void
keep_critical(void *arg)
{
	critical_enter();
}

LIBVNET_TEST(handler_that_stays_critical_panics)
{
	libvnet_expect_panic("callout handler .* returned in a critical "
	    "section");
	callout_init(&co, 1);
	callout_reset(&co, 1, keep_critical, NULL);
	run_ms(10);
}

static struct epoch_tracker tracker;

static void
keep_epoch(void *arg)
{
	NET_EPOCH_ENTER(tracker);
	if (arg != NULL)
		NET_EPOCH_EXIT(tracker);
	calls++;
}

LIBVNET_TEST(handler_that_stays_in_an_epoch_panics)
{
	libvnet_expect_panic("callout handler .* returned in an epoch");
	callout_init(&co, 1);
	callout_reset(&co, 1, keep_epoch, NULL);
	run_ms(10);
}

LIBVNET_TEST(handler_that_leaves_its_epoch_is_right)
{
	callout_init(&co, 1);
	callout_reset(&co, 1, keep_epoch, &co);
	run_ms(10);
	assert_int_equal(calls, 1);
}

#ifdef VIMAGE
static void
keep_vnet(void *arg)
{
	CURVNET_SET((struct vnet *)arg);
	calls += saved_vnet == NULL;
}

static void
restore_vnet(void *arg)
{
	CURVNET_SET((struct vnet *)arg);
	calls++;
	CURVNET_RESTORE();
}

LIBVNET_TEST_VNET(handler_that_leaves_a_vnet_set_panics, v)
{
	libvnet_expect_panic("callout handler .* returned with another vnet "
	    "set than it was called with");
	callout_init(&co, 1);
	callout_reset(&co, 1, keep_vnet, v);
	run_ms(10);
}

LIBVNET_TEST_VNET(handler_that_restores_its_vnet_is_right, v)
{
	callout_init(&co, 1);
	callout_reset(&co, 1, restore_vnet, v);
	run_ms(10);
	assert_int_equal(calls, 1);
}
#endif

static void
sleeper(void *arg)
{
	pause("test", 1);
}

LIBVNET_TEST(handler_that_sleeps_panics)
{
	libvnet_expect_panic("may sleep|sleeping");
	callout_init(&co, 1);
	callout_reset(&co, 1, sleeper, NULL);
	run_ms(10);
}

LIBVNET_TEST(stop_without_the_callouts_lock_panics)
{
	libvnet_expect_panic("callout test|not owned|not exclusively locked");
	callout_init_mtx(&co, &mtx, 0);
	callout_reset(&co, 10, count, NULL);
	callout_stop(&co);
}

LIBVNET_TEST(stop_with_the_callouts_lock_is_right)
{
	callout_init_mtx(&co, &mtx, 0);
	mtx_lock(&mtx);
	callout_reset(&co, 10, count, NULL);
	assert_int_equal(callout_stop(&co), 1);
	mtx_unlock(&mtx);
	/* Old code stops a Giant callout without Giant. */
	callout_init(&co, 0);
	callout_reset(&co, 10, count, NULL);
	assert_int_equal(callout_stop(&co), 1);
}

LIBVNET_TEST(drain_with_the_callouts_lock_panics)
{
	libvnet_expect_panic("mutex callout test owned|callout test.*locked");
	callout_init_mtx(&co, &mtx, 0);
	callout_reset(&co, 10, count, NULL);
	mtx_lock(&mtx);
	callout_drain(&co);
}

LIBVNET_TEST(drain_without_the_callouts_lock_is_right)
{
	callout_init_mtx(&co, &mtx, 0);
	callout_reset(&co, 10, count, NULL);
	assert_int_equal(callout_drain(&co), 1);
}

static void
drain_itself(void *arg)
{
	callout_drain(&co);
}

LIBVNET_TEST(drain_by_the_handler_itself_panics)
{
	libvnet_expect_panic("callout_drain: waits for ever for the handler of "
	    "callout .* that is its own caller");
	callout_init(&co, 1);
	callout_reset(&co, 1, drain_itself, NULL);
	run_ms(10);
}

LIBVNET_TEST(drain_in_a_critical_section_panics)
{
	libvnet_expect_panic("callout_drain: may sleep, in a critical");
	callout_init(&co, 1);
	critical_enter();
	callout_drain(&co);
}

LIBVNET_TEST(direct_callout_with_a_lock_panics)
{
	libvnet_expect_panic("direct callout .* has a lock");
	callout_init_mtx(&co, &mtx, 0);
	callout_reset_sbt(&co, 0, 0, count, NULL, C_DIRECT_EXEC);
}

LIBVNET_TEST(callout_without_handler_panics)
{
	libvnet_expect_panic("callout .* has no handler");
	callout_init(&co, 1);
	callout_schedule(&co, 1);
}

LIBVNET_TEST(sleepable_lock_panics)
{
	static struct sx sx;

	libvnet_expect_panic("\"callout sx\": a spin or sleepable lock");
	sx_init(&sx, "callout sx");
	_callout_init_lock(&co, &sx.lock_object, 0);
}

LIBVNET_TEST(uninitialised_lock_panics)
{
	static struct mtx none;

	libvnet_expect_panic("the lock .* of callout .* is not initialised");
	callout_init_mtx(&co, &none, 0);
}

LIBVNET_TEST(bad_flag_panics)
{
	libvnet_expect_panic("callout_init_lock: bad flags");
	callout_init_mtx(&co, &mtx, CALLOUT_PENDING);
}

LIBVNET_TEST(returnunlocked_without_a_lock_panics)
{
	libvnet_expect_panic("CALLOUT_RETURNUNLOCKED with no lock");
	callout_init_mtx(&co, (struct mtx *)NULL, CALLOUT_RETURNUNLOCKED);
}

bool	lvk_callout_pending_in(const void *, size_t, uintptr_t *);

LIBVNET_TEST(pending_callout_is_known_by_its_memory)
{
	struct callout many[20];
	uintptr_t func = 0;

	for (int i = 0; i < 20; i++)
		callout_init(&many[i], 1);
	assert_false(lvk_callout_pending_in(many, sizeof(many), &func));
	for (int i = 0; i < 20; i += 3)
		callout_reset(&many[i], 10, count, NULL);
	for (int i = 0; i < 20; i++)
		assert_int_equal(lvk_callout_pending_in(&many[i],
		    sizeof(many[i]), &func), i % 3 == 0);
	assert_int_equal(func, (uintptr_t)count);
	assert_false(lvk_callout_pending_in((char *)many + 1,
	    3 * sizeof(many[0]) - 1, &func));
	assert_true(lvk_callout_pending_in((char *)many + 1,
	    3 * sizeof(many[0]), &func));
	run_ms(100);
	assert_false(lvk_callout_pending_in(many, sizeof(many), &func));
}
#endif /* INVARIANTS */

LIBVNET_TEST(cpu_that_is_not_there_panics)
{
	libvnet_expect_panic("Invalid CPU in callout 7");
	callout_init(&co, 1);
	callout_reset_on(&co, 1, count, NULL, 7);
}

LIBVNET_TEST(next_event_is_none_when_all_are_stopped)
{
	struct callout c;
	int64_t before = libvnet_clock_next_ns();

	callout_init(&c, 1);
	callout_reset(&c, 1, count, NULL);
	assert_true(libvnet_clock_next_ns() >= 0);
	callout_stop(&c);
	assert_true(libvnet_clock_next_ns() == before);
}
