/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>
#include <string.h>

#include "stack.h"

/* What is looked for in a walk over all interfaces and their addresses. */
struct search {
	const char *name;		/* NULL: the n-th */
	unsigned n;
	bool here;			/* now come the addresses of `name' */
	bool found;
	struct libvnet_if *out;
	char *address;
};

static void
fill(struct libvnet_if *o, const struct vnk_if *i)
{
	memset(o, 0, sizeof(*o));
	memcpy(o->name, i->name, sizeof(o->name));
	api_lladdr_text(&i->lladdr, o->lladdr);
	o->index = i->index;
	o->flags = i->flags;
	o->link = i->link - 1;		/* LINK_STATE_UNKNOWN is 0 */
	o->mtu = (int)i->mtu;
	o->ipackets = i->ipackets;
	o->ierrors = i->ierrors;
	o->ibytes = i->ibytes;
	o->imcasts = i->imcasts;
	o->iqdrops = i->iqdrops;
	o->opackets = i->opackets;
	o->oerrors = i->oerrors;
	o->obytes = i->obytes;
	o->omcasts = i->omcasts;
	o->oqdrops = i->oqdrops;
	o->collisions = i->collisions;
}

static void
look_interface(void *arg, const struct vnk_if *i)
{
	struct search *s = arg;

	if (s->name != NULL)
		s->here = strcmp(i->name, s->name) == 0;
	else
		s->here = s->n-- == 0;
	if (!s->here || s->out == NULL)
		return;
	s->found = true;
	fill(s->out, i);
}

static void
look_address(void *arg, const struct vnk_ip *ip, const struct vnk_ip *peer)
{
	struct search *s = arg;

	(void)peer;
	if (!s->here || s->address == NULL || s->n-- != 0)
		return;
	s->found = true;
	api_address_text(ip, s->address);
}

static const struct vnk_if_visitor visitor = { look_interface, look_address };

static int
search(const char *who, struct vnet *vnet, struct search *s)
{
	struct api_was was;
	int error = api_stack_begin(who, vnet, NULL, &was);

	if (error != 0)
		return (error);
	error = api_stack_end(who, s->name != NULL ? s->name : "",
	    vnk_if_each(&visitor, s), NULL, was);
	if (error != 0 || s->found)
		return (error);
	if (s->name != NULL)
		return (api_fail(LIBVNET_ENOENT, "%s: vnet %d has no %s\"%s\"",
		    who, vnk_vnet_number(vnet != NULL ? vnet : was.vnet),
		    s->address != NULL ? "such address of " : "", s->name));
	return (api_fail(LIBVNET_ENOENT, "%s: vnet %d has not so many "
	    "interfaces", who, vnk_vnet_number(vnet != NULL ? vnet : was.vnet)));
}

int
libvnet_if_get(struct vnet *vnet, const char *name, struct libvnet_if *out)
{
	static const char who[] = "libvnet_if_get";
	struct search s = { .name = name, .out = out };
	int error = api_stack_name(who, name);

	if (error == 0 && out == NULL)
		error = api_fail(LIBVNET_EINVAL, "%s: no place for the answer "
		    "given", who);
	return (error != 0 ? error : search(who, vnet, &s));
}

int
libvnet_if_nth(struct vnet *vnet, unsigned n, struct libvnet_if *out)
{
	static const char who[] = "libvnet_if_nth";
	struct search s = { .n = n, .out = out };

	if (out == NULL)
		return (api_fail(LIBVNET_EINVAL, "%s: no place for the answer "
		    "given", who));
	return (search(who, vnet, &s));
}

int
libvnet_if_address(struct vnet *vnet, const char *name, unsigned n,
    char out[LIBVNET_ADDRESS])
{
	static const char who[] = "libvnet_if_address";
	struct search s = { .name = name, .n = n, .address = out };
	int error = api_stack_name(who, name);

	if (error == 0 && out == NULL)
		error = api_fail(LIBVNET_EINVAL, "%s: no place for the answer "
		    "given", who);
	return (error != 0 ? error : search(who, vnet, &s));
}
