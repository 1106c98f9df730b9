/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The seam's part about user land, whose place the test takes: credentials,
 * user memory, and the debugger's prompt.
 */
#ifndef LIBVNET_SEAM_USER_H
#define LIBVNET_SEAM_USER_H

#include "seam.h"

struct ucred;

/* In the prison of `v', NULL: outside all. */
struct ucred *vnk_cred_create(const struct vnet *v, unsigned uid, unsigned gid);
void	 vnk_cred_free(struct ucred *cr);
/* The current thread's; `cr' becomes it, NULL changes nothing. */
struct ucred *vnk_cred_switch(struct ucred *cr);
/* The vnet that it belongs to. */
struct vnet *vnk_cred_vnet(const struct ucred *cr);
/* A privilege, or VNK_PRIV_ALL; there may be no such one, or no room. */
#define VNK_PRIV_ALL (-1)
enum { VNK_CRED_DONE, VNK_CRED_NOPRIV, VNK_CRED_FULL };
int	 vnk_cred_deny(const struct ucred *cr, int priv, int deny);

/* False: too many ranges. */
int	 vnk_user_bad(const void *start, vnh_size_t bytes);
void	 vnk_user_good(const void *start, vnh_size_t bytes);
void	 vnk_user_fail(vnh_u64 nth);		/* 0: none */
vnh_u64	 vnk_user_count(void);
void	 vnk_user_watch(int on);
/* After the next fetch of one of these bytes. */
#define VNK_CHANGE_MAX 64
void	 vnk_user_change(void *at, const void *bytes, vnh_size_t n);

/* A command of ddb(4), its words as at the prompt; returns kerr. */
int	 vnk_ddb(const char *words);

#endif /* LIBVNET_SEAM_USER_H */
