/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the files of libvnet/host and libvnet/api share.  Host world.
 */
#ifndef LIBVNET_HOST_H
#define LIBVNET_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "seam.h"

/* ---- region.c */
void	host_region_reset(void);

/* ---- heap.c */
/* How the next boot's heap shall be; NULL, or what is wrong with it. */
const char *host_heap_configure(int backend, int quarantine);
void	host_heap_reset(void);

/* ---- arena.c: jemalloc's arenas, one for each vnet */
bool	host_arena_present(void);
void	*host_arena_alloc(size_t size, size_t align, int vnet);
void	host_arena_free(void *p);
void	host_arena_gone(int vnet);
void	host_arena_reset(void);
bool	host_arena_bytes(int vnet, size_t *bytes);

/* ---- report.c: what a sanitizer's report is told about the heap */
void	host_report_init(void);

/* ---- image.c: the kernel world's own data, as it was before boot */
/* Compares linker sets and seam with what was linked; NULL or what is wrong. */
const char *host_image_check(void);
void	host_image_save(void);
void	host_image_restore(void);

/* ---- console.c */
void	host_console_reset(void);
const char *host_console_text(size_t *len);
void	host_console_echo(bool on);
bool	host_console_echoes(void);
/* Forget what was printed behind `len'. */
void	host_console_cut(size_t len);

/* ---- finding*.c: see finding.h */
void	host_findings_reset(void);

/* ---- panic.c */
/*
 * Who catches a panic.  Called on the stack of the host thread that booted,
 * wherever the panic was, and must not return.  With VNH_HOST all other kernel
 * threads stand still by then: each stops at its next call of the seam that
 * can wait (a contended lock, a sleep, a yield), and is waited for.
 * NULL: print and abort.
 */
typedef void host_panic_fn(const char *message);
host_panic_fn *host_panic_catch(host_panic_fn *fn);

/* ---- random.c */
void	host_random_seed(uint64_t seed);
uint64_t host_random_seed_get(void);
void	*host_random_state(size_t *size);

/* ---- regex.c: POSIX extended expressions */
struct host_regex;
/* NULL: not one, and `reason' says why. */
struct host_regex *host_regex_new(const char *pattern, char *reason,
	    size_t size);
bool	host_regex_matches(const struct host_regex *re, const char *text);
void	host_regex_free(struct host_regex *re);

/* ---- symbol.c */
/* One function at `pc': several where functions were inlined, inmost first. */
struct host_frame {
	const char *function, *file;	/* NULL where unknown */
	int	 line;
};
typedef void host_frame_fn(const struct host_frame *, void *arg);
/* `pc' is a return address; calls `fn' at least once. */
void	host_symbolise(uintptr_t pc, host_frame_fn *fn, void *arg);
/*
 * "function at file:line", also of a return address, in a static buffer of
 * this thread.
 */
const char *host_symbol(uintptr_t pc);
/* The variable there, "name" or "name+offset"; false: none is known. */
bool	host_symbol_data(uintptr_t addr, char *buf, size_t size);

/* ---- backtrace.c */
/*
 * The return addresses of the callers, inmost first, without the caller's
 * own; at most `max'.  Returns how many.  Ends at the first frame of a stack
 * and at the functions last named to host_backtrace_end(): one, and its
 * caller, for the compiler may have made the last call in it a jump.
 */
int	host_backtrace(uintptr_t *pcs, int max);
void	host_backtrace_end(uintptr_t function, uintptr_t caller);

/* ---- thread.c */
void	host_thread_count(int delta);

/* ---- vars.c */
const struct vnh_var *host_var_find(const char *name);

/* ---- sanitizer_report.c */
void	host_sanitizer_reset(void);	/* places may be reported again */

/* ---- sanitizer.c */
bool	host_sanitizer(void);		/* any is linked */
/* Memory that code without instrumentation filled is initialised all the same. */
void	host_initialised(const void *p, size_t n);
void	host_initialised_string(const char *s);
/*
 * Around a call of a library that is not instrumented: MSan's interceptors
 * do not check what it hands to libc.  Nests.
 */
void	host_foreign_enter(void);
void	host_foreign_exit(void);

#endif /* LIBVNET_HOST_H */
