/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS_UCRED_H_
#define _SYS_UCRED_H_

#include <sys/types.h>

struct prison;

struct ucred {
	volatile u_int cr_ref;
	uid_t cr_uid;
	uid_t cr_ruid;
	int cr_ngroups;
	gid_t cr_rgid;
	struct prison *cr_prison;
};

#define NOCRED ((struct ucred *)0)
#define FSCRED ((struct ucred *)-1)

struct ucred *crhold(struct ucred *);
void	crfree(struct ucred *);
struct ucred *crget(void);

#endif
