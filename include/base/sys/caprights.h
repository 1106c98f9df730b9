/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS_CAPRIGHTS_H_
#define _SYS_CAPRIGHTS_H_

#include <sys/types.h>

#define CAP_RIGHTS_VERSION 0

struct cap_rights {
	uint64_t cr_rights[CAP_RIGHTS_VERSION + 2];
};
typedef struct cap_rights cap_rights_t;

#endif /* _SYS_CAPRIGHTS_H_ */
