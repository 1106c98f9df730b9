/* SPDX-License-Identifier: BSD-2-Clause */
#include "api.h"

void
libvnet_seed(uint64_t seed)
{
	host_random_seed(seed);
}

uint64_t
libvnet_seed_get(void)
{
	return (host_random_seed_get());
}
