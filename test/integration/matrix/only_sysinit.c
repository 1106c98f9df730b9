/* SPDX-License-Identifier: BSD-2-Clause */
/* Nothing refers to this file: only linker sets hold it. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <net/vnet.h>

#include "matrix.h"

static void
only_init(const void *unused __unused)
{
	matrix_ran++;
}
SYSINIT(matrix_only, SI_SUB_PSEUDO, SI_ORDER_ANY, only_init, NULL);
