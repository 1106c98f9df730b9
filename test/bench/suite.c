/* SPDX-License-Identifier: BSD-2-Clause */
/* A suite of 1,000 tests, a third of each fixture, that allocate and write. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/malloc.h>
#include <net/vnet.h>

#include <libvnet/test.h>

VNET_DEFINE_STATIC(int, touched);
#define V_touched VNET(touched)

static void
work(struct vnet *v)
{
	for (int i = 0; i < 10; i++)
		free(malloc(500, M_TEMP, M_WAITOK | M_ZERO), M_TEMP);
	if (v == NULL)
		return;
	CURVNET_SET_QUIET(v);
	assert_int_equal(V_touched, 0);
	V_touched++;
	CURVNET_RESTORE();
}

#define THREE(n)							\
	LIBVNET_TEST(none_##n) { work(NULL); }				\
	LIBVNET_TEST_VNET(one_##n, v) { work(v); }			\
	LIBVNET_TEST_VNETS(two_##n, a, b) { work(a); work(b); }
#define TEN(n)								\
	THREE(n##0) THREE(n##1) THREE(n##2) THREE(n##3) THREE(n##4)	\
	THREE(n##5) THREE(n##6) THREE(n##7) THREE(n##8) THREE(n##9)
#define HUNDRED(n)							\
	TEN(n##0) TEN(n##1) TEN(n##2) TEN(n##3) TEN(n##4)		\
	TEN(n##5) TEN(n##6) TEN(n##7) TEN(n##8) TEN(n##9)

HUNDRED(a) HUNDRED(b) HUNDRED(c)
TEN(d) TEN(e) TEN(f)
THREE(g0) THREE(g1) THREE(g2)
LIBVNET_TEST(last) { work(NULL); }
