/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A second host thread for a test (threads_host.c).  It may neither panic nor
 * assert: only the test's own thread can be brought back from that.
 */
#ifndef THREADS_H
#define THREADS_H

/* fn(arg) in another thread, attached to the kernel world meanwhile. */
void	threads_start(void (*fn)(void *), void *arg);
/* Wait for its end. */
void	threads_join(void);
void	threads_yield(void);

#endif
