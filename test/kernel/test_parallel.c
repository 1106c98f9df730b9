/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Many kernel threads on a few CPUs do everything at once.  Meant for
 * --threads=host, where they run in parallel, and right on every carrier.
 * How much is done is counted, not timed.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/counter.h>
#include <sys/epoch.h>
#include <sys/kernel.h>
#include <sys/kthread.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/pcpu.h>
#include <sys/proc.h>
#include <sys/rmlock.h>
#include <sys/rwlock.h>
#include <sys/sched.h>
#include <sys/smp.h>
#include <sys/smr.h>
#include <sys/sx.h>
#include <vm/uma.h>

#include <libvnet/test.h>

#define CPUS 8
#define THREADS 64
#define ROUNDS 100

DPCPU_DEFINE_STATIC(struct thread *, inside);
DPCPU_DEFINE_STATIC(u_long, own);

struct item {
	struct epoch_context i_ctx;
	u_long i_magic, i_copy;
};

static struct {
	struct mtx mtx, spin, done;
	struct rwlock rw;
	struct sx sx;
	struct rmlock rm;
	u_long by_mtx, by_spin, by_rw, by_sx, by_rm, freed;
	counter_u64_t counter, zeroed;
	struct item *item, *smr_item;
	uma_zone_t zone, smr_zone;
	smr_t smr;
	int left, channel;
} s;

static void
make(void)
{
	struct libvnet_options options = {
		.ncpus = CPUS, .threads = libvnet_threads()
	};

	assert_int_equal(libvnet_shutdown(), 0);
	assert_int_equal(libvnet_boot(&options), 0);
	mtx_init(&s.mtx, "mtx", NULL, MTX_DEF);
	mtx_init(&s.done, "done", NULL, MTX_DEF);
	mtx_init(&s.spin, "spin", NULL, MTX_SPIN);
	rw_init(&s.rw, "rw");
	sx_init(&s.sx, "sx");
	rm_init(&s.rm, "rm");
	s.counter = counter_u64_alloc(M_WAITOK);
	s.zeroed = counter_u64_alloc(M_WAITOK);
	s.zone = uma_zcreate("parallel", sizeof(struct item), NULL, NULL, NULL,
	    NULL, UMA_ALIGN_PTR, 0);
	s.item = uma_zalloc(s.zone, M_WAITOK | M_ZERO);
	s.smr_zone = uma_zcreate("parallel smr", sizeof(struct item), NULL,
	    NULL, NULL, NULL, UMA_ALIGN_PTR, UMA_ZONE_SMR);
	s.smr = uma_zone_get_smr(s.smr_zone);
	s.smr_item = uma_zalloc_smr(s.smr_zone, M_WAITOK);
	s.smr_item->i_magic = s.smr_item->i_copy = 0;
}

static void
unmake(void)
{
	epoch_drain_callbacks(global_epoch_preempt);
	uma_zfree(s.zone, s.item);
	uma_zdestroy(s.zone);
	uma_zfree_smr(s.smr_zone, s.smr_item);
	uma_zdestroy(s.smr_zone);
	counter_u64_free(s.counter);
	counter_u64_free(s.zeroed);
}

static void
over(void)
{
	mtx_lock(&s.done);
	s.left--;
	mtx_unlock(&s.done);
	kthread_exit();
}

/* `fn' in so many threads; its argument is their number. */
static void
together(void (*fn)(void *), int threads)
{
	make();
	s.left = threads;
	for (int i = 0; i < threads; i++)
		kthread_add(fn, (void *)(intptr_t)i, NULL, NULL, 0, 0, "p%d",
		    i);
	do
		libvnet_clock_advance_ns(LIBVNET_NS_PER_SECOND);
	while (libvnet_clock_next_ns() >= 0);
	assert_int_equal(s.left, 0);
}

/* ---- what one thread does in a round */

static void
locks(int n)
{
	mtx_lock(&s.mtx);
	s.by_mtx++;
	mtx_unlock(&s.mtx);
	mtx_lock_spin(&s.spin);
	s.by_spin++;
	mtx_unlock_spin(&s.spin);
	if (n % 4 == 0) {
		rw_wlock(&s.rw);
		s.by_rw++;
		rw_wunlock(&s.rw);
	} else {
		rw_rlock(&s.rw);
		(void)*(volatile u_long *)&s.by_rw;
		rw_runlock(&s.rw);
	}
	sx_xlock(&s.sx);
	s.by_sx++;
	sx_xunlock(&s.sx);
}

static void
readers_and_a_writer(int n)
{
	struct rm_priotracker tracker;
	u_long before;

	if (n % 16 == 0) {
		rm_wlock(&s.rm);
		s.by_rm++;
		rm_wunlock(&s.rm);
		return;
	}
	rm_rlock(&s.rm, &tracker);
	before = s.by_rm;
	counter_u64_add(s.zeroed, 1);
	assert_int_equal(s.by_rm, before);
	rm_runlock(&s.rm, &tracker);
}

/* Nobody else is on this CPU, and nobody comes. */
static void
critical(void)
{
	critical_enter();
	assert_null(DPCPU_GET(inside));
	DPCPU_SET(inside, curthread);
	DPCPU_SET(own, DPCPU_GET(own) + 1);
	counter_u64_add(s.counter, 1);
	assert_ptr_equal(PCPU_GET(curthread), curthread);
	assert_ptr_equal(DPCPU_GET(inside), curthread);
	DPCPU_SET(inside, NULL);
	critical_exit();
}

static void
item_free(epoch_context_t ctx)
{
	struct item *item = __containerof(ctx, struct item, i_ctx);

	item->i_magic = 1;		/* no reader may see it */
	uma_zfree(s.zone, item);
	mtx_lock(&s.mtx);
	s.freed++;
	mtx_unlock(&s.mtx);
}

static void
grace(int n)
{
	struct epoch_tracker et;
	struct item *item, *old;

	if (n % 8 == 0) {
		item = uma_zalloc(s.zone, M_WAITOK);
		item->i_magic = item->i_copy = (u_long)n * 2;
		old = (struct item *)atomic_swap_ptr((uintptr_t *)&s.item,
		    (uintptr_t)item);
		epoch_call(global_epoch_preempt, item_free, &old->i_ctx);
		return;
	}
	epoch_enter_preempt(global_epoch_preempt, &et);
	item = (struct item *)atomic_load_acq_ptr((uintptr_t *)&s.item);
	for (int i = 0; i < 10; i++)
		assert_true(item->i_magic % 2 == 0 &&
		    item->i_magic == item->i_copy);
	epoch_exit_preempt(global_epoch_preempt, &et);
}

/* A reader may see an item that is gone, but not one that is used again. */
static void
smr(int n)
{
	struct item *item, *old;

	if (n % 8 == 1) {
		item = uma_zalloc_smr(s.smr_zone, M_WAITOK);
		item->i_magic = item->i_copy = (u_long)n * 2;
		old = (struct item *)atomic_swap_ptr((uintptr_t *)&s.smr_item,
		    (uintptr_t)item);
		uma_zfree_smr(s.smr_zone, old);
		return;
	}
	smr_enter(s.smr);
	item = (struct item *)atomic_load_acq_ptr((uintptr_t *)&s.smr_item);
	for (int i = 0; i < 10; i++)
		assert_true(item->i_magic % 2 == 0 &&
		    item->i_magic == item->i_copy);
	smr_exit(s.smr);
}

static void
moves(int n)
{
	int cpu = n % CPUS;

	thread_lock(curthread);
	sched_bind(curthread, cpu);
	thread_unlock(curthread);
	assert_int_equal(curcpu, cpu);
	kern_yield(PRI_UNCHANGED);
	assert_int_equal(curcpu, cpu);
	thread_lock(curthread);
	sched_unbind(curthread);
	thread_unlock(curthread);
	sched_pin();
	cpu = curcpu;
	pause("pinned", 1);
	assert_int_equal(curcpu, cpu);
	sched_unpin();
}

static void
everything(void *arg)
{
	int me = (int)(intptr_t)arg;

	for (int i = 0; i < ROUNDS; i++) {
		int n = me * 31 + i * 7;

		locks(n);
		readers_and_a_writer(n);
		critical();
		grace(n);
		smr(n);
		free(malloc(64 + (size_t)n % 500, M_TEMP, M_WAITOK), M_TEMP);
		if (n % 32 == 0)
			moves(n / 32);
		if (n % 64 == 1)
			counter_u64_zero(s.zeroed);
		if (n % 64 == 2)
			(void)counter_u64_fetch(s.counter);
		if (n % 64 == 3)
			epoch_wait_preempt(global_epoch_preempt);
		if (n % 64 == 4)
			quiesce_all_cpus("test", 0);
		mtx_lock(&s.mtx);
		if (n % 16 == 5)
			msleep(&s.channel, &s.mtx, 0, "parallel", 2);
		else
			wakeup_one(&s.channel);
		mtx_unlock(&s.mtx);
	}
	over();
}

LIBVNET_TEST(everything_at_once_loses_nothing)
{
	together(everything, THREADS);
	assert_int_equal(s.by_mtx, THREADS * ROUNDS);
	assert_int_equal(s.by_spin, THREADS * ROUNDS);
	assert_int_equal(s.by_sx, THREADS * ROUNDS);
	assert_int_equal(s.by_rw, THREADS * ROUNDS / 4);
	assert_int_equal(counter_u64_fetch(s.counter), THREADS * ROUNDS);
	assert_int_equal(DPCPU_SUM(own), THREADS * ROUNDS);
	unmake();
	assert_int_equal(s.freed, THREADS * ROUNDS / 8);
}

/* ---- counters alone: no lock, no section, no yield */

static void
counts(void *arg)
{
	for (int i = 0; i < 1000; i++) {
		counter_u64_add(s.counter, 1);
		counter_enter();
		counter_u64_add_protected(s.counter, 1);
		counter_exit();
		if (i % 100 == 99)
			kern_yield(PRI_UNCHANGED);
	}
	over();
}

LIBVNET_TEST(counters_lose_nothing)
{
	together(counts, THREADS);
	assert_int_equal(counter_u64_fetch(s.counter), THREADS * 2000);
	unmake();
}

/* ---- more threads in critical sections than CPUs is never seen */

static volatile u_int in_critical, most;

static void
crowds(void *arg)
{
	u_int n;

	for (int i = 0; i < 200; i++) {
		critical_enter();
		n = atomic_fetchadd_int(&in_critical, 1) + 1;
		if (n > atomic_load_int(&most))
			atomic_store_int(&most, n);
		assert_true(n <= CPUS);
		atomic_subtract_int(&in_critical, 1);
		critical_exit();
	}
	over();
}

LIBVNET_TEST(critical_sections_are_no_more_than_cpus)
{
	together(crowds, THREADS);
	assert_in_range(most, 1, CPUS);
	unmake();
}
