/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: nothing of FreeBSD's; the ends of a link that the test owns: an
 * Ethernet interface each, or the test itself.
 * Fidelity: exact
 * Differs: --
 *
 * The interfaces offload nothing, so the stack does all the checksums and
 * segments itself.  No cloner makes them: ifconfig(8) could not destroy them
 * under the test.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/malloc.h>
#include <sys/mbuf.h>
#include <sys/proc.h>
#include <sys/socket.h>
#include <sys/sockio.h>
#include <sys/time.h>
#include <net/bpf.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <net/if_var.h>
#if __has_include(<net/if_private.h>)
#include <net/if_private.h>
#endif
#include <net/if_types.h>
#include <net/vnet.h>

#include <lvk.h>
#include "lvn_link.h"

#define MTU_MIN 72
#define MTU_MAX 65535

static MALLOC_DEFINE(M_LVNLINK, "testlink", "the test's links");
static LIST_HEAD(, vnk_link) links = LIST_HEAD_INITIALIZER(links);
static int link_number;

/* ---- frames come and go */

static int
end_transmit(struct ifnet *ifp, struct mbuf *m)
{
	struct lvn_end *e = if_getsoftc(ifp);
	struct vnk_link *l = e->e_link;

	M_ASSERTPKTHDR(m);
	if ((if_getflags(ifp) & IFF_UP) == 0 ||
	    m->m_pkthdr.len > LVN_FRAME_MAX) {
		if_inc_counter(ifp, IFCOUNTER_OERRORS, 1);
		m_freem(m);
		return (ENETDOWN);
	}
	ETHER_BPF_MTAP(ifp, m);
	if_inc_counter(ifp, IFCOUNTER_OPACKETS, 1);
	if_inc_counter(ifp, IFCOUNTER_OBYTES, m->m_pkthdr.len);
	if ((m->m_flags & (M_BCAST | M_MCAST)) != 0)
		if_inc_counter(ifp, IFCOUNTER_OMCASTS, 1);
	lvn_wire_send(&l->l_wire[e->e_number], m);
	return (0);
}

static void
end_qflush(struct ifnet *ifp __unused)
{
}

static void
end_input(struct ifnet *ifp, struct mbuf *m)
{
	struct epoch_tracker et;

	if ((if_getflags(ifp) & IFF_UP) == 0) {
		m_freem(m);
		return;
	}
	CURVNET_SET_QUIET(ifp->if_vnet);
	NET_EPOCH_ENTER(et);
	/* Nothing of the sender's but the bytes. */
	m_tag_delete_chain(m, NULL);
	m_clrprotoflags(m);
	m->m_flags &= ~(M_BCAST | M_MCAST);
	m->m_pkthdr.csum_flags = 0;
	m->m_pkthdr.rcvif = ifp;
	M_SETFIB(m, ifp->if_fib);
	if_inc_counter(ifp, IFCOUNTER_IPACKETS, 1);
	(*ifp->if_input)(ifp, m);
	NET_EPOCH_EXIT(et);
	CURVNET_RESTORE();
}

void
lvn_end_arrive(struct lvn_end *e, struct lvn_flight *f)
{
	struct vnk_link *l = e->e_link;
	struct mbuf *m = f->f_frame;

	if (e->e_ifp != NULL) {
		f->f_frame = NULL;
		lvn_flight_free(f);
		end_input(e->e_ifp, m);
		return;
	}
	mtx_lock(&l->l_lock);
	if (e->e_gone)
		l->l_wire[!e->e_number].w_stats.lost++;
	else if (e->e_waiting < LVN_PORT_QUEUE) {
		TAILQ_INSERT_TAIL(&e->e_port, f, f_link);
		e->e_waiting++;
		f = NULL;
	} else
		l->l_wire[!e->e_number].w_stats.overflowed++;
	mtx_unlock(&l->l_lock);
	if (f != NULL)
		lvn_flight_free(f);
}

/* ---- the interface */

static int
end_ioctl(struct ifnet *ifp, u_long cmd, caddr_t data)
{
	struct ifreq *ifr = (struct ifreq *)data;

	switch (cmd) {
	case SIOCSIFFLAGS:
	case SIOCADDMULTI:
	case SIOCDELMULTI:
		return (0);
	case SIOCSIFMTU:
		if (ifr->ifr_mtu < MTU_MIN || ifr->ifr_mtu > MTU_MAX)
			return (EINVAL);
		if_setmtu(ifp, ifr->ifr_mtu);
		return (0);
	default:
		return (ether_ioctl(ifp, cmd, data));
	}
}

static void
end_up(void *arg __unused)
{
}

static int
end_attach(struct lvn_end *e, struct vnet *v, int unit,
    char name[VNK_IFNAME])
{
	u_char lladdr[ETHER_ADDR_LEN] = { 0x02, 'l', 'n', (u_char)(unit >> 16),
	    (u_char)(unit >> 8), (u_char)unit };
	struct ifnet *ifp;

	CURVNET_SET(v);
	ifp = if_alloc(IFT_ETHER);
	if (ifp == NULL) {
		CURVNET_RESTORE();
		return (ENOMEM);
	}
	if_initname(ifp, "link", unit);
	if_setsoftc(ifp, e);
	if_setflags(ifp, IFF_BROADCAST | IFF_SIMPLEX | IFF_MULTICAST);
	if_setinitfn(ifp, end_up);
	if_setioctlfn(ifp, end_ioctl);
	if_settransmitfn(ifp, end_transmit);
	if_setqflushfn(ifp, end_qflush);
	e->e_ifp = ifp;
	ether_ifattach(ifp, lladdr);
	if_setdrvflagbits(ifp, IFF_DRV_RUNNING, 0);
	if_link_state_change(ifp, LINK_STATE_UP);
	strlcpy(name, if_name(ifp), VNK_IFNAME);
	CURVNET_RESTORE();
	return (0);
}

static void
end_purge(struct lvn_end *e)
{
	struct lvn_flight *f;

	while ((f = TAILQ_FIRST(&e->e_port)) != NULL) {
		TAILQ_REMOVE(&e->e_port, f, f_link);
		lvn_flight_free(f);
	}
	e->e_waiting = 0;
}

static void
end_detach(struct lvn_end *e)
{
	struct ifnet *ifp = e->e_ifp;

	if (ifp == NULL)
		return;
	e->e_gone = true;
	e->e_ifp = NULL;
	CURVNET_SET_QUIET(ifp->if_vnet);
	ether_ifdetach(ifp);
	if_free(ifp);
	CURVNET_RESTORE();
}

/* ---- the link */

int
vnk_link_create(struct vnet *v0, struct vnet *v1, vnh_u64 seed,
    struct vnk_link **out, char name[2][VNK_IFNAME])
{
	struct vnet *v[2] = { v0, v1 };
	struct vnk_link *l;
	int error = 0;

	lvk_owner_none_enter();
	l = malloc(sizeof(*l), M_LVNLINK, M_WAITOK | M_ZERO);
	l->l_flat = malloc(LVN_FRAME_MAX, M_LVNLINK, M_WAITOK);
	lvk_owner_none_exit();
	mtx_init(&l->l_lock, "test link", NULL, MTX_DEF | MTX_DUPOK);
	l->l_random = seed != 0 ? seed : vnh_random();
	for (int e = 0; e < 2; e++) {
		l->l_end[e].e_link = l;
		l->l_end[e].e_number = e;
		TAILQ_INIT(&l->l_end[e].e_port);
		lvn_wire_init(&l->l_wire[e], l, e);
		name[e][0] = '\0';
	}
	LIST_INSERT_HEAD(&links, l, l_link);
	for (int e = 0; e < 2 && error == 0; e++)
		if (v[e] != NULL)
			error = end_attach(&l->l_end[e], v[e], link_number++,
			    name[e]);
	if (error != 0) {
		vnk_link_destroy(l);
		return (error);
	}
	*out = l;
	return (0);
}

void
vnk_link_destroy(struct vnk_link *l)
{
	LIST_REMOVE(l, l_link);
	for (int e = 0; e < 2; e++) {
		end_detach(&l->l_end[e]);
		end_purge(&l->l_end[e]);
	}
	for (int e = 0; e < 2; e++)
		lvn_wire_fini(&l->l_wire[e]);
	mtx_destroy(&l->l_lock);
	free(l->l_flat, M_LVNLINK);
	free(l, M_LVNLINK);
}

int
vnk_link_alive(const struct vnk_link *link)
{
	struct vnk_link *l;

	LIST_FOREACH(l, &links, l_link)
		if (l == link)
			return (1);
	return (0);
}

#ifdef VIMAGE
/*
 * A vnet goes: the ends that were made there go with it, back home by now, and
 * so do its frames, wherever they are.
 */
static void
vnet_links_gone(const void *arg __unused)
{
	struct vnk_link *l;

	LIST_FOREACH(l, &links, l_link)
		for (int e = 0; e < 2; e++) {
			struct ifnet *ifp = l->l_end[e].e_ifp;

			if (ifp == NULL || ifp->if_vnet != curvnet)
				continue;
			end_detach(&l->l_end[e]);
			end_purge(&l->l_end[!e]);
			lvn_wire_purge(&l->l_wire[0]);
			lvn_wire_purge(&l->l_wire[1]);
		}
}
VNET_SYSUNINIT(lvn_links, SI_SUB_INIT_IF, SI_ORDER_ANY, vnet_links_gone, NULL);
#endif

/* ---- the test's end */

int
vnk_port_send(struct vnk_link *l, int e, const void *frame, unsigned len)
{
	struct mbuf *m;

	if (l->l_end[e].e_ifp != NULL)
		return (EDOOFUS);
	if (len < ETHER_HDR_LEN || len > LVN_FRAME_MAX)
		return (EMSGSIZE);
	m = lvn_frame(frame, len);
	if (m == NULL)
		return (ENOBUFS);
	lvn_wire_send(&l->l_wire[e], m);
	return (0);
}

int
vnk_port_receive(struct vnk_link *l, int e, void *buf, unsigned size,
    vnh_i64 *when_ns)
{
	struct lvn_end *end = &l->l_end[e];
	struct lvn_flight *f;
	u_int len;

	mtx_lock(&l->l_lock);
	f = TAILQ_FIRST(&end->e_port);
	if (f != NULL) {
		TAILQ_REMOVE(&end->e_port, f, f_link);
		end->e_waiting--;
	}
	mtx_unlock(&l->l_lock);
	if (f == NULL)
		return (-1);
	len = (u_int)f->f_frame->m_pkthdr.len;
	m_copydata(f->f_frame, 0, (int)MIN(len, size), buf);
	*when_ns = (vnh_i64)((f->f_due >> 32) * 1000000000 +
	    (int64_t)(((uint64_t)(uint32_t)f->f_due * 1000000000) >> 32));
	lvn_flight_free(f);
	return ((int)len);
}
