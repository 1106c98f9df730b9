/* SPDX-License-Identifier: BSD-2-Clause */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stack.h"
#include "seam_user.h"

int
api_no_stack(const char *who)
{
	return (api_fail(LIBVNET_ENOTSUP, "%s: this program has no network "
	    "stack; build it on a kernel tree and link the tree's: SYSDIR and "
	    "STACK ALL of libvnet_add_test(), --sysdir and --stack of "
	    "libvnet-cc", who));
}

int
api_stack_begin(const char *who, struct vnet *vnet, int *kerr,
    struct api_was *was)
{
	int error;

	if (kerr != NULL)
		*kerr = 0;
	error = api_ready(who);
	if (error != 0)
		return (error);
	if (vnk_if_create == NULL)
		return (api_no_stack(who));
	if (vnet != NULL && (error = api_vnet(who, vnet)) != 0)
		return (error);
	was->vnet = vnk_vnet_current();
	was->cred = vnk_cred_switch(NULL);
	if (vnet == NULL && was->vnet == NULL && vnk_vimage())
		return (api_fail(LIBVNET_ENOVNET, "%s: no vnet given and none "
		    "is current", who));
	if (vnet != NULL && vnet != was->vnet)
		(void)vnk_vnet_switch(vnet);
	return (0);
}

int
api_stack_end(const char *who, const char *object, int answer, int *kerr,
    struct api_was was)
{
	(void)vnk_vnet_switch(was.vnet);
	(void)vnk_cred_switch(was.cred);
	if (kerr != NULL)
		*kerr = answer;
	if (answer == 0)
		return (0);
	if (object == NULL)
		return (api_fail(LIBVNET_EKERNEL, "%s: the kernel answers %d, "
		    "%s", who, answer, libvnet_kerr_text(answer)));
	return (api_fail(LIBVNET_EKERNEL, "%s(\"%s\"): the kernel answers "
	    "%d, %s", who, object, answer, libvnet_kerr_text(answer)));
}

int
api_stack_name(const char *who, const char *name)
{
	if (name == NULL || name[0] == '\0')
		return (api_fail(LIBVNET_EINVAL, "%s: no name of an interface "
		    "given", who));
	if (strlen(name) >= LIBVNET_IFNAME)
		return (api_fail(LIBVNET_EINVAL, "%s: \"%s\" is too long for "
		    "an interface; it can have %d characters", who, name,
		    LIBVNET_IFNAME - 1));
	return (0);
}

/* ---- addresses */

_Static_assert(LIBVNET_ADDRESS >= INET6_ADDRSTRLEN + VNK_IFNAME + 4,
    "room for the text, %zone and /prefix");

static bool
parse_prefix(const char *text, struct vnk_ip *ip)
{
	int most = ip->family == 4 ? 32 : 128;
	char *end;
	long n;

	if (*text < '0' || *text > '9')
		return (false);
	n = strtol(text, &end, 10);
	if (*end != '\0' || n > most)
		return (false);
	ip->prefix = (int)n;
	return (true);
}

static bool
parse(char *text, struct vnk_ip *ip)
{
	char *slash = strchr(text, '/'), *percent = strchr(text, '%');

	memset(ip, 0, sizeof(*ip));
	ip->prefix = -1;
	if (slash != NULL)
		*slash = '\0';
	if (percent != NULL) {
		*percent = '\0';
		if (strlen(percent + 1) >= sizeof(ip->zone))
			return (false);
		strcpy(ip->zone, percent + 1);
	}
	if (inet_pton(AF_INET, text, ip->bytes) == 1)
		ip->family = 4;
	else if (inet_pton(AF_INET6, text, ip->bytes) == 1)
		ip->family = 6;
	else
		return (false);
	return (slash == NULL || parse_prefix(slash + 1, ip));
}

int
api_address_parse(const char *who, const char *text, struct vnk_ip *ip)
{
	char copy[LIBVNET_ADDRESS + LIBVNET_IFNAME];

	if (text == NULL)
		return (api_fail(LIBVNET_EINVAL, "%s: no address given", who));
	if (strlen(text) >= sizeof(copy) || !parse(strcpy(copy, text), ip))
		return (api_fail(LIBVNET_EINVAL, "%s: \"%s\" is no address; "
		    "write 10.0.0.1/24 or 2001:db8::1/64", who, text));
	return (0);
}

void
api_address_text(const struct vnk_ip *ip, char *out)
{
	int most = ip->family == 4 ? 32 : 128;
	char bytes[INET6_ADDRSTRLEN];
	size_t n;

	out[0] = '\0';
	if (ip->family == 0 || inet_ntop(ip->family == 4 ? AF_INET : AF_INET6,
	    ip->bytes, bytes, sizeof(bytes)) == NULL)
		return;
	n = (size_t)snprintf(out, LIBVNET_ADDRESS, "%s", bytes);
	if (ip->zone[0] != '\0')
		n += (size_t)snprintf(out + n, VNK_IFNAME + 1, "%%%.15s",
		    ip->zone);
	if (ip->prefix >= 0 && ip->prefix <= most)
		sprintf(out + n, "/%d", ip->prefix);
}

void
api_lladdr_text(const struct vnk_lladdr *ll, char *out)
{
	out[0] = '\0';
	for (unsigned i = 0; i < ll->len && i < sizeof(ll->bytes); i++)
		sprintf(out + strlen(out), "%s%02x", i > 0 ? ":" : "",
		    ll->bytes[i]);
}
