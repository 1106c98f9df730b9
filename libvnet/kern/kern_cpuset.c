/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: domainset(9), of FreeBSD's kern/kern_cpuset.c.
 * Fidelity: modelled
 * Differs: memory has one domain, which all CPUs belong to, so that policies
 * choose nothing.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/cpuset.h>
#include <sys/domainset.h>
#include <sys/malloc.h>
#include <sys/smp.h>

#undef malloc
#include <lvk.h>

struct domainset domainset_fixed[MAXMEMDOM];
struct domainset domainset_prefer[MAXMEMDOM];
struct domainset domainset_roundrobin;
cpuset_t cpuset_domain[MAXMEMDOM];
int vm_ndomains = 1;

static void
domain_set(struct domainset *ds, int policy)
{
	DOMAINSET_SET(0, &ds->ds_mask);
	ds->ds_policy = (uint16_t)policy;
	ds->ds_prefer = policy == DOMAINSET_POLICY_PREFER ? 0 : (domainid_t)-1;
	ds->ds_cnt = 1;
	ds->ds_order[0] = 0;
}

static void
lvk_domains_init(void *arg __unused)
{
	int cpu;

	domain_set(&domainset_roundrobin, DOMAINSET_POLICY_ROUNDROBIN);
	domain_set(&domainset_fixed[0], DOMAINSET_POLICY_ROUNDROBIN);
	domain_set(&domainset_prefer[0], DOMAINSET_POLICY_PREFER);
	CPU_FOREACH(cpu)
		CPU_SET((size_t)cpu, &cpuset_domain[0]);
}
SYSINIT(lvk_domains, SI_SUB_VM, SI_ORDER_ANY, lvk_domains_init, NULL);

/* malloc(9)'s own; its sites see through to the caller. */
void *
(malloc_domainset)(size_t size, struct malloc_type *type,
    struct domainset *ds, int flags)
{
	KASSERT(ds != NULL && ds->ds_cnt > 0,
	    ("malloc_domainset: the domain set is empty"));
	return (malloc(size, type, flags));
}
