/* SPDX-License-Identifier: BSD-2-Clause */
#include <sys/param.h>
#include <sys/systm.h>

#include <libvnet/test.h>
#include "leaks.h"

static u_long
destroy(struct vnet *v)
{
	u_long before = libvnet_finding_count();

	assert_int_equal(libvnet_destroy(v), 0);
	return (libvnet_finding_count() - before);
}

/* "3 items of ... still allocated after vnet 5 ...": up to the vnet. */
static bool
same(u_long a, u_long b)
{
	const char *at, *bt, *end;

	assert_int_equal(libvnet_finding_get(a, NULL, &at), 0);
	assert_int_equal(libvnet_finding_get(b, NULL, &bt), 0);
	end = strstr(at, " after vnet ");
	return (end != NULL && strncmp(at, bt, (size_t)(end - at)) == 0);
}

/* The order is no matter. */
bool
leaks_alike(struct vnet *plain, struct vnet *used)
{
	u_long start = libvnet_finding_count();
	u_long n = destroy(plain);
	u_long p, u = start + n, end = u + destroy(used);

	for (; u < end; u++) {
		for (p = start; p < start + n && !same(p, u); p++)
			;
		if (p == start + n)
			return (false);
	}
	return (true);
}
