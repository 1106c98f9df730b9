/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernel environment's own side; readers need sys/systm.h only. */
#ifndef _SYS_KENV_H_
#define _SYS_KENV_H_

#include <sys/systm.h>

/* Longer names and values are refused. */
#define KENV_MNAMELEN 128
#define KENV_MVALLEN 128

/*
 * Numbers of `type_size' bytes between commas or blanks.  Returns 1 and the
 * bytes stored in the fourth argument, or 0 and leaves the data undefined.
 */
int	getenv_array(const char *, void *, int, int *, int, bool);
#define GETENV_UNSIGNED false
#define GETENV_SIGNED true

#endif
