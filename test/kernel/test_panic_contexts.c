/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A panic ends one test wherever it comes from, and the next one begins as if
 * nothing had been.  After each panic come healthy tests: with --repeat=500,
 * a thousand.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/callout.h>
#include <sys/epoch.h>
#include <sys/kernel.h>
#include <sys/kthread.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/rmlock.h>
#include <sys/rwlock.h>
#include <sys/sx.h>
#include <vm/uma.h>

#include <libvnet/test.h>

#undef malloc
static MALLOC_DEFINE(M_PANIC, "panic test", "what a panic leaves behind");

static struct mtx m;
static struct sx sx;
static struct rwlock rw;
static struct rmlock rm;
static struct callout c;
static int step, channel;

static void
locks_init(void *arg __unused)
{
	mtx_init(&m, "m", NULL, MTX_DEF);
	sx_init(&sx, "sx");
	rw_init(&rw, "rw");
	rm_init(&rm, "rm");
}
SYSINIT(panic_locks, SI_SUB_INIT_IF, SI_ORDER_ANY, locks_init, NULL);

/* What a vnet's own code does when a test asks for it. */
enum where { NOWHERE, INIT, UNINIT };
static enum where where;

VNET_DEFINE_STATIC(int, value) = 7;
#define V_value VNET(value)

static void
value_init(void *arg __unused)
{
	if (where == INIT)
		panic("in a constructor of vnet %d", curvnet != NULL);
}
VNET_SYSINIT(value_init, SI_SUB_PROTO_DOMAIN, SI_ORDER_ANY, value_init, NULL);

static void
value_uninit(void *arg __unused)
{
	if (where == UNINIT)
		panic("in a destructor");
}
VNET_SYSUNINIT(value_uninit, SI_SUB_PROTO_DOMAIN, SI_ORDER_ANY, value_uninit,
    NULL);

/* ---- a healthy test: everything works, nothing is left of before */

static void
worker(void *arg __unused)
{
	mtx_lock(&m);
	step++;
	wakeup(&channel);
	mtx_unlock(&m);
	kthread_exit();
}

static void
healthy(void)
{
	struct rm_priotracker t;
	void *mem;

	assert_int_equal(step, 0);
	assert_int_equal(curthread->td_locks, 0);
	assert_int_equal(curthread->td_critnest, 0);
	assert_ptr_equal(curthread, &thread0);
	sx_xlock(&sx);
	sx_xunlock(&sx);
	rw_wlock(&rw);
	rw_wunlock(&rw);
	rm_rlock(&rm, &t);
	rm_runlock(&rm, &t);
	mem = malloc(1000, M_PANIC, M_WAITOK | M_ZERO);
	kthread_add(worker, NULL, NULL, NULL, 0, 0, "worker");
	mtx_lock(&m);
	while (step == 0)
		msleep(&channel, &m, 0, "healthy", hz);
	mtx_unlock(&m);
	assert_int_equal(step, 1);
	free(mem, M_PANIC);
}

#define HEALTHY(id)							\
LIBVNET_TEST_VNET(id##_then_healthy, v)					\
{									\
	healthy();							\
	assert_int_equal(V_value, 7);					\
}									\
LIBVNET_TEST(id##_then_healthy_again)					\
{									\
	healthy();							\
}

/* ---- in threads */

static void
take_all(void)
{
	static struct rm_priotracker t;

	sx_xlock(&sx);
	rw_wlock(&rw);
	rm_rlock(&rm, &t);
	mtx_lock(&m);
}

static void
panics(void *arg)
{
	panic("in thread \"%s\"", curthread->td_name);
}

static void
panics_with_locks(void *arg)
{
	take_all();
	critical_enter();
	panic("with %d locks", curthread->td_locks);
}

LIBVNET_TEST(panic_in_a_thread)
{
	libvnet_expect_panic("^in thread \"t\"$");
	kthread_add(panics, NULL, NULL, NULL, 0, 0, "t");
	libvnet_run_until_idle();
}
HEALTHY(panic_in_a_thread)

LIBVNET_TEST(panic_with_locks_held)
{
	libvnet_expect_panic("^with 4 locks");
	take_all();
	critical_enter();
	panic("with %d locks", curthread->td_locks);
}
HEALTHY(panic_with_locks_held)

LIBVNET_TEST(panic_in_a_thread_with_locks)
{
	libvnet_expect_panic("^with 4 locks");
	kthread_add(panics_with_locks, NULL, NULL, NULL, 0, 0, "t");
	pause("test", hz);
}
HEALTHY(panic_in_a_thread_with_locks)

/* Each makes the next and waits for it; the innermost panics. */
static void
nested(void *arg)
{
	intptr_t depth = (intptr_t)arg;
	char space[256];

	memset(space, (int)depth, sizeof(space));
	if (depth == 0)
		panic("innermost, %d", space[0]);
	kthread_add(nested, (void *)(depth - 1), NULL, NULL, 0, 0, "n%d",
	    (int)depth);
	tsleep(&channel, 0, "nested", 10 * hz);
	kthread_exit();
}

LIBVNET_TEST(panic_in_nested_threads)
{
	libvnet_expect_panic("^innermost");
	kthread_add(nested, (void *)10, NULL, NULL, 0, 0, "outermost");
	tsleep(&channel, 0, "test", hz);
}
HEALTHY(panic_in_nested_threads)

static struct vnet *one, *other;

static void
panics_in_two_vnets(void *arg __unused)
{
	CURVNET_SET(one);
	{
		CURVNET_SET(other);
		V_value = 99;
		panic("two vnets deep");
	}
}

LIBVNET_TEST_VNETS(panic_in_a_nested_vnet, a, b)
{
	one = a;
	other = b;
	libvnet_expect_panic("^two vnets deep");
	kthread_add(panics_in_two_vnets, NULL, NULL, NULL, 0, 0, "t");
	pause("test", hz);
}
HEALTHY(panic_in_a_nested_vnet)

/* ---- in interrupts */

static void
panics_in_callout(void *arg __unused)
{
	mtx_assert(&m, MA_OWNED);
	panic("in a callout");
}

LIBVNET_TEST(panic_in_a_callout)
{
	libvnet_expect_panic("^in a callout");
	callout_init_mtx(&c, &m, 0);
	callout_reset(&c, 1, panics_in_callout, NULL);
	libvnet_clock_advance_ns(LIBVNET_NS_PER_SECOND);
}
HEALTHY(panic_in_a_callout)

static void
callout_while_asleep(void *arg __unused)
{
	callout_init_mtx(&c, &m, 0);
	callout_reset(&c, 1, panics_in_callout, NULL);
	pause("asleep", hz);
	kthread_exit();
}

LIBVNET_TEST(panic_in_a_callout_while_all_sleep)
{
	libvnet_expect_panic("^in a callout");
	kthread_add(callout_while_asleep, NULL, NULL, NULL, 0, 0, "t");
	pause("test", hz);
}
HEALTHY(panic_in_a_callout_while_all_sleep)

static void
panics_in_epoch(epoch_context_t ctx __unused)
{
	panic("in an epoch callback");
}

LIBVNET_TEST(panic_in_an_epoch_callback)
{
	static struct epoch_context ctx;

	libvnet_expect_panic("^in an epoch callback");
	NET_EPOCH_CALL(panics_in_epoch, &ctx);
	pause("test", hz);
}
HEALTHY(panic_in_an_epoch_callback)

static void
drains(void *arg __unused)
{
	static struct epoch_context ctx;

	NET_EPOCH_CALL(panics_in_epoch, &ctx);
	epoch_drain_callbacks(net_epoch_preempt);
	kthread_exit();
}

LIBVNET_TEST(panic_in_an_epoch_callback_of_a_thread)
{
	libvnet_expect_panic("^in an epoch callback");
	kthread_add(drains, NULL, NULL, NULL, 0, 0, "t");
	libvnet_run_until_idle();
}
HEALTHY(panic_in_an_epoch_callback_of_a_thread)

LIBVNET_TEST(panic_in_an_epoch_section)
{
	struct epoch_tracker et;

	libvnet_expect_panic("^in a section");
	NET_EPOCH_ENTER(et);
	panic("in a section");
}
HEALTHY(panic_in_an_epoch_section)

/* ---- while vnets come and go */

LIBVNET_TEST(panic_in_a_vnet_constructor)
{
	struct vnet *v;

	if (libvnet_create(&v) == LIBVNET_ENOTSUP)
		libvnet_skip("needs option VIMAGE");
	libvnet_expect_panic("^in a constructor of vnet 1");
	where = INIT;
	libvnet_create(&v);
}
HEALTHY(panic_in_a_vnet_constructor)

LIBVNET_TEST_VNETS(panic_in_a_vnet_destructor, a, b)
{
	libvnet_expect_panic("^in a destructor");
	where = UNINIT;
	libvnet_destroy(a);
}
HEALTHY(panic_in_a_vnet_destructor)

static void
destroys(void *arg)
{
	where = UNINIT;
	libvnet_destroy(arg);
	kthread_exit();
}

LIBVNET_TEST_VNETS(panic_in_a_vnet_destructor_of_a_thread, a, b)
{
	libvnet_expect_panic("^in a destructor");
	kthread_add(destroys, b, NULL, NULL, 0, 0, "t");
	libvnet_run_until_idle();
}
HEALTHY(panic_in_a_vnet_destructor_of_a_thread)

/* ---- during boot */

static int boot_panics;
TUNABLE_INT("test.boot_panics", &boot_panics);

static void
sysinit_panics(void *arg __unused)
{
	if (boot_panics == 1)
		panic("in a SYSINIT");
	if (boot_panics == 2)
		kthread_add(panics_with_locks, NULL, NULL, NULL, 0, 0, "t");
	if (boot_panics == 2)
		pause("boot", hz);
}
SYSINIT(panic_boot, SI_SUB_PROTO_END, SI_ORDER_ANY, sysinit_panics, NULL);

/* Nothing of this file is as it was after the first line. */
static void
boot_again(const char *kenv)
{
	struct libvnet_options options = {
		.kenv = kenv, .threads = libvnet_threads()
	};

	libvnet_abandon();
	libvnet_boot(&options);
}

LIBVNET_TEST(panic_in_a_sysinit)
{
	libvnet_expect_panic("^in a SYSINIT");
	boot_again("test.boot_panics=1");
}
HEALTHY(panic_in_a_sysinit)

LIBVNET_TEST(panic_in_a_thread_while_a_sysinit_sleeps)
{
	libvnet_expect_panic("^with 4 locks");
	boot_again("test.boot_panics=2");
}
HEALTHY(panic_in_a_thread_while_a_sysinit_sleeps)

/* ---- in the heap */

static int
item_init(void *mem __unused, int size __unused, int flags __unused)
{
	panic("in a zone's init");
}

LIBVNET_TEST(panic_in_a_zone_init)
{
	uma_zone_t z;

	libvnet_expect_panic("^in a zone's init");
	z = uma_zcreate("z", 64, NULL, NULL, item_init, NULL, 0, 0);
	(void)uma_zalloc(z, M_WAITOK);
}
HEALTHY(panic_in_a_zone_init)
