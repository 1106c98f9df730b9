/* SPDX-License-Identifier: BSD-2-Clause */
/* Two threads that make `accesses' accesses together, for bench_explore.c. */
#include <sys/param.h>
#include <sys/systm.h>
#include <libvnet/explore.h>

#include "explore_ops.h"

static u_long shared[2], own[2][8];
static unsigned rounds;

void
explore_ops_reset(void *arg)
{
	memset(shared, 0, sizeof(shared));
	memset(own, 0, sizeof(own));
}

/* Each round: five accesses, two of them of a place of both. */
static void
work(void *arg)
{
	u_long *mine = arg;

	for (unsigned i = 0; i < rounds; i++) {
		mine[i & 7]++;
		mine[(i + 1) & 7] = i;
		shared[0] += 1;
	}
}

static bool
fine(void *arg)
{
	return (shared[1] == 0);
}

void
explore_ops_describe(struct libvnet_explore *what, unsigned accesses)
{
	rounds = accesses / 10;
	what->threads[0] = (struct libvnet_explore_thread){ "a", work, own[0] };
	what->threads[1] = (struct libvnet_explore_thread){ "b", work, own[1] };
	what->setup = explore_ops_reset;
	what->check = fine;
}
