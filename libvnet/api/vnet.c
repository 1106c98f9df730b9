/* SPDX-License-Identifier: BSD-2-Clause */
#include "api.h"
#include "seam_user.h"

/* What was current before. */
static __thread struct {
	struct vnet *vnet[LIBVNET_ENTER_MAX];
	struct ucred *cred[LIBVNET_ENTER_MAX];
	int depth;
} entered;

void
api_enter_reset(void)
{
	entered.depth = 0;
}

void *
api_enter_state(size_t *size)
{
	*size = sizeof(entered);
	return (&entered);
}

int
libvnet_create(struct vnet **vnet)
{
	int error = api_ready("libvnet_create");

	if (error != 0)
		return (error);
	if (vnet == NULL)
		return (api_fail(LIBVNET_EINVAL,
		    "libvnet_create: give a place for the handle, not NULL"));
	if (!vnk_vimage())
		return (api_fail(LIBVNET_ENOTSUP, "libvnet_create: the runtime "
		    "was built without option VIMAGE and has no vnets"));
	*vnet = vnk_vnet_create();
	return (0);
}

_Static_assert(LIBVNET_DESTROY_WAIT_S == VNH_DESTROY_WAIT_S,
    "the public constant is the seam's");

int
libvnet_destroy(struct vnet *vnet)
{
	int error = api_vnet("libvnet_destroy", vnet);

	if (error != 0)
		return (error);
	if (vnet == vnk_vnet_default())
		return (api_fail(LIBVNET_EBUSY, "libvnet_destroy: vnet0 lives "
		    "until libvnet_shutdown()"));
	if (vnet == vnk_vnet_current())
		return (api_fail(LIBVNET_EBUSY, "libvnet_destroy: vnet %d is "
		    "current; call libvnet_leave() first",
		    vnk_vnet_number(vnet)));
	for (int i = 0; i < entered.depth; i++)
		if (entered.vnet[i] == vnet)
			return (api_fail(LIBVNET_EBUSY, "libvnet_destroy: "
			    "vnet %d was entered and not left; call "
			    "libvnet_leave() first", vnk_vnet_number(vnet)));
	if (vnk_vnet_entered(vnet))
		return (api_fail(LIBVNET_EBUSY, "libvnet_destroy: vnet %d is "
		    "current in another thread that is attached; let it call "
		    "libvnet_leave() first", vnk_vnet_number(vnet)));
	vnk_vnet_destroy(vnet);
	return (0);
}

int
api_enter(const char *who, struct vnet *vnet, struct ucred *cred)
{
	if (entered.depth == LIBVNET_ENTER_MAX)
		return (api_fail(LIBVNET_ELIMIT, "%s: entered %d deep; is a "
		    "libvnet_leave() missing?", who, entered.depth));
	entered.cred[entered.depth] = vnk_cred_switch(NULL);
	entered.vnet[entered.depth++] = vnk_vnet_switch(vnet);
	(void)vnk_cred_switch(cred);
	return (0);
}

int
libvnet_enter(struct vnet *vnet)
{
	int error = api_vnet("libvnet_enter", vnet);

	return (error != 0 ? error : api_enter("libvnet_enter", vnet, NULL));
}

int
libvnet_leave(void)
{
	int error = api_ready("libvnet_leave");

	if (error != 0)
		return (error);
	if (entered.depth == 0)
		return (api_fail(LIBVNET_EINVAL,
		    "libvnet_leave: no libvnet_enter() before"));
	vnk_vnet_switch(entered.vnet[--entered.depth]);
	(void)vnk_cred_switch(entered.cred[entered.depth]);
	return (0);
}

struct vnet *
libvnet_current(void)
{
	return (libvnet_booted() ? vnk_vnet_current() : NULL);
}

struct vnet *
libvnet_default(void)
{
	return (libvnet_booted() ? vnk_vnet_default() : NULL);
}

int
libvnet_number(const struct vnet *vnet)
{
	int error = api_vnet("libvnet_number", vnet);

	return (error != 0 ? error : vnk_vnet_number(vnet));
}

int
libvnet_count(void)
{
	int error = api_ready("libvnet_count");

	return (error != 0 ? error : vnk_vnet_count());
}
