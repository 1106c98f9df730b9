/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS_UCRED_H_
#define _SYS_UCRED_H_

#include <sys/param.h>
#include <sys/_lock.h>
#include <sys/_mutex.h>

#define CRED_FLAG_CAPMODE 0x00000001
#define XU_NGROUPS 16

struct prison;
struct proc;
struct thread;
struct uidinfo;

struct ucred {
	struct mtx cr_mtx;
	long cr_ref;
	u_int cr_users;
	u_int cr_flags;
#define cr_startcopy cr_uid
	uid_t cr_uid;
	uid_t cr_ruid;
	uid_t cr_svuid;
	int cr_ngroups;
	gid_t cr_rgid;
	gid_t cr_svgid;
	struct uidinfo *cr_uidinfo;
	struct uidinfo *cr_ruidinfo;
	struct prison *cr_prison;
#define cr_endcopy cr_groups
	gid_t *cr_groups;
	int cr_agroups;
	gid_t cr_smallgroups[XU_NGROUPS];
};

struct xucred {
	u_int cr_version;
	uid_t cr_uid;
	short cr_ngroups;
	gid_t cr_groups[XU_NGROUPS];
	union {
		void *_cr_unused1;
		pid_t cr_pid;
	};
};
#define XUCRED_VERSION 0
#define cr_gid cr_groups[0]

#define NOCRED ((struct ucred *)0)
#define FSCRED ((struct ucred *)-1)

void	change_egid(struct ucred *, gid_t);
void	change_euid(struct ucred *, struct uidinfo *);
void	change_rgid(struct ucred *, gid_t);
void	change_ruid(struct ucred *, struct uidinfo *);
void	change_svgid(struct ucred *, gid_t);
void	change_svuid(struct ucred *, uid_t);
void	crcopy(struct ucred *, struct ucred *);
struct ucred *crcopysafe(struct proc *, struct ucred *);
void	crcowfree(struct thread *);
struct ucred *crcowget(struct ucred *);
struct ucred *crdup(struct ucred *);
void	crextend(struct ucred *, int);
void	crfree(struct ucred *);
struct ucred *crget(void);
struct ucred *crhold(struct ucred *);
void	crsetgroups(struct ucred *, int, const gid_t *);
void	cru2x(struct ucred *, struct xucred *);
void	cru2xt(struct thread *, struct xucred *);
bool	groupmember(gid_t, const struct ucred *);
bool	realgroupmember(gid_t, const struct ucred *);

#endif /* _SYS_UCRED_H_ */
