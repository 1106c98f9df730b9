/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include <libvnet/interface.h>

#include "api.h"
#include "seam_user.h"

struct context {
	struct vnet *vnet;
	struct ucred *cred;
};

/* Run in `vnet' (NULL: as it is); end() switches back. */
static int
begin(const char *who, struct vnet *vnet, const char *name, int *kerr,
    struct context *old)
{
	int error = api_ready(who);

	if (kerr != NULL)
		*kerr = 0;
	if (error != 0)
		return (error);
	if (name == NULL)
		return (api_fail(LIBVNET_EINVAL, "%s: no name given", who));
	if (vnet != NULL && (error = api_vnet(who, vnet)) != 0)
		return (error);
	old->vnet = vnk_vnet_current();
	old->cred = vnk_cred_switch(NULL);
	if (vnet == NULL && old->vnet == NULL && vnk_vimage())
		return (api_fail(LIBVNET_ENOVNET, "%s(\"%s\"): no vnet given "
		    "and none is current", who, name));
	if (vnet != NULL && vnet != old->vnet)
		vnk_vnet_switch(vnet);
	return (0);
}

static void
end(const struct context *old)
{
	vnk_vnet_switch(old->vnet);
	(void)vnk_cred_switch(old->cred);
}

static int
answer(const char *who, const char *name, int kernel, int *kerr)
{
	if (kerr != NULL)
		*kerr = kernel;
	if (kernel == 0)
		return (0);
	return (api_fail(LIBVNET_EKERNEL, "%s(\"%s\"): the kernel answers "
	    "%d, %s", who, name, kernel, libvnet_kerr_text(kernel)));
}

/* One request of the kernel's, in `vnet'. */
static int
request(const char *who, struct vnet *vnet, const char *name, void *old,
    size_t *oldlen, const void *value, size_t size, int *kerr)
{
	struct context was;
	int error;

	error = begin(who, vnet, name, kerr, &was);
	if (error != 0)
		return (error);
	if (vnk_sysctl_kind(name) == 0)
		error = api_fail(LIBVNET_ENOENT, "%s: no sysctl \"%s\"", who,
		    name);
	else
		error = answer(who, name,
		    vnk_sysctl(name, old, oldlen, value, size), kerr);
	end(&was);
	return (error);
}

int
libvnet_sysctl_read(struct vnet *vnet, const char *name, void *old,
    size_t *size, int *kerr)
{
	static const char who[] = "libvnet_sysctl_read";

	if (size == NULL)
		return (api_fail(LIBVNET_EINVAL, "%s: size is NULL", who));
	return (request(who, vnet, name, old, size, NULL, 0, kerr));
}

int
libvnet_sysctl_write(struct vnet *vnet, const char *name, const void *value,
    size_t size, int *kerr)
{
	static const char who[] = "libvnet_sysctl_write";

	if (value == NULL)
		return (api_fail(LIBVNET_EINVAL, "%s: value is NULL", who));
	return (request(who, vnet, name, NULL, NULL, value, size, kerr));
}

/* Width and signedness of an integer kind; 0 bytes: not an integer. */
struct width {
	size_t bytes;
	bool sign;
};

static struct width
width_of(int kind, size_t size)
{
	switch (kind) {
	case 'i': return ((struct width){ 4, true });
	case 'u': return ((struct width){ 4, false });
	case 'l': return ((struct width){ sizeof(long), true });
	case 'L': return ((struct width){ sizeof(long), false });
	case 'q': return ((struct width){ 8, true });
	case 'Q': return ((struct width){ 8, false });
	case 'c': return ((struct width){ size <= 2 ? size : 0, false });
	default: return ((struct width){ 0, false });
	}
}

static int
node_width(const char *who, struct vnet *vnet, const char *name, int *kerr,
    struct width *w)
{
	struct context was;
	size_t size = 0;
	int error, kind;

	error = begin(who, vnet, name, kerr, &was);
	if (error != 0)
		return (error);
	kind = vnk_sysctl_kind(name);
	if (kind == 'c')
		(void)vnk_sysctl(name, NULL, &size, NULL, 0);
	end(&was);
	if (kind == 0)
		return (api_fail(LIBVNET_ENOENT, "%s: no sysctl \"%s\"", who,
		    name));
	*w = width_of(kind, size);
	if (w->bytes == 0)
		return (api_fail(LIBVNET_ETYPE, "%s: \"%s\" is not an integer; "
		    "use libvnet_sysctl_read() or _write()", who, name));
	return (0);
}

static int64_t
load(const void *p, struct width w)
{
	uint64_t v = 0;

	switch (w.bytes) {
	case 1: v = *(const uint8_t *)p; break;
	case 2: v = *(const uint16_t *)p; break;
	case 4: v = *(const uint32_t *)p; break;
	default: v = *(const uint64_t *)p; break;
	}
	if (w.sign && w.bytes == 4)
		return ((int32_t)v);
	return ((int64_t)v);
}

int
libvnet_sysctl_get(struct vnet *vnet, const char *name, int64_t *value,
    int *kerr)
{
	static const char who[] = "libvnet_sysctl_get";
	uint64_t raw = 0;
	struct width w;
	size_t size;
	int error;

	if (value == NULL)
		return (api_fail(LIBVNET_EINVAL, "%s: value is NULL", who));
	error = node_width(who, vnet, name, kerr, &w);
	if (error != 0)
		return (error);
	size = w.bytes;
	error = libvnet_sysctl_read(vnet, name, &raw, &size, kerr);
	if (error == 0)
		*value = load(&raw, w);
	return (error);
}

static bool
fits(int64_t value, struct width w)
{
	int bits = (int)w.bytes * 8;

	if (bits == 64)
		return (true);
	if (w.sign)
		return (value >= -(1LL << (bits - 1)) &&
		    value < 1LL << (bits - 1));
	return (value >= 0 && value < 1LL << bits);
}

int
libvnet_sysctl_set(struct vnet *vnet, const char *name, int64_t value,
    int *kerr)
{
	static const char who[] = "libvnet_sysctl_set";
	union {
		uint8_t u8;
		uint16_t u16;
		uint32_t u32;
		uint64_t u64;
	} raw;
	struct width w;
	int error;

	error = node_width(who, vnet, name, kerr, &w);
	if (error != 0)
		return (error);
	if (!fits(value, w))
		return (api_fail(LIBVNET_EINVAL, "%s: %lld does not fit in the "
		    "%zu bytes of \"%s\"", who, (long long)value, w.bytes,
		    name));
	switch (w.bytes) {
	case 1: raw.u8 = (uint8_t)value; break;
	case 2: raw.u16 = (uint16_t)value; break;
	case 4: raw.u32 = (uint32_t)value; break;
	default: raw.u64 = (uint64_t)value; break;
	}
	return (libvnet_sysctl_write(vnet, name, &raw, w.bytes, kerr));
}
