/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>
#include <string.h>

#include "stack.h"

static int
parse_destination(const char *who, const char *text, struct vnk_ip *ip)
{
	bool six = text != NULL && strcmp(text, "default6") == 0;

	if (!six && (text == NULL || strcmp(text, "default") != 0))
		return (api_address_parse(who, text, ip));
	memset(ip, 0, sizeof(*ip));
	ip->family = six ? 6 : 4;
	return (0);
}

/* A gateway where it is an address, else an interface. */
static int
parse_via(const char *who, const char *text, struct vnk_route *r)
{
	struct vnk_ip ip;
	int error;

	if (strchr(text, ':') != NULL || strchr(text, '.') != NULL) {
		error = api_address_parse(who, text, &ip);
		if (error == 0 && ip.family != r->dst.family)
			error = api_fail(LIBVNET_EINVAL, "%s: the gateway "
			    "\"%s\" is of another family than the destination",
			    who, text);
		r->gateway = ip;
		return (error);
	}
	error = api_stack_name(who, text);
	if (error == 0)
		strcpy(r->interface, text);
	return (error);
}

static int
change(const char *who, struct vnet *vnet, enum vnk_route_op op,
    const char *dst, const char *via, int *kerr)
{
	struct vnk_route r = { .flags = 0 };
	struct api_was was;
	int error;

	error = parse_destination(who, dst, &r.dst);
	if (error == 0 && via != NULL)
		error = parse_via(who, via, &r);
	else if (error == 0 && op != VNK_ROUTE_DELETE)
		error = api_fail(LIBVNET_EINVAL, "%s: no gateway and no "
		    "interface given", who);
	if (error == 0)
		error = api_stack_begin(who, vnet, kerr, &was);
	if (error != 0)
		return (error);
	return (api_stack_end(who, dst, vnk_route(op, &r), kerr, was));
}

int
libvnet_route_add(struct vnet *vnet, const char *dst, const char *via,
    int *kerr)
{
	return (change("libvnet_route_add", vnet, VNK_ROUTE_ADD, dst, via,
	    kerr));
}

int
libvnet_route_change(struct vnet *vnet, const char *dst, const char *via,
    int *kerr)
{
	return (change("libvnet_route_change", vnet, VNK_ROUTE_CHANGE, dst,
	    via, kerr));
}

int
libvnet_route_delete(struct vnet *vnet, const char *dst, const char *via,
    int *kerr)
{
	return (change("libvnet_route_delete", vnet, VNK_ROUTE_DELETE, dst,
	    via, kerr));
}

/* ---- looking */

static void
fill(struct libvnet_route *o, const struct vnk_route *r)
{
	static const unsigned char zero[16];

	memset(o, 0, sizeof(*o));
	if (r->dst.prefix == 0 && memcmp(r->dst.bytes, zero, 16) == 0)
		strcpy(o->dst, "default");
	else
		api_address_text(&r->dst, o->dst);
	api_address_text(&r->gateway, o->gateway);
	memcpy(o->name, r->interface, sizeof(o->name));
	o->flags = r->flags;
	o->mtu = r->mtu;
	o->weight = r->weight;
}

int
libvnet_route_get(struct vnet *vnet, const char *host,
    struct libvnet_route *out, int *kerr)
{
	static const char who[] = "libvnet_route_get";
	struct vnk_route r = { .flags = 0 };
	struct api_was was;
	int error;

	if (out == NULL)
		return (api_fail(LIBVNET_EINVAL, "%s: no place for the answer "
		    "given", who));
	error = api_address_parse(who, host, &r.dst);
	r.dst.prefix = -1;
	if (error == 0)
		error = api_stack_begin(who, vnet, kerr, &was);
	if (error != 0)
		return (error);
	error = api_stack_end(who, host, vnk_route(VNK_ROUTE_GET, &r), kerr,
	    was);
	if (error == 0)
		fill(out, &r);
	return (error);
}

struct nth {
	unsigned n;
	bool found;
	struct vnk_route route;
};

static void
count_route(void *arg, const struct vnk_route *r)
{
	struct nth *s = arg;

	if (s->n-- != 0)
		return;
	s->found = true;
	s->route = *r;
}

int
libvnet_route_nth(struct vnet *vnet, int family, unsigned n,
    struct libvnet_route *out)
{
	static const char who[] = "libvnet_route_nth";
	struct nth s = { .n = n };
	struct api_was was;
	int error;

	if (out == NULL || (family != 4 && family != 6))
		return (api_fail(LIBVNET_EINVAL, "%s: give 4 or 6 and a place "
		    "for the answer", who));
	error = api_stack_begin(who, vnet, NULL, &was);
	if (error != 0)
		return (error);
	error = api_stack_end(who, family == 4 ? "4" : "6",
	    vnk_route_each(family, count_route, &s), NULL, was);
	if (error == 0 && !s.found)
		error = api_fail(LIBVNET_ENOENT, "%s: there is no number %u",
		    who, n);
	if (error == 0)
		fill(out, &s.route);
	return (error);
}
