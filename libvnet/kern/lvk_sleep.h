/* SPDX-License-Identifier: BSD-2-Clause */
/* Waiting, for the files of libvnet/kern; see kern_synch.c. */
#ifndef LVK_SLEEP_H
#define LVK_SLEEP_H

#include <sys/param.h>

/*
 * Let the rest of the machine run until ready(arg) is true, and return 0, or
 * until the clock reaches `deadline' (SBT_MAX: none), and return EWOULDBLOCK.
 * The caller holds no lock that others need.  `wmesg' and `object' (may be
 * NULL) name in a panic what is waited for.
 */
typedef bool lvk_ready_fn(void *arg);
int	lvk_wait(lvk_ready_fn *ready, void *arg, sbintime_t deadline,
	    const char *wmesg, const char *object);

#endif /* LVK_SLEEP_H */
