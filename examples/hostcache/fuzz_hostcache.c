/*-
 * SPDX-License-Identifier: BSD-2-Clause
 */
/*
 * Property: whatever calls, limits and delays two vnets get, in each of them
 *
 *	- the entries that the list shows are as many as `count' says, and as
 *	  the statistics add up to; each of them was given to this vnet;
 *	- the cache limit is not exceeded;
 *	- the answers are those that the address and the length call for, and
 *	  an update that was accepted is answered by the next lookup;
 *	- the statistics count this vnet's calls and not the other's;
 *	- a destroyed vnet leaves nothing behind.
 *
 * One source for AFL++, libFuzzer and replay.  The kernel world boots once, and
 * every input finds it as it was then, its two new vnets included: so the
 * clock, the random numbers and every cache start alike, and an input does the
 * same each time.
 * The input is described in fuzz_format.h.  A broken property panics, and
 * without a test around it a panic is an abort().
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/errno.h>
#include <sys/socket.h>

#include <net/vnet.h>

#include <netinet/in.h>

#include "hostcache.h"
#include "fuzz_format.h"

#include <libvnet/libvnet.h>

/* Small tables collide, short times expire. */
#define HASHSIZE	"4"
#define EXPIRE		8	/* seconds */
#define PRUNE		2

#define MUST(expression) do {						\
	if (!(expression))						\
		panic("fuzz_hostcache: %s is false at line %d (%s)",	\
		    #expression, __LINE__, libvnet_error());		\
} while (0)

int	LLVMFuzzerTestOneInput(const uint8_t *, size_t);

/* What a vnet has been told. */
static struct world {
	struct vnet *vnet;
	struct hcstat told;	/* packets, lookups, updates, badaddr, badlen */
	int64_t ceiling;	/* entries that the cachelimit allows */
	struct hc_addr given[FUZZ_RECORDS_MAX];
	u_int ngiven;
} worlds[2];

struct record {
	enum fuzz_op op;
	struct world *world;
	struct hc_addr addr;
	uint32_t size;
	uint32_t delay_ms;
};

static int64_t
value(const char *name)
{
	int64_t v;

	MUST(libvnet_sysctl_get(NULL, name, &v, NULL) == 0);
	return (v);
}

static void
begin(struct world *w)
{
	bzero(w, sizeof(*w));
	MUST(libvnet_create(&w->vnet) == 0);
	MUST(libvnet_sysctl_set(w->vnet, "net.inet.hostcache.expire", EXPIRE,
	    NULL) == 0);
	MUST(libvnet_sysctl_set(w->vnet, "net.inet.hostcache.prune", PRUNE,
	    NULL) == 0);
	MUST(libvnet_enter(w->vnet) == 0);
	w->ceiling = value("net.inet.hostcache.cachelimit");
	MUST(libvnet_leave() == 0);
}

/* ---- what must be true of a vnet, which is current */

static bool
equal(const struct hc_addr *a, const struct hc_addr *b)
{
	return (a->hca_af == b->hca_af && memcmp(a->hca_word, b->hca_word,
	    a->hca_af == AF_INET ? 4 : 16) == 0);
}

static void
check_entry(const struct world *w, const struct xhc_entry *x)
{
	u_int i;

	for (i = 0; i < w->ngiven; i++)
		if (equal(&w->given[i], &x->xhe_addr))
			break;
	MUST(i < w->ngiven);
	MUST(x->xhe_metrics.hcm_maxlen <= HC_PACKET_MAX);
}

static void
check(const struct world *w)
{
	static struct xhc_entry list[FUZZ_RECORDS_MAX];
	size_t size = sizeof(list), n;
	int64_t count = value("net.inet.hostcache.count");
	struct hcstat s;

	MUST(libvnet_sysctl_read(NULL, "net.inet.hostcache.list", list, &size,
	    NULL) == 0);
	n = size / sizeof(list[0]);
	MUST((int64_t)n == count);
	MUST(count <= w->ceiling);
	for (size_t i = 0; i < n; i++)
		check_entry(w, &list[i]);
	size = sizeof(s);
	MUST(libvnet_sysctl_read(NULL, "net.inet.hostcache.stats", &s, &size,
	    NULL) == 0);
	MUST(s.hcs_added - s.hcs_evicted - s.hcs_expired - s.hcs_purged == n);
	MUST(s.hcs_packets == w->told.hcs_packets);
	MUST(s.hcs_octets == w->told.hcs_octets);
	MUST(s.hcs_lookups == w->told.hcs_lookups);
	MUST(s.hcs_updates == w->told.hcs_updates);
	MUST(s.hcs_badaddr == w->told.hcs_badaddr);
	MUST(s.hcs_badlen == w->told.hcs_badlen);
	MUST(s.hcs_hits <= s.hcs_lookups);
}

static void
end(struct world *w)
{
	MUST(libvnet_enter(w->vnet) == 0);
	check(w);
	MUST(libvnet_leave() == 0);
	MUST(libvnet_destroy(w->vnet) == 0);
	MUST(libvnet_finding_count() == 0);
}

/* ---- operations, in the vnet of the record */

static bool
ishost(const struct hc_addr *a)
{
	const uint8_t *p = (const uint8_t *)a->hca_word;

	if (a->hca_af == AF_INET)
		return ((p[0] & 0xf0) != 0xe0 && a->hca_word[0] != 0 &&
		    a->hca_word[0] != 0xffffffff);
	return (p[0] != 0xff && (a->hca_word[0] | a->hca_word[1] |
	    a->hca_word[2] | a->hca_word[3]) != 0);
}

static void
give(struct world *w, const struct record *r, int error)
{
	if (error == 0)
		w->given[w->ngiven++] = r->addr;
	else
		MUST(error == ENOBUFS);
}

static void
op_input(struct world *w, const struct record *r)
{
	int error;

	error = hc_input(&r->addr, r->size);
	w->told.hcs_packets++;
	if (!ishost(&r->addr)) {
		MUST(error == EADDRNOTAVAIL);
		w->told.hcs_badaddr++;
	} else if (r->size == 0 || r->size > HC_PACKET_MAX) {
		MUST(error == EMSGSIZE);
		w->told.hcs_badlen++;
	} else {
		w->told.hcs_octets += r->size;
		give(w, r, error);
	}
}

static void
op_update(struct world *w, const struct record *r)
{
	uint32_t least = r->addr.hca_af == AF_INET ? HC_MTU_MIN4 : HC_MTU_MIN6;
	struct hc_metrics m = { .hcm_mtu = r->size, .hcm_rtt = r->delay_ms };
	struct hc_metrics answer;
	int error;

	error = hc_update(&r->addr, &m);
	w->told.hcs_updates++;
	if (!ishost(&r->addr)) {
		MUST(error == EADDRNOTAVAIL);
		w->told.hcs_badaddr++;
	} else if (r->size != 0 && r->size < least) {
		MUST(error == EINVAL);
		w->told.hcs_badlen++;
	} else {
		give(w, r, error);
		if (error != 0)
			return;
		MUST(hc_get(&r->addr, &answer) == 0);
		MUST(r->size == 0 || answer.hcm_mtu == r->size);
		w->told.hcs_lookups++;
	}
}

static void
op_get(struct world *w, const struct record *r)
{
	struct hc_metrics m;
	int error;

	error = hc_get(&r->addr, &m);
	w->told.hcs_lookups++;
	if (!ishost(&r->addr)) {
		MUST(error == EADDRNOTAVAIL);
		w->told.hcs_badaddr++;
	} else
		MUST(error == 0 || error == ENOENT);
}

/* A limit below what is there already stops the cache from growing. */
static void
op_limit(struct world *w, const struct record *r, const char *name)
{
	int64_t count;
	int kerr;

	if (libvnet_sysctl_set(NULL, name, r->size, &kerr) != 0) {
		MUST(kerr == EINVAL);
		return;
	}
	if (r->op == FUZZ_CACHELIMIT) {
		count = value("net.inet.hostcache.count");
		w->ceiling = MAX(count, r->size);
	}
}

static void
op_purge(const struct record *r)
{
	MUST(libvnet_sysctl_set(NULL, "net.inet.hostcache.purgenow",
	    r->size & 1, NULL) == 0);
	if (r->size & 1)
		MUST(value("net.inet.hostcache.count") == 0);
}

static void
run(const struct record *r)
{
	struct world *w = r->world;

	if (r->op == FUZZ_RENEW) {
		end(w);
		begin(w);
		return;
	}
	MUST(libvnet_enter(w->vnet) == 0);
	switch (r->op) {
	case FUZZ_INPUT:
		op_input(w, r);
		break;
	case FUZZ_UPDATE:
		op_update(w, r);
		break;
	case FUZZ_GET:
		op_get(w, r);
		break;
	case FUZZ_CACHELIMIT:
		op_limit(w, r, "net.inet.hostcache.cachelimit");
		break;
	case FUZZ_BUCKETLIMIT:
		op_limit(w, r, "net.inet.hostcache.bucketlimit");
		break;
	case FUZZ_EXPIRE:
		op_limit(w, r, "net.inet.hostcache.expire");
		break;
	case FUZZ_PRUNE:
		op_limit(w, r, "net.inet.hostcache.prune");
		break;
	default:
		op_purge(r);
		break;
	}
	MUST(libvnet_leave() == 0);
}

static struct record
decode(const uint8_t *p)
{
	struct record r = {
		.op = p[0] % FUZZ_OPS,
		.world = &worlds[p[1] & 1],
		.delay_ms = p[2] | p[3] << 8,
		.size = p[4] | p[5] << 8 | p[6] << 16 | (uint32_t)p[7] << 24
	};

	r.addr.hca_af = (p[1] & 2) != 0 ? AF_INET6 : AF_INET;
	memcpy(r.addr.hca_word, p + 8, r.addr.hca_af == AF_INET ? 4 : 16);
	return (r);
}

static void
start(void)
{
	static const struct libvnet_options options = {
		.kenv = "net.inet.hostcache.hashsize=" HASHSIZE "\n"
	};

	MUST(libvnet_boot(&options) == 0);
	begin(&worlds[0]);
	begin(&worlds[1]);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t n = MIN(size / FUZZ_RECORD, FUZZ_RECORDS_MAX);
	uint32_t passed = 0;
	struct record r;

	if (!libvnet_booted())
		start();
	/* What start() made, `worlds' too, however the last input left it. */
	MUST(libvnet_snapshot_reset() == 0);
	for (size_t i = 0; i < n; i++) {
		r = decode(data + i * FUZZ_RECORD);
		passed += r.delay_ms;
		if (r.delay_ms != 0 && passed <= FUZZ_DELAY_MAX)
			MUST(libvnet_clock_advance_ns(r.delay_ms * 1000000LL)
			    == 0);
		run(&r);
	}
	end(&worlds[0]);
	end(&worlds[1]);
	return (0);
}
