/* SPDX-License-Identifier: BSD-2-Clause */
/* A kernel module of a few lines: each vnet may take so much and no more. */
#include "opt_quota.h"

#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/malloc.h>
#include <sys/sysctl.h>
#include <net/vnet.h>

#include "quota.h"

static MALLOC_DEFINE(M_QUOTA, "quota", "a vnet's quota");

VNET_DEFINE(u_int, quota_left) = QUOTA_DEFAULT;
VNET_DEFINE_STATIC(char *, quota_name);
#define V_quota_name VNET(quota_name)

SYSCTL_UINT(_net, OID_AUTO, quota_left, CTLFLAG_RW | CTLFLAG_VNET,
    &VNET_NAME(quota_left), 0, "what may still be taken");

static void
quota_init(const void *unused __unused)
{
	V_quota_name = malloc(16, M_QUOTA, M_WAITOK | M_ZERO);
}
VNET_SYSINIT(quota, SI_SUB_PROTO_DOMAIN, SI_ORDER_ANY, quota_init, NULL);

static void
quota_uninit(const void *unused __unused)
{
	free(V_quota_name, M_QUOTA);
}
VNET_SYSUNINIT(quota, SI_SUB_PROTO_DOMAIN, SI_ORDER_ANY, quota_uninit, NULL);

int
quota_take(u_int n)
{
	if (n > V_quota_left)
		return (ENOSPC);
	V_quota_left -= n;
	return (0);
}
