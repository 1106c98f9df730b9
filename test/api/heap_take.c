/* SPDX-License-Identifier: BSD-2-Clause */
/* A sysctl that holds as many bytes as are written to it, in the vnet. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/malloc.h>
#include <sys/sysctl.h>
#include <net/vnet.h>

static MALLOC_DEFINE(M_TAKE, "take", "test");

VNET_DEFINE_STATIC(void *, held);
VNET_DEFINE_STATIC(int, size);
#define V_held VNET(held)
#define V_size VNET(size)

static int
take(SYSCTL_HANDLER_ARGS)
{
	int error, n = V_size;

	error = sysctl_handle_int(oidp, &n, 0, req);
	if (error != 0 || req->newptr == NULL)
		return (error);
	free(V_held, M_TAKE);
	V_held = n > 0 ? malloc((size_t)n, M_TAKE, M_WAITOK) : NULL;
	V_size = n;
	return (0);
}
SYSCTL_PROC(_kern, OID_AUTO, heap_take, CTLFLAG_VNET | CTLTYPE_INT |
    CTLFLAG_RW, NULL, 0, take, "I", "bytes to hold");
