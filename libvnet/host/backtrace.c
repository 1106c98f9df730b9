/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where we are, as return addresses.
 *
 * The compiler's own unwinder, by the tables that gcc and clang write for
 * every function: it needs no frame pointers, takes 2 to 5 microseconds for
 * 16 frames, and ends where no table covers an address (the first frame of a
 * coroutine returns to 0).  libunwind is ten times as fast, and puts itself
 * in the place of the unwinder of the whole process, C++ exceptions included.
 */
#include <unwind.h>

#include "host.h"

#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
/* Called by code that is not instrumented: MSan must not judge arguments. */
#define UNJUDGED __attribute__((no_sanitize("memory")))
#endif
#endif
#ifndef UNJUDGED
#define UNJUDGED
#endif

struct walk {
	uintptr_t *pcs;
	int n, max, skip;
};

static uintptr_t ends[2];

UNJUDGED static _Unwind_Reason_Code
step(struct _Unwind_Context *context, void *arg)
{
	struct walk *w = arg;
	uintptr_t pc = _Unwind_GetIP(context), start;

	if (pc == 0)
		return (_URC_END_OF_STACK);
	if (w->skip > 0) {
		w->skip--;
		return (_URC_NO_REASON);
	}
	start = _Unwind_GetRegionStart(context);
	if (start != 0 && (start == ends[0] || start == ends[1]))
		return (_URC_END_OF_STACK);
	if (w->n == w->max)
		return (_URC_END_OF_STACK);
	w->pcs[w->n++] = pc;
	return (_URC_NO_REASON);
}

/* The first frame is this function. */
UNJUDGED __attribute__((noinline)) int
host_backtrace(uintptr_t *pcs, int max)
{
	struct walk w = { pcs, 0, max, 1 };

	_Unwind_Backtrace(step, &w);
	host_initialised(pcs, (size_t)w.n * sizeof(*pcs));
	return (w.n);
}

void
host_backtrace_end(uintptr_t function, uintptr_t caller)
{
	ends[0] = function;
	ends[1] = caller;
}
