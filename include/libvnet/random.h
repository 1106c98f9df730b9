/* SPDX-License-Identifier: BSD-2-Clause */
/* The one source of randomness in the kernel world. */
#ifndef LIBVNET_RANDOM_H
#define LIBVNET_RANDOM_H

#include <libvnet/types.h>

LIBVNET_BEGIN

/* Restart the stream.  The same seed gives the same run. */
void	libvnet_seed(uint64_t seed);
/* The seed in force. */
uint64_t libvnet_seed_get(void);

LIBVNET_END

#endif /* LIBVNET_RANDOM_H */
