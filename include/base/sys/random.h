/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS_RANDOM_H_
#define _SYS_RANDOM_H_

#include <sys/types.h>

struct uio;

enum random_entropy_source {
	RANDOM_CACHED = 0,
	RANDOM_NET_TUN = 4,
	RANDOM_NET_ETHER,
	RANDOM_NET_NG,
	RANDOM_INTERRUPT,
	RANDOM_SWI
};

void	read_random(void *, u_int);
int	read_random_uio(struct uio *, bool);
bool	is_random_seeded(void);

/* There is no entropy to be gathered. */
#define random_harvest_queue(data, size, source) do { } while (0)
#define random_harvest_fast(data, size, source) do { } while (0)
#define random_harvest_direct(data, size, source) do { } while (0)
#define random_harvest_queue_ether(data, size) do { } while (0)

#endif
