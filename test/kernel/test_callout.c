/* SPDX-License-Identifier: BSD-2-Clause */
/* callout(9) with one thread; test_callout_threads.c has two. */
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

#define MS (LIBVNET_NS_PER_SECOND / 1000)

static struct callout co;
static struct mtx mtx;
static struct rwlock rw;
static struct rmlock rm;
static int calls;
static sbintime_t called_at;
static char order[16];

static void
locks_init(void *arg __unused)
{
	mtx_init(&mtx, "callout test", NULL, MTX_DEF);
	rw_init(&rw, "callout test rw");
	rm_init(&rm, "callout test rm");
}
SYSINIT(locks, SI_SUB_INIT_IF, SI_ORDER_ANY, locks_init, NULL);

static void
count(void *arg)
{
	calls++;
	called_at = sbinuptime();
	if (arg != NULL)
		strlcat(order, arg, sizeof(order));
}

static void
run_ms(int64_t ms)
{
	assert_int_equal(libvnet_clock_advance_ns(ms * MS), 0);
}

static void
reboot_with(int ncpus, int rate)
{
	struct libvnet_options options = { .ncpus = ncpus, .hz = rate };

	assert_int_equal(libvnet_shutdown(), 0);
	assert_int_equal(libvnet_boot(&options), 0);
}

/* ---- when */

LIBVNET_TEST(runs_once_after_its_ticks)
{
	callout_init(&co, 1);
	assert_int_equal(callout_reset(&co, 10, count, NULL), 0);
	assert_true(callout_pending(&co) && callout_active(&co));
	run_ms(8);
	assert_int_equal(calls, 0);
	run_ms(2);
	assert_int_equal(calls, 1);
	assert_false(callout_pending(&co));
	assert_true(callout_active(&co));
	callout_deactivate(&co);
	assert_false(callout_active(&co));
	run_ms(1000);
	assert_int_equal(calls, 1);
}

LIBVNET_TEST(ticks_count_from_the_last_tick_of_the_clock)
{
	sbintime_t last, now;

	run_ms(5);
	libvnet_clock_advance_ns(MS / 2);
	now = sbinuptime();
	last = now - now % tick_sbt;
	callout_init(&co, 1);
	callout_reset(&co, 1, count, NULL);
	run_ms(2);
	assert_int_equal(called_at, last + tick_sbt);
	callout_reset(&co, 0, count, NULL);
	run_ms(2);
	assert_int_equal(calls, 2);
	assert_int_equal(called_at % tick_sbt, 0);
}

LIBVNET_TEST(sbt_is_exact_where_ticks_are_not_asked_for)
{
	sbintime_t start;

	libvnet_clock_advance_ns(MS / 3);
	start = sbinuptime();
	callout_init(&co, 1);
	callout_reset_sbt(&co, 7 * SBT_1US, 0, count, NULL, 0);
	run_ms(1);
	assert_int_equal(called_at, start + 7 * SBT_1US);
	start = sbinuptime();
	callout_reset_sbt(&co, 100 * SBT_1MS, SBT_1MS, count, NULL,
	    C_PREL(2));
	run_ms(200);
	assert_int_equal(called_at, start + 100 * SBT_1MS);
	callout_reset_sbt(&co, SBT_1MS / 7, 0, count, NULL, C_HARDCLOCK);
	run_ms(2);
	assert_int_equal(called_at % tick_sbt, 0);
}

LIBVNET_TEST(absolute_and_precalculated_times_are_taken_as_they_are)
{
	sbintime_t when = sbinuptime() + 5 * SBT_1MS, precision;

	callout_init(&co, 1);
	callout_reset_sbt(&co, when, 0, count, NULL, C_ABSOLUTE);
	run_ms(10);
	assert_int_equal(called_at, when);
	callout_when(3 * SBT_1MS, 0, 0, &when, &precision);
	assert_int_equal(when, sbinuptime() + 3 * SBT_1MS);
	run_ms(1);
	callout_reset_sbt(&co, when, precision, count, NULL, C_PRECALC);
	run_ms(10);
	assert_int_equal(called_at, when);
}

LIBVNET_TEST(time_gone_by_is_due_at_once)
{
	callout_init(&co, 1);
	callout_reset_sbt(&co, SBT_1US, 0, count, NULL, C_ABSOLUTE);
	assert_int_equal(calls, 0);
	assert_int_equal(libvnet_run_until_idle(), 1);
	assert_int_equal(calls, 1);
	assert_int_equal(called_at, SBT_1S);
}

LIBVNET_TEST(end_of_time_never_comes)
{
	callout_init(&co, 1);
	callout_reset_sbt(&co, SBT_MAX, SBT_1S, count, NULL, 0);
	run_ms(1000000);
	assert_int_equal(calls, 0);
	assert_int_equal(callout_stop(&co), 1);
}

LIBVNET_TEST(due_ones_run_by_time_and_then_by_age)
{
	static char a[] = "a", b[] = "b", c[] = "c", d[] = "d";
	struct callout many[4];

	for (int i = 0; i < 4; i++)
		callout_init(&many[i], 1);
	callout_reset(&many[0], 20, count, d);
	callout_reset(&many[1], 10, count, b);
	callout_reset(&many[2], 10, count, a);
	callout_reset(&many[3], 10, count, c);
	/* Armed again, it is the youngest. */
	callout_reset(&many[1], 10, count, b);
	run_ms(100);
	assert_string_equal(order, "acbd");
}

static void
rearm(void *arg)
{
	calls++;
	callout_schedule(arg, 10);
}

LIBVNET_TEST(handler_can_arm_itself_again)
{
	callout_init(&co, 1);
	callout_reset(&co, 10, rearm, &co);
	run_ms(105);
	assert_int_equal(calls, 10);
	assert_int_equal(callout_drain(&co), 1);
	run_ms(100);
	assert_int_equal(calls, 10);
}

static void
rearm_at_once(void *arg)
{
	calls++;
	callout_reset_sbt(&co, 0, 0, rearm_at_once, NULL, 0);
	if (calls == 100)
		callout_stop(&co);
}

LIBVNET_TEST(armed_for_now_by_a_handler_is_an_event_of_its_own)
{
	callout_init(&co, 1);
	callout_reset_sbt(&co, 0, 0, rearm_at_once, NULL, 0);
	assert_true(libvnet_run_until_idle() >= 100);
	assert_int_equal(calls, 100);
}

static void
free_callout(void *arg)
{
	calls++;
	free(arg, M_TEMP);
}

LIBVNET_TEST(handler_can_free_its_callout)
{
	struct callout *c = malloc(sizeof(*c), M_TEMP, M_WAITOK);

	callout_init(c, 1);
	callout_reset(c, 1, free_callout, c);
	run_ms(10);
	assert_int_equal(calls, 1);
}

LIBVNET_TEST(ten_thousand_fire_in_order)
{
	struct callout *many = mallocarray(10000, sizeof(*many), M_TEMP,
	    M_WAITOK);

	for (int i = 0; i < 10000; i++) {
		callout_init(&many[i], 1);
		callout_reset(&many[i], (int)arc4random_uniform(1000) + 1,
		    count, NULL);
	}
	for (int i = 0; i < 10000; i += 2)
		assert_int_equal(callout_stop(&many[i]), 1);
	run_ms(1100);
	assert_int_equal(calls, 5000);
	free(many, M_TEMP);
}

/* ---- stop, drain, reset: what they answer */

LIBVNET_TEST(stop_answers_stopped_or_not_scheduled)
{
	callout_init(&co, 1);
	assert_int_equal(callout_stop(&co), -1);
	callout_reset(&co, 10, count, NULL);
	assert_int_equal(callout_stop(&co), 1);
	assert_false(callout_active(&co));
	assert_int_equal(callout_stop(&co), -1);
	callout_reset(&co, 10, count, NULL);
	assert_int_equal(callout_drain(&co), 1);
	assert_int_equal(callout_drain(&co), -1);
	run_ms(100);
	assert_int_equal(calls, 0);
}

LIBVNET_TEST(stop_of_zeroed_memory_is_not_scheduled)
{
	struct callout zeroed = { .c_cpu = 0 };

	assert_int_equal(callout_stop(&zeroed), -1);
	assert_int_equal(callout_drain(&zeroed), -1);
}

LIBVNET_TEST(reset_answers_whether_it_was_pending)
{
	static char a[] = "a", b[] = "b";

	callout_init(&co, 1);
	assert_int_equal(callout_reset(&co, 10, count, a), 0);
	assert_int_equal(callout_reset(&co, 20, count, b), 1);
	assert_int_equal(callout_schedule(&co, 30), 1);
	run_ms(25);
	assert_int_equal(calls, 0);
	run_ms(10);
	assert_string_equal(order, "b");
	assert_int_equal(callout_reset(&co, 10, count, a), 0);
	callout_stop(&co);
}

static int stop_answer, executing_answer;

static void
stop_itself(void *arg)
{
	executing_answer = _callout_stop_safe(&co, CS_EXECUTING);
	stop_answer = callout_stop(&co);
	calls++;
}

LIBVNET_TEST(handler_cannot_stop_its_own_run)
{
	callout_init(&co, 1);
	callout_reset(&co, 1, stop_itself, NULL);
	run_ms(10);
	assert_int_equal(calls, 1);
	assert_int_equal(stop_answer, 0);
	assert_int_equal(executing_answer, 1);
	assert_false(callout_active(&co));
}

static void
rearm_and_stop(void *arg)
{
	calls++;
	callout_reset(&co, 1, rearm_and_stop, NULL);
	stop_answer = callout_stop(&co);
}

LIBVNET_TEST(handler_that_armed_itself_stops_the_next_run_only)
{
	callout_init(&co, 1);
	callout_reset(&co, 1, rearm_and_stop, NULL);
	run_ms(10);
	assert_int_equal(calls, 1);
	assert_int_equal(stop_answer, 0);
	assert_false(callout_pending(&co));
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
