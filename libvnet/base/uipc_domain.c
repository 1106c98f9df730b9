/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: domain(9), FreeBSD's kern/uipc_domain.c.
 * Fidelity: modelled
 * Differs: a domain has no protosw array here; what it would do for each
 * protocol, its own hooks do.
 *
 * dom_probe may refuse the domain, once, for all vnets; dom_init and
 * dom_destroy run in each vnet when it comes and goes.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/domain.h>
#include <net/vnet.h>

struct domainhead domains = SLIST_HEAD_INITIALIZER(&domains);
static struct mtx dom_mtx;
MTX_SYSINIT(domain, &dom_mtx, "domain list", MTX_DEF);

static struct domain *
domain_find(int family)
{
	struct domain *dp;

	SLIST_FOREACH(dp, &domains, dom_next)
		if (dp->dom_family == family)
			break;
	return (dp);
}

void
domain_add(struct domain *dp)
{
	KASSERT(IS_DEFAULT_VNET(curvnet), ("domain_add(%s): a domain is added "
	    "for all vnets, with vnet0 set", dp->dom_name));
	if (dp->dom_probe != NULL && dp->dom_probe() != 0)
		return;
	dp->dom_flags |= DOMF_SUPPORTED;
	mtx_lock(&dom_mtx);
	KASSERT(domain_find(dp->dom_family) == NULL,
	    ("domain_add(%s): there is a domain of family %d already",
	    dp->dom_name, dp->dom_family));
	SLIST_INSERT_HEAD(&domains, dp, dom_next);
	mtx_unlock(&dom_mtx);
}

void
domain_remove(struct domain *dp)
{
	if ((dp->dom_flags & DOMF_UNLOADABLE) == 0)
		return;
	mtx_lock(&dom_mtx);
	if (domain_find(dp->dom_family) == dp)
		SLIST_REMOVE(&domains, dp, domain, dom_next);
	dp->dom_flags &= ~(DOMF_SUPPORTED | DOMF_INITED);
	mtx_unlock(&dom_mtx);
}

void
domain_init(void *arg)
{
	struct domain *dp = arg;

	if ((dp->dom_flags & DOMF_SUPPORTED) == 0)
		return;
	KASSERT((dp->dom_flags & DOMF_INITED) != 0 || IS_DEFAULT_VNET(curvnet),
	    ("domain_init(%s): in another vnet before vnet0", dp->dom_name));
	if (dp->dom_init != NULL)
		dp->dom_init();
	dp->dom_flags |= DOMF_INITED;
}

void
vnet_domain_init(void *arg)
{
	domain_init(arg);
}

void
vnet_domain_uninit(void *arg)
{
	struct domain *dp = arg;

	if ((dp->dom_flags & DOMF_SUPPORTED) != 0 && dp->dom_destroy != NULL)
		dp->dom_destroy();
}
