/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * From an address to functions and lines: by symbol_dwarf.c, else by the
 * dynamic symbol table.  Under MemorySanitizer, which would stop inside a
 * library that is not instrumented, the sanitizer's own symboliser is asked.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbol.h"

extern void __msan_init(void) __attribute__((weak));
extern void __sanitizer_symbolize_pc(void *, const char *, char *, size_t)
    __attribute__((weak));

/*
 * Neither libdw nor the sanitizer's symboliser takes two callers at a time.
 * Held while `fn' runs; a caller may symbolise from within.
 */
static pthread_mutex_t symbol_lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

/* "function|file|line" of each frame, a NUL between and two at the end. */
static bool
from_sanitizer(uintptr_t pc, host_frame_fn *fn, void *arg)
{
	char text[4096], *p, *file, *line;

	__sanitizer_symbolize_pc((void *)pc, "%f|%s|%l", text,
	    sizeof(text) - 1);
	host_initialised(text, sizeof(text));
	text[sizeof(text) - 1] = text[sizeof(text) - 2] = '\0';
	for (p = text; *p != '\0'; p = line + strlen(line) + 1) {
		file = strchr(p, '|');
		line = file != NULL ? strchr(file + 1, '|') : NULL;
		if (line == NULL)
			break;
		*file++ = '\0';
		*line++ = '\0';
		fn(&(struct host_frame){ *p != '\0' ? p : NULL,
		    *file != '\0' ? file : NULL, atoi(line) }, arg);
	}
	return (p != text);
}

static void
from_table(uintptr_t pc, host_frame_fn *fn, void *arg)
{
	struct host_frame frame = { NULL, NULL, 0 };
	char name[300];
	Dl_info info;

	if (dladdr((void *)pc, &info) != 0 && info.dli_sname != NULL) {
		snprintf(name, sizeof(name), "%s+%#lx", info.dli_sname,
		    (unsigned long)(pc + 1 - (uintptr_t)info.dli_saddr));
		frame.function = name;
	}
	fn(&frame, arg);
}

/* The call is what stands before the return address. */
void
host_symbolise(uintptr_t pc, host_frame_fn *fn, void *arg)
{
	bool sanitizer = __msan_init != NULL &&
	    __sanitizer_symbolize_pc != NULL;

	pthread_mutex_lock(&symbol_lock);
	if (!(sanitizer ? from_sanitizer(pc - 1, fn, arg) :
	    symbol_from_dwarf(pc - 1, fn, arg)))
		from_table(pc - 1, fn, arg);
	pthread_mutex_unlock(&symbol_lock);
}

/* ---- one line, remembered: expectations look at the same sites again */

#define CACHE_SIZE 256

static struct cached {
	uintptr_t pc;
	bool wrapper;
	char text[400];
} *cache[CACHE_SIZE];

/* uma_zalloc() and its kin, which say nothing of who wanted memory. */
static bool
is_wrapper(const char *file)
{
	static const char end[] = "/vm/uma.h";
	size_t n = file != NULL ? strlen(file) : 0;

	return (n >= sizeof(end) && strcmp(file + n - (sizeof(end) - 1),
	    end) == 0);
}

static void
first_frame(const struct host_frame *f, void *arg)
{
	struct cached *c = arg;

	if (c->text[0] != '\0' && !c->wrapper)
		return;
	c->wrapper = is_wrapper(f->file);
	if (f->file != NULL)
		snprintf(c->text, sizeof(c->text), "%s at %s:%d",
		    f->function != NULL ? f->function : "?", f->file, f->line);
	else if (f->function != NULL)
		snprintf(c->text, sizeof(c->text), "%s", f->function);
	else
		snprintf(c->text, sizeof(c->text), "%#lx",
		    (unsigned long)c->pc);
}

const char *
host_symbol(uintptr_t pc)
{
	static __thread char where[sizeof(cache[0]->text)];
	struct cached **slot = &cache[pc / 4 % CACHE_SIZE];

	pthread_mutex_lock(&symbol_lock);
	if (*slot == NULL && (*slot = calloc(1, sizeof(**slot))) == NULL)
		abort();
	if ((*slot)->pc != pc) {
		(*slot)->pc = pc;
		(*slot)->text[0] = '\0';
		(*slot)->wrapper = false;
		host_symbolise(pc, first_frame, *slot);
	}
	strcpy(where, (*slot)->text);
	pthread_mutex_unlock(&symbol_lock);
	return (where);
}

bool
host_symbol_data(uintptr_t addr, char *buf, size_t size)
{
	const char *name;
	size_t offset;

	if (__msan_init != NULL)
		return (false);
	pthread_mutex_lock(&symbol_lock);
	name = symbol_of_data(addr, &offset);
	if (name != NULL && offset != 0)
		snprintf(buf, size, "%s+%zu", name, offset);
	else if (name != NULL)
		snprintf(buf, size, "%s", name);
	pthread_mutex_unlock(&symbol_lock);
	return (name != NULL);
}
