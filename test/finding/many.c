/* SPDX-License-Identifier: BSD-2-Clause */
/* One fault that is met thirteen times: its report does not drown the rest. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>

#include <libvnet/test.h>

static struct mtx mtx;

LIBVNET_TEST(thirteen_times)
{
	mtx_init(&mtx, "held", NULL, MTX_DEF);
	mtx_lock(&mtx);
	for (int i = 0; i < 13; i++)
		free(malloc(24, M_TEMP, M_WAITOK), M_TEMP);
	mtx_unlock(&mtx);
	mtx_destroy(&mtx);
}
