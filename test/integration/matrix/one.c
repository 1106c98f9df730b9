/* SPDX-License-Identifier: BSD-2-Clause */
/* Every kind of V_ variable and of linker-set member, first of three files. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/malloc.h>
#include <sys/sysctl.h>
#include <net/vnet.h>

#include "matrix.h"

int matrix_ran;

VNET_DEFINE(int, m_initialised) = 7;
VNET_DEFINE(int, m_zero);
VNET_DEFINE(char, m_odd[13]);
VNET_DEFINE(char, m_text[5]) = "text";
VNET_DEFINE(struct m_pair, m_pair) = { 1, 2 };
VNET_DEFINE(struct m_wide, m_wide);
VNET_DEFINE(struct m_wide, m_wide_initialised) = { { 9 } };
VNET_DEFINE(LIST_HEAD(, m_item), m_list);
#define ANONYMOUS struct { int first, second; }
VNET_DEFINE_STATIC(ANONYMOUS, m_commas) = { 5, 6 };
#define V_m_commas VNET(m_commas)
VNET_DEFINE_STATIC(int, m_twin) = 1;
VNET_DEFINE_STATIC(char, m_last);
#define V_m_twin VNET(m_twin)
#define V_m_last VNET(m_last)
#define V_m_list VNET(m_list)

MALLOC_DEFINE(M_MATRIX, "matrix", "matrix test");

SYSCTL_NODE(_net, OID_AUTO, matrix, CTLFLAG_RW, NULL, "matrix test");
SYSCTL_INT(_net_matrix, OID_AUTO, initialised, CTLFLAG_RW | CTLFLAG_VNET,
    &VNET_NAME(m_initialised), 0, "a V_ variable");
SYSCTL_INT(_net_matrix, OID_AUTO, ran, CTLFLAG_RD, &matrix_ran, 0,
    "SYSINITs that ran");

static void
matrix_init(const void *unused __unused)
{
	matrix_ran++;
}
SYSINIT(matrix_first, SI_SUB_KLD, SI_ORDER_FIRST, matrix_init, NULL);
SYSINIT(matrix_any, SI_SUB_PROTO_DOMAIN, SI_ORDER_ANY, matrix_init, NULL);
SYSUNINIT(matrix_any, SI_SUB_PROTO_DOMAIN, SI_ORDER_ANY, matrix_init, NULL);

static void
matrix_vnet_init(const void *unused __unused)
{
	V_m_last = 3;
	LIST_INIT(&V_m_list);
}
VNET_SYSINIT(matrix_vnet, SI_SUB_PROTO_DOMAIN, SI_ORDER_FIRST,
    matrix_vnet_init, NULL);

#define CHECK(e) do {							\
	if (!(e)) {							\
		printf("matrix: not so: %s\n", #e);			\
		wrong++;						\
	}								\
} while (0)

int
matrix_check(struct vnet *v)
{
	struct m_item item;
	int wrong = 0;

	CURVNET_SET(v);
	CHECK(V_m_initialised == 7);
	CHECK(V_m_zero == 0);
	CHECK(V_m_odd[12] == 0);
	CHECK(V_m_text[3] == 't' && V_m_text[4] == '\0');
	CHECK(V_m_pair.a == 1 && V_m_pair.b == 2);
	CHECK(((uintptr_t)&V_m_wide & 63) == 0);
	CHECK(((uintptr_t)&V_m_wide_initialised & 63) == 0);
	CHECK(V_m_wide_initialised.bytes[0] == 9);
	CHECK(V_m_twin == 1 && matrix_other_twin() == 2);
	CHECK(V_m_last == 3);
	CHECK(V_m_commas.first == 5 && V_m_commas.second == 6);
	CHECK(LIST_EMPTY(&V_m_list));
	LIST_INSERT_HEAD(&V_m_list, &item, link);
	CHECK(LIST_FIRST(&V_m_list) == &item);
	LIST_REMOVE(&item, link);
	V_m_initialised++;
	V_m_zero++;
	CURVNET_RESTORE();
	return (wrong);
}

/* From instrumented code, where AddressSanitizer looks. */
void
matrix_write(char *p)
{
	*p = 1;
}

int
matrix_sysinits(void)
{
	return (matrix_ran);
}
