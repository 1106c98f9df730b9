/* SPDX-License-Identifier: BSD-2-Clause */
/* What symbol.c and symbol_dwarf.c share. */
#ifndef LIBVNET_HOST_SYMBOL_H
#define LIBVNET_HOST_SYMBOL_H

#include "host.h"

/* False, and `fn' was not called, where nothing is known of `pc'. */
bool	symbol_from_dwarf(uintptr_t pc, host_frame_fn *fn, void *arg);
/* The variable at `addr' and how far behind its start that is, or NULL. */
const char *symbol_of_data(uintptr_t addr, size_t *offset);

#endif /* LIBVNET_HOST_SYMBOL_H */
