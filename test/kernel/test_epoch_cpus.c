/* SPDX-License-Identifier: BSD-2-Clause */
/* epoch(9) and rmlock(9) with readers and writers on several CPUs. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/epoch.h>
#include <sys/kernel.h>
#include <sys/kthread.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/pcpu.h>
#include <sys/proc.h>
#include <sys/rmlock.h>
#include <sys/sched.h>
#include <sys/smp.h>

#include <libvnet/test.h>

struct item {
	struct epoch_context i_ctx;
	u_int i_value;
};

static struct mtx m, gates[2];
static struct rmlock rm;
static char order[32];
static int norder;
static struct item *item;
static u_int kept;

/* Everybody migrates each time that it can; both gates are closed. */
static void
boot(void)
{
	struct libvnet_options options = {
		.ncpus = 4, .cpu_policy = LIBVNET_CPU_ROTATE,
		.threads = libvnet_threads()
	};

	assert_int_equal(libvnet_shutdown(), 0);
	assert_int_equal(libvnet_boot(&options), 0);
	mtx_init(&m, "m", NULL, MTX_DEF);
	rm_init(&rm, "rm");
	for (u_int i = 0; i < nitems(gates); i++) {
		mtx_init(&gates[i], "gate", NULL, MTX_DEF | MTX_DUPOK);
		mtx_lock(&gates[i]);
	}
}

static void
pass(struct mtx *gate)
{
	mtx_lock(gate);
	mtx_unlock(gate);
}

static void
note(char c)
{
	mtx_lock(&m);
	order[norder++] = c;
	mtx_unlock(&m);
}

static bool
noted(char c)
{
	bool is;

	mtx_lock(&m);
	is = strchr(order, c) != NULL;
	mtx_unlock(&m);
	return (is);
}

static void
start(void (*fn)(void *), void *arg, char until)
{
	kthread_add(fn, arg, NULL, NULL, 0, 0, "t%c", until);
	while (!noted(until))
		kern_yield(PRI_UNCHANGED);
}

/* It does not come, however long the others run. */
static void
never(char c)
{
	for (int i = 0; i < 100; i++) {
		kern_yield(PRI_UNCHANGED);
		assert_false(noted(c));
	}
}

static bool
before(char a, char b)
{
	return (strchr(order, a) < strchr(order, b));
}

/* ---- sections that are open while others wait */

/* In a preemptible section a thread may wait for a mutex. */
static void
reads(void *arg)
{
	struct mtx *gate = arg;
	bool first = gate == &gates[0];
	struct epoch_tracker et;
	int cpu;

	epoch_enter_preempt(global_epoch_preempt, &et);
	assert_true(in_epoch(global_epoch_preempt));
	cpu = curcpu;
	note(first ? 'a' : 'b');
	pass(gate);
	assert_int_equal(curcpu, cpu);
	note(first ? 'A' : 'B');
	epoch_exit_preempt(global_epoch_preempt, &et);
	assert_false(in_epoch(global_epoch_preempt));
	kthread_exit();
}

static void
waits(void *arg __unused)
{
	note('w');
	epoch_wait_preempt(global_epoch_preempt);
	note('W');
	kthread_exit();
}

LIBVNET_TEST(wait_lasts_until_sections_on_other_cpus_end)
{
	boot();
	start(reads, &gates[0], 'a');
	assert_false(in_epoch(global_epoch_preempt));
	start(waits, NULL, 'w');
	never('W');
	mtx_unlock(&gates[0]);
	libvnet_run_until_idle();
	assert_true(before('A', 'W'));
	mtx_unlock(&gates[1]);
}

LIBVNET_TEST(wait_is_not_for_sections_that_begin_later)
{
	boot();
	start(reads, &gates[0], 'a');
	start(waits, NULL, 'w');
	start(reads, &gates[1], 'b');
	never('W');
	mtx_unlock(&gates[0]);
	while (!noted('W'))
		kern_yield(PRI_UNCHANGED);
	assert_true(before('A', 'W'));
	assert_false(noted('B'));
	mtx_unlock(&gates[1]);
	libvnet_run_until_idle();
	assert_true(noted('B'));
}

static void
drains(void *arg __unused)
{
	note('w');
	epoch_drain_callbacks(global_epoch_preempt);
	note('W');
	kthread_exit();
}

static void
freed(epoch_context_t ctx)
{
	note('F');
	free(__containerof(ctx, struct item, i_ctx), M_TEMP);
}

static void
publish(void)
{
	/* The gates, which the caller holds, are mutexes. */
	item = malloc(sizeof(*item), M_TEMP, M_NOWAIT | M_ZERO);
	item->i_value = 42;
}

LIBVNET_TEST(callback_and_drain_come_after_sections_on_other_cpus)
{
	boot();
	publish();
	start(reads, &gates[0], 'a');
	epoch_call(global_epoch_preempt, freed, &item->i_ctx);
	start(drains, NULL, 'w');
	never('F');
	assert_int_equal(item->i_value, 42);
	mtx_unlock(&gates[0]);
	libvnet_run_until_idle();
	assert_true(before('A', 'F') && before('F', 'W'));
	mtx_unlock(&gates[1]);
}

/* ---- an item that is used after its grace period, and the same rightly */

static void
looks_again(void *arg)
{
	bool inside = arg != NULL;
	struct epoch_tracker et;
	struct item *mine;

	epoch_enter_preempt(global_epoch_preempt, &et);
	mine = item;
	if (!inside)
		epoch_exit_preempt(global_epoch_preempt, &et);
	note('a');
	pass(&gates[0]);
	kept = mine->i_value;
	if (inside)
		epoch_exit_preempt(global_epoch_preempt, &et);
	note('A');
	kthread_exit();
}

static void
remove_meanwhile(bool inside)
{
	boot();
	publish();
	start(looks_again, inside ? item : NULL, 'a');
	epoch_call(global_epoch_preempt, freed, &item->i_ctx);
	if (!inside)
		start(drains, NULL, 'W');
	mtx_unlock(&gates[0]);
	libvnet_run_until_idle();
	assert_true(noted('A') && noted('F'));
	mtx_unlock(&gates[1]);
}

LIBVNET_TEST(item_lives_as_long_as_the_section)
{
	remove_meanwhile(true);
	assert_int_equal(kept, 42);
	assert_true(before('A', 'F'));
}

#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if defined(INVARIANTS) && !defined(__SANITIZE_ADDRESS__) && \
    !__has_feature(address_sanitizer) && !__has_feature(memory_sanitizer)
/* A sanitizer stops at the read: test/sanitize. */
LIBVNET_TEST(item_used_after_the_section_is_trash)
{
	remove_meanwhile(false);
	assert_int_equal(kept, 0xdeadc0de);
}
#endif

/* ---- sections that are not preempted: others must run meanwhile */

static epoch_t critical;
static volatile u_int leave;

static void
spins(void *arg __unused)
{
	epoch_enter(critical);
	atomic_store_rel_int(&leave, 1);
	while (atomic_load_acq_int(&leave) != 2)
		;
	note('A');
	epoch_exit(critical);
	kthread_exit();
}

static void
waits_for_spins(void *arg __unused)
{
	note('w');
	epoch_wait(critical);
	note('W');
	kthread_exit();
}

LIBVNET_TEST(wait_lasts_until_critical_sections_on_other_cpus_end)
{
	if (libvnet_threads() != LIBVNET_THREADS_HOST)
		libvnet_skip("nothing else runs while a thread is in one");
	boot();
	mtx_unlock(&gates[0]);
	mtx_unlock(&gates[1]);
	critical = epoch_alloc("critical", 0);
	kthread_add(spins, NULL, NULL, NULL, 0, 0, "s");
	while (atomic_load_acq_int(&leave) != 1)
		kern_yield(PRI_UNCHANGED);
	assert_false(in_epoch(critical));
	start(waits_for_spins, NULL, 'w');
	never('W');
	atomic_store_rel_int(&leave, 2);
	libvnet_run_until_idle();
	assert_true(before('A', 'W'));
	epoch_free(critical);
}

/* ---- rmlock */

static void
rm_reads(void *arg)
{
	struct rm_priotracker tracker;
	int cpu;

	rm_rlock(&rm, &tracker);
	cpu = curcpu;
	note('a');
	pass(arg);
	assert_int_equal(curcpu, cpu);
	note('A');
	rm_runlock(&rm, &tracker);
	kthread_exit();
}

static void
rm_writes(void *arg __unused)
{
	note('w');
	rm_wlock(&rm);
	note('W');
	rm_wunlock(&rm);
	kthread_exit();
}

static void
rm_reads_later(void *arg __unused)
{
	struct rm_priotracker tracker;

	note('l');
	rm_rlock(&rm, &tracker);
	note('L');
	rm_runlock(&rm, &tracker);
	kthread_exit();
}

LIBVNET_TEST(rm_writer_waits_for_readers_on_other_cpus)
{
	boot();
	start(rm_reads, &gates[0], 'a');
	start(rm_writes, NULL, 'w');
	never('W');
	start(rm_reads_later, NULL, 'l');	/* a writer waits: not before it */
	never('L');
	mtx_unlock(&gates[0]);
	libvnet_run_until_idle();
	assert_true(before('A', 'W') && before('A', 'L'));
	assert_true(noted('L'));
	mtx_unlock(&gates[1]);
}
