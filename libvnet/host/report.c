/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A sanitizer's report about an address of the kernel heap ends with what the
 * heap knows of it: whose it is, who allocated it and who freed it.
 */
#include <stdio.h>

#include "host.h"

#define WEAK __attribute__((weak))
extern void __asan_set_error_report_callback(void (*)(const char *)) WEAK;
extern void *__asan_get_report_address(void) WEAK;
extern void __sanitizer_symbolize_pc(void *, const char *, char *, size_t) WEAK;

static void
site(const char *what, uintptr_t pc)
{
	char where[400] = "?";

	if (pc == 0)
		return;
	if (__sanitizer_symbolize_pc != NULL)
		__sanitizer_symbolize_pc((void *)(pc - 1), "%f at %s:%l", where,
		    sizeof(where));
	fprintf(stderr, "libvnet: %s by %s\n", what, where);
}

static void
describe(const char *report)
{
	struct vnh_heap_sites sites;
	char text[400];

	(void)report;
	if (!vnk_heap_describe(__asan_get_report_address(), text, sizeof(text),
	    &sites))
		return;
	fprintf(stderr, "libvnet: %s\n", text);
	site("it was last allocated", sites.alloc_pc);
	site("it was freed", sites.free_pc);
}

void
host_report_init(void)
{
	if (__asan_set_error_report_callback != NULL &&
	    __asan_get_report_address != NULL)
		__asan_set_error_report_callback(describe);
}
