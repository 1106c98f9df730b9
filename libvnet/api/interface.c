/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>
#include <string.h>

#include "stack.h"

int
libvnet_if_create(struct vnet *vnet, const char *cloner,
    char name[LIBVNET_IFNAME], int *kerr)
{
	static const char who[] = "libvnet_if_create";
	struct api_was was;
	int error;

	if (name == NULL)
		return (api_fail(LIBVNET_EINVAL, "%s: give a place for the "
		    "name, not NULL", who));
	error = api_stack_name(who, cloner);
	if (error == 0)
		error = api_stack_begin(who, vnet, kerr, &was);
	if (error != 0)
		return (error);
	return (api_stack_end(who, cloner, vnk_if_create(cloner, name), kerr,
	    was));
}

int
libvnet_if_destroy(struct vnet *vnet, const char *name, int *kerr)
{
	static const char who[] = "libvnet_if_destroy";
	struct api_was was;
	int error;

	error = api_stack_name(who, name);
	if (error == 0)
		error = api_stack_begin(who, vnet, kerr, &was);
	if (error != 0)
		return (error);
	return (api_stack_end(who, name, vnk_if_destroy(name), kerr, was));
}

static int
move(const char *who, struct vnet *from, const char *name, struct vnet *to,
    char moved[LIBVNET_IFNAME], int *kerr)
{
	struct api_was was;
	int error;

	error = api_vnet(who, to);
	if (error == 0)
		error = api_stack_name(who, name);
	if (error == 0)
		error = api_stack_begin(who, from, kerr, &was);
	if (error != 0)
		return (error);
	return (api_stack_end(who, name, vnk_if_move(name, to, moved), kerr,
	    was));
}

int
libvnet_if_move(struct vnet *from, const char *name, struct vnet *to,
    int *kerr)
{
	char moved[LIBVNET_IFNAME];

	return (move("libvnet_if_move", from, name, to, moved, kerr));
}

/* The b side's name is the a side's but for the last letter. */
int
libvnet_if_epair(struct vnet *a, struct vnet *b, char a_name[LIBVNET_IFNAME],
    char b_name[LIBVNET_IFNAME], int *kerr)
{
	static const char who[] = "libvnet_if_epair";
	struct vnet *vnet0 = libvnet_default();
	int error;

	if (a_name == NULL || b_name == NULL)
		return (api_fail(LIBVNET_EINVAL, "%s: give places for both "
		    "names, not NULL", who));
	error = libvnet_if_create(vnet0, "epair", a_name, kerr);
	if (error != 0)
		return (error);
	memcpy(b_name, a_name, LIBVNET_IFNAME);
	b_name[strlen(b_name) - 1] = 'b';
	if (a != vnet0)
		error = move(who, vnet0, a_name, a, a_name, kerr);
	if (error == 0 && b != vnet0)
		error = move(who, vnet0, b_name, b, b_name, kerr);
	if (error == 0)
		error = libvnet_if_up(a, a_name, kerr);
	if (error == 0)
		error = libvnet_if_up(b, b_name, kerr);
	return (error);
}

/* ---- settings */

static int
set_flags(const char *who, struct vnet *vnet, const char *name, unsigned set,
    unsigned clear, int *kerr)
{
	struct api_was was;
	int error;

	error = api_stack_name(who, name);
	if (error == 0)
		error = api_stack_begin(who, vnet, kerr, &was);
	if (error != 0)
		return (error);
	return (api_stack_end(who, name, vnk_if_flags(name, set, clear), kerr,
	    was));
}

int
libvnet_if_up(struct vnet *vnet, const char *name, int *kerr)
{
	return (set_flags("libvnet_if_up", vnet, name, LIBVNET_IF_UP, 0, kerr));
}

int
libvnet_if_down(struct vnet *vnet, const char *name, int *kerr)
{
	return (set_flags("libvnet_if_down", vnet, name, 0, LIBVNET_IF_UP,
	    kerr));
}

int
libvnet_if_promisc(struct vnet *vnet, const char *name, bool on, int *kerr)
{
	return (set_flags("libvnet_if_promisc", vnet, name,
	    on ? VNK_IF_PPROMISC : 0, on ? 0 : VNK_IF_PPROMISC, kerr));
}

int
libvnet_if_mtu(struct vnet *vnet, const char *name, int mtu, int *kerr)
{
	static const char who[] = "libvnet_if_mtu";
	struct api_was was;
	int error;

	error = api_stack_name(who, name);
	if (error == 0)
		error = api_stack_begin(who, vnet, kerr, &was);
	if (error != 0)
		return (error);
	return (api_stack_end(who, name, vnk_if_mtu(name, mtu), kerr, was));
}

/* ---- addresses */

static int
change_address(const char *who, struct vnet *vnet, const char *name,
    const char *text, int add, int *kerr)
{
	const char *space = text != NULL ? strchr(text, ' ') : NULL;
	char own[LIBVNET_ADDRESS + LIBVNET_IFNAME];
	struct vnk_ip ip, peer;
	struct api_was was;
	int error;

	error = api_stack_name(who, name);
	if (error == 0 && space != NULL) {
		snprintf(own, sizeof(own), "%.*s", (int)(space - text), text);
		error = api_address_parse(who, space + 1, &peer);
		text = own;
	}
	if (error == 0)
		error = api_address_parse(who, text, &ip);
	if (error == 0)
		error = api_stack_begin(who, vnet, kerr, &was);
	if (error != 0)
		return (error);
	return (api_stack_end(who, text, vnk_if_address(name, add, &ip,
	    space != NULL ? &peer : NULL), kerr, was));
}

int
libvnet_if_address_add(struct vnet *vnet, const char *name,
    const char *address, int *kerr)
{
	return (change_address("libvnet_if_address_add", vnet, name, address,
	    1, kerr));
}

int
libvnet_if_address_remove(struct vnet *vnet, const char *name,
    const char *address, int *kerr)
{
	return (change_address("libvnet_if_address_remove", vnet, name,
	    address, 0, kerr));
}
