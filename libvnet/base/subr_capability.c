/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: sets of capability rights by name, FreeBSD's kern/subr_capability.c.
 * Fidelity: stub
 * Differs: only the names are there: nothing looks at rights.
 */
#include <sys/param.h>
#include <sys/capsicum.h>

cap_rights_t cap_no_rights;
cap_rights_t cap_event_rights;
cap_rights_t cap_ioctl_rights;
cap_rights_t cap_read_rights;
cap_rights_t cap_write_rights;
