/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS_DEVCTL_H_
#define _SYS_DEVCTL_H_

void	devctl_notify(const char *system, const char *subsystem,
	    const char *type, const char *data);
typedef void send_event_f(const char *system, const char *subsystem,
	    const char *type, const char *data);
void	devctl_set_notify_hook(send_event_f *);
void	devctl_unset_notify_hook(void);

#endif
