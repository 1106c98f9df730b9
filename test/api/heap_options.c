/* SPDX-License-Identifier: BSD-2-Clause */
/* Choosing the heap, and footprints by jemalloc's count: usage: heap_options */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libvnet/libvnet.h>

#define CHECK(what) do {						\
	if (!(what)) {							\
		fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__,	\
		    #what, libvnet_error());				\
		exit(1);						\
	}								\
} while (0)

static void
boot(enum libvnet_heap heap)
{
	CHECK(libvnet_boot(&(struct libvnet_options){ .heap = heap }) == 0);
	CHECK(libvnet_heap_backend() == heap);
}

static void
footprint(void)
{
	struct vnet *a, *b;
	size_t before, with, other;

	CHECK(libvnet_create(&a) == 0 && libvnet_create(&b) == 0);
	CHECK(libvnet_heap_footprint(a, &before) == 0);
	CHECK(libvnet_heap_footprint(b, &other) == 0);
	CHECK(before == other);
	CHECK(libvnet_enter(a) == 0);
	CHECK(libvnet_sysctl_set(a, "kern.heap_take", 100000, NULL) == 0);
	CHECK(libvnet_leave() == 0);
	CHECK(libvnet_heap_footprint(a, &with) == 0);
	CHECK(with >= before + 100000 && with < before + 140000);
	CHECK(libvnet_heap_footprint(b, &other) == 0 && other == before);
	CHECK(libvnet_sysctl_set(a, "kern.heap_take", 0, NULL) == 0);
	CHECK(libvnet_heap_footprint(a, &with) == 0 && with == before);
	CHECK(libvnet_destroy(a) == 0 && libvnet_destroy(b) == 0);
}

static bool
refused(enum libvnet_heap heap, const char *why)
{
	return (libvnet_boot(&(struct libvnet_options){ .heap = heap }) ==
	    LIBVNET_EINVAL && strstr(libvnet_error(), why) != NULL);
}

int
main(int argc, char **argv)
{
	bool sanitized = argc > 1 && strcmp(argv[1], "sanitized") == 0;
	struct vnet *v;
	size_t n;

	unsetenv("LIBVNET_HEAP");
	boot(LIBVNET_HEAP_REGION);
	CHECK(libvnet_create(&v) == 0);
	CHECK(libvnet_heap_footprint(v, &n) == LIBVNET_ENOTSUP);
	CHECK(libvnet_heap_check() == 0);
	CHECK(libvnet_shutdown() == 0);
	boot(LIBVNET_HEAP_LIBC);
	CHECK(libvnet_shutdown() == 0);
	if (sanitized)
		CHECK(refused(LIBVNET_HEAP_JEMALLOC, "jemalloc"));
	else {
		boot(LIBVNET_HEAP_JEMALLOC);
		footprint();
		CHECK(libvnet_shutdown() == 0);
	}
	setenv("LIBVNET_HEAP", "heap", 1);
	CHECK(refused(LIBVNET_HEAP_REGION, "region, jemalloc or libc"));
	CHECK(libvnet_finding_count() == 0);
	printf("ok: heaps can be chosen\n");
	return (0);
}
