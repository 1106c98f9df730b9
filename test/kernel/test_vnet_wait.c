/* SPDX-License-Identifier: BSD-2-Clause */
/* A vnet is destroyed once who holds its credential has let go. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/callout.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/sx.h>
#include <sys/ucred.h>
#include <net/vnet.h>

#include <libvnet/test.h>

#define SECOND INT64_C(1000000000)

static struct callout timer;
static struct ucred *kept;
static struct sx lock;
SX_SYSINIT(lock, &lock, "test");

/* What a socket does, which lingers for a while after it was closed. */
static struct vnet *
vnet_with_kept_cred(void)
{
	struct vnet *v;

	assert_int_equal(libvnet_create(&v), 0);
	LIBVNET_IN(v)
		kept = crhold(curthread->td_ucred);
	callout_init(&timer, 1);
	return (v);
}

static void
let_go(void *arg __unused)
{
	crfree(kept);
}

static void
go_on(void *arg __unused)
{
	callout_reset(&timer, hz, go_on, NULL);
}

static int64_t
destroy(struct vnet *v)
{
	int64_t before = libvnet_clock_ns();

	assert_int_equal(libvnet_destroy(v), 0);
	return (libvnet_clock_ns() - before);
}

static int64_t
about(int seconds, int64_t ns)
{
	assert_in_range(ns, (seconds - 1) * SECOND, (seconds + 1) * SECOND);
	return (ns);
}

LIBVNET_TEST(destroy_waits_for_cred_given_back_a_minute_later)
{
	struct vnet *v = vnet_with_kept_cred();

	callout_reset(&timer, 60 * hz, let_go, NULL);
	about(60, destroy(v));
	assert_int_equal(libvnet_finding_count(), 0);
}

LIBVNET_TEST(cred_given_back_too_late_is_found_and_time_goes_no_further)
{
	struct vnet *v = vnet_with_kept_cred();

	libvnet_expect("reference", "while 1 references to its credential");
	callout_reset(&timer, (LIBVNET_DESTROY_WAIT_S + 60) * hz, let_go, NULL);
	assert_int_equal(destroy(v), 0);
	callout_drain(&timer);
	crfree(kept);
}

LIBVNET_TEST(cred_never_given_back_is_found_after_a_bounded_time)
{
	struct vnet *v = vnet_with_kept_cred();

	libvnet_expect("reference", "while 1 references to its credential");
	go_on(NULL);
	about(LIBVNET_DESTROY_WAIT_S, destroy(v));
	callout_drain(&timer);
	crfree(kept);
}

LIBVNET_TEST(cred_never_given_back_is_found_at_once_where_nothing_is_to_come)
{
	struct vnet *v = vnet_with_kept_cred();

	libvnet_expect("reference", "while 1 references to its credential");
	assert_int_equal(destroy(v), 0);
	crfree(kept);
}

LIBVNET_TEST(destroy_takes_no_time_where_nothing_is_held)
{
	struct vnet *v = vnet_with_kept_cred();

	crfree(kept);
	go_on(NULL);
	assert_int_equal(destroy(v), 0);
	callout_drain(&timer);
}

LIBVNET_TEST(destroy_waits_for_cred_that_was_copied_in_its_prison)
{
	struct vnet *v = vnet_with_kept_cred();
	struct ucred *copy = crdup(kept);

	crfree(kept);
	kept = copy;
	callout_reset(&timer, 60 * hz, let_go, NULL);
	about(60, destroy(v));
}

LIBVNET_TEST(destroy_does_not_wait_with_a_lock_held)
{
	struct vnet *v = vnet_with_kept_cred();

	libvnet_expect("reference", "while 1 references to its credential");
	callout_reset(&timer, 60 * hz, let_go, NULL);
	sx_xlock(&lock);
	assert_int_equal(destroy(v), 0);
	sx_xunlock(&lock);
	callout_drain(&timer);
	crfree(kept);
}

LIBVNET_TEST(end_of_a_test_waits_as_well)
{
	(void)vnet_with_kept_cred();
	callout_reset(&timer, 60 * hz, let_go, NULL);
}
