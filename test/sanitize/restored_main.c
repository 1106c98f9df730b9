/* SPDX-License-Identifier: BSD-2-Clause */
/* usage: sanitize_restored CASE [twin]; status 77: no snapshots here */
#include <stdio.h>
#include <stdlib.h>

#include <libvnet/libvnet.h>

#include "restored.h"

static void
check(int error)
{
	if (error == 0)
		return;
	fprintf(stderr, "%s\n", libvnet_error());
	exit(error == LIBVNET_ENOTSUP ? 77 : 2);
}

int
main(int argc, char **argv)
{
	struct libvnet_snapshot *s;
	int twin = argc > 2;

	if (argc < 2)
		return (2);
	check(libvnet_boot(NULL));
	if (restored_step(argv[1], 0, twin) != 0)
		return (2);
	check(libvnet_snapshot_take(&s));
	for (int i = 0; i < 4; i++) {
		(void)restored_step(argv[1], 1, twin);
		check(libvnet_snapshot_restore(s));
	}
	(void)restored_step(argv[1], 2, twin);
	check(libvnet_abandon());
	return (0);
}
