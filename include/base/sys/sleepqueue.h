/* SPDX-License-Identifier: BSD-2-Clause */
/* What sleep(9) is made of; see sleepqueue(9). */
#ifndef _SYS_SLEEPQUEUE_H_
#define _SYS_SLEEPQUEUE_H_

#include <sys/types.h>

struct lock_object;
struct sleepqueue;
struct thread;

#define SLEEPQ_TYPE 0x0ff
#define SLEEPQ_SLEEP 0x00
#define SLEEPQ_CONDVAR 0x01
#define SLEEPQ_PAUSE 0x02
#define SLEEPQ_SX 0x03
#define SLEEPQ_LK 0x04
#define SLEEPQ_INTERRUPTIBLE 0x100
#define SLEEPQ_UNFAIR 0x200

/*
 * Between sleepq_lock() and sleepq_release() nobody is woken from the channel.
 * The waits release it, too.
 */
void	sleepq_lock(const void *wchan);
void	sleepq_release(const void *wchan);
void	sleepq_add(const void *wchan, struct lock_object *, const char *wmesg,
	    int flags, int queue);
void	sleepq_set_timeout_sbt(const void *wchan, sbintime_t, sbintime_t,
	    int flags);
#define sleepq_set_timeout(wchan, timo) \
	sleepq_set_timeout_sbt((wchan), tick_sbt * (timo), 0, C_HARDCLOCK)
void	sleepq_wait(const void *wchan, int pri);
int	sleepq_wait_sig(const void *wchan, int pri);
int	sleepq_timedwait(const void *wchan, int pri);
int	sleepq_timedwait_sig(const void *wchan, int pri);
/* With the channel locked. */
int	sleepq_signal(const void *wchan, int flags, int pri, int queue);
int	sleepq_broadcast(const void *wchan, int flags, int pri, int queue);
struct sleepqueue *sleepq_lookup(const void *wchan);
u_int	sleepq_sleepcnt(const void *wchan, int queue);
/* Unlocked: wake the thread if it sleeps there. */
void	sleepq_remove(struct thread *, const void *wchan);

#endif /* _SYS_SLEEPQUEUE_H_ */
