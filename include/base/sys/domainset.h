/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS_DOMAINSET_H_
#define _SYS_DOMAINSET_H_

#include <sys/_domainset.h>
#include <sys/queue.h>

#define DOMAINSET_SET(n, p) ((p)->__bits[0] |= 1UL << (n))
#define DOMAINSET_ISSET(n, p) (((p)->__bits[0] & (1UL << (n))) != 0)

#define DOMAINSET_POLICY_INVALID 0
#define DOMAINSET_POLICY_ROUNDROBIN 1
#define DOMAINSET_POLICY_FIRSTTOUCH 2
#define DOMAINSET_POLICY_PREFER 3
#define DOMAINSET_POLICY_INTERLEAVE 4

typedef uint8_t domainid_t;
struct domainset {
	LIST_ENTRY(domainset) ds_link;
	domainset_t ds_mask;
	uint16_t ds_policy;
	domainid_t ds_prefer;
	domainid_t ds_cnt;
	domainid_t ds_order[MAXMEMDOM];
};

extern struct domainset domainset_fixed[MAXMEMDOM];
extern struct domainset domainset_prefer[MAXMEMDOM];
extern struct domainset domainset_roundrobin;
#define DOMAINSET_FIXED(domain) (&domainset_fixed[(domain)])
#define DOMAINSET_PREF(domain) (&domainset_prefer[(domain)])
#define DOMAINSET_RR() (&domainset_roundrobin)

#endif
