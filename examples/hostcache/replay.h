/*-
 * SPDX-License-Identifier: BSD-2-Clause
 */
/*
 * Between the two halves of hostcache_replay: replay.c sees the kernel's
 * headers, replay_host.c those of libc.
 */
#ifndef REPLAY_H
#define REPLAY_H

#include <libvnet/packet.h>

/* What a vnet has seen, from its own statistics. */
struct replay_counts {
	uint64_t packets;	/* fed to hc_input() */
	uint64_t octets;
	uint64_t lookups, hits;	/* of hc_get() */
	uint64_t entries;	/* in the cache now */
	uint64_t expired, evicted;
	uint64_t refused;	/* not the address of a host, no room, length */
};

/*
 * A packet of `length' octets from or to a host, in the vnet that is current:
 * what is known of the host is looked up, then the packet is noted.
 */
void	replay_feed(uint8_t version, const uint8_t *address, uint32_t length);
/* False: they cannot be read. */
bool	replay_count(struct replay_counts *counts);

/* replay_seeds.c: all packets of the files as inputs for the fuzz target. */
int	replay_seeds(const char *dir, char **files, int n);

#endif /* REPLAY_H */
