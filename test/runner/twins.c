/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests that must fail, named fail_*, each beside a twin that must pass,
 * named pass_*.  check.sh runs them and reads the report.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/kthread.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <net/vnet.h>

#include <libvnet/test.h>

VNET_DEFINE_STATIC(int, twin) = 5;
#define V_twin VNET(twin)

static int statics = 1;
static int tuned = 1;
TUNABLE_INT("twin.tuned", &tuned);
static struct mtx lock;
MTX_SYSINIT(twin_lock, &lock, "twin lock", MTX_DEF);

LIBVNET_TEST_VNET(pass_assertion, v)
{
	assert_int_equal(V_twin, 5);
}
LIBVNET_TEST_VNET(fail_assertion, v)
{
	assert_int_equal(V_twin, 6);
}

/* Fails where --kenv or LIBVNET_KENV say another, and shows it. */
LIBVNET_TEST(pass_default_of_tunable)
{
	assert_int_equal(tuned, 1);
}

LIBVNET_TEST_VNETS(fail_assertion_in_second_vnet, a, b)
{
	LIBVNET_IN(b)
		assert_int_equal(V_twin, 6);
}

LIBVNET_TEST(fail_fail_msg)
{
	fail_msg("%s", "words of fail_msg");
}

LIBVNET_TEST(fail_cdata_end)
{
	panic("twin ]]> panic");
}

LIBVNET_TEST(pass_huge_malloc)
{
	volatile size_t huge = (size_t)1 << 62;

	assert_null(malloc(huge, M_TEMP, M_NOWAIT));
}

LIBVNET_TEST(pass_expected_panic)
{
	libvnet_expect_panic("^twin panic 4[0-9]$");
	panic("twin panic %d", 42);
}
LIBVNET_TEST(fail_panic)
{
	panic("twin panic %d", 43);
}
LIBVNET_TEST_VNET(fail_panic_in_vnet, v)
{
	panic("twin panic in a vnet");
}
LIBVNET_TEST(fail_another_panic)
{
	libvnet_expect_panic("never this");
	panic("twin panic 44");
}
LIBVNET_TEST(fail_no_panic)
{
	libvnet_expect_panic("twin panic that does not come");
}
LIBVNET_TEST(fail_bad_regex)
{
	libvnet_expect_panic("(");
}

LIBVNET_TEST(fail_kassert)
{
	KASSERT(V_twin == 1, ("unreachable"));
}
LIBVNET_TEST_VNET(fail_kassert_in_vnet, v)
{
	KASSERT(V_twin == 1, ("twin is %d", V_twin));
}

LIBVNET_TEST(pass_lock_given_back)
{
	mtx_lock(&lock);
	mtx_unlock(&lock);
}
LIBVNET_TEST(fail_lock_held)
{
	mtx_lock(&lock);
}
LIBVNET_TEST(pass_section_left)
{
	critical_enter();
	critical_exit();
}
LIBVNET_TEST(fail_section_open)
{
	critical_enter();
}
/* The lock that the test before kept is free again: a new world. */
LIBVNET_TEST(pass_after_lock_held)
{
	mtx_lock(&lock);
	mtx_unlock(&lock);
}

static void
leak(void)
{
	void *p __unused = malloc(24, M_TEMP, M_WAITOK);
}

LIBVNET_TEST_VNET(pass_expected_leak, v)
{
	libvnet_expect("leak", "1 item of 24 bytes of malloc type \"temp\"");
	leak();
}
LIBVNET_TEST_VNET(fail_leak, v)
{
	leak();
}
LIBVNET_TEST_VNET(fail_leak_that_does_not_come, v)
{
	libvnet_expect("leak", "1 item of 24 bytes");
}

LIBVNET_TEST(pass_statics_first)
{
	assert_int_equal(statics, 1);
	statics = 2;
}
LIBVNET_TEST(pass_statics_second)
{
	assert_int_equal(statics, 1);
	statics = 2;
}

static int
double_it(int x)
{
	check_expected(x);
	return (mock_type(int));
}
LIBVNET_TEST(pass_mock)
{
	expect_value(double_it, x, 3);
	will_return(double_it, 6);
	assert_int_equal(double_it(3), 6);
}
LIBVNET_TEST(fail_mock)
{
	expect_value(double_it, x, 3);
	will_return(double_it, 6);
	double_it(4);
}

LIBVNET_TEST(skip_with_reason)
{
	libvnet_skip("reason of the skip");
}

/* ---- the same in a kernel thread */

static void
in_thread(void (*fn)(void *))
{
	kthread_add(fn, NULL, NULL, NULL, 0, 0, "twin");
	libvnet_run_until_idle();
}

static void
asserts_right(void *arg __unused)
{
	assert_int_equal(statics, 1);
	kthread_exit();
}
static void
asserts_wrong(void *arg __unused)
{
	assert_int_equal(statics, 0x51);
	kthread_exit();
}
static void
panics(void *arg __unused)
{
	panic("twin panic 45");
}
static void
skips(void *arg __unused)
{
	libvnet_skip("reason of the skip in a thread");
}
static void
faults(void *arg __unused)
{
	*(volatile int *)0 = 1;
}

LIBVNET_TEST(pass_assertion_in_thread)
{
	in_thread(asserts_right);
}
LIBVNET_TEST_VNET(fail_assertion_in_thread, v)
{
	in_thread(asserts_wrong);
}
LIBVNET_TEST(fail_panic_in_thread)
{
	in_thread(panics);
}
LIBVNET_TEST(pass_panic_in_thread)
{
	libvnet_expect_panic("^twin panic 45$");
	in_thread(panics);
}
LIBVNET_TEST(skip_in_thread)
{
	in_thread(skips);
}
#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) &&	\
    !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer) && \
    !__has_feature(memory_sanitizer)
/* cmocka catches it; a sanitizer would rather end the program. */
LIBVNET_TEST(fail_fault_in_thread)
{
	if (libvnet_threads() != LIBVNET_THREADS_COROUTINE)
		fail();
	in_thread(faults);
}
LIBVNET_TEST(pass_after_fault_in_thread)
{
	in_thread(asserts_right);
}
#endif

/* ---- written where nobody looks again */

#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if !defined(__SANITIZE_ADDRESS__) && !__has_feature(address_sanitizer) && \
    !__has_feature(memory_sanitizer)

static void
write_to(volatile char *p, int at)
{
	p[at] = 1;
}

/* Kept alive, in no vnet: it is no leak. */
LIBVNET_TEST(pass_kept_item)
{
	write_to(malloc(40, M_TEMP, M_WAITOK), 39);
}
LIBVNET_TEST(fail_overrun_of_kept_item)
{
	write_to(malloc(40, M_TEMP, M_WAITOK), 40);
}

LIBVNET_TEST(pass_freed_item)
{
	char *p = malloc(100, M_TEMP, M_WAITOK);

	write_to(p, 16);
	free(p, M_TEMP);
}
LIBVNET_TEST(fail_write_to_freed_item)
{
	char *p = malloc(100, M_TEMP, M_WAITOK);

	free(p, M_TEMP);
	write_to(p, 16);
}
#endif
