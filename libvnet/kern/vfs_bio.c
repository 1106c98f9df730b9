/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: where poisoned pointers point to (DEBUG_POISON_POINTER() of FreeBSD
 * 15): its kern/vfs_bio.c.
 * Fidelity: exact
 * Differs: the address is that of before bufinit() for good: nothing is mapped
 * there either.
 */
#include <sys/param.h>
#include <sys/systm.h>

#if __FreeBSD_version >= 1500000
extern caddr_t poisoned_buf;

caddr_t poisoned_buf = (void *)-1;
#endif
