/* SPDX-License-Identifier: BSD-2-Clause */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "show.h"

struct bit {
	unsigned value;
	const char *name;
};

/* Their names, with `between' two of them. */
static void
bits(struct api_text *t, unsigned value, const struct bit *names,
    const char *between)
{
	const char *comma = "";

	for (; names->name != NULL; names++) {
		if ((value & names->value) == 0)
			continue;
		api_text_add(t, "%s%s", comma, names->name);
		comma = between;
	}
}

static const char *
or_dash(const char *text)
{
	return (text[0] != '\0' ? text : "-");
}

/* ---- interfaces */

static const struct bit if_flags[] = {
	{ 0x1, "UP" }, { 0x2, "BROADCAST" }, { 0x4, "DEBUG" },
	{ 0x8, "LOOPBACK" }, { 0x10, "POINTOPOINT" }, { 0x40, "RUNNING" },
	{ 0x80, "NOARP" }, { 0x100, "PROMISC" }, { 0x200, "ALLMULTI" },
	{ 0x400, "OACTIVE" }, { 0x800, "SIMPLEX" }, { 0x1000, "LINK0" },
	{ 0x2000, "LINK1" }, { 0x4000, "LINK2" }, { 0x8000, "MULTICAST" },
	{ 0x20000, "PPROMISC" }, { 0x40000, "MONITOR" },
	{ 0x80000, "STATICARP" }, { 0, NULL }
};
static const struct bit in6_flags[] = {		/* IN6_IFF_* */
	{ 0x1, " anycast" }, { 0x2, " tentative" }, { 0x4, " duplicated" },
	{ 0x8, " detached" }, { 0x10, " deprecated" }, { 0x40, " autoconf" },
	{ 0x80, " temporary" }, { 0x100, " prefer_source" }, { 0, NULL }
};

struct interfaces {
	struct api_text *text;
	struct vnk_if i;		/* whose addresses come */
};

static void
print_link(struct interfaces *s)
{
	if (s->i.name[0] != '\0' && s->i.link != 0)
		api_text_add(s->text, "\tlink %s\n", s->i.link == 2 ? "up" :
		    "down");
}

static void
print_interface(void *arg, const struct vnk_if *i)
{
	char lladdr[LIBVNET_ADDRESS];
	struct interfaces *s = arg;

	print_link(s);
	s->i = *i;
	api_text_add(s->text, "%s: flags=%x<", i->name, i->flags);
	bits(s->text, i->flags, if_flags, ",");
	api_text_add(s->text, "> mtu %u\n", i->mtu);
	api_lladdr_text(&i->lladdr, lladdr);
	if (lladdr[0] != '\0')
		api_text_add(s->text, "\tether %s\n", lladdr);
}

static void
print_address(void *arg, const struct vnk_ip *ip, const struct vnk_ip *peer)
{
	char text[LIBVNET_ADDRESS], other[LIBVNET_ADDRESS];
	struct interfaces *s = arg;
	unsigned flags = 0;

	api_address_text(ip, text);
	api_address_text(peer, other);
	api_text_add(s->text, "\t%s %s", ip->family == 6 ? "inet6" : "inet",
	    text);
	if (other[0] != '\0')
		api_text_add(s->text, " %s %s", (s->i.flags &
		    LIBVNET_IF_BROADCAST) != 0 ? "broadcast" : "-->", other);
	if (ip->family == 6 &&
	    vnk_if_address6_flags(s->i.name, ip, &flags) == 0)
		bits(s->text, flags, in6_flags, "");
	api_text_add(s->text, "\n");
}

int
api_show_interfaces(struct api_text *t)
{
	static const struct vnk_if_visitor v = { print_interface,
	    print_address };
	struct interfaces s = { .text = t };
	int answer = vnk_if_each(&v, &s);

	print_link(&s);
	return (answer);
}

static void
print_counters(void *arg, const struct vnk_if *i)
{
	const uint64_t n[] = { i->ipackets, i->ierrors, i->iqdrops, i->ibytes,
	    i->opackets, i->oerrors, i->oqdrops, i->obytes, i->collisions };

	api_text_add(arg, "%s %u", i->name, i->mtu);
	for (unsigned k = 0; k < sizeof(n) / sizeof(n[0]); k++)
		api_text_add(arg, " %" PRIu64, n[k]);
	api_text_add(arg, "\n");
}

static void
no_address(void *arg, const struct vnk_ip *ip, const struct vnk_ip *peer)
{
	(void)arg;
	(void)ip;
	(void)peer;
}

int
api_show_counters(struct api_text *t)
{
	static const struct vnk_if_visitor v = { print_counters, no_address };

	api_text_add(t, "Name Mtu Ipkts Ierrs Idrop Ibytes Opkts Oerrs Odrop "
	    "Obytes Coll\n");
	return (vnk_if_each(&v, t));
}

/* ---- routes */

static const struct bit route_flags[] = {	/* netstat's letters */
	{ 0x1, "U" }, { 0x2, "G" }, { 0x4, "H" }, { 0x8, "R" }, { 0x10, "D" },
	{ 0x20, "M" }, { 0x800, "S" }, { 0x8000, "1" }, { 0x4000, "2" },
	{ 0x40000, "3" }, { 0x1000, "B" }, { 0x400000, "b" }, { 0, NULL }
};

static void
print_route(void *arg, const struct vnk_route *r)
{
	static const unsigned char zero[16];
	char dst[LIBVNET_ADDRESS], gateway[LIBVNET_ADDRESS];

	api_address_text(&r->dst, dst);
	api_address_text(&r->gateway, gateway);
	if (r->dst.prefix == 0 && memcmp(r->dst.bytes, zero, 16) == 0)
		strcpy(dst, "default");
	api_text_add(arg, "%s %s ", dst, gateway[0] != '\0' ? gateway :
	    "link");
	bits(arg, r->flags, route_flags, "");
	api_text_add(arg, " %s\n", or_dash(r->interface));
}

/* A table of each family that is compiled in. */
static int
families(struct api_text *t, const char *head, int (*table)(struct api_text *,
    int))
{
	static const struct {
		int number;
		const char *name;
	} known[] = { { 4, "Internet" }, { 6, "Internet6" } };
	size_t before;
	int answer;

	api_text_add(t, "%s\n", head);
	for (int i = 0; i < 2; i++) {
		before = t->len;
		api_text_add(t, "%s:\n", known[i].name);
		answer = table(t, known[i].number);
		if (answer == 47) {	/* FreeBSD's EAFNOSUPPORT */
			t->len = before;
			t->at[before] = '\0';
		} else if (answer != 0)
			return (answer);
	}
	return (0);
}

static int
routes(struct api_text *t, int family)
{
	return (vnk_route_each(family, print_route, t));
}

int
api_show_routes(struct api_text *t)
{
	return (families(t, "Destination Gateway Flags Netif", routes));
}

/* ---- neighbours */

static void
print_neighbour(void *arg, const struct vnk_neighbour *n)
{
	char address[LIBVNET_ADDRESS], lladdr[LIBVNET_ADDRESS];
	long long left = n->expires_s - vnk_clock_now() / 1000000000;
	const char *state = api_neighbour_state(n);

	api_address_text(&n->ip, address);
	api_lladdr_text(&n->lladdr, lladdr);
	api_text_add(arg, "%s %s %s ", address, or_dash(lladdr),
	    or_dash(n->interface));
	if (n->permanent)
		api_text_add(arg, "never");
	else if (left < 0)
		api_text_add(arg, "gone");
	else
		api_text_add(arg, "%lld", left);
	api_text_add(arg, " %s%s%s\n", or_dash(state), n->own ? " own" : "",
	    n->router ? " router" : "");
}

static int
neighbours(struct api_text *t, int family)
{
	return (vnk_neighbour_each(family, print_neighbour, t));
}

int
api_show_neighbours(struct api_text *t)
{
	return (families(t, "Address Lladdr Netif Expire State", neighbours));
}

/* ---- sockets */

static void
print_endpoint(struct api_text *t, const struct vnk_endpoint *e)
{
	char address[LIBVNET_ADDRESS];

	api_address_text(&e->ip, address);
	api_text_add(t, " %s.", address[0] != '\0' ? address : "*");
	if (e->port != 0)
		api_text_add(t, "%u", e->port);
	else
		api_text_add(t, "*");
}

static void
print_socket(void *arg, const struct vnk_socket *s)
{
	api_text_add(arg, "%s%s%s %u %u", s->protocol, s->four ? "4" : "",
	    s->six ? "6" : "", s->received, s->unsent);
	print_endpoint(arg, &s->local);
	print_endpoint(arg, &s->foreign);
	api_text_add(arg, " %s\n", or_dash(s->state));
}

int
api_show_sockets(struct api_text *t)
{
	api_text_add(t, "Proto Recv-Q Send-Q Local Foreign State\n");
	return (vnk_socket_each(print_socket, t));
}
