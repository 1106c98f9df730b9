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

/* ---- heap.c */
void	host_heap_reset(void);

/* ---- image.c: the kernel world's own data, as it was before boot */
/* Compares linker sets and seam with what was linked; NULL or what is wrong. */
const char *host_image_check(void);
void	host_image_save(void);
void	host_image_restore(void);

/* ---- console.c */
void	host_console_reset(void);
const char *host_console_text(size_t *len);
void	host_console_echo(bool on);

/* ---- finding.c */
struct host_finding {
	char	*kind, *text;
	int	 vnet;
	struct host_finding *next;
};
const struct host_finding *host_findings(void);
unsigned long host_finding_count(void);
void	host_findings_reset(void);
/* What host_finding_sink does with a finding's text; default: stderr. */
typedef void host_finding_fn(const char *kind, const char *text);
void	host_finding_sink(host_finding_fn *fn);

/* ---- panic.c */
/*
 * Who catches a panic.  Called on the panicking stack, must not return.
 * NULL: print and abort.
 */
typedef void host_panic_fn(const char *message);
host_panic_fn *host_panic_catch(host_panic_fn *fn);

/* ---- random.c */
void	host_random_seed(uint64_t seed);
uint64_t host_random_seed_get(void);

/* ---- regex.c: POSIX extended expressions */
struct host_regex;
/* NULL: not one, and `reason' says why. */
struct host_regex *host_regex_new(const char *pattern, char *reason,
	    size_t size);
bool	host_regex_matches(const struct host_regex *re, const char *text);
void	host_regex_free(struct host_regex *re);

/* ---- symbol.c */
/* "function at file:line" of `pc', in a static buffer of this thread. */
const char *host_symbol(uintptr_t pc);

/* ---- thread.c */
void	host_thread_count(int delta);

/* ---- vars.c */
const struct vnh_var *host_var_find(const char *name);

/* ---- sanitizer.c */
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
