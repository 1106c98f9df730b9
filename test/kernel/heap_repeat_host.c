/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Boots twice, compares, and starts itself again to compare with that.
 * Exit status 77 where the region's address was taken.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libvnet/libvnet.h>

#include "heap_repeat.h"

#define ALLOCATIONS 10000

static unsigned long
boot_and_run(void)
{
	unsigned long h;

	if (libvnet_boot(NULL) != 0) {
		fprintf(stderr, "%s\n", libvnet_error());
		exit(1);
	}
	if (libvnet_log_count("kernel heap at") != 0 ||
	    libvnet_heap_backend() != LIBVNET_HEAP_REGION)
		exit(77);
	h = heap_repeat(ALLOCATIONS);
	if (libvnet_shutdown() != 0 || libvnet_finding_count() != 0)
		exit(1);
	return (h);
}

static unsigned long
other_process(const char *self)
{
	char command[4096], line[64] = "";
	FILE *f;

	snprintf(command, sizeof(command), "'%s' once", self);
	f = popen(command, "r");
	if (f == NULL || fgets(line, sizeof(line), f) == NULL) {
		fprintf(stderr, "%s failed\n", command);
		exit(1);
	}
	pclose(f);
	return (strtoul(line, NULL, 16));
}

int
main(int argc, char **argv)
{
	unsigned long first = boot_and_run(), again, other;

	if (argc > 1) {
		printf("%lx\n", first);
		return (0);
	}
	again = boot_and_run();
	other = other_process(argv[0]);
	printf("addresses of %d allocations: %lx, %lx in the next boot, %lx in "
	    "another process\n", ALLOCATIONS, first, again, other);
	return (first != again || first != other);
}
