/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS_JAIL_H_
#define _SYS_JAIL_H_

#include <sys/types.h>
#include <sys/_mutex.h>
#include <sys/queue.h>

struct ucred;

struct prison {
	TAILQ_ENTRY(prison) pr_list;
	int pr_id;
	volatile u_int pr_ref;
	u_int pr_flags;
	struct prison *pr_parent;
	struct mtx pr_mtx;
	struct vnet *pr_vnet;
	char pr_name[64];
};

#define PR_HOST 0x00000002
#define PR_VNET 0x00000010

extern struct prison prison0;
#define jailed(cred) ((cred)->cr_prison != &prison0)
int	jailed_without_vnet(struct ucred *);
void	prison_free(struct prison *);
void	prison_hold(struct prison *);

#endif
