/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef LIBVNET_HOST_EVENT_H
#define LIBVNET_HOST_EVENT_H

#include "seam_explore.h"

/* Told of every event from now on (NULL: nobody); returns the one before. */
typedef void host_event_fn(int kind, const void *object);
host_event_fn *host_event_listen(host_event_fn *fn);

/* For the listener: who could go on instead, and let one do so. */
int	host_event_choices(struct vnk_choice *choices, int max);
void	host_event_run(const struct vnk_choice *choice);

#endif /* LIBVNET_HOST_EVENT_H */
