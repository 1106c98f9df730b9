/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions and lines by elfutils' libdwfl, where it was found. */
#include "symbol.h"

#ifndef LIBVNET_HAVE_LIBDW
bool
symbol_from_dwarf(uintptr_t pc, host_frame_fn *fn, void *arg)
{
	(void)pc;
	(void)fn;
	(void)arg;
	return (false);
}

const char *
symbol_of_data(uintptr_t addr, size_t *offset)
{
	(void)addr;
	(void)offset;
	return (NULL);
}
#else
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <stdlib.h>
#include <unistd.h>

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
 * The compilation unit by way of .debug_aranges, or, as clang writes none,
 * by asking each.
 */
static Dwarf_Die *
unit(Dwfl_Module *mod, uintptr_t pc, Dwarf_Addr *bias)
{
	Dwarf_Die *cu = dwfl_module_addrdie(mod, pc, bias);

	if (cu != NULL)
		return (cu);
	while ((cu = dwfl_module_nextcu(mod, cu, bias)) != NULL)
		if (dwarf_haspc(cu, pc - *bias) == 1)
			return (cu);
	return (NULL);
}

/* The innermost scope at `pc' and all around it; to be freed. */
static int
scopes_at(Dwarf_Die *cu, Dwarf_Addr pc, Dwarf_Die **scopes)
{
	Dwarf_Die innermost;
	int n;

	*scopes = NULL;
	n = dwarf_getscopes(cu, pc, scopes);
	if (n <= 0)
		return (0);
	innermost = (*scopes)[0];
	free(*scopes);
	*scopes = NULL;
	/* Again by the DIE: the first list goes on where it was defined. */
	n = dwarf_getscopes_die(&innermost, scopes);
	return (n > 0 ? n : 0);
}

static int
number(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attr;
	Dwarf_Word word;

	if (dwarf_attr(die, name, &attr) == NULL ||
	    dwarf_formudata(&attr, &word) != 0)
		return (0);
	return ((int)word);
}

static const char *
call_file(Dwarf_Die *cu, Dwarf_Die *inlined)
{
	Dwarf_Files *files;
	size_t n;

	if (dwarf_getsrcfiles(cu, &files, &n) != 0)
		return (NULL);
	return (dwarf_filesrc(files, (size_t)number(inlined, DW_AT_call_file),
	    NULL, NULL));
}

/* Inlined functions, then the one they are in; false where there is none. */
static bool
frames(Dwarf_Die *cu, Dwarf_Addr pc, struct host_frame *f, host_frame_fn *fn,
    void *arg)
{
	Dwarf_Die *scopes;
	int n = scopes_at(cu, pc, &scopes);
	bool found = false;

	for (int i = 0; i < n && !found; i++) {
		int tag = dwarf_tag(&scopes[i]);

		if (tag != DW_TAG_inlined_subroutine &&
		    tag != DW_TAG_subprogram)
			continue;
		f->function = dwarf_diename(&scopes[i]);
		fn(f, arg);
		found = tag == DW_TAG_subprogram;
		f->file = call_file(cu, &scopes[i]);
		f->line = number(&scopes[i], DW_AT_call_line);
	}
	free(scopes);
	return (found);
}

bool
symbol_from_dwarf(uintptr_t pc, host_frame_fn *fn, void *arg)
{
	struct host_frame frame = { NULL, NULL, 0 };
	Dwfl *dwfl = session();
	Dwarf_Addr bias = 0;
	Dwarf_Line *line;
	Dwfl_Module *mod;
	Dwarf_Die *cu;

	if (dwfl == NULL || (mod = dwfl_addrmodule(dwfl, pc)) == NULL)
		return (false);
	cu = unit(mod, pc, &bias);
	if (cu != NULL) {
		line = dwarf_getsrc_die(cu, pc - bias);
		if (line != NULL) {
			frame.file = dwarf_linesrc(line, NULL, NULL);
			(void)dwarf_lineno(line, &frame.line);
		}
		if (frames(cu, pc - bias, &frame, fn, arg))
			return (true);
	}
	frame.function = dwfl_module_addrname(mod, pc);
	if (frame.function == NULL && frame.file == NULL)
		return (false);
	fn(&frame, arg);
	return (true);
}

const char *
symbol_of_data(uintptr_t addr, size_t *offset)
{
	Dwfl *dwfl = session();
	Dwfl_Module *mod;
	GElf_Off off;
	GElf_Sym sym;
	const char *name;

	if (dwfl == NULL || (mod = dwfl_addrmodule(dwfl, addr)) == NULL)
		return (NULL);
	name = dwfl_module_addrinfo(mod, addr, &off, &sym, NULL, NULL, NULL);
	if (name == NULL || off >= sym.st_size)
		return (NULL);
	*offset = off;
	return (name);
}
#endif
