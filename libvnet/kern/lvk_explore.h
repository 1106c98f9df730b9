/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the files of libvnet/kern tell an exploration, and where they ask it;
 * see lvk_explorer.c.  Nothing is left of it where kernel world is not
 * compiled for one.
 */
#ifndef LVK_EXPLORE_H
#define LVK_EXPLORE_H

#include <sys/param.h>
#include <seam_explore.h>

struct lvk_ctx;
struct pcpu;

#ifdef LIBVNET_EXPLORE

extern bool lvk_explored;		/* threads of a schedule run */
#define LVK_EVENT(event, object) do {					\
	if (__predict_false(lvk_explored))				\
		vnh_explore_event((event), (object));			\
} while (0)

/* Who goes on. */
struct lvk_ctx *lvk_explorer_pick(void);
void	lvk_explorer_ready(struct lvk_ctx *);
void	lvk_explorer_parked(struct lvk_ctx *, bool gone);
/* The current thread waits for something to happen to `object' (NULL: any). */
void	lvk_explorer_block(const void *object);

/* Somebody there has interrupts off. */
bool	lvk_explorer_closed(const struct pcpu *);

/* ---- lvk_describe.c */
int	lvk_percpu_item(const void *addr);	/* whose slot, -1: none */

#else

#define lvk_explored false
#define LVK_EVENT(event, object) ((void)0)
#define lvk_explorer_pick() ((struct lvk_ctx *)NULL)
#define lvk_explorer_ready(c) ((void)(c))
#define lvk_explorer_parked(c, gone) ((void)(c))
#define lvk_explorer_block(object) ((void)(object))
#define lvk_explorer_closed(pc) ((void)(pc), false)

#endif
#endif /* LVK_EXPLORE_H */
