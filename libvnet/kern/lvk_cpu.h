/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Virtual CPUs and who is on them, for the files of libvnet/kern; see
 * lvk_cpu.c.
 */
#ifndef LVK_CPU_H
#define LVK_CPU_H

#include "lvk_sched.h"

/*
 * One CPU and one thread at a time: whoever runs has it, and nothing of this
 * file needs to be done.
 */
extern bool lvk_solo;

/* All (s): with lvk_sched_lock held. */

/* `c' is on a CPU afterwards, lc_pcpu, or it returns false. */
bool	lvk_cpu_find(struct lvk_ctx *c);
void	lvk_cpu_leave(struct lvk_ctx *c);

static __inline bool
lvk_cpu_take(struct lvk_ctx *c)
{
	return (lvk_solo || c->lc_oncpu || lvk_cpu_find(c));
}

static __inline void
lvk_cpu_give(struct lvk_ctx *c)
{
	if (c->lc_oncpu)
		lvk_cpu_leave(c);
}
/* Who has it, NULL: it is idle. */
struct lvk_ctx *lvk_cpu_holder(const struct pcpu *pc);
/* Whether `c' could come on that CPU if it were idle. */
bool	lvk_cpu_suits(const struct lvk_ctx *c, const struct pcpu *pc);
/* An idle CPU is held for nobody, while something is done in its name. */
bool	lvk_cpu_claim(struct pcpu *pc);
void	lvk_cpu_unclaim(struct pcpu *pc);
/* For a host thread that attaches; NULL: it must share. */
struct pcpu *lvk_cpu_spare(void);

/* Where a thread goes that may choose. */
void	lvk_cpu_policy(int policy, uint64_t seed);

#endif /* LVK_CPU_H */
