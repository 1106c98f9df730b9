/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where the linked sanitizer keeps what it knows of a range.  It is saved and
 * put back with the range, so that after a restore a freed item is poisoned,
 * and an uninitialised one is so, exactly as it was.  TSan's is left alone:
 * with a single thread at work it has nothing to say of a restore.
 */
#include "snapshot.h"

#define WEAK __attribute__((weak))

extern void __asan_get_shadow_mapping(size_t *scale, size_t *offset) WEAK;
extern void __asan_init(void) WEAK;
extern void __msan_init(void) WEAK;
extern int __msan_get_track_origins(void) WEAK;

static int
asan_range(const struct host_range *r, struct host_range *out)
{
	size_t scale = 0, offset = 0;
	uintptr_t start, end;

	__asan_get_shadow_mapping(&scale, &offset);
	start = ((uintptr_t)r->start >> scale) + offset;
	end = (((uintptr_t)r->start + r->room + ((size_t)1 << scale) - 1) >>
	    scale) + offset;
	*out = (struct host_range){ .start = (char *)start,
	    .room = end - start, .used = r->used, .shift = (unsigned)scale,
	    .shadow = true };
	return (1);
}

/* LLVM's msan.h, Linux on x86-64. */
#if defined(__linux__) && defined(__x86_64__)
#define MSAN_SHADOW 0x500000000000ULL
#define MSAN_ORIGIN 0x100000000000ULL

static int
msan_ranges(const struct host_range *r, struct host_range *out)
{
	uintptr_t shadow = (uintptr_t)r->start ^ MSAN_SHADOW;
	uintptr_t origin = (shadow + MSAN_ORIGIN) & ~(uintptr_t)3;

	out[0] = *r;
	out[0].start = (char *)shadow;
	out[0].digest = false;
	out[0].guards = NULL;
	out[0].shadow = true;
	if (__msan_get_track_origins == NULL || __msan_get_track_origins() == 0)
		return (1);
	out[1] = out[0];
	out[1].start = (char *)origin;
	out[1].room = (r->room + 3) & ~(size_t)3;	/* one for 4 bytes */
	return (2);
}
#else
static int
msan_ranges(const struct host_range *r, struct host_range *out)
{
	(void)r, (void)out;
	return (0);
}
#endif

int
host_shadow_ranges(const struct host_range *r, struct host_range *out)
{
	if (__asan_init != NULL && __asan_get_shadow_mapping != NULL)
		return (asan_range(r, out));
	if (__msan_init != NULL)
		return (msan_ranges(r, out));
	return (0);
}
