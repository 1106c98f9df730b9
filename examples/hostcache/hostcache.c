/*-
 * SPDX-License-Identifier: BSD-2-Clause
 */

/*
 * The host cache keeps, for each vnet, what was learned about the path to
 * other hosts: its MTU, its round-trip time, how large packets get through.
 *
 * It is a hash table of buckets.  A bucket is a list in order of use, the
 * last used entry first, under a mutex of its own.  When a bucket holds
 * V_hc_bucketlimit entries, or the zone its V_hc_cachelimit, the entry that
 * was not used for the longest time gives way.
 *
 * Only news keeps an entry alive: hc_update() and hc_input() give it another
 * V_hc_expire seconds, hc_get() does not.  Every V_hc_prune seconds a callout
 * frees what has expired; what it has not reached yet is never handed out.
 *
 * Locks: at most one bucket is locked at a time, and nothing sleeps under it.
 */

#include <sys/param.h>
#include <sys/systm.h>
#include <sys/callout.h>
#include <sys/counter.h>
#include <sys/hash.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/queue.h>
#include <sys/socket.h>
#include <sys/sysctl.h>

#include <vm/uma.h>

#include <net/vnet.h>

#include <netinet/in.h>

#include "hostcache.h"

#define HC_HASHSIZE	128		/* buckets */
#define HC_HASHSIZE_MAX	65536
#define HC_BUCKETLIMIT	16		/* entries in a bucket */
#define HC_LIMIT_MAX	(1 << 24)
#define HC_EXPIRE	3600		/* seconds */
#define HC_PRUNE	300		/* seconds */
#define HC_SECONDS_MAX	(7 * 86400)

/* (b) bucket lock, (c) never changes while the entry is in the cache */
struct hc_entry {
	TAILQ_ENTRY(hc_entry) he_link;	/* (b) */
	struct hc_addr	he_addr;	/* (c) */
	struct hc_metrics he_metrics;	/* (b) */
	uint64_t	he_packets;	/* (b) */
	uint64_t	he_hits;	/* (b) */
	time_t		he_expire;	/* (b) in time_uptime */
};

TAILQ_HEAD(hc_lru, hc_entry);

struct hc_bucket {
	struct mtx	hb_mtx;
	struct hc_lru	hb_lru;		/* (b) last used first */
	u_int		hb_length;	/* (b) */
} __aligned(CACHE_LINE_SIZE);

static MALLOC_DEFINE(M_HOSTCACHE, "hostcache", "host cache buckets");

VNET_DEFINE_STATIC(struct hc_bucket *, hc_table);
VNET_DEFINE_STATIC(u_int, hc_hashsize) = HC_HASHSIZE;
VNET_DEFINE_STATIC(uint32_t, hc_salt);
VNET_DEFINE_STATIC(uma_zone_t, hc_zone);
VNET_DEFINE_STATIC(u_int, hc_count);
VNET_DEFINE_STATIC(u_int, hc_cachelimit) = HC_HASHSIZE * HC_BUCKETLIMIT;
VNET_DEFINE_STATIC(u_int, hc_bucketlimit) = HC_BUCKETLIMIT;
VNET_DEFINE_STATIC(u_int, hc_expire) = HC_EXPIRE;
VNET_DEFINE_STATIC(u_int, hc_prune) = HC_PRUNE;
VNET_DEFINE_STATIC(struct callout, hc_callout);
#define V_hc_table	VNET(hc_table)
#define V_hc_hashsize	VNET(hc_hashsize)
#define V_hc_salt	VNET(hc_salt)
#define V_hc_zone	VNET(hc_zone)
#define V_hc_count	VNET(hc_count)
#define V_hc_cachelimit	VNET(hc_cachelimit)
#define V_hc_bucketlimit VNET(hc_bucketlimit)
#define V_hc_expire	VNET(hc_expire)
#define V_hc_prune	VNET(hc_prune)
#define V_hc_callout	VNET(hc_callout)

VNET_PCPUSTAT_DEFINE_STATIC(struct hcstat, hcstat);
VNET_PCPUSTAT_SYSINIT(hcstat);
VNET_PCPUSTAT_SYSUNINIT(hcstat);
#define HCSTAT_ADD(f, n) VNET_PCPUSTAT_ADD(struct hcstat, hcstat, f, (n))
#define HCSTAT_INC(f)	HCSTAT_ADD(f, 1)

static callout_func_t hc_timeout;

static bool
hc_ishost(const struct hc_addr *addr)
{
	in_addr_t a;

	KASSERT(addr->hca_af == AF_INET || addr->hca_af == AF_INET6,
	    ("%s: address family %d", __func__, addr->hca_af));
	if (addr->hca_af == AF_INET6)
		return (!IN6_IS_ADDR_UNSPECIFIED(&addr->hca_in6) &&
		    !IN6_IS_ADDR_MULTICAST(&addr->hca_in6));
	a = ntohl(addr->hca_in.s_addr);
	return (a != INADDR_ANY && a != INADDR_BROADCAST && !IN_MULTICAST(a));
}

static u_int
hc_words(const struct hc_addr *addr)
{
	return (addr->hca_af == AF_INET ? 1 : 4);
}

static bool
hc_equal(const struct hc_addr *a, const struct hc_addr *b)
{
	return (a->hca_af == b->hca_af && memcmp(a->hca_word, b->hca_word,
	    hc_words(a) * sizeof(a->hca_word[0])) == 0);
}

/* The address's bucket, locked. */
static struct hc_bucket *
hc_lock(const struct hc_addr *addr)
{
	struct hc_bucket *hb;
	uint32_t hash;

	hash = jenkins_hash32(addr->hca_word, hc_words(addr), V_hc_salt);
	hb = &V_hc_table[hash & (V_hc_hashsize - 1)];
	mtx_lock(&hb->hb_mtx);
	return (hb);
}

static void
hc_remove(struct hc_bucket *hb, struct hc_entry *he)
{
	mtx_assert(&hb->hb_mtx, MA_OWNED);
	KASSERT(hb->hb_length > 0, ("%s: bucket %p is empty", __func__, hb));
	TAILQ_REMOVE(&hb->hb_lru, he, he_link);
	hb->hb_length--;
	atomic_subtract_int(&V_hc_count, 1);
	uma_zfree(V_hc_zone, he);
}

/* Finding is using: the entry becomes the bucket's first. */
static struct hc_entry *
hc_find(struct hc_bucket *hb, const struct hc_addr *addr)
{
	struct hc_entry *he;

	mtx_assert(&hb->hb_mtx, MA_OWNED);
	TAILQ_FOREACH(he, &hb->hb_lru, he_link)
		if (hc_equal(&he->he_addr, addr))
			break;
	if (he == NULL)
		return (NULL);
	if (he->he_expire <= time_uptime) {
		hc_remove(hb, he);
		HCSTAT_INC(hcs_expired);
		return (NULL);
	}
	TAILQ_REMOVE(&hb->hb_lru, he, he_link);
	TAILQ_INSERT_HEAD(&hb->hb_lru, he, he_link);
	return (he);
}

static void
hc_evict(struct hc_bucket *hb)
{
	hc_remove(hb, TAILQ_LAST(&hb->hb_lru, hc_lru));
	HCSTAT_INC(hcs_evicted);
}

static struct hc_entry *
hc_add(struct hc_bucket *hb, const struct hc_addr *addr)
{
	struct hc_entry *he;

	while (hb->hb_length >= V_hc_bucketlimit)
		hc_evict(hb);
	he = uma_zalloc(V_hc_zone, M_NOWAIT | M_ZERO);
	if (he == NULL && hb->hb_length > 0) {
		hc_evict(hb);
		he = uma_zalloc(V_hc_zone, M_NOWAIT | M_ZERO);
	}
	if (he == NULL) {
		HCSTAT_INC(hcs_nomem);
		return (NULL);
	}
	he->he_addr = *addr;
	TAILQ_INSERT_HEAD(&hb->hb_lru, he, he_link);
	hb->hb_length++;
	atomic_add_int(&V_hc_count, 1);
	HCSTAT_INC(hcs_added);
	return (he);
}

/* An entry to write news to, found or made. */
static struct hc_entry *
hc_touch(struct hc_bucket *hb, const struct hc_addr *addr)
{
	struct hc_entry *he;

	he = hc_find(hb, addr);
	if (he == NULL)
		he = hc_add(hb, addr);
	if (he != NULL)
		he->he_expire = time_uptime + V_hc_expire;
	return (he);
}

/*
 * What is known of the path to a host.  ENOENT: nothing; EADDRNOTAVAIL: that
 * is no host's address.
 */
int
hc_get(const struct hc_addr *addr, struct hc_metrics *metrics)
{
	struct hc_bucket *hb;
	struct hc_entry *he;

	HCSTAT_INC(hcs_lookups);
	if (!hc_ishost(addr)) {
		HCSTAT_INC(hcs_badaddr);
		return (EADDRNOTAVAIL);
	}
	hb = hc_lock(addr);
	he = hc_find(hb, addr);
	if (he != NULL) {
		he->he_hits++;
		*metrics = he->he_metrics;
		HCSTAT_INC(hcs_hits);
	}
	mtx_unlock(&hb->hb_mtx);
	return (he != NULL ? 0 : ENOENT);
}

/* Half of what was known and half of what is new. */
static uint32_t
hc_smooth(uint32_t old, uint32_t new)
{
	if (old == 0 || new == 0)
		return (old | new);
	return (((uint64_t)old + new) / 2);
}

/*
 * Merge news about a path; members that are 0 change nothing.  ENOBUFS: there
 * is no room; EINVAL: no path can have such an MTU.
 */
int
hc_update(const struct hc_addr *addr, const struct hc_metrics *news)
{
	struct hc_bucket *hb;
	struct hc_entry *he;
	uint32_t least;

	HCSTAT_INC(hcs_updates);
	if (!hc_ishost(addr)) {
		HCSTAT_INC(hcs_badaddr);
		return (EADDRNOTAVAIL);
	}
	least = addr->hca_af == AF_INET ? HC_MTU_MIN4 : HC_MTU_MIN6;
	if (news->hcm_mtu != 0 && news->hcm_mtu < least) {
		HCSTAT_INC(hcs_badlen);
		return (EINVAL);
	}
	hb = hc_lock(addr);
	he = hc_touch(hb, addr);
	if (he != NULL) {
		if (news->hcm_mtu != 0)
			he->he_metrics.hcm_mtu = news->hcm_mtu;
		he->he_metrics.hcm_rtt = hc_smooth(he->he_metrics.hcm_rtt,
		    news->hcm_rtt);
		he->he_metrics.hcm_rttvar = hc_smooth(
		    he->he_metrics.hcm_rttvar, news->hcm_rttvar);
	}
	mtx_unlock(&hb->hb_mtx);
	return (he != NULL ? 0 : ENOBUFS);
}

/*
 * A packet of `len' octets, IP header included, went to or came from a host.
 * EMSGSIZE: no packet has that length.
 */
int
hc_input(const struct hc_addr *addr, u_int len)
{
	struct hc_bucket *hb;
	struct hc_entry *he;

	HCSTAT_INC(hcs_packets);
	if (!hc_ishost(addr)) {
		HCSTAT_INC(hcs_badaddr);
		return (EADDRNOTAVAIL);
	}
	if (len == 0 || len > HC_PACKET_MAX) {
		HCSTAT_INC(hcs_badlen);
		return (EMSGSIZE);
	}
	HCSTAT_ADD(hcs_octets, len);
	hb = hc_lock(addr);
	he = hc_touch(hb, addr);
	if (he != NULL) {
		he->he_packets++;
		if (he->he_metrics.hcm_maxlen < len)
			he->he_metrics.hcm_maxlen = len;
	}
	mtx_unlock(&hb->hb_mtx);
	return (he != NULL ? 0 : ENOBUFS);
}

/* Remove what has expired, or all.  Returns how many that were. */
static u_int
hc_purge(bool all)
{
	struct hc_bucket *hb;
	struct hc_entry *he, *next;
	u_int i, n;

	n = 0;
	for (i = 0; i < V_hc_hashsize; i++) {
		hb = &V_hc_table[i];
		mtx_lock(&hb->hb_mtx);
		TAILQ_FOREACH_SAFE(he, &hb->hb_lru, he_link, next)
			if (all || he->he_expire <= time_uptime) {
				hc_remove(hb, he);
				n++;
			}
		mtx_unlock(&hb->hb_mtx);
	}
	return (n);
}

static void
hc_arm(struct vnet *vnet)
{
	callout_reset_sbt(&V_hc_callout, V_hc_prune * SBT_1S, 0, hc_timeout,
	    vnet, 0);
}

/* A callout runs in no vnet; its argument says whose it is. */
static void
hc_timeout(void *arg)
{
	CURVNET_SET((struct vnet *)arg);
	HCSTAT_ADD(hcs_expired, hc_purge(false));
	hc_arm(arg);
	CURVNET_RESTORE();
}

/* The number of buckets is a power of two; it is chosen once. */
static void
hc_tunables(void)
{
	int n;

	n = V_hc_hashsize;
	TUNABLE_INT_FETCH("net.inet.hostcache.hashsize", &n);
	if (n < 1 || n > HC_HASHSIZE_MAX || !powerof2(n)) {
		printf("WARNING: net.inet.hostcache.hashsize=%d is not a power "
		    "of 2 up to %d, using %d\n", n, HC_HASHSIZE_MAX,
		    HC_HASHSIZE);
		n = HC_HASHSIZE;
	}
	V_hc_hashsize = n;
}

static void
hc_init(const void *unused __unused)
{
	struct hc_bucket *hb;
	u_int i;

	hc_tunables();
	V_hc_salt = arc4random();
	V_hc_zone = uma_zcreate("hostcache", sizeof(struct hc_entry), NULL,
	    NULL, NULL, NULL, UMA_ALIGN_PTR, 0);
	uma_zone_set_max(V_hc_zone, V_hc_cachelimit);
	V_hc_table = mallocarray(V_hc_hashsize, sizeof(*V_hc_table),
	    M_HOSTCACHE, M_WAITOK | M_ZERO);
	for (i = 0; i < V_hc_hashsize; i++) {
		hb = &V_hc_table[i];
		mtx_init(&hb->hb_mtx, "hc_bucket", NULL, MTX_DEF);
		TAILQ_INIT(&hb->hb_lru);
	}
	callout_init(&V_hc_callout, 1);
	hc_arm(curvnet);
}
VNET_SYSINIT(hc_init, SI_SUB_PROTO_DOMAIN, SI_ORDER_ANY, hc_init, NULL);

static void
hc_uninit(const void *unused __unused)
{
	u_int i;

	callout_drain(&V_hc_callout);
	hc_purge(true);
	for (i = 0; i < V_hc_hashsize; i++)
		mtx_destroy(&V_hc_table[i].hb_mtx);
	free(V_hc_table, M_HOSTCACHE);
	uma_zdestroy(V_hc_zone);
}
VNET_SYSUNINIT(hc_uninit, SI_SUB_PROTO_DOMAIN, SI_ORDER_ANY, hc_uninit, NULL);

SYSCTL_DECL(_net_inet);
static SYSCTL_NODE(_net_inet, OID_AUTO, hostcache, CTLFLAG_RW | CTLFLAG_MPSAFE,
    0, "Host cache");
SYSCTL_VNET_PCPUSTAT(_net_inet_hostcache, OID_AUTO, stats, struct hcstat,
    hcstat, "Statistics (struct hcstat, netinet/hostcache.h)");
SYSCTL_UINT(_net_inet_hostcache, OID_AUTO, hashsize,
    CTLFLAG_VNET | CTLFLAG_RDTUN | CTLFLAG_NOFETCH, &VNET_NAME(hc_hashsize), 0,
    "Number of buckets");
SYSCTL_UINT(_net_inet_hostcache, OID_AUTO, count, CTLFLAG_VNET | CTLFLAG_RD,
    &VNET_NAME(hc_count), 0, "Entries now in the cache");

/* A number from 1 to arg2. */
static int
hc_sysctl_limit(SYSCTL_HANDLER_ARGS)
{
	u_int *p, v;
	int error;

	p = arg1;
	v = *p;
	error = sysctl_handle_int(oidp, &v, 0, req);
	if (error != 0 || req->newptr == NULL)
		return (error);
	if (v < 1 || v > (u_int)arg2)
		return (EINVAL);
	*p = v;
	if (p == &V_hc_cachelimit)
		uma_zone_set_max(V_hc_zone, v);
	if (p == &V_hc_prune)
		hc_arm(curvnet);
	return (0);
}
#define HC_SYSCTL_LIMIT(name, max, descr)				\
	SYSCTL_PROC(_net_inet_hostcache, OID_AUTO, name,		\
	    CTLTYPE_UINT | CTLFLAG_RW | CTLFLAG_VNET | CTLFLAG_MPSAFE,	\
	    &VNET_NAME(hc_##name), (max), hc_sysctl_limit, "IU", descr)
HC_SYSCTL_LIMIT(cachelimit, HC_LIMIT_MAX, "Most entries in the cache");
HC_SYSCTL_LIMIT(bucketlimit, HC_LIMIT_MAX, "Most entries in a bucket");
HC_SYSCTL_LIMIT(expire, HC_SECONDS_MAX, "Seconds that news is kept");
HC_SYSCTL_LIMIT(prune, HC_SECONDS_MAX, "Seconds between prunings");

static int
hc_sysctl_purgenow(SYSCTL_HANDLER_ARGS)
{
	int error, v;

	v = 0;
	error = sysctl_handle_int(oidp, &v, 0, req);
	if (error == 0 && req->newptr != NULL && v != 0)
		HCSTAT_ADD(hcs_purged, hc_purge(true));
	return (error);
}
SYSCTL_PROC(_net_inet_hostcache, OID_AUTO, purgenow,
    CTLTYPE_INT | CTLFLAG_RW | CTLFLAG_VNET | CTLFLAG_MPSAFE, NULL, 0,
    hc_sysctl_purgenow, "I", "Remove all entries when set to non-zero");

static int
hc_sysctl_list(SYSCTL_HANDLER_ARGS)
{
	struct hc_bucket *hb;
	struct hc_entry *he;
	struct xhc_entry x;
	u_int i;
	int error;

	if (req->oldptr == NULL)
		return (SYSCTL_OUT(req, NULL, V_hc_count * sizeof(x)));
	error = sysctl_wire_old_buffer(req, 0);
	for (i = 0; error == 0 && i < V_hc_hashsize; i++) {
		hb = &V_hc_table[i];
		mtx_lock(&hb->hb_mtx);
		TAILQ_FOREACH(he, &hb->hb_lru, he_link) {
			bzero(&x, sizeof(x));
			x.xhe_addr = he->he_addr;
			x.xhe_metrics = he->he_metrics;
			x.xhe_packets = he->he_packets;
			x.xhe_hits = he->he_hits;
			x.xhe_expire = he->he_expire - time_uptime;
			error = SYSCTL_OUT(req, &x, sizeof(x));
			if (error != 0)
				break;
		}
		mtx_unlock(&hb->hb_mtx);
	}
	return (error);
}
SYSCTL_PROC(_net_inet_hostcache, OID_AUTO, list,
    CTLTYPE_OPAQUE | CTLFLAG_RD | CTLFLAG_VNET | CTLFLAG_MPSAFE, NULL, 0,
    hc_sysctl_list, "S,xhc_entry", "The entries, last used first per bucket");
