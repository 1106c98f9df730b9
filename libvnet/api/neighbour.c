/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>
#include <string.h>

#include "stack.h"

/* Ethernet's, "02:00:00:00:00:0a", or with dashes; two digits may be one. */
static bool
parse_lladdr(const char *text, struct vnk_lladdr *ll)
{
	unsigned byte;
	int n;

	memset(ll, 0, sizeof(*ll));
	for (; ll->len < sizeof(ll->bytes); text++) {
		if (strspn(text, "0123456789abcdefABCDEF") - 1 > 1 ||
		    sscanf(text, "%2x%n", &byte, &n) != 1)
			return (false);
		ll->bytes[ll->len++] = (unsigned char)byte;
		text += n;
		if (*text == '\0')
			return (ll->len == 6);
		if (*text != ':' && *text != '-')
			return (false);
	}
	return (false);
}

static int
change(const char *who, struct vnet *vnet, enum vnk_route_op op,
    struct vnk_neighbour *n, const char *address, const char *name, int *kerr)
{
	struct api_was was;
	int error;

	error = api_address_parse(who, address, &n->ip);
	if (error == 0 && n->ip.prefix >= 0)
		error = api_fail(LIBVNET_EINVAL, "%s: a neighbour is one host: "
		    "\"%s\" without the prefix", who, address);
	if (error == 0 && name != NULL)
		error = api_stack_name(who, name);
	if (error == 0 && name != NULL)
		strcpy(n->interface, name);
	if (error == 0)
		error = api_stack_begin(who, vnet, kerr, &was);
	if (error != 0)
		return (error);
	return (api_stack_end(who, address, vnk_neighbour(op, n), kerr, was));
}

int
libvnet_neighbour_add(struct vnet *vnet, const char *address,
    const char *lladdr, const char *name, int *kerr)
{
	static const char who[] = "libvnet_neighbour_add";
	struct vnk_neighbour n = { .permanent = 1 };

	if (lladdr == NULL || !parse_lladdr(lladdr, &n.lladdr))
		return (api_fail(LIBVNET_EINVAL, "%s: \"%s\" is no link-layer "
		    "address; write 02:00:00:00:00:0a", who,
		    lladdr != NULL ? lladdr : "(null)"));
	return (change(who, vnet, VNK_ROUTE_ADD, &n, address, name, kerr));
}

int
libvnet_neighbour_delete(struct vnet *vnet, const char *address,
    const char *name, int *kerr)
{
	struct vnk_neighbour n = { .permanent = 1 };

	return (change("libvnet_neighbour_delete", vnet, VNK_ROUTE_DELETE, &n,
	    address, name, kerr));
}

/* ---- looking */

struct nth {
	unsigned n;
	bool found;
	struct vnk_neighbour neighbour;
};

static void
count(void *arg, const struct vnk_neighbour *n)
{
	struct nth *s = arg;

	if (s->n-- != 0)
		return;
	s->found = true;
	s->neighbour = *n;
}

/* FreeBSD's ND6_LLINFO_*, from -2. */
const char *
api_neighbour_state(const struct vnk_neighbour *n)
{
	static const char *const names[] = { "nostate", "waitdelete",
	    "incomplete", "reachable", "stale", "delay", "probe" };
	int i = n->state + 2;

	if (n->lladdr.len == 0)
		return ("incomplete");
	return (i < 0 || i >= (int)(sizeof(names) / sizeof(names[0])) ? "" :
	    names[i]);
}

int
libvnet_neighbour_nth(struct vnet *vnet, int family, unsigned n,
    struct libvnet_neighbour *out)
{
	static const char who[] = "libvnet_neighbour_nth";
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
	    vnk_neighbour_each(family, count, &s), NULL, was);
	if (error == 0 && !s.found)
		error = api_fail(LIBVNET_ENOENT, "%s: there is no number %u",
		    who, n);
	if (error != 0)
		return (error);
	memset(out, 0, sizeof(*out));
	api_address_text(&s.neighbour.ip, out->address);
	api_lladdr_text(&s.neighbour.lladdr, out->lladdr);
	memcpy(out->name, s.neighbour.interface, sizeof(out->name));
	out->permanent = s.neighbour.permanent != 0;
	out->expires_s = s.neighbour.expires_s;
	out->own = s.neighbour.own != 0;
	out->router = s.neighbour.router != 0;
	strcpy(out->state, api_neighbour_state(&s.neighbour));
	return (0);
}
