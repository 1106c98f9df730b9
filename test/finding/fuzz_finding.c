/* SPDX-License-Identifier: BSD-2-Clause */
/* A fuzz target that fails in the way its first octet says. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/malloc.h>
#include <net/vnet.h>

#include <libvnet/boot.h>
#include <libvnet/vnet.h>

int	LLVMFuzzerTestOneInput(const uint8_t *, size_t);

static __attribute__((noinline)) void
work(uint8_t how)
{
	void *p = malloc(24, M_TEMP, M_WAITOK);

	if (how == 'P')
		panic("the input says so");
	if (how != 'L')
		free(p, M_TEMP);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct vnet *v;

	if (size == 0 || libvnet_boot(NULL) != 0)
		return (0);
	if (libvnet_create(&v) == 0 && libvnet_enter(v) == 0) {
		work(data[0]);
		libvnet_leave();
		libvnet_destroy(v);
	}
	libvnet_shutdown();
	return (0);
}
