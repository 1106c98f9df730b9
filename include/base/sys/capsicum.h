/* SPDX-License-Identifier: BSD-2-Clause */
/* capsicum(4) is an option this stand-in does not have: rights are names. */
#ifndef _SYS_CAPSICUM_H_
#define _SYS_CAPSICUM_H_

#include <sys/caprights.h>

#define CAP_ALL(rights) \
	((rights)->cr_rights[0] = (rights)->cr_rights[1] = ~(uint64_t)0)
#define CAP_NONE(rights) \
	((rights)->cr_rights[0] = (rights)->cr_rights[1] = 0)

extern cap_rights_t cap_no_rights;
extern cap_rights_t cap_event_rights;
extern cap_rights_t cap_ioctl_rights;
extern cap_rights_t cap_read_rights;
extern cap_rights_t cap_write_rights;

#endif /* _SYS_CAPSICUM_H_ */
