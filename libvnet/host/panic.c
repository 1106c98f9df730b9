/* SPDX-License-Identifier: BSD-2-Clause */
/* panic(9) arrives here. */
#include <stdio.h>
#include <stdlib.h>

#include "host.h"

static host_panic_fn *catcher;

host_panic_fn *
host_panic_catch(host_panic_fn *fn)
{
	host_panic_fn *old = catcher;

	catcher = fn;
	return (old);
}

void
vnh_panic(const char *message)
{
	host_panic_fn *fn = catcher;

	/* A second panic on the way out must not come back here. */
	catcher = NULL;
	if (fn != NULL)
		fn(message);
	fprintf(stderr, "libvnet: panic: %s\n", message);
	if (vnk_vnet_current() != NULL)
		fprintf(stderr, "libvnet: in vnet %d\n",
		    vnk_vnet_number(vnk_vnet_current()));
	abort();
}
