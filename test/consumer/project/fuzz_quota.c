/* SPDX-License-Identifier: BSD-2-Clause */
/* Property: whatever is taken, what is left never grows. */
#include <sys/param.h>
#include <sys/systm.h>
#include <net/vnet.h>

#include <libvnet/boot.h>
#include <libvnet/vnet.h>
#include "quota.h"

int	LLVMFuzzerTestOneInput(const uint8_t *, size_t);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct vnet *v;
	u_int before;

	if (libvnet_boot(NULL) != 0 || libvnet_create(&v) != 0)
		panic("no vnet");
	libvnet_enter(v);
	for (size_t i = 0; i < size; i++) {
		before = V_quota_left;
		(void)quota_take(data[i]);
		KASSERT(V_quota_left <= before, ("the quota grew"));
	}
	libvnet_leave();
	libvnet_shutdown();
	return (0);
}
