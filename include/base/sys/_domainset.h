/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS__DOMAINSET_H_
#define _SYS__DOMAINSET_H_

#include <sys/types.h>

#define MAXMEMDOM 8
typedef struct _domainset {
	u_long __bits[1];
} domainset_t;

#endif
