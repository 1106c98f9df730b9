/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS_DOMAIN_H_
#define _SYS_DOMAIN_H_

#include <sys/queue.h>

/*
 * A communications domain.  The fields are those of 13 (dom_init and
 * dom_destroy run per vnet) and of 14 (dom_probe may refuse).
 */
struct domain {
	int dom_family;
	const char *dom_name;
	int dom_flags;
	int (*dom_probe)(void);
	void (*dom_init)(void);
	void (*dom_destroy)(void);
	SLIST_ENTRY(domain) dom_next;
};
#define DOMF_SUPPORTED 0x0001
#define DOMF_INITED 0x0002
#define DOMF_UNLOADABLE 0x0004

extern SLIST_HEAD(domainhead, domain) domains;

void	domain_add(struct domain *);
void	domain_remove(struct domain *);
void	domain_init(void *);
void	vnet_domain_init(void *);
void	vnet_domain_uninit(void *);

/*
 * Until 13 the domain registers with DOMAIN_SET or, when its protocols keep
 * per-vnet state, with VNET_DOMAIN_SET; 14 and later have DOMAIN_SET alone.
 */
#define DOMAIN_SET(name)						\
	SYSINIT(domain_add_##name, SI_SUB_PROTO_DOMAIN,			\
	    SI_ORDER_FIRST, domain_add, &name##domain);			\
	SYSINIT(domain_init_##name, SI_SUB_PROTO_DOMAIN,		\
	    SI_ORDER_SECOND, domain_init, &name##domain);		\
	SYSUNINIT(domain_remove_##name, SI_SUB_PROTO_DOMAIN,		\
	    SI_ORDER_FIRST, domain_remove, &name##domain)
#ifdef VIMAGE
#define VNET_DOMAIN_SET(name)						\
	SYSINIT(domain_add_##name, SI_SUB_PROTO_DOMAIN,			\
	    SI_ORDER_FIRST, domain_add, &name##domain);			\
	SYSUNINIT(domain_remove_##name, SI_SUB_PROTO_DOMAIN,		\
	    SI_ORDER_FIRST, domain_remove, &name##domain);		\
	VNET_SYSINIT(vnet_domain_init_##name, SI_SUB_PROTO_DOMAIN,	\
	    SI_ORDER_SECOND, vnet_domain_init, &name##domain);		\
	VNET_SYSUNINIT(vnet_domain_uninit_##name,			\
	    SI_SUB_PROTO_DOMAIN, SI_ORDER_SECOND, vnet_domain_uninit,	\
	    &name##domain)
#else
#define VNET_DOMAIN_SET(name) DOMAIN_SET(name)
#endif

#endif
