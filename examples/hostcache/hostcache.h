/*-
 * SPDX-License-Identifier: BSD-2-Clause
 */
#ifndef _NETINET_HOSTCACHE_H_
#define _NETINET_HOSTCACHE_H_

/*
 * An IPv4 or IPv6 address.  Link-local addresses carry their zone inside, as
 * everywhere in the kernel, and so differ between links.
 */
struct hc_addr {
	union {
		struct in_addr	hca_in;
		struct in6_addr	hca_in6;
		uint32_t	hca_word[4];
	};
	sa_family_t	hca_af;		/* AF_INET or AF_INET6 */
};

/* What is known of the path to a host; 0 where nothing is. */
struct hc_metrics {
	uint32_t	hcm_mtu;	/* octets */
	uint32_t	hcm_rtt;	/* microseconds, smoothed */
	uint32_t	hcm_rttvar;	/* microseconds, smoothed */
	uint32_t	hcm_maxlen;	/* largest packet seen from it, octets */
};

#define HC_MTU_MIN4	68		/* smallest path MTU of IPv4, */
#define HC_MTU_MIN6	1280		/* and of IPv6 */
#define HC_PACKET_MAX	(40 + 65535)	/* IPv6 header and largest payload */

/* One entry, as net.inet.hostcache.list shows it. */
struct xhc_entry {
	struct hc_addr	xhe_addr;
	struct hc_metrics xhe_metrics;
	uint64_t	xhe_packets;	/* by hc_input() */
	uint64_t	xhe_hits;	/* answers of hc_get() */
	int64_t		xhe_expire;	/* seconds left; 0 or less: expired */
};

/* net.inet.hostcache.stats */
struct hcstat {
	uint64_t	hcs_packets;	/* packets seen, */
	uint64_t	hcs_octets;	/* and their length */
	uint64_t	hcs_lookups;	/* hc_get() */
	uint64_t	hcs_hits;	/* answered from the cache */
	uint64_t	hcs_updates;	/* hc_update() */
	uint64_t	hcs_added;	/* entries made */
	uint64_t	hcs_evicted;	/* entries that gave way to another */
	uint64_t	hcs_expired;	/* entries that grew too old */
	uint64_t	hcs_purged;	/* entries removed by request */
	uint64_t	hcs_nomem;	/* refused: cachelimit, or no memory */
	uint64_t	hcs_badaddr;	/* refused: not the address of a host */
	uint64_t	hcs_badlen;	/* refused: impossible length or MTU */
};

#ifdef _KERNEL
int	hc_get(const struct hc_addr *, struct hc_metrics *);
int	hc_update(const struct hc_addr *, const struct hc_metrics *);
int	hc_input(const struct hc_addr *, u_int);
#endif

#endif /* _NETINET_HOSTCACHE_H_ */
