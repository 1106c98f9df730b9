/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _NETINET_QUOTA_H_
#define _NETINET_QUOTA_H_

struct quota {
	SLIST_ENTRY(quota) q_link;
	uint32_t q_addr;
	int q_left;
};

int	quota_take(uint32_t addr, int n);
int	quota_input(uint32_t addr, int len);
uint32_t quota_hash(uint32_t addr);

/* These are in a file that this tree does not have. */
int	quota_log(uint32_t addr, const char *what);
VNET_DECLARE(int, quota_verbose);
#define V_quota_verbose VNET(quota_verbose)

#endif /* _NETINET_QUOTA_H_ */
