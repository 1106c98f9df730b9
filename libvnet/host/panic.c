/* SPDX-License-Identifier: BSD-2-Clause */
/* panic(9) arrives here. */
#include <stddef.h>

#include "finding.h"

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
	host_panic_note(message);
	if (fn != NULL)
		fn(message);
	host_finding_abort(host_panic_last());
}
