/* SPDX-License-Identifier: BSD-2-Clause */
/* Leaks with names that JSON must escape, and tests that policies turn. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/malloc.h>
#include <net/vnet.h>

#include <libvnet/test.h>

static MALLOC_DEFINE(M_ODD, "q\"b\\t\tx\001\177\xff\xc3\xa9\xe2\x82z", "odd");
static MALLOC_DEFINE(M_LONG_UTF8, "\xc0\xaf\xed\xa0\x80\xf4\x90\x80\x80"
    "\xf0\x9f\x98\x80", "overlong, a surrogate, too high, and a good one");

static __attribute__((noinline)) void
spill(struct malloc_type *type)
{
	void *p __unused = malloc(24, type, M_WAITOK);
}

LIBVNET_TEST_VNET(odd_name, v)
{
	spill(M_ODD);
}

LIBVNET_TEST_VNET(utf8_name, v)
{
	spill(M_LONG_UTF8);
}

LIBVNET_TEST_VNET(expected, v)
{
	libvnet_expect("leak", "24 bytes");
	spill(M_ODD);
}

LIBVNET_TEST_VNET(unknown_kind, v)
{
	libvnet_expect("leek", "24 bytes");
}

LIBVNET_TEST_VNET(cleared, v)
{
	struct vnet *w;

	assert_int_equal(libvnet_create(&w), 0);
	LIBVNET_IN(w)
		spill(M_ODD);
	assert_int_equal(libvnet_destroy(w), 0);
	libvnet_findings_clear();
}

static __attribute__((noinline)) void
fall(void)
{
	panic("fell \"down\"");
}

LIBVNET_TEST_VNET(panics, v)
{
	fall();
}

LIBVNET_TEST_VNET(sound, v)
{
	void *p = malloc(24, M_ODD, M_WAITOK);

	free(p, M_ODD);
}
