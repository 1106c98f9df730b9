/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Data races: each way to order two threads, with it and without.  That a
 * value comes out wrong is not needed: the check is always content.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/kthread.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/rmlock.h>
#include <sys/rwlock.h>
#include <sys/sx.h>
#include <machine/atomic.h>

#include "explored.h"

static struct mtx m;
static struct sx x;
static struct rwlock rw;
static struct rmlock rm;
static int data, flag2;
static u_int flag;
static volatile int vol;
static struct pair { long a, b, c; } from, to;

static void
make(void *arg)
{
	mtx_init(&m, "m", NULL, MTX_DEF);
	sx_init(&x, "x");
	rw_init(&rw, "rw");
	rm_init(&rm, "rm");
}

static bool
fine(void *arg)
{
	return (true);
}

static void
races(void (*a)(void *), void (*b)(void *))
{
	struct libvnet_explore what = {
		.threads = { { "a", a }, { "b", b } },
		.setup = make, .check = fine,
	};

	breaks(what, LIBVNET_SCHEDULE_RACE, 1000, 2);
	what.strategy = LIBVNET_DFS;
	breaks(what, LIBVNET_SCHEDULE_RACE, 1000, 2);
}

static void
ordered(void (*a)(void *), void (*b)(void *))
{
	struct libvnet_explore what = {
		.threads = { { "a", a }, { "b", b } },
		.setup = make, .check = fine,
	};

	holds(what, 3);
	holds_at_random(what, 100);
}

/* ---- none at all */

static void reads(void *arg) { if (data == 2) flag = 1; }
static void writes(void *arg) { data = 1; }

LIBVNET_TEST(read_and_write_race)
{
	races(reads, writes);
	races(writes, writes);
	libvnet_expect("race", "data race at .*thread \"a\" on CPU 0 reads in "
	    "reads at .*test_race.c:[0-9]*, no lock held.*thread \"b\" on CPU "
	    "0 writes in writes at .*test_race.c:[0-9]*, no lock held; nothing "
	    "orders them");
	(void)explored(&(struct libvnet_explore){
	    .threads = { { "a", reads }, { "b", writes } }, .check = fine,
	    .strategy = LIBVNET_DFS });
}

LIBVNET_TEST(known_place_is_ignored)
{
	struct libvnet_explore what = {
		.threads = { { "a", reads }, { "b", writes } },
		.check = fine, .ignore = "^writes at ",
	};

	holds(what, -1);
	what.ignore = "^nothing at ";
	breaks(what, LIBVNET_SCHEDULE_RACE, 1000, 1);
	what.ignore = "(";
	assert_int_equal(libvnet_explore(&what, NULL), LIBVNET_EINVAL);
}

static void reads_too(void *arg) { if (data == 3) flag2 = 1; }

LIBVNET_TEST(two_reads_do_not)
{
	ordered(reads, reads_too);
}

/* ---- locks */

static void
under_m(void *arg)
{
	mtx_lock(&m);
	data++;
	mtx_unlock(&m);
}

static void
under_x(void *arg)
{
	sx_xlock(&x);
	data++;
	sx_xunlock(&x);
}

static void
shares_x(void *arg)
{
	sx_slock(&x);
	if (data == 7)
		panic("seven");
	sx_sunlock(&x);
}

static void
writes_sharing_x(void *arg)
{
	sx_slock(&x);
	data++;
	sx_sunlock(&x);
}

static void
under_rw(void *arg)
{
	rw_wlock(&rw);
	data++;
	rw_wunlock(&rw);
}

static void
reads_rw(void *arg)
{
	rw_rlock(&rw);
	if (data == 7)
		panic("seven");
	rw_runlock(&rw);
}

static void
under_rm(void *arg)
{
	rm_wlock(&rm);
	data++;
	rm_wunlock(&rm);
}

static void
reads_rm(void *arg)
{
	struct rm_priotracker t;

	rm_rlock(&rm, &t);
	if (data == 7)
		panic("seven");
	rm_runlock(&rm, &t);
}

LIBVNET_TEST(one_lock_orders)
{
	ordered(under_m, under_m);
	ordered(under_x, under_x);
	ordered(under_x, shares_x);
	ordered(under_rw, reads_rw);
	ordered(under_rw, under_rw);
	ordered(under_rm, reads_rm);
}

LIBVNET_TEST(two_locks_do_not)
{
	races(under_m, under_x);
	races(under_rw, under_rm);
	races(under_m, writes);
	races(under_rw, reads_rm);
	libvnet_expect("race", "writes? in [a-z_]* at [^;]*, with \"(m|x)\"; ");
	(void)explored(&(struct libvnet_explore){
	    .threads = { { "a", under_m }, { "b", under_x } }, .setup = make,
	    .check = fine });
}

LIBVNET_TEST(sharing_a_lock_does_not_order_writes)
{
	races(writes_sharing_x, writes_sharing_x);
}

/* ---- atomics */

static void
publish(void *arg)
{
	data = 1;
	atomic_store_rel_int(&flag, 1);
}

static void
consume(void *arg)
{
	if (atomic_load_acq_int(&flag) != 0 && data != 1)
		panic("not published");
}

static void
publish_relaxed(void *arg)
{
	data = 1;
	atomic_store_int(&flag, 1);
}

static void
consume_relaxed(void *arg)
{
	if (atomic_load_int(&flag) != 0 && data != 1)
		panic("not published");
}

static void
publish_fence(void *arg)
{
	data = 1;
	atomic_thread_fence_rel();
	atomic_store_int(&flag, 1);
}

static void
consume_fence(void *arg)
{
	if (atomic_load_int(&flag) != 0) {
		atomic_thread_fence_acq();
		if (data != 1)
			panic("not published");
	}
}

static void
publish_volatile(void *arg)
{
	data = 1;
	vol = 1;
}

static void
consume_volatile(void *arg)
{
	if (vol != 0 && data != 1)
		panic("not published");
}

LIBVNET_TEST(acquire_and_release_order)
{
	ordered(publish, consume);
	ordered(publish_fence, consume_fence);
	ordered(publish, consume_fence);
}

LIBVNET_TEST(relaxed_atomics_do_not)
{
	races(publish_relaxed, consume_relaxed);
	races(publish_relaxed, consume);
	races(publish, consume_relaxed);
	races(publish_volatile, consume_volatile);
}

static void
counts(void *arg)
{
	vol = 1;
	atomic_add_int(&flag, 1);
}

LIBVNET_TEST(atomics_and_volatiles_alone_do_not_race)
{
#ifdef LIBVNET_EXPLORE_COVERAGE
	libvnet_skip("coverage does not tell volatile accesses from others");
#endif
	ordered(counts, counts);
}

static void adds(void *arg) { atomic_add_int(&flag, 1); }
static void looks(void *arg) { if (flag > 7) panic("more than seven"); }
static void sets(void *arg) { flag = 1; }

LIBVNET_TEST(plain_read_of_an_atomic_is_a_habit)
{
	struct libvnet_explore what = {
		.threads = { { "a", adds }, { "b", looks } },
		.check = fine, .strict = true,
	};

	ordered(adds, looks);
	breaks(what, LIBVNET_SCHEDULE_RACE, 1000, 2);
	races(adds, sets);
}

/* ---- copies */

static void
copies(void *arg)
{
	to = from;
}

static void
changes(void *arg)
{
	from.c = 3;
}

static void
clears(void *arg)
{
	memset(&from, 0, sizeof(from));
}

static void
copies_by_call(void *arg)
{
	memcpy(&to, &from, sizeof(to));
}

LIBVNET_TEST(copies_of_structs_are_seen)
{
	races(copies, changes);
	races(copies_by_call, changes);
	races(clears, changes);
}

/* ---- threads, sleep and wakeup */

/* clang's coverage leaves out functions that begin with what never returns. */
static void
child(void *arg)
{
	if (arg == NULL)
		data++;
	mtx_lock(&m);
	flag = 1;
	mtx_unlock(&m);
	kthread_exit();
}

static void
makes_child(void *arg)
{
	struct thread *td;

	data = 1;
	(void)kthread_add(child, NULL, NULL, &td, 0, 0, "child");
}

static void
touches_beside_child(void *arg)
{
	makes_child(arg);
	data++;
}

static void
idle(void *arg)
{
}

LIBVNET_TEST(start_of_a_thread_orders)
{
	ordered(makes_child, idle);
}

LIBVNET_TEST(its_end_is_not_its_start)
{
	races(touches_beside_child, idle);
}

static void
sleeps(void *arg)
{
	data++;
	mtx_lock(&m);
	while (flag == 0)
		msleep(&flag, &m, PDROP, "flag", 0), mtx_lock(&m);
	mtx_unlock(&m);
	data++;
}

static void
wakes(void *arg)
{
	mtx_lock(&m);
	flag = 1;
	wakeup(&flag);
	mtx_unlock(&m);
}

LIBVNET_TEST(sleep_and_wakeup_order)
{
	ordered(sleeps, wakes);
}
