/* SPDX-License-Identifier: BSD-2-Clause */
/* Wants what no header describes. */
#include "flow.h"

int	odd_unheard_of(void) __asm__("odd_no_header");

const void *
flow_secret(void)
{
	return (odd_unheard_of() != 0 ? (const void *)&flow_opaque : NULL);
}
