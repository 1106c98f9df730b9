/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every kind of finding: KIND_is_found raises one, KIND_twin_is_silent does
 * the same rightly.  kinds.sh checks that no kind of the table is missing
 * here, and that the twins find nothing.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/counter.h>
#include <sys/epoch.h>
#include <sys/kernel.h>
#include <sys/kthread.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/pcpu.h>
#include <sys/sx.h>
#include <sys/ucred.h>
#include <vm/uma.h>
#include <net/vnet.h>

#include <libvnet/test.h>
#include "../../libvnet/seam/seam_stub.h"

#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#define ADDRESS_SANITIZER 1
#else
#define ADDRESS_SANITIZER 0
#endif
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || \
    __has_feature(thread_sanitizer) || defined(__SANITIZE_ADDRESS__) ||	\
    defined(__SANITIZE_THREAD__)
#define SANITIZER 1
#else
#define SANITIZER 0
#endif

VNET_DEFINE_STATIC(char, text[8]);
VNET_DEFINE_STATIC(int, behind) = 1;	/* the gap between is guarded */
VNET_DEFINE_STATIC(int, far_behind);
#define V_text VNET(text)

static struct mtx lock;
MTX_SYSINIT(kinds_lock, &lock, "kinds lock", MTX_DEF);

/* Keeps each fault in a function that a backtrace can name. */
#define FAULT __attribute__((noinline)) static void

FAULT
bad_panic(bool good)
{
	KASSERT(good, ("bad \"panic\""));
}
LIBVNET_TEST_VNET(panic_is_found, v)
{
	libvnet_expect("panic", "^bad \"panic\"$");
	bad_panic(false);
}
LIBVNET_TEST_VNET(panic_twin_is_silent, v)
{
	bad_panic(true);
}

FAULT
bad_novnet(void)
{
	V_text[0] = 1;
}
LIBVNET_TEST(novnet_is_found)
{
	libvnet_expect_panic("V_text used with no vnet set");
	libvnet_expect("novnet", "V_text is used with no vnet set.*, at "
	    ".*test_kinds.c:[0-9]+$");
	bad_novnet();
}
LIBVNET_TEST_VNET(novnet_twin_is_silent, v)
{
	bad_novnet();
}

/* Not one that was freed: sanitizers would stop before libvnet does. */
static struct vnet dead;

FAULT
bad_deadvnet(struct vnet *v)
{
	VNET_VNET(v, text)[0] = 1;
}
LIBVNET_TEST(deadvnet_is_found)
{
	libvnet_expect_panic("V_text used in a destroyed vnet");
	libvnet_expect("deadvnet", "V_text is used in a vnet that was "
	    "destroyed, at .*test_kinds.c:[0-9]+$");
	bad_deadvnet(&dead);
}
LIBVNET_TEST_VNET(deadvnet_twin_is_silent, v)
{
	bad_deadvnet(v);
}

FAULT
bad_leak(bool good)
{
	void *p = malloc(40, M_TEMP, M_WAITOK);

	if (good)
		free(p, M_TEMP);
}
LIBVNET_TEST_VNET(leak_is_found, v)
{
	libvnet_expect("leak", "1 item of 40 bytes.*, allocated by bad_leak "
	    "at .*test_kinds.c:[0-9]+$");
	bad_leak(false);
}
LIBVNET_TEST_VNET(leak_twin_is_silent, v)
{
	bad_leak(true);
}

FAULT
bad_overrun(size_t at)
{
	*(volatile char *)(V_text + at) = 1;
}
LIBVNET_TEST_VNET(overrun_is_found, v)
{
	if (ADDRESS_SANITIZER)
		libvnet_skip("AddressSanitizer stops at the write itself");
	libvnet_expect("overrun", "behind V_text were written in vnet");
	bad_overrun(sizeof(V_text));
}
LIBVNET_TEST_VNET(overrun_twin_is_silent, v)
{
	bad_overrun(sizeof(V_text) - 1);
}

FAULT
bad_useafterfree(bool good)
{
	volatile int *p = malloc(40, M_TEMP, M_WAITOK);
	void *all[64];

	free(__DEVOLATILE(int *, p), M_TEMP);
	if (!good)
		p[3] = 1;
	/* Who gets the item finds it, and that is one of the next. */
	for (size_t i = 0; i < nitems(all); i++)
		all[i] = malloc(40, M_TEMP, M_WAITOK);
	for (size_t i = 0; i < nitems(all); i++)
		free(all[i], M_TEMP);
}
LIBVNET_TEST_VNET(useafterfree_is_found, v)
{
	if (SANITIZER)
		libvnet_skip("the sanitizer has its own word for that");
	libvnet_expect("useafterfree", "malloc type \"temp\" was written after "
	    "it was freed.*, allocated by bad_useafterfree at ");
	libvnet_expect_panic("modified after free");
	bad_useafterfree(false);
}
LIBVNET_TEST_VNET(useafterfree_twin_is_silent, v)
{
	bad_useafterfree(true);
}

FAULT
bad_doublefree(bool good)
{
	void *p = malloc(40, M_TEMP, M_WAITOK);

	free(p, M_TEMP);
	if (!good)
		free(p, M_TEMP);
}
LIBVNET_TEST_VNET(doublefree_is_found, v)
{
	libvnet_expect("doublefree", "\"temp\" was freed before, allocated by "
	    "bad_doublefree at .*, freed by bad_doublefree at .*:[0-9]+$");
	libvnet_expect_panic("was freed before");
	bad_doublefree(false);
}
LIBVNET_TEST_VNET(doublefree_twin_is_silent, v)
{
	bad_doublefree(true);
}

FAULT
bad_badfree(struct malloc_type *type)
{
	free(malloc(40, M_TEMP, M_WAITOK), type);
}
LIBVNET_TEST_VNET(badfree_is_found, v)
{
	libvnet_expect("badfree", "belongs to malloc type \"temp\"; give it "
	    "back there, allocated by bad_badfree at .*test_kinds.c:[0-9]+$");
	libvnet_expect_panic("belongs to .*\"temp\"");
	bad_badfree(M_DEVBUF);
}
LIBVNET_TEST_VNET(badfree_twin_is_silent, v)
{
	bad_badfree(M_TEMP);
}

FAULT
bad_zone(bool good)
{
	uma_zone_t z = uma_zcreate("bad zone", 24, NULL, NULL, NULL, NULL,
	    UMA_ALIGN_PTR, 0);
	void *p = uma_zalloc(z, M_WAITOK);

	if (good)
		uma_zfree(z, p);
	uma_zdestroy(z);
}
LIBVNET_TEST_VNET(zone_is_found, v)
{
	libvnet_expect("zone", "\"bad zone\" destroyed with 1 item");
	libvnet_expect("leak", "1 item of 24 bytes of UMA zone \"bad zone\"");
	bad_zone(false);
}
LIBVNET_TEST_VNET(zone_twin_is_silent, v)
{
	bad_zone(true);
}

FAULT
bad_lock(bool good)
{
	mtx_lock(&lock);
	if (good)
		mtx_unlock(&lock);
}
LIBVNET_TEST(lock_is_found)
{
	libvnet_expect("lock", "1 locks are held at the end of the test, at "
	    ".*test_kinds.c:[0-9]+$");
	bad_lock(false);
}
LIBVNET_TEST(lock_twin_is_silent)
{
	bad_lock(true);
}

FAULT
bad_section(bool good)
{
	critical_enter();
	if (good)
		critical_exit();
}
LIBVNET_TEST(section_is_found)
{
	libvnet_expect("section", "1 critical or epoch sections are open at "
	    "the end of the test, at .*test_kinds.c:[0-9]+$");
	bad_section(false);
}
LIBVNET_TEST(section_twin_is_silent)
{
	bad_section(true);
}

FAULT
bad_curvnet(struct vnet *v, bool good)
{
	CURVNET_SET(v);
	V_text[0] = 1;
	if (good) {
		CURVNET_RESTORE();
	}
}
LIBVNET_TEST_VNETS(curvnet_is_found, a, b)
{
	libvnet_expect("curvnet", "is current at the end of the test");
	bad_curvnet(a, false);
}
LIBVNET_TEST_VNETS(curvnet_twin_is_silent, a, b)
{
	bad_curvnet(a, true);
}

FAULT
bad_reference(struct vnet *v, bool good)
{
	crhold(v->vnet_cred);
	if (good)
		crfree(v->vnet_cred);
}
LIBVNET_TEST_VNET(reference_is_found, v)
{
	libvnet_expect("reference", "destroyed while 1 references to its "
	    "credential are held");
	bad_reference(v, false);
}
LIBVNET_TEST_VNET(reference_twin_is_silent, v)
{
	bad_reference(v, true);
}

FAULT
bad_stack(int depth)
{
	volatile char space[512];

	space[0] = (char)depth;
	if (depth > 1)
		bad_stack(depth - 1);
	space[1] = space[0];
}
static void
uses_stack(void *depth)
{
	bad_stack((int)(intptr_t)depth);
	kthread_exit();
}
LIBVNET_TEST(stack_is_found)
{
	if (SANITIZER)
		libvnet_skip("the sanitizer has its own word for that");
	libvnet_expect("stack", "thread \"deep\" overflowed its stack of");
	libvnet_expect_panic("thread \"deep\" overflowed its stack");
	kthread_add(uses_stack, (void *)10000, NULL, NULL, 0, 0, "deep");
	libvnet_run_until_idle();
}
LIBVNET_TEST(stack_twin_is_silent)
{
	kthread_add(uses_stack, (void *)8, NULL, NULL, 0, 0, "deep");
	libvnet_run_until_idle();
}

/* As stubs.sh would generate it. */
static struct vnh_stub nobody_stub = { .name = "nobody" };
DATA_SET(libvnet_stubs, nobody_stub);
static __attribute__((noinline)) long
nobody(long a)
{
	long args[VNH_STUB_ARGS] = { a };

	return (lvk_stub_called(&nobody_stub, args,
	    (vnh_uptr)__builtin_return_address(0)));
}

FAULT
bad_doublefetch(bool good)
{
	char user[4] = "abc", kernel[4];

	libvnet_user_watch(true);
	assert_int_equal(copyin(user, kernel, sizeof(user)), 0);
	if (!good)
		assert_int_equal(copyin(user + 1, kernel, 2), 0);
	libvnet_user_watch(false);
}
LIBVNET_TEST(doublefetch_is_found)
{
	libvnet_expect("doublefetch", "^copyin: 2 bytes of user memory at "
	    "0x[0-9a-f]+ are fetched again.*, called by bad_doublefetch");
	bad_doublefetch(false);
}
LIBVNET_TEST(doublefetch_twin_is_silent)
{
	bad_doublefetch(true);
}

FAULT
bad_sleep(bool good)
{
	struct epoch_tracker et;
	static struct sx sx;

	sx_init(&sx, "list");
	if (good)
		sx_xlock(&sx);
	NET_EPOCH_ENTER(et);
	if (!good)
		sx_xlock(&sx);
	NET_EPOCH_EXIT(et);
	sx_xunlock(&sx);
}
LIBVNET_TEST(sleep_is_found)
{
	libvnet_expect("sleep", "^sx_xlock of \"list\": may sleep, where "
	    "sleeping is prohibited .in an epoch section.. @ .*test_kinds.c:");
	bad_sleep(false);
}
LIBVNET_TEST(sleep_twin_is_silent)
{
	bad_sleep(true);
}

FAULT
bad_stub(void)
{
	assert_int_equal(nobody(1), 5);
}
LIBVNET_TEST(stub_is_found)
{
	libvnet_expect_panic("^nobody\\(\\) is called, and nobody supplies it$");
	libvnet_expect("stub", "^nobody\\(\\) is called, and nobody supplies "
	    "it: .*, called by bad_stub");
	bad_stub();
}
LIBVNET_TEST(stub_twin_is_silent)
{
	assert_int_equal(libvnet_stub_return("nobody", 5), 0);
	bad_stub();
	assert_int_equal(libvnet_stub_calls("nobody"), 1);
}

FAULT
bad_counter(counter_u64_t c, bool good)
{
	if (good)
		counter_enter();
	counter_u64_add_protected(c, 1);
	if (good)
		counter_exit();
}
LIBVNET_TEST(counter_is_found)
{
	counter_u64_t c = counter_u64_alloc(M_WAITOK);

	if (!libvnet_has_checks())
		libvnet_skip("checks are compiled out");
	libvnet_expect("counter", "^counter_u64_add_protected\\(\\) outside "
	    "of counter_enter\\(\\) and counter_exit\\(\\), at "
	    ".*test_kinds.c:[0-9]+: ");
	bad_counter(c, false);
	counter_u64_free(c);
}
LIBVNET_TEST(counter_twin_is_silent)
{
	counter_u64_t c = counter_u64_alloc(M_WAITOK);

	bad_counter(c, true);
	counter_u64_free(c);
}

FAULT
bad_gauge(counter_u64_t c)
{
	counter_u64_add(c, -1);
}
LIBVNET_TEST(gauge_is_found)
{
	counter_u64_t c = counter_u64_alloc(M_WAITOK);

	if (!libvnet_has_checks())
		libvnet_skip("checks are compiled out");
	libvnet_expect("gauge", "^gauge \"in use\" went below zero: it is -1");
	assert_int_equal(libvnet_counter_gauge(c, "in use"), 0);
	bad_gauge(c);
	counter_u64_free(c);
}
LIBVNET_TEST(gauge_twin_is_silent)
{
	counter_u64_t c = counter_u64_alloc(M_WAITOK);

	assert_int_equal(libvnet_counter_gauge(c, "in use"), 0);
	counter_u64_add(c, 1);
	bad_gauge(c);
	counter_u64_free(c);
}

/* ---- exploration, in its own builds */

static struct mtx explored_lock;
static u_long explored_count;
DPCPU_DEFINE_STATIC(u_long, explored_hits);

static void
explored_make(void *arg)
{
	mtx_init(&explored_lock, "explored", NULL, MTX_DEF);
}

static void
bad_schedule(void *arg)
{
	u_long n = atomic_load_long(&explored_count);

	atomic_store_long(&explored_count, n + 1);
}

static void
good_schedule(void *arg)
{
	atomic_add_long(&explored_count, 1);
}

static void
bad_race(void *arg)
{
	explored_count++;
}

static void
good_race(void *arg)
{
	mtx_lock(&explored_lock);
	explored_count++;
	mtx_unlock(&explored_lock);
}

static void
bad_percpu(void *arg)
{
	DPCPU_SET(explored_hits, DPCPU_GET(explored_hits) + 1);
	atomic_add_long(&explored_count, 1);
}

static void
good_percpu(void *arg)
{
	critical_enter();
	bad_percpu(arg);
	critical_exit();
}

static bool
explored_both(void *arg)
{
	return (atomic_load_long(&explored_count) == 2);
}

static void
explore_both(void (*fn)(void *))
{
	struct libvnet_explore what = {
		.threads = { { "a", fn }, { "b", fn } },
		.setup = explored_make, .check = explored_both,
		.strategy = LIBVNET_DFS,
	};

	if (libvnet_explore(&what, NULL) == LIBVNET_ENOTSUP)
		libvnet_skip("this build does not explore");
}

#define EXPLORED(kind, regex)						\
LIBVNET_TEST(kind##_is_found)						\
{									\
	libvnet_expect(#kind, regex);					\
	explore_both(bad_##kind);					\
}									\
LIBVNET_TEST(kind##_twin_is_silent)					\
{									\
	explore_both(good_##kind);					\
}
EXPLORED(schedule, "^the check failed.LIBVNET_SCHEDULE=x1-")
EXPLORED(race, "^data race at (0x[0-9a-f]*|explored_count): .*bad_race.*"
    "bad_race")
EXPLORED(percpu, "^unprotected per-CPU update: data of CPU 0 at .*bad_percpu")

/* ---- what sanitizers see; --wrap brings it here */

static volatile int shift_by = 70;

FAULT
bad_undefined(int by)
{
	static volatile u_long x;

	x = 1UL << by;
}
LIBVNET_TEST(undefined_is_found)
{
	if (!ADDRESS_SANITIZER)
		libvnet_skip("UBSan comes with AddressSanitizer here");
	libvnet_expect("undefined", "^a shift by more bits than there are.*"
	    "test_kinds.c:");
	bad_undefined(shift_by);
	bad_undefined(shift_by);	/* a place is reported once */
}
LIBVNET_TEST(undefined_twin_is_silent)
{
	bad_undefined(shift_by - 10);
}

FAULT
bad_uninitialised(const int *p)
{
	static volatile int x;

	if (*p == 1)
		x++;
}
static void
uninitialised(int flags)
{
	int *p = malloc(sizeof(*p), M_TEMP, M_WAITOK | flags);

	bad_uninitialised(p);
	bad_uninitialised(p);
	free(p, M_TEMP);
}
LIBVNET_TEST(uninitialised_is_found)
{
	if (!__has_feature(memory_sanitizer))
		libvnet_skip("this build has no MemorySanitizer");
	libvnet_expect("uninitialised", "^an uninitialised value decides");
	uninitialised(0);
}
LIBVNET_TEST(uninitialised_twin_is_silent)
{
	uninitialised(M_ZERO);
}
