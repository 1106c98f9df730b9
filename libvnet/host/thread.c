/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Host threads that run kernel-world code.
 *
 * As long as there is one, it may use the caches of the heap without a lock.
 * When a second comes, it first tells the kernel so, then makes sure that the
 * first has seen it (membarrier), and then waits until the first has left
 * what it was in: an unlocked section is marked by a plain store.  Where the
 * host has no membarrier, or a sanitizer would not understand it, the caches
 * are always locked.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/syscall.h>
#include <linux/membarrier.h>
#endif

#include "coroutine.h"

/* Of the real one; an explorer answers to __tsan_init() too. */
extern void *__tsan_create_fiber(unsigned) __attribute__((weak));

static atomic_int threads;

#ifdef __NR_membarrier
static bool
quiet(void)
{
	static int known = -1;

	if (known < 0)
		known = __tsan_create_fiber == NULL && syscall(__NR_membarrier,
		    MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
	return (known != 0);
}

static void
settle(void)
{
	syscall(__NR_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
	while (vnk_threads_busy())
		sched_yield();
}
#else
static bool
quiet(void)
{
	return (false);
}

static void
settle(void)
{
}
#endif

void
host_thread_count(int delta)
{
	static pthread_mutex_t counting = PTHREAD_MUTEX_INITIALIZER;
	int n;

	pthread_mutex_lock(&counting);
	n = atomic_fetch_add(&threads, delta) + delta;
	vnk_threads(n, quiet());
	if (delta > 0 && n > 1 && quiet())
		settle();
	pthread_mutex_unlock(&counting);
}

int
vnh_threads(void)
{
	return (atomic_load(&threads));
}

void
vnh_yield(void)
{
	sched_yield();
	host_threads_poll();
	host_home_poll();
}
