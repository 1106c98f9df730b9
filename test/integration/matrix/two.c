/* SPDX-License-Identifier: BSD-2-Clause */
/* A static V_ variable of the same name as one in one.c. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/sysctl.h>
#include <net/vnet.h>

#include "matrix.h"

VNET_DEFINE_STATIC(int, m_twin) = 2;
#define V_m_twin VNET(m_twin)

SYSCTL_DECL(_net_matrix);
SYSCTL_INT(_net_matrix, OID_AUTO, twin, CTLFLAG_RW | CTLFLAG_VNET,
    &VNET_NAME(m_twin), 0, "a static V_ variable");

int
matrix_other_twin(void)
{
	return (V_m_twin);
}
