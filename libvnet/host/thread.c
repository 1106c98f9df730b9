/* SPDX-License-Identifier: BSD-2-Clause */
/* Host threads that run kernel-world code. */
#include <sched.h>
#include <stdatomic.h>

#include "host.h"

static atomic_int threads;

void
host_thread_count(int delta)
{
	atomic_fetch_add(&threads, delta);
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
}
