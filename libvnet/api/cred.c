/* SPDX-License-Identifier: BSD-2-Clause */
#include "api.h"
#include "seam_user.h"

_Static_assert(LIBVNET_PRIV_ALL == VNK_PRIV_ALL, "one is the other");

int
libvnet_cred_create(struct ucred **cred, struct vnet *vnet, unsigned uid,
    unsigned gid)
{
	static const char who[] = "libvnet_cred_create";
	int error = vnet != NULL ? api_vnet(who, vnet) : api_ready(who);

	if (error != 0)
		return (error);
	if (cred == NULL)
		return (api_fail(LIBVNET_EINVAL, "%s: give a place for the "
		    "credential, not NULL", who));
	*cred = vnk_cred_create(vnet, uid, gid);
	return (0);
}

static int
given(const char *who, const struct ucred *cred)
{
	int error = api_ready(who);

	if (error == 0 && cred == NULL)
		error = api_fail(LIBVNET_EINVAL, "%s: no credential given",
		    who);
	return (error);
}

int
libvnet_cred_free(struct ucred *cred)
{
	int error = given("libvnet_cred_free", cred);

	if (error == 0)
		vnk_cred_free(cred);
	return (error);
}

int
libvnet_cred_enter(struct ucred *cred)
{
	static const char who[] = "libvnet_cred_enter";
	int error = given(who, cred);

	if (error != 0)
		return (error);
	if (vnk_vimage() && vnk_cred_vnet(cred) == NULL)
		return (api_fail(LIBVNET_EINVAL, "%s: the credential's vnet "
		    "is destroyed", who));
	return (api_enter(who, vnk_cred_vnet(cred), cred));
}

int
libvnet_cred_leave(void)
{
	return (libvnet_leave());
}

static int
deny(const char *who, struct ucred *cred, int priv, bool on)
{
	int error = api_ready(who);

	if (error != 0)
		return (error);
	if (cred == NULL)
		cred = vnk_cred_switch(NULL);
	switch (vnk_cred_deny(cred, priv, on)) {
	case VNK_CRED_NOPRIV:
		return (api_fail(LIBVNET_EINVAL, "%s: there is no privilege "
		    "%d; give one of sys/priv.h's PRIV_*, or "
		    "LIBVNET_PRIV_ALL", who, priv));
	case VNK_CRED_FULL:
		return (api_fail(LIBVNET_ELIMIT, "%s: %d credentials have "
		    "privileges taken away already", who, LIBVNET_CRED_RULES));
	default:
		return (0);
	}
}

int
libvnet_cred_deny(struct ucred *cred, int priv)
{
	return (deny("libvnet_cred_deny", cred, priv, true));
}

int
libvnet_cred_allow(struct ucred *cred, int priv)
{
	return (deny("libvnet_cred_allow", cred, priv, false));
}
