/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: getifaddrs(3): interfaces, their addresses and counters.
 * Fidelity: exact
 * Differs: --
 */
#include "opt_inet.h"
#include "opt_inet6.h"

#include <sys/param.h>
#include <sys/systm.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/socket.h>
#include <net/if.h>
#include <net/if_dl.h>
#include <net/if_var.h>
#include <net/route.h>
#include <net/vnet.h>

#include "lvn.h"

static void
counters(struct vnk_if *i, const struct if_data *d)
{
	i->type = d->ifi_type;
	i->link = d->ifi_link_state;
	i->mtu = (u_int)d->ifi_mtu;
	i->ipackets = d->ifi_ipackets;
	i->ierrors = d->ifi_ierrors;
	i->opackets = d->ifi_opackets;
	i->oerrors = d->ifi_oerrors;
	i->collisions = d->ifi_collisions;
	i->ibytes = d->ifi_ibytes;
	i->obytes = d->ifi_obytes;
	i->imcasts = d->ifi_imcasts;
	i->omcasts = d->ifi_omcasts;
	i->iqdrops = d->ifi_iqdrops;
	i->oqdrops = d->ifi_oqdrops;
}

/* sysctl's flags lack those that ifnet keeps for the kernel's use. */
static void
interface(const char *msg, const struct vnk_if_visitor *v, void *arg)
{
	const struct if_msghdrl *m = (const struct if_msghdrl *)msg;
	const char *data = msg + m->ifm_data_off;
	const struct sockaddr_dl *sdl;
	struct lvn_addrs as;
	struct vnk_if i = { .index = m->ifm_index, .flags = (u_int)m->ifm_flags };

	counters(&i, (const struct if_data *)data);
	lvn_addrs(&as, msg + m->ifm_len, msg + m->ifm_msglen, m->ifm_addrs);
	sdl = (const struct sockaddr_dl *)as.a[RTAX_IFP];
	if (sdl == NULL)
		return;
	memcpy(i.name, sdl->sdl_data, MIN(sdl->sdl_nlen, VNK_IFNAME - 1));
	lvn_lladdr(&i.lladdr, as.a[RTAX_IFP]);
	v->interface(arg, &i);
}

static void
address(const char *msg, const struct vnk_if_visitor *v, void *arg)
{
	const struct ifa_msghdrl *m = (const struct ifa_msghdrl *)msg;
	struct vnk_ip ip, peer;
	struct lvn_addrs as;

	lvn_addrs(&as, msg + m->ifam_len, msg + m->ifam_msglen, m->ifam_addrs);
	lvn_ip(&ip, as.a[RTAX_IFA], as.a[RTAX_NETMASK]);
	if (ip.family == 0)
		return;
	lvn_ip(&peer, as.a[RTAX_BRD], NULL);
	v->address(arg, &ip, &peer);
}

int
vnk_if_each(const struct vnk_if_visitor *v, void *arg)
{
	const struct if_msghdrl *m;
	char *buf, *p;
	size_t len;
	int error;

	error = lvn_dump(AF_UNSPEC, NET_RT_IFLISTL, 0, &buf, &len);
	if (error != 0)
		return (error);
	for (p = buf; p < buf + len; p += m->ifm_msglen) {
		m = (const struct if_msghdrl *)p;
		if (m->ifm_msglen == 0)
			break;
		if (m->ifm_type == RTM_IFINFO)
			interface(p, v, arg);
		else if (m->ifm_type == RTM_NEWADDR)
			address(p, v, arg);
	}
	lvn_dump_free(buf);
	return (0);
}
