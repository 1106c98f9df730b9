/* SPDX-License-Identifier: BSD-2-Clause */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/queue.h>
#include <net/vnet.h>
#include <netinet/quota.h>

int
quota_input(uint32_t addr, int len)
{
	int error;

	error = quota_take(addr, len);
	if (error != 0 || V_quota_verbose)
		return (quota_log(addr, "over its quota"));
	return (0);
}
