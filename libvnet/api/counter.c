/* SPDX-License-Identifier: BSD-2-Clause */
#include "api.h"

static int
variable(const char *who, struct vnet *vnet, const char *name, void **address,
    size_t *size)
{
	const struct vnh_var *var;
	int error;

	if (name == NULL)
		return (api_fail(LIBVNET_EINVAL, "%s: no name given", who));
	error = api_ready(who);
	if (error != 0)
		return (error);
	if (vnet == NULL)
		vnet = vnk_vnet_current();
	error = api_vnet(who, vnet);
	if (error != 0)
		return (error);
	var = host_var_find(name);
	if (var == NULL)
		return (api_fail(LIBVNET_ENOENT, "%s: no variable V_%s; give "
		    "the name without V_", who, name));
	*address = vnk_vnet_variable(vnet, var->offset);
	*size = var->size;
	return (0);
}

int
libvnet_variable(struct vnet *vnet, const char *name, void **address,
    size_t *size)
{
	size_t n = 0;
	int error;

	if (address == NULL)
		return (api_fail(LIBVNET_EINVAL,
		    "libvnet_variable: address is NULL"));
	error = variable("libvnet_variable", vnet, name, address, &n);
	if (error == 0 && size != NULL)
		*size = n;
	return (error);
}

int
libvnet_counter_get(struct vnet *vnet, const char *name, size_t index,
    uint64_t *value)
{
	static const char who[] = "libvnet_counter_get";
	void *address = NULL, *counter;
	size_t size = 0;
	int error;

	if (value == NULL)
		return (api_fail(LIBVNET_EINVAL, "%s: value is NULL", who));
	error = variable(who, vnet, name, &address, &size);
	if (error != 0)
		return (error);
	if (size % sizeof(void *) != 0 || index >= size / sizeof(void *))
		return (api_fail(LIBVNET_ETYPE, "%s: V_%s has %zu bytes and so "
		    "no counter number %zu", who, name, size, index));
	counter = ((void **)address)[index];
	if (counter == NULL)
		return (api_fail(LIBVNET_ENOENT, "%s: V_%s[%zu] is not "
		    "allocated (yet)", who, name, index));
	*value = vnk_counter_fetch(counter);
	return (0);
}
