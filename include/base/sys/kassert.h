/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS_KASSERT_H_
#define _SYS_KASSERT_H_

#include <sys/cdefs.h>

#ifdef _KERNEL

void	panic(const char *, ...) __dead2 __printflike(1, 2);
extern const char *panicstr;

#define __kassert_panic panic

#ifdef INVARIANTS
#define VNASSERT(exp, vp, msg) KASSERT(exp, msg)
#define KASSERT(exp, msg) do {						\
	if (__predict_false(!(exp)))					\
		panic msg;						\
} while (0)
#define kassert_panic panic
#else
#define VNASSERT(exp, vp, msg) do { } while (0)
#define KASSERT(exp, msg) do { } while (0)
#endif

#define MPASS(ex) MPASS4(ex, #ex, __FILE__, __LINE__)
#define MPASS2(ex, what) MPASS4(ex, what, __FILE__, __LINE__)
#define MPASS3(ex, file, line) MPASS4(ex, #ex, file, line)
#define MPASS4(ex, what, file, line) \
	KASSERT((ex), ("Assertion %s failed at %s:%d", what, file, line))

#define CTASSERT(x) _Static_assert(x, "compile-time assertion failed")

#endif /* _KERNEL */
#endif
