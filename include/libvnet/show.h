/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a vnet of a tree's stack looks like, as text: for a test's message, or
 * to compare.  In the manner of ifconfig(8), netstat(1), arp(8) and ndp(8),
 * but with every address and name in full, nothing that the clock of the day
 * or a column's width changes, and the same words for every version.
 * What <libvnet/interface.h> says of `vnet' and errors holds here too.
 */
#ifndef LIBVNET_SHOW_H
#define LIBVNET_SHOW_H

#include <libvnet/interface.h>

LIBVNET_BEGIN

/*
 * Parts, printed in this order with an empty line between two.  Lines are in
 * the order of the stack's own lists.  A family that is not compiled in has no
 * table.
 *
 * INTERFACES	epair0a: flags=8843<UP,BROADCAST,RUNNING,SIMPLEX,MULTICAST> mtu 1500
 *			ether 02:1c:9e:00:01:0a
 *			inet 10.0.0.1/24 broadcast 10.0.0.255
 *			inet6 fe80::1c:9eff:fe00:10a%epair0a/64 tentative
 *			link up
 *		The other end's address stands behind "-->".  No line of the
 *		link: it is not known.
 *
 * COUNTERS	Name Mtu Ipkts Ierrs Idrop Ibytes Opkts Oerrs Odrop Obytes Coll
 *
 * ROUTES	Destination Gateway Flags Netif
 *		Gateway "link": straight through the interface.  Flags are
 *		netstat's letters: U up, G gateway, H host, S static, ...
 *
 * NEIGHBOURS	Address Lladdr Netif Expire State
 *		Expire in seconds from now, "never", or "gone" when it is
 *		overdue; State as in <libvnet/route.h>, behind it "own" and
 *		"router"; "-" where there is nothing to tell.
 *
 * SOCKETS	Proto Recv-Q Send-Q Local Foreign State
 *		"tcp4", "tcp6", "tcp46", "udp4" ..., "raw4", "raw6",
 *		"sctp4" and "sctp6" (endpoints, behind each its associations);
 *		address and port with a dot between, "*" is any.  No local ones.
 *
 * STATISTICS	ip ips_total 2
 *		The protocols' counters that are not 0, by the names of the
 *		fields in the tree's headers; of an array "ips_nxthist[58]".
 */
enum libvnet_show {
	LIBVNET_SHOW_INTERFACES = 1,	/* ifconfig -a */
	LIBVNET_SHOW_COUNTERS = 2,	/* netstat -i */
	LIBVNET_SHOW_ROUTES = 4,	/* netstat -r */
	LIBVNET_SHOW_NEIGHBOURS = 8,	/* arp -a, ndp -a */
	LIBVNET_SHOW_SOCKETS = 16,	/* netstat -a */
	LIBVNET_SHOW_STATISTICS = 32,	/* netstat -s */
	LIBVNET_SHOW_ALL = 63
};

/*
 * Valid until this thread's next call.  NULL: libvnet_error() says why;
 * LIBVNET_EINVAL is no part, or one that does not exist.
 */
const char *libvnet_show(struct vnet *vnet, unsigned parts);

/*
 * One counter of the statistics: "ip.ips_total", "icmp6.icp6s_inhist[128]".
 * LIBVNET_ENOENT: the tree, or the options, have none of that name.
 */
int	libvnet_statistic(struct vnet *vnet, const char *name,
	    uint64_t *value, int *kerr);

LIBVNET_END

#endif /* LIBVNET_SHOW_H */
