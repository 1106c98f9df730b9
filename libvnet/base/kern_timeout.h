/* SPDX-License-Identifier: BSD-2-Clause */
/* What kern_timeout.c and kern_timeout_place.c share. */
#ifndef KERN_TIMEOUT_H
#define KERN_TIMEOUT_H

#include <sys/callout.h>
#include <lvk.h>

extern struct lvk_spin lvk_callout_lock;

/*
 * Is there a pending callout that begins within the memory?  For whoever is
 * about to free it, or to make something new of it: then *func is its handler.
 * Always false without INVARIANTS.
 */
bool	lvk_callout_pending_in(const void *mem, size_t size, vnh_uptr *func);

/* With the lock held. */
#ifdef INVARIANTS
void	callout_place_insert(struct callout *);
void	callout_place_remove(struct callout *);
#else
#define callout_place_insert(c) (void)0
#define callout_place_remove(c) (void)0
#endif

#endif
