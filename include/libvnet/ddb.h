/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The kernel debugger's commands, those that the code under test registers
 * with DB_COMMAND(), DB_SHOW_COMMAND() and DB_SHOW_ALL_COMMAND().
 */
#ifndef LIBVNET_DDB_H
#define LIBVNET_DDB_H

#include <libvnet/types.h>

LIBVNET_BEGIN

/*
 * Run one, as typed at the prompt: "show vnets", "show llentry 0x1234".
 * Words may be cut short as long as they are unambiguous.  What it prints
 * goes to the console (<libvnet/log.h>).
 *
 * LIBVNET_ENOENT  there is no such command
 * LIBVNET_EINVAL  NULL
 */
int	libvnet_ddb(const char *command);

LIBVNET_END

#endif /* LIBVNET_DDB_H */
