/* SPDX-License-Identifier: BSD-2-Clause */
/* Compiler spellings that kernel sources use, for gcc and clang. */
#ifndef _SYS_CDEFS_H_
#define _SYS_CDEFS_H_

#if defined(__cplusplus)
#define __BEGIN_DECLS extern "C" {
#define __END_DECLS }
#else
#define __BEGIN_DECLS
#define __END_DECLS
#endif

#define __CONCAT1(x, y) x##y
#define __CONCAT(x, y) __CONCAT1(x, y)
#define __STRING(x) #x
#define __XSTRING(x) __STRING(x)

#define __unused __attribute__((__unused__))
#define __used __attribute__((__used__))
#define __packed __attribute__((__packed__))
#define __aligned(x) __attribute__((__aligned__(x)))
#define __section(x) __attribute__((__section__(x)))
#define __dead2 __attribute__((__noreturn__))
#define __pure2 __attribute__((__const__))
#define __pure __attribute__((__pure__))
#define __noinline __attribute__((__noinline__))
#define __always_inline __inline __attribute__((__always_inline__))
#define __weak_symbol __attribute__((__weak__))
#define __malloc_like __attribute__((__malloc__))
#define __result_use_check __attribute__((__warn_unused_result__))
#define __alloc_size(x) __attribute__((__alloc_size__(x)))
#define __alloc_size2(n, x) __attribute__((__alloc_size__(n, x)))
#define __alloc_align(x) __attribute__((__alloc_align__(x)))
#define __printflike(fmt, va) __attribute__((__format__(__printf__, fmt, va)))
#define __returns_twice __attribute__((__returns_twice__))
#define __nonnull(x) __attribute__((__nonnull__ x))
#define __predict_true(x) __builtin_expect((x) != 0, 1)
#define __predict_false(x) __builtin_expect((x) != 0, 0)
#define __read_mostly
#define __read_frequently
#define __exclusive_cache_line __aligned(64)
#define __bounded(...)
#define __restrict restrict
#define __volatile volatile
#ifndef __offsetof
#define __offsetof(type, field) __builtin_offsetof(type, field)
#endif
#define __rangeof(type, start, end) \
	(__offsetof(type, end) - __offsetof(type, start))
#define __containerof(x, s, m)						\
	__extension__({							\
		const volatile __typeof(((s *)0)->m) *__p = (x);	\
		__DEQUALIFY(s *, (const volatile char *)__p -		\
		    __offsetof(s, m));					\
	})
#define __DECONST(type, var) ((type)(__UINTPTR_TYPE__)(const void *)(var))
#define __DEVOLATILE(type, var) \
	((type)(__UINTPTR_TYPE__)(volatile void *)(var))
#define __DEQUALIFY(type, var) \
	((type)(__UINTPTR_TYPE__)(const volatile void *)(var))

#define __compiler_membar() __asm__ __volatile__("" : : : "memory")
#define __GLOBL(sym) __asm__(".globl " __XSTRING(sym))
#define __WEAK(sym) __asm__(".weak " __XSTRING(sym))
#define __FBSDID(s) struct __hack
#define __RCSID(s) struct __hack

#if __has_attribute(__retain__) && !defined(LIBVNET_NO_RETAIN)
#define __retain __attribute__((__retain__))
#else
#define __retain
#endif

#endif /* _SYS_CDEFS_H_ */
