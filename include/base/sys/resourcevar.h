/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS_RESOURCEVAR_H_
#define _SYS_RESOURCEVAR_H_

#include <sys/resource.h>
#include <sys/queue.h>

struct proc;
struct thread;

struct plimit {
	struct rlimit pl_rlimit[RLIM_NLIMITS];
	int pl_refcnt;
};

struct uidinfo {
	LIST_ENTRY(uidinfo) ui_hash;
	long ui_sbsize;
	long ui_proccnt;
	long ui_ptscnt;
	long ui_kqcnt;
	long ui_umtxcnt;
	uid_t ui_uid;
	u_int ui_ref;
};

void	calccru(struct proc *, struct timeval *, struct timeval *);
void	calcru(struct proc *, struct timeval *, struct timeval *);
int	chgkqcnt(struct uidinfo *, int, rlim_t);
int	chgproccnt(struct uidinfo *, int, rlim_t);
int	chgptscnt(struct uidinfo *, int, rlim_t);
int	chgsbsize(struct uidinfo *, u_int *, u_int, rlim_t);
int	chgumtxcnt(struct uidinfo *, int, rlim_t);
struct plimit *lim_alloc(void);
void	lim_copy(struct plimit *, struct plimit *);
rlim_t	lim_cur(struct thread *, int);
rlim_t	lim_cur_proc(struct proc *, int);
void	lim_free(struct plimit *);
struct plimit *lim_hold(struct plimit *);
rlim_t	lim_max(struct thread *, int);
rlim_t	lim_max_proc(struct proc *, int);
void	lim_rlimit(struct thread *, int, struct rlimit *);
void	lim_rlimit_proc(struct proc *, int, struct rlimit *);
void	rufetch(struct proc *, struct rusage *);
void	rufetchcalc(struct proc *, struct rusage *, struct timeval *,
	    struct timeval *);
struct uidinfo *uifind(uid_t);
void	uifree(struct uidinfo *);
void	uihashinit(void);
void	uihold(struct uidinfo *);

#endif
