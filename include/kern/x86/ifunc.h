/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Functions chosen when a program is loaded.  Their resolvers run before any
 * sanitizer, or exploration, has its memory, and so must not be instrumented.
 */
#ifndef __X86_IFUNC_H
#define __X86_IFUNC_H

#ifdef __clang__
#define LVK_RESOLVER							\
	__attribute__((__used__, disable_sanitizer_instrumentation,	\
	    no_sanitize("address", "undefined", "memory", "thread",	\
	    "coverage")))
#else
#define LVK_RESOLVER							\
	__attribute__((__used__, no_sanitize("address", "undefined", "thread")))
#endif

#define DEFINE_IFUNC(qual, ret_type, name, args)			\
	static ret_type (*name##_resolver(void))args LVK_RESOLVER;	\
	qual ret_type name args __attribute__((ifunc(#name "_resolver"))); \
	static ret_type (*name##_resolver(void))args

#endif /* __X86_IFUNC_H */
