/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How much each address may still take in this second, in each vnet.
 */
#include "opt_quota.h"

#include <sys/param.h>
#include <sys/systm.h>
#include <sys/callout.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/queue.h>
#include <sys/sysctl.h>
#include <vm/uma.h>
#include <net/vnet.h>
#include <netinet/quota.h>

#ifndef QUOTA_LIMIT
#define QUOTA_LIMIT 10
#endif
#define QUOTA_BUCKETS 4

VNET_DEFINE_STATIC(SLIST_HEAD(, quota), quota_table[QUOTA_BUCKETS]);
#define V_quota_table VNET(quota_table)
VNET_DEFINE_STATIC(struct mtx, quota_mtx);
#define V_quota_mtx VNET(quota_mtx)
VNET_DEFINE_STATIC(struct callout, quota_callout);
#define V_quota_callout VNET(quota_callout)
VNET_DEFINE_STATIC(uma_zone_t, quota_zone);
#define V_quota_zone VNET(quota_zone)
VNET_DEFINE_STATIC(int, quota_limit) = QUOTA_LIMIT;
#define V_quota_limit VNET(quota_limit)

SYSCTL_NODE(_kern, OID_AUTO, quota, CTLFLAG_RW | CTLFLAG_MPSAFE, 0, "quota");
SYSCTL_INT(_kern_quota, OID_AUTO, limit, CTLFLAG_VNET | CTLFLAG_RW,
    &VNET_NAME(quota_limit), 0, "What an address may take in a second");

static void
quota_fill(void *arg)
{
	struct quota *q;
	int i;

	CURVNET_SET((struct vnet *)arg);
	for (i = 0; i < QUOTA_BUCKETS; i++)
		SLIST_FOREACH(q, &V_quota_table[i], q_link)
			q->q_left = V_quota_limit;
	callout_schedule(&V_quota_callout, hz);
	CURVNET_RESTORE();
}

int
quota_take(uint32_t addr, int n)
{
	struct quota *q;
	int error = 0;

	mtx_lock(&V_quota_mtx);
	SLIST_FOREACH(q, &V_quota_table[quota_hash(addr) % QUOTA_BUCKETS], q_link)
		if (q->q_addr == addr)
			break;
	if (q == NULL) {
		q = uma_zalloc(V_quota_zone, M_NOWAIT);
		if (q == NULL) {
			mtx_unlock(&V_quota_mtx);
			return (ENOMEM);
		}
		q->q_addr = addr;
		q->q_left = V_quota_limit;
		SLIST_INSERT_HEAD(&V_quota_table[quota_hash(addr) % QUOTA_BUCKETS],
		    q, q_link);
	}
	if (q->q_left >= n)
		q->q_left -= n;
	else
#ifdef QUOTA_STRICT
		error = EACCES;
#else
		q->q_left = 0;
#endif
	mtx_unlock(&V_quota_mtx);
	return (error);
}

static void
quota_init(const void *unused __unused)
{

	mtx_init(&V_quota_mtx, "quota", NULL, MTX_DEF);
	V_quota_zone = uma_zcreate("quota", sizeof(struct quota), NULL, NULL,
	    NULL, NULL, UMA_ALIGN_PTR, 0);
	callout_init_mtx(&V_quota_callout, &V_quota_mtx, 0);
	mtx_lock(&V_quota_mtx);
	callout_reset(&V_quota_callout, hz, quota_fill, curvnet);
	mtx_unlock(&V_quota_mtx);
}
VNET_SYSINIT(quota_init, SI_SUB_PROTO_DOMAIN, SI_ORDER_ANY, quota_init, NULL);

static void
quota_uninit(const void *unused __unused)
{
	struct quota *q;
	int i;

	callout_drain(&V_quota_callout);
	for (i = 0; i < QUOTA_BUCKETS; i++)
		while ((q = SLIST_FIRST(&V_quota_table[i])) != NULL) {
			SLIST_REMOVE_HEAD(&V_quota_table[i], q_link);
			uma_zfree(V_quota_zone, q);
		}
	uma_zdestroy(V_quota_zone);
	mtx_destroy(&V_quota_mtx);
}
VNET_SYSUNINIT(quota_uninit, SI_SUB_PROTO_DOMAIN, SI_ORDER_ANY, quota_uninit,
    NULL);
