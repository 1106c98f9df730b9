/* SPDX-License-Identifier: BSD-2-Clause */
#include <sys/param.h>
#include <sys/queue.h>
#include <net/vnet.h>
#include <netinet/quota.h>

uint32_t
quota_hash(uint32_t addr)
{

	return (addr ^ addr >> 16);
}
