/* SPDX-License-Identifier: BSD-2-Clause */
/* usage: seen [panic]: comes to rest in stop_here(), or panics there. */
#include <stdlib.h>

#include <libvnet/libvnet.h>

#include "seen.h"

__attribute__((noinline)) void stop_here(int panic);

void
stop_here(int panic)
{
	if (panic)
		seen_panic();
}

static void
in(struct vnet *v, int n)
{
	if (libvnet_has_vimage() && libvnet_enter(v) != 0)
		abort();
	seen_work(n);
	if (libvnet_has_vimage() && libvnet_leave() != 0)
		abort();
}

int
main(int argc, char **argv)
{
	struct vnet *a = NULL, *b = NULL;

	(void)argv;
	if (libvnet_boot(NULL) != 0)
		abort();
	if (libvnet_has_vimage()) {
		if (libvnet_create(&a) != 0 || libvnet_create(&b) != 0 ||
		    libvnet_enter(a) != 0)
			abort();
		seen_forget();
		if (libvnet_leave() != 0 || libvnet_destroy(a) != 0 ||
		    libvnet_create(&a) != 0)
			abort();
	}
	in(a, 11);
	in(b, 22);
	seen_arm();
	seen_sleep();
	libvnet_clock_advance_ns(LIBVNET_NS_PER_SECOND / 4);
	if (libvnet_has_vimage() && libvnet_enter(b) != 0)
		abort();
	stop_here(argc > 1);
	return (0);
}
