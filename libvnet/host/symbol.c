/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * From an address to "function at file:line", with elfutils' libdwfl where
 * it was found, else with the dynamic symbol table.
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

static bool
from_dwarf(uintptr_t pc)
{
	Dwfl *dwfl = session();
	Dwfl_Module *mod;
	Dwfl_Line *line;
	const char *name, *src = NULL;
	int lineno = 0;

	if (dwfl == NULL || (mod = dwfl_addrmodule(dwfl, pc)) == NULL)
		return (false);
	name = dwfl_module_addrname(mod, pc);
	line = dwfl_module_getsrc(mod, pc);
	if (line != NULL)
		src = dwfl_lineinfo(line, NULL, &lineno, NULL, NULL, NULL);
	if (name != NULL)
		host_unpoison_string(name);
	if (src != NULL) {
		host_unpoison_string(src);
		snprintf(where, sizeof(where), "%s at %s:%d",
		    name != NULL ? name : "?", src, lineno);
		return (true);
	}
	if (name == NULL)
		return (false);
	snprintf(where, sizeof(where), "%s", name);
	return (true);
}
#else
static bool
from_dwarf(uintptr_t pc)
{
	(void)pc;
	return (false);
}
#endif

/* `pc' is a return address: the call is what stands before it. */
const char *
host_symbol(uintptr_t pc)
{
	Dl_info info;

	if (from_dwarf(pc - 1))
		return (where);
	if (dladdr((void *)(pc - 1), &info) != 0 && info.dli_sname != NULL)
		snprintf(where, sizeof(where), "%s+%#lx", info.dli_sname,
		    (unsigned long)(pc - (uintptr_t)info.dli_saddr));
	else
		snprintf(where, sizeof(where), "%#lx", (unsigned long)pc);
	return (where);
}
