/* SPDX-License-Identifier: BSD-2-Clause */
/* What the files of libvnet/api share. */
#ifndef LIBVNET_API_H
#define LIBVNET_API_H

#include <libvnet/libvnet.h>

#include "host.h"

/*
 * Fail with `error' and a sentence for libvnet_error(), which names the call
 * and says what to do.  Returns `error'.
 */
int	api_fail(int error, const char *fmt, ...)
	    __attribute__((format(printf, 2, 3)));

/* 0, or the failure of calling `who' before boot or on a foreign thread. */
int	api_ready(const char *who);
/* As above, and `vnet' must be a live one. */
int	api_vnet(const char *who, const struct vnet *vnet);

/* ---- clock.c */
int	api_epoch_check(const char *what, enum libvnet_epoch when, int ticks);

/* ---- vnet.c: what libvnet_enter() keeps of this thread */
/* `cred' NULL: that of the vnet's root. */
int	api_enter(const char *who, struct vnet *vnet, struct ucred *cred);
void	api_enter_reset(void);
void	*api_enter_state(size_t *size);

/* ---- snapshot.c */
struct libvnet_snapshot;
/* The kernel world goes away, and its snapshots with it. */
void	api_snapshot_forget(void);
/* Free all but those in `keep', which may hold NULLs. */
void	api_snapshot_free_others(struct libvnet_snapshot *const *keep, int n);
/* Whether the heap's memory can be saved at all. */
bool	api_snapshot_possible(void);
/* Restore wherever the world was left, as after a panic. */
int	api_snapshot_restore(struct libvnet_snapshot *);

#endif /* LIBVNET_API_H */
