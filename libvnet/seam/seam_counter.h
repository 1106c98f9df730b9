/* SPDX-License-Identifier: BSD-2-Clause */
/* The seam's part about counter(9). */
#ifndef LIBVNET_SEAM_COUNTER_H
#define LIBVNET_SEAM_COUNTER_H

#include "seam.h"

/* Which of the machines in machine/counter.h. */
const char *vnk_counter_form(void);
/* -1: there are too many; it is none.  Without INVARIANTS nothing is done. */
int	 vnk_gauge_add(void *counter, const char *name);
int	 vnk_gauge_remove(void *counter);

#endif /* LIBVNET_SEAM_COUNTER_H */
