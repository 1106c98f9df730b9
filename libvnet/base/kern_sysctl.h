/* SPDX-License-Identifier: BSD-2-Clause */
/* What the kern_sysctl*.c files share. */
#ifndef KERN_SYSCTL_H
#define KERN_SYSCTL_H

#include <sys/sysctl.h>
#include <sys/lock.h>
#include <sys/sx.h>

/* The tree, its reference counts and contexts; not held around handlers. */
extern struct sx lvk_sysctl_lock;
/* The contents of string variables. */
extern struct sx lvk_sysctl_string_lock;

struct sysctl_oid *lvk_sysctl_child(struct sysctl_oid_list *, const char *name,
	    size_t len);
/* The node of a dotted name, or NULL. */
struct sysctl_oid *lvk_sysctl_find(const char *name);
/* Dotted name of a node, cut on the left where it does not fit. */
const char *lvk_sysctl_path(struct sysctl_oid *, char *buf, size_t size);
void	lvk_sysctl_warn_reuse(const char *func, struct sysctl_oid *);
void	lvk_sysctl_req(struct sysctl_req *, struct thread *, void *old,
	    size_t oldlen, const void *newval, size_t newlen);
/* Runs the handler with the lock dropped. */
int	lvk_sysctl_handler(struct sysctl_oid *, void *arg1, intmax_t arg2,
	    struct sysctl_req *);
void	lvk_sysctl_load_tunable(struct sysctl_oid *);

#define SYSCTL_PATH_MAX 256

#endif
