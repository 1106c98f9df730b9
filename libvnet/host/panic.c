/* SPDX-License-Identifier: BSD-2-Clause */
/* panic(9) arrives here. */
#include <stddef.h>

#include "coroutine.h"
#include "finding.h"

static host_panic_fn *catcher;

host_panic_fn *
host_panic_catch(host_panic_fn *fn)
{
	host_panic_fn *old = catcher;

	catcher = fn;
	return (old);
}

static void
deliver(void *message)
{
	host_panic_fn *fn = catcher;

	/* A second panic on the way out must not come back here. */
	catcher = NULL;
	if (fn != NULL)
		fn(message);
	host_finding_abort(host_panic_last());
}

/* Of a thread that attached nothing can be brought back. */
void
vnh_panic(const char *message)
{
	host_panic_note(message);
	if (host_home_foreign())
		host_finding_abort(host_panic_last());
	host_home_call(deliver, (void *)message);
	__builtin_unreachable();
}
