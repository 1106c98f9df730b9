/* SPDX-License-Identifier: BSD-2-Clause */
/* Captures to play, for both worlds. */
#ifndef CAPTURES_H
#define CAPTURES_H

#ifndef _KERNEL
#include <stdbool.h>
#endif

/*
 * The path of the n-th file, from 0, in the order of their names; false: there
 * are not so many, or LIBVNET_CAPTURES names no folder.
 */
bool	captures_nth(unsigned n, char *path, unsigned size);

#endif /* CAPTURES_H */
