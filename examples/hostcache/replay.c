/*-
 * SPDX-License-Identifier: BSD-2-Clause
 */
/* The half of hostcache_replay that talks to the code under test. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/socket.h>

#include <netinet/in.h>

#include "hostcache.h"

#include <libvnet/libvnet.h>

#include "replay.h"

void
replay_feed(uint8_t version, const uint8_t *address, uint32_t length)
{
	struct hc_metrics metrics;
	struct hc_addr addr;

	bzero(&addr, sizeof(addr));
	addr.hca_af = version == 4 ? AF_INET : AF_INET6;
	memcpy(addr.hca_word, address, version == 4 ? 4 : 16);
	(void)hc_get(&addr, &metrics);
	(void)hc_input(&addr, length);
}

bool
replay_count(struct replay_counts *c)
{
	struct hcstat s;
	size_t size = sizeof(s);
	int64_t entries;

	if (libvnet_sysctl_read(NULL, "net.inet.hostcache.stats", &s, &size,
	    NULL) != 0 || libvnet_sysctl_get(NULL, "net.inet.hostcache.count",
	    &entries, NULL) != 0)
		return (false);
	*c = (struct replay_counts){
		.packets = s.hcs_packets,
		.octets = s.hcs_octets,
		.lookups = s.hcs_lookups,
		.hits = s.hcs_hits,
		.entries = entries,
		.expired = s.hcs_expired,
		.evicted = s.hcs_evicted,
		/* A bad address is counted by hc_get() and by hc_input(). */
		.refused = s.hcs_badaddr / 2 + s.hcs_badlen + s.hcs_nomem
	};
	return (true);
}
