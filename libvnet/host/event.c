/* SPDX-License-Identifier: BSD-2-Clause */
/* Events of kernel world, for whoever wants to decide at them. */
#include <stddef.h>

#include "event.h"

static host_event_fn *listener;

host_event_fn *
host_event_listen(host_event_fn *fn)
{
	host_event_fn *old = listener;

	listener = fn;
	vnk_explore(fn != NULL);
	return (old);
}

void
vnh_explore_event(int kind, const void *object)
{
	if (listener != NULL)
		listener(kind, object);
}

int
host_event_choices(struct vnk_choice *choices, int max)
{
	return (vnk_explore_choices(choices, max));
}

void
host_event_run(const struct vnk_choice *choice)
{
	vnk_explore_run(choice);
}
