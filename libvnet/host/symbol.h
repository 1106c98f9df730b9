/* SPDX-License-Identifier: BSD-2-Clause */
/* What symbol.c and symbol_dwarf.c share. */
#ifndef LIBVNET_HOST_SYMBOL_H
#define LIBVNET_HOST_SYMBOL_H

#include "host.h"

/* False, and `fn' was not called, where nothing is known of `pc'. */
bool	symbol_from_dwarf(uintptr_t pc, host_frame_fn *fn, void *arg);

#endif /* LIBVNET_HOST_SYMBOL_H */
