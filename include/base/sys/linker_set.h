/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Linker sets: pointers gathered by the linker in a section whose name is a
 * C identifier, bounded by __start_ and __stop_ symbols.  Members are kept
 * with `retain' where the compiler has it, so that --gc-sections cannot drop
 * them; the link step counts them and boot compares.
 *
 * The start and stop symbols are declared weak, in C and not in assembler:
 * an empty set is then NULL to NULL, and gcc cannot drop the declaration.
 */
#ifndef _SYS_LINKER_SET_H_
#define _SYS_LINKER_SET_H_

#include <sys/cdefs.h>

#define __MAKE_SET_CONST const
#define __MAKE_SET_QV(set, sym, qv)					\
	extern const void *__CONCAT(__start_set_, set) __weak_symbol;	\
	extern const void *__CONCAT(__stop_set_, set) __weak_symbol;	\
	static void const * qv						\
	    __CONCAT(__CONCAT(__set_, set), __CONCAT(_sym_, sym))	\
	    __section("set_" #set) __used __retain			\
	    __LIBVNET_NOASAN = &(sym)
#ifdef __clang__
#define __LIBVNET_NOASAN __attribute__((no_sanitize("address")))
#else
#define __LIBVNET_NOASAN
#endif
#define __MAKE_SET(set, sym) __MAKE_SET_QV(set, sym, __MAKE_SET_CONST)

#define TEXT_SET(set, sym) __MAKE_SET(set, sym)
#define DATA_SET(set, sym) __MAKE_SET(set, sym)
#define DATA_WSET(set, sym) __MAKE_SET_QV(set, sym, )
#define BSS_SET(set, sym) __MAKE_SET(set, sym)
#define ABS_SET(set, sym) __MAKE_SET(set, sym)
#define SET_ENTRY(set, sym) __MAKE_SET(set, sym)

#define SET_DECLARE(set, ptype)						\
	extern ptype __weak_symbol *__CONCAT(__start_set_, set);	\
	extern ptype __weak_symbol *__CONCAT(__stop_set_, set)
#define SET_BEGIN(set) (&__CONCAT(__start_set_, set))
#define SET_LIMIT(set) (&__CONCAT(__stop_set_, set))
#define SET_FOREACH(pvar, set) \
	for (pvar = SET_BEGIN(set); pvar < SET_LIMIT(set); pvar++)
#define SET_ITEM(set, i) ((SET_BEGIN(set))[i])
#define SET_COUNT(set) (SET_LIMIT(set) - SET_BEGIN(set))

#endif
