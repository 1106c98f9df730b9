/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS_DEVCTL_H_
#define _SYS_DEVCTL_H_

void	devctl_notify(const char *system, const char *subsystem,
	    const char *type, const char *data);

#endif
