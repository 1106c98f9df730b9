/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether what was done in a vnet stays behind when the vnet goes. */
#ifndef LEAKS_H
#define LEAKS_H

struct vnet;

/*
 * Destroys both.  True: `used' leaves no more behind than `plain', of the same
 * making, in which nothing was done.  A stack has leaks of its own.
 */
bool	leaks_alike(struct vnet *plain, struct vnet *used);

#endif /* LEAKS_H */
