/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What UBSan and MSan see, as findings.
 *
 * Their runtimes print a report and go on, or end the program.  Neither lets a
 * test expect it, or tells what is known of a tree from what is new.  So the
 * last link puts the functions here before theirs (ld's --wrap, by the list
 * in cmake/LibvnetFlags.cmake).  A place is reported once a test.  What nobody
 * expected goes on to the runtime, which prints what it alone knows: values,
 * and where an uninitialised one came from.
 *
 * Where no test is there to fail, undefined behaviour and uninitialised values
 * end the program, as a bad access does, unless UBSAN_OPTIONS or MSAN_OPTIONS
 * has halt_on_error=0.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "finding.h"

#ifndef __has_feature
#define __has_feature(x) 0
#endif
#ifndef __has_attribute
#define __has_attribute(x) 0
#endif
/* The calls come in the middle of functions: nothing of MSan's may change. */
#if __has_feature(memory_sanitizer)
#define UNJUDGED __attribute__((no_sanitize("memory")))
#else
#define UNJUDGED
#endif
/* The runtime shall see our caller, not us. */
#if __has_attribute(musttail)
#define HAND_ON __attribute__((musttail)) return
#else
#define HAND_ON return
#endif
#define CALLER ((uintptr_t)__builtin_return_address(0))
#define WEAK __attribute__((weak))

/* ---- once a test */

#define SEEN 4096		/* a power of two */
static _Atomic uintptr_t seen[SEEN];

UNJUDGED static bool
first_time(uintptr_t pc)
{
	unsigned i = (unsigned)(pc * 0x9e3779b97f4a7c15ULL >> 52);
	uintptr_t old;

	for (unsigned n = 0; n < SEEN; n++, i = (i + 1) % SEEN) {
		old = atomic_load_explicit(&seen[i], memory_order_relaxed);
		if (old == 0 && atomic_compare_exchange_strong(&seen[i], &old,
		    pc))
			return (true);
		if (old == pc)
			return (false);
	}
	return (false);
}

void
host_sanitizer_reset(void)
{
	for (unsigned i = 0; i < SEEN; i++)
		atomic_store_explicit(&seen[i], 0, memory_order_relaxed);
}

/* ---- what is made of it */

/* True: the runtime shall print it. */
static bool
host_sanitizer_say(const char *kind, const char *name, const char *text,
    const char *file, int line, uintptr_t pc)
{
	static __thread bool inside;
	struct host_known *known;
	enum host_fate fate;
	struct vnet *v;

	if (inside)
		return (true);
	inside = true;
	v = vnk_vnet_current();
	known = host_known_report(kind, name, pc);
	fate = host_finding_take(&(struct vnh_finding){
	    .kind = kind, .message = text, .file = file, .line = line,
	    .vnet = v != NULL ? vnk_vnet_number(v) : -1, .cpu = vnk_cpu() },
	    known != NULL);
	if (fate == HOST_KNOWN)
		host_known_covers(known);
	inside = false;
	return (fate == HOST_FAILED);
}

static bool
goes_on(const char *options)
{
	const char *o = getenv(options);

	return (host_finding_caught() ||
	    (o != NULL && strstr(o, "halt_on_error=0") != NULL));
}

static void
end(void)
{
	fflush(NULL);
	_exit(1);
}

/* ---- MSan */

#define MSAN "MSAN_OPTIONS"

UNJUDGED static bool
host_sanitizer_uninitialised(uintptr_t pc)
{
	return (first_time(pc) && host_sanitizer_say("uninitialised", "value",
	    "an uninitialised value decides what is done", NULL, 0, pc));
}

extern void __real___msan_warning_with_origin(unsigned) WEAK;
void	__wrap___msan_warning_with_origin(unsigned);
UNJUDGED void
__wrap___msan_warning_with_origin(unsigned origin)
{
	if (!host_sanitizer_uninitialised(CALLER))
		return;
	if (goes_on(MSAN))
		HAND_ON __real___msan_warning_with_origin(origin);
	__real___msan_warning_with_origin(origin);
	end();
}

/* Functions with many checks have them made by a call. */
#define MAYBE(bits, type)						\
extern void __real___msan_maybe_warning_##bits(type, unsigned) WEAK;	\
void	__wrap___msan_maybe_warning_##bits(type, unsigned);		\
UNJUDGED void								\
__wrap___msan_maybe_warning_##bits(type shadow, unsigned origin)	\
{									\
	if (shadow == 0 ||						\
	    !host_sanitizer_uninitialised(CALLER))			\
		return;							\
	if (goes_on(MSAN))						\
		HAND_ON __real___msan_maybe_warning_##bits(shadow, origin); \
	__real___msan_maybe_warning_##bits(shadow, origin);		\
	end();								\
}
MAYBE(1, uint8_t)
MAYBE(2, uint16_t)
MAYBE(4, uint32_t)
MAYBE(8, uint64_t)

/* ---- UBSan */

#define UBSAN "UBSAN_OPTIONS"

/* What its handlers' data begin with; a column of all ones: was reported. */
struct location {
	const char *file;
	uint32_t line, column;
};

struct type {
	uint16_t kind, info;
	char	 name[];		/* in quotes */
};

struct mismatch {
	struct location at;
	struct type *type;
	uint8_t	 log_align, what;
};

static const char *
mismatch(const struct mismatch *d, uintptr_t p, char *text, size_t size)
{
	uintptr_t align = (uintptr_t)1 << d->log_align;

	if (p == 0) {
		snprintf(text, size, "use of a null pointer to %s",
		    d->type->name);
		return ("null");
	}
	if ((p & (align - 1)) != 0) {
		snprintf(text, size, "use of %s %lu octets behind an "
		    "alignment of %lu", d->type->name,
		    (unsigned long)(p & (align - 1)), (unsigned long)align);
		return ("alignment");
	}
	snprintf(text, size, "use of %s where there is less", d->type->name);
	return ("object-size");
}

static bool
host_sanitizer_undefined(const void *data, uintptr_t a, const char *name,
    const char *text, uintptr_t pc)
{
	const struct location *at = data;
	char said[300];

	if (at->column == ~0U || !first_time(pc))
		return (false);
	if (strcmp(name, "type") == 0) {
		name = mismatch(data, a, said, sizeof(said));
		text = said;
	} else if (strcmp(name, "returns-nonnull-attribute") == 0)
		at = (const struct location *)a;
	return (host_sanitizer_say("undefined", name, text, at->file,
	    (int)at->line, pc));
}

#define HANDLER(handler, name, text)					\
extern void __real___ubsan_handle_##handler(void *, uintptr_t,		\
	    uintptr_t) WEAK;						\
void	__wrap___ubsan_handle_##handler(void *, uintptr_t, uintptr_t);	\
void									\
__wrap___ubsan_handle_##handler(void *data, uintptr_t a, uintptr_t b)	\
{									\
	if (!host_sanitizer_undefined(data, a, name, text, CALLER))	\
		return;							\
	if (goes_on(UBSAN))						\
		HAND_ON __real___ubsan_handle_##handler(data, a, b);	\
	__real___ubsan_handle_##handler(data, a, b);			\
	end();								\
}
HANDLER(type_mismatch_v1, "type", "")
HANDLER(add_overflow, "overflow", "a sum overflows")
HANDLER(sub_overflow, "overflow", "a difference overflows")
HANDLER(mul_overflow, "overflow", "a product overflows")
HANDLER(negate_overflow, "overflow", "a negation overflows")
HANDLER(divrem_overflow, "divide", "a division by zero, or one that overflows")
HANDLER(shift_out_of_bounds, "shift", "a shift by more bits than there are, or of what may not be shifted")
HANDLER(out_of_bounds, "bounds", "an index beyond its array")
HANDLER(vla_bound_not_positive, "vla-bound", "an array of no or negative length")
HANDLER(float_cast_overflow, "float-cast-overflow", "a number too big for its new type")
HANDLER(load_invalid_value, "value", "a bool or enum with another type's value")
HANDLER(invalid_builtin, "builtin", "zero given to a count of zero bits")
HANDLER(nonnull_arg, "nonnull-attribute", "NULL as an argument that may not be")
HANDLER(nonnull_return_v1, "returns-nonnull-attribute", "NULL returned where that may not be")
HANDLER(pointer_overflow, "pointer-overflow", "pointer arithmetic that overflows, or with NULL")
