/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * From an address to "function at file:line", with elfutils' libdwfl where
 * it was found, else with the dynamic symbol table.  Under MemorySanitizer,
 * which would stop inside a library that is not instrumented, the
 * sanitizer's own symboliser is asked.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#ifdef LIBVNET_HAVE_LIBDW
#include <elfutils/libdwfl.h>
#endif

#include "host.h"

extern void __msan_init(void) __attribute__((weak));
extern void __sanitizer_symbolize_pc(void *, const char *, char *, size_t)
    __attribute__((weak));

static __thread char where[400];

#ifdef LIBVNET_HAVE_LIBDW
static Dwfl *
session(void)
{
	static char *debuginfo;
	static const Dwfl_Callbacks callbacks = {
		.find_elf = dwfl_linux_proc_find_elf,
		.find_debuginfo = dwfl_standard_find_debuginfo,
		.debuginfo_path = &debuginfo
	};
	static Dwfl *dwfl;

	if (dwfl != NULL)
		return (dwfl);
	dwfl = dwfl_begin(&callbacks);
	if (dwfl == NULL)
		return (NULL);
	if (dwfl_linux_proc_report(dwfl, getpid()) != 0 ||
	    dwfl_report_end(dwfl, NULL, NULL) != 0) {
		dwfl_end(dwfl);
		dwfl = NULL;
	}
	return (dwfl);
}

/*
 * The line by way of .debug_aranges, or, as clang writes none, by asking each
 * compilation unit.
 */
static const char *
source_line(Dwfl_Module *mod, uintptr_t pc, int *lineno)
{
	Dwfl_Line *line = dwfl_module_getsrc(mod, pc);
	Dwarf_Die *cu = NULL;
	Dwarf_Line *found;
	Dwarf_Addr bias;

	if (line != NULL)
		return (dwfl_lineinfo(line, NULL, lineno, NULL, NULL, NULL));
	while ((cu = dwfl_module_nextcu(mod, cu, &bias)) != NULL) {
		if (dwarf_haspc(cu, pc - bias) != 1)
			continue;
		found = dwarf_getsrc_die(cu, pc - bias);
		if (found == NULL || dwarf_lineno(found, lineno) != 0)
			return (NULL);
		return (dwarf_linesrc(found, NULL, NULL));
	}
	return (NULL);
}

static bool
from_dwarf(uintptr_t pc)
{
	Dwfl *dwfl = session();
	Dwfl_Module *mod;
	const char *name, *src;
	int lineno = 0;

	if (dwfl == NULL || (mod = dwfl_addrmodule(dwfl, pc)) == NULL)
		return (false);
	name = dwfl_module_addrname(mod, pc);
	src = source_line(mod, pc, &lineno);
	if (src != NULL)
		snprintf(where, sizeof(where), "%s at %s:%d",
		    name != NULL ? name : "?", src, lineno);
	else if (name != NULL)
		snprintf(where, sizeof(where), "%s", name);
	return (src != NULL || name != NULL);
}
#else
static bool
from_dwarf(uintptr_t pc)
{
	(void)pc;
	return (false);
}
#endif

static bool
from_sanitizer(uintptr_t pc)
{
	__sanitizer_symbolize_pc((void *)pc, "%f at %s:%l", where,
	    sizeof(where));
	host_initialised(where, sizeof(where));
	return (where[0] != '\0');
}

/* `pc' is a return address: the call is what stands before it. */
const char *
host_symbol(uintptr_t pc)
{
	Dl_info info;

	if (__msan_init != NULL && __sanitizer_symbolize_pc != NULL) {
		if (from_sanitizer(pc - 1))
			return (where);
	} else if (from_dwarf(pc - 1))
		return (where);
	if (dladdr((void *)(pc - 1), &info) != 0 && info.dli_sname != NULL)
		snprintf(where, sizeof(where), "%s+%#lx", info.dli_sname,
		    (unsigned long)(pc - (uintptr_t)info.dli_saddr));
	else
		snprintf(where, sizeof(where), "%#lx", (unsigned long)pc);
	return (where);
}
