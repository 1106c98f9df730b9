/* SPDX-License-Identifier: BSD-2-Clause */
/* Credentials, prisons and processes: what their files share. */
#ifndef LVK_CRED_H
#define LVK_CRED_H

#include <sys/ucred.h>

#include <lvk.h>

/* What answers yes or no returned an int before 14. */
#if __FreeBSD_version >= 1400000
typedef bool lvk_yes_t;
#else
typedef int lvk_yes_t;
#endif

/* setcred(2) came with these. */
#if defined(SETCREDF_UID) || defined(LIBVNET_BASE)
#define LVK_CRED_CONST const
#else
#define LVK_CRED_CONST
#endif

struct prison;
struct proc;
struct thread;
struct ucred;
struct vnet;

extern struct ucred *lvk_cred0;		/* root's, outside all jails */

void	lvk_cred0_init(void);
/* A new root credential in a prison, which it holds. */
struct ucred *lvk_cred_new(struct prison *);
/* Other references to it than the caller's. */
u_int	lvk_cred_shared(const struct ucred *);

/* A thread begins: the limits and the credential of its process. */
void	lvk_thread_inherit(struct thread *);
/* A process that a kernel thread lives in begins and ends. */
void	lvk_proc_link(struct proc *);
void	lvk_proc_unlink(struct proc *);

/* 0, or EPERM where the test took this privilege away. */
int	lvk_cred_denied(const struct ucred *, int priv);
void	lvk_cred_gone(const struct ucred *);

#endif /* LVK_CRED_H */
