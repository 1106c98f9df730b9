/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults, which known.sh puts on a list of known ones. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/malloc.h>
#include <vm/uma.h>
#include <net/vnet.h>

#include <libvnet/test.h>

static MALLOC_DEFINE(M_KNOWN, "two words", "test");

static __attribute__((noinline)) void
forgetful(size_t size)
{
	void *p __unused = malloc(size, M_KNOWN, M_WAITOK);
}

static __attribute__((noinline)) void
other(void)
{
	void *p __unused = malloc(24, M_KNOWN, M_WAITOK);
}

LIBVNET_TEST_VNET(three_of_two_sizes, v)
{
	forgetful(24);
	forgetful(24);
	forgetful(2000);
}

LIBVNET_TEST_VNET(three_again, v)
{
	for (int i = 0; i < 3; i++)
		forgetful(24);
}

LIBVNET_TEST_VNET(another_function, v)
{
	other();
}

static uma_zone_t zone;

static void
zone_init(void *unused __unused)
{
	zone = uma_zcreate("knownzone", 48, NULL, NULL, NULL, NULL,
	    UMA_ALIGN_PTR, 0);
}
SYSINIT(zone_init, SI_SUB_INIT_IF, SI_ORDER_ANY, zone_init, NULL);

static __attribute__((noinline)) void *
zone_forgetful(void)
{
	return (uma_zalloc(zone, M_WAITOK));
}

LIBVNET_TEST_VNET(zone_item, v)
{
	(void)zone_forgetful();
}

/* ---- undefined behaviour */

#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#define UBSAN 1			/* comes with it */
#else
#define UBSAN 0
#endif

static volatile int bits = 70;
static volatile u_long shifted;

static __attribute__((noinline)) void
shift_too_far(void)
{
	if (!UBSAN)
		libvnet_skip("this build has no UBSan");
	shifted = 1UL << bits;
}

LIBVNET_TEST(shift)
{
	shift_too_far();
}

LIBVNET_TEST(expected_shift)
{
	libvnet_expect("undefined", "shift");
	shift_too_far();
}

LIBVNET_TEST(expected_nothing)
{
	libvnet_expect("undefined", "shift");
}
