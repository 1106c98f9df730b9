/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Stopping and removing while a handler runs, or is about to, in another
 * thread: callouts, event handlers, sysctl nodes.  The test's own thread runs
 * the handlers, the second one stops them.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/callout.h>
#include <sys/eventhandler.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/sysctl.h>

#include <libvnet/test.h>

#include "threads.h"

bool	lvk_callout_pending_in(const void *, size_t, uintptr_t *);

static struct callout co;
static struct mtx mtx;
static volatile int ready, running, finished, calls;
static volatile int answer;

static void
wait_for(volatile int *flag)
{
	while (atomic_load_acq_int((volatile u_int *)flag) == 0)
		threads_yield();
}

static void
set(volatile int *flag)
{
	atomic_store_rel_int((volatile u_int *)flag, 1);
}

static void
count(void *arg __unused)
{
	calls++;
}

static void
run_ms(int64_t ms)
{
	assert_int_equal(libvnet_clock_advance_ns(ms * 1000000), 0);
}

/* Not pending any more: its handler is on its way to the lock. */
static bool
fired(void)
{
#ifdef INVARIANTS
	uintptr_t func;

	return (!lvk_callout_pending_in(&co, 1, &func));
#else
	return ((atomic_load_short(&co.c_iflags) & CALLOUT_PENDING) == 0);
#endif
}

static void
wait_until_fired(void)
{
	while (!fired())
		threads_yield();
}

static void
locked_setup(void)
{
	mtx_init(&mtx, "drain", NULL, MTX_DEF);
	callout_init_mtx(&co, &mtx, 0);
	callout_reset(&co, 1, count, NULL);
}

static void
stop_with_lock(void *arg __unused)
{
	mtx_lock(&mtx);
	set(&ready);
	wait_until_fired();
	answer = callout_stop(&co);
	mtx_unlock(&mtx);
	wait_for(&finished);
}

LIBVNET_TEST(stop_calls_off_a_handler_that_waits_for_the_lock)
{
	locked_setup();
	threads_start(stop_with_lock, NULL);
	wait_for(&ready);
	run_ms(10);
	set(&finished);
	threads_join();
	assert_int_equal(answer, 1);
	assert_int_equal(calls, 0);
	assert_false(callout_active(&co));
	assert_true(mtx_unowned(&mtx));
}

static void
reset_with_lock(void *arg __unused)
{
	mtx_lock(&mtx);
	set(&ready);
	wait_until_fired();
	answer = callout_reset(&co, 100, count, NULL);
	mtx_unlock(&mtx);
	wait_for(&finished);
}

LIBVNET_TEST(reset_calls_off_a_handler_that_waits_for_the_lock)
{
	locked_setup();
	threads_start(reset_with_lock, NULL);
	wait_for(&ready);
	run_ms(10);
	set(&finished);
	threads_join();
	assert_int_equal(answer, 1);
	assert_int_equal(calls, 0);
	run_ms(200);
	assert_int_equal(calls, 1);
}

static void
run_until_ready(void *arg __unused)
{
	set(&running);
	wait_for(&ready);
	calls++;
}

static void
stop_running(void *arg __unused)
{
	wait_for(&running);
	answer = callout_stop(&co);
	set(&ready);
}

LIBVNET_TEST(stop_does_not_stop_a_handler_that_runs)
{
	callout_init(&co, 1);
	callout_reset(&co, 1, run_until_ready, NULL);
	answer = 7;
	threads_start(stop_running, NULL);
	run_ms(10);
	threads_join();
	assert_int_equal(answer, 0);
	assert_int_equal(calls, 1);
}

/* Arming is refused once somebody drains: that is how the handler knows. */
static void
rearm_until_refused(void *arg __unused)
{
	set(&running);
	do {
		threads_yield();
		callout_stop(&co);
		callout_reset(&co, 1, rearm_until_refused, NULL);
	} while (callout_pending(&co));
	calls++;
	set(&finished);
}

static void
drain_running(void *arg __unused)
{
	wait_for(&running);
	answer = callout_drain(&co);
	ready = finished;
}

LIBVNET_TEST(drain_waits_and_the_handler_cannot_arm_itself)
{
	callout_init(&co, 1);
	callout_reset(&co, 1, rearm_until_refused, NULL);
	threads_start(drain_running, NULL);
	run_ms(10);
	threads_join();
	assert_int_equal(ready, 1);
	assert_int_equal(calls, 1);
	assert_false(callout_pending(&co));
	run_ms(100);
	assert_int_equal(calls, 1);
}

/* ---- event handlers */

typedef void (*bell_fn)(void *);
EVENTHANDLER_DECLARE(bell, bell_fn);
static eventhandler_tag tag;

/* The entry is marked dead before its remover waits. */
static bool
dead(void)
{
	struct eventhandler_list *list = eventhandler_find_list("bell");
	bool is = tag->ee_priority == EHE_DEAD_PRIORITY;

	mtx_unlock(&list->el_lock);
	return (is);
}

static void
ring_until_dead(void *arg __unused)
{
	set(&running);
	while (!dead())
		threads_yield();
	for (int i = 0; i < 100; i++)
		threads_yield();
	set(&finished);
}

static void
deregister(void *arg __unused)
{
	wait_for(&running);
	EVENTHANDLER_DEREGISTER(bell, tag);
	answer = finished;
}

LIBVNET_TEST(deregister_waits_for_a_handler_that_runs)
{
	tag = EVENTHANDLER_REGISTER(bell, ring_until_dead, NULL,
	    EVENTHANDLER_PRI_ANY);
	threads_start(deregister, NULL);
	EVENTHANDLER_INVOKE(bell);
	threads_join();
	assert_int_equal(answer, 1);
	running = 0;
	EVENTHANDLER_INVOKE(bell);
	assert_int_equal(running, 0);
}

/* ---- sysctl nodes */

static struct sysctl_oid *oid;

static bool
dying(void)
{
	bool is;

	sysctl_wlock();
	is = (oid->oid_kind & CTLFLAG_DYING) != 0;
	sysctl_wunlock();
	return (is);
}

static int
read_until_dying(SYSCTL_HANDLER_ARGS)
{
	set(&running);
	while (!dying())
		threads_yield();
	for (int i = 0; i < 100; i++)
		threads_yield();
	set(&finished);
	return (0);
}

static void
remove_node(void *arg __unused)
{
	wait_for(&running);
	(void)sysctl_remove_oid(oid, 1, 0);
	answer = finished;
}

LIBVNET_TEST(removal_waits_for_a_handler_that_runs)
{
	size_t len = 0;

	oid = SYSCTL_ADD_PROC(NULL, SYSCTL_STATIC_CHILDREN(_net), OID_AUTO,
	    "slow", CTLTYPE_INT | CTLFLAG_RD | CTLFLAG_MPSAFE, NULL, 0,
	    read_until_dying, "I", "");
	threads_start(remove_node, NULL);
	assert_int_equal(kernel_sysctlbyname(curthread,
	    __DECONST(char *, "net.slow"), NULL, &len, NULL, 0, NULL, 0), 0);
	threads_join();
	assert_int_equal(answer, 1);
	assert_int_equal(kernel_sysctlbyname(curthread,
	    __DECONST(char *, "net.slow"), NULL, &len, NULL, 0, NULL, 0),
	    ENOENT);
}
