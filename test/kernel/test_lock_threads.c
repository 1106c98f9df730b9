/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two host threads at one lock: each kind keeps them apart, and the thread
 * sanitizer sees that it does.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/epoch.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/rmlock.h>
#include <sys/rwlock.h>
#include <sys/sx.h>
#include <vm/uma.h>

#include <libvnet/test.h>

#include "threads.h"

#define ROUNDS 20000

static struct mtx mtx;
static struct rwlock rw;
static struct sx sx;
static struct rmlock rm;
static uma_zone_t zone;

static u_long counter;		/* each increment needs the lock */
static u_long mirror;		/* equal to it while the lock is free */
static volatile u_int torn;	/* a reader saw them differ */

static void
increment(void)
{
	counter++;
	mirror++;
}

static void
compare(void)
{
	if (counter != mirror)
		atomic_store_int(&torn, 1);
}

/* The same work in two threads. */
static void
together(void (*fn)(void *))
{
	threads_start(fn, NULL);
	fn(NULL);
	threads_join();
	assert_int_equal(counter, 2 * ROUNDS);
	assert_int_equal(mirror, 2 * ROUNDS);
	assert_int_equal(torn, 0);
	assert_int_equal(curthread->td_locks, 0);
}

static void
use_mtx(void *arg __unused)
{
	for (int i = 0; i < ROUNDS; i++) {
		if (i % 2 == 0)
			mtx_lock(&mtx);
		else
			while (mtx_trylock(&mtx) == 0)
				threads_yield();
		increment();
		mtx_unlock(&mtx);
	}
}

LIBVNET_TEST(mtx_keeps_two_threads_apart)
{
	mtx_init(&mtx, "mtx", NULL, MTX_DEF);
	together(use_mtx);
}

static void
use_spin(void *arg __unused)
{
	for (int i = 0; i < ROUNDS; i++) {
		mtx_lock_spin(&mtx);
		increment();
		mtx_unlock_spin(&mtx);
	}
}

LIBVNET_TEST(mtx_spin_keeps_two_threads_apart)
{
	mtx_init(&mtx, "spin", NULL, MTX_SPIN);
	together(use_spin);
}

static void
use_rw(void *arg __unused)
{
	for (int i = 0; i < ROUNDS; i++) {
		rw_rlock(&rw);
		compare();
		if (rw_try_upgrade(&rw) == 0) {
			rw_runlock(&rw);
			rw_wlock(&rw);
		}
		increment();
		if (i % 3 == 0) {
			rw_downgrade(&rw);
			compare();
		}
		rw_unlock(&rw);
	}
}

LIBVNET_TEST(rw_keeps_two_threads_apart)
{
	rw_init(&rw, "rw");
	together(use_rw);
}

static void
use_sx(void *arg __unused)
{
	for (int i = 0; i < ROUNDS; i++) {
		sx_slock(&sx);
		compare();
		if (sx_try_upgrade(&sx) == 0) {
			sx_sunlock(&sx);
			sx_xlock(&sx);
		}
		increment();
		if (i % 3 == 0) {
			sx_downgrade(&sx);
			compare();
		}
		sx_unlock(&sx);
	}
}

LIBVNET_TEST(sx_keeps_two_threads_apart)
{
	sx_init(&sx, "sx");
	together(use_sx);
}

static void
use_rm(void *arg __unused)
{
	struct rm_priotracker t;

	for (int i = 0; i < ROUNDS; i++) {
		if (i % 2 == 0 || rm_try_rlock(&rm, &t) == 0)
			rm_rlock(&rm, &t);
		compare();
		rm_runlock(&rm, &t);
		rm_wlock(&rm);
		increment();
		rm_wunlock(&rm);
	}
}

LIBVNET_TEST(rm_keeps_two_threads_apart)
{
	rm_init(&rm, "rm");
	together(use_rm);
}

LIBVNET_TEST(rm_sleepable_keeps_two_threads_apart)
{
	rm_init_flags(&rm, "rm", RM_SLEEPABLE);
	together(use_rm);
}

/* ---- epoch: what was published may go when the grace period is over */

static u_long *volatile published;
static volatile u_int done;

static void
read_published(void *arg __unused)
{
	struct epoch_tracker et;

	while (atomic_load_acq_int(&done) == 0) {
		NET_EPOCH_ENTER(et);
		if (*(u_long *)atomic_load_consume_ptr(&published) != 42)
			atomic_store_int(&torn, 1);
		NET_EPOCH_EXIT(et);
	}
}

static u_long *
publish(u_long *p)
{
	*p = 42;
	return ((u_long *)atomic_swap_ptr((volatile uintptr_t *)&published,
	    (uintptr_t)p));
}

LIBVNET_TEST(epoch_wait_lets_readers_out_under_constant_load)
{
	u_long *old;

	publish(malloc(sizeof(u_long), M_TEMP, M_WAITOK));
	threads_start(read_published, NULL);
	for (int i = 0; i < 1000; i++) {
		old = publish(malloc(sizeof(u_long), M_TEMP, M_WAITOK));
		NET_EPOCH_WAIT();
		*old = 0;
		free(old, M_TEMP);
	}
	atomic_store_rel_int(&done, 1);
	threads_join();
	assert_int_equal(torn, 0);
	free(published, M_TEMP);
}

struct deferred {
	u_long value;
	struct epoch_context ctx;
};

static void
deferred_free(epoch_context_t ctx)
{
	struct deferred *d = __containerof(ctx, struct deferred, ctx);

	d->value = 0;
	free(d, M_TEMP);
}

LIBVNET_TEST(epoch_callbacks_run_under_constant_load)
{
	struct deferred *d;
	u_long *old;

	publish(&((struct deferred *)malloc(sizeof(*d), M_TEMP,
	    M_WAITOK))->value);
	threads_start(read_published, NULL);
	for (int i = 0; i < 1000; i++) {
		d = malloc(sizeof(*d), M_TEMP, M_WAITOK);
		old = publish(&d->value);
		d = __containerof(old, struct deferred, value);
		NET_EPOCH_CALL(deferred_free, &d->ctx);
		if (i % 100 == 0)
			NET_EPOCH_DRAIN_CALLBACKS();
	}
	NET_EPOCH_DRAIN_CALLBACKS();
	atomic_store_rel_int(&done, 1);
	threads_join();
	assert_int_equal(torn, 0);
	free(__containerof(__DEVOLATILE(u_long *, published), struct deferred,
	    value), M_TEMP);
}

/* ---- memory */

static void
use_zone(void *arg __unused)
{
	u_long *p[4];

	for (int i = 0; i < ROUNDS / 4; i++) {
		for (size_t n = 0; n < nitems(p); n++) {
			p[n] = uma_zalloc(zone, M_WAITOK);
			*p[n] = n;
		}
		for (size_t n = 0; n < nitems(p); n++) {
			if (*p[n] != n)
				atomic_store_int(&torn, 1);
			uma_zfree(zone, p[n]);
		}
	}
}

LIBVNET_TEST(uma_gives_an_item_to_one_thread_only)
{
	zone = uma_zcreate("z", sizeof(u_long), NULL, NULL, NULL, NULL,
	    UMA_ALIGN_PTR, 0);
	threads_start(use_zone, NULL);
	use_zone(NULL);
	threads_join();
	assert_int_equal(torn, 0);
	assert_int_equal(uma_zone_get_cur(zone), 0);
	uma_zdestroy(zone);
}

static void
use_pcpu(void *arg __unused)
{
	uint64_t *p[4];

	for (int i = 0; i < ROUNDS / 4; i++) {
		for (size_t n = 0; n < nitems(p); n++) {
			p[n] = uma_zalloc_pcpu(pcpu_zone_8, M_WAITOK);
			*p[n] = n;
		}
		for (size_t n = 0; n < nitems(p); n++) {
			if (*p[n] != n)
				atomic_store_int(&torn, 1);
			uma_zfree_pcpu(pcpu_zone_8, p[n]);
		}
	}
}

LIBVNET_TEST(uma_gives_an_item_per_cpu_to_one_thread_only)
{
	int before = uma_zone_get_cur(pcpu_zone_8);

	threads_start(use_pcpu, NULL);
	use_pcpu(NULL);
	threads_join();
	assert_int_equal(torn, 0);
	assert_int_equal(uma_zone_get_cur(pcpu_zone_8), before);
}

/* ---- sleeping */

static int channel;
static bool posted;
static volatile u_int arrived;

static void
post(void *arg __unused)
{
	atomic_store_rel_int(&arrived, 1);
	mtx_lock(&mtx);
	posted = true;
	wakeup(&channel);
	mtx_unlock(&mtx);
}

LIBVNET_TEST(sleep_ends_when_another_thread_wakes)
{
	mtx_init(&mtx, "mtx", NULL, MTX_DEF);
	threads_start(post, NULL);
	/* A thread that sleeps all alone would not be woken. */
	while (atomic_load_acq_int(&arrived) == 0)
		threads_yield();
	mtx_lock(&mtx);
	while (!posted)
		msleep(&channel, &mtx, 0, "test", 0);
	mtx_unlock(&mtx);
	threads_join();
}
