/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: devctl(4) and what network code asks of buses, FreeBSD's
 * kern/subr_bus.c.
 * Fidelity: modelled
 * Differs: a notification goes to the console, in the words in which
 * /dev/devctl has it, at LOG_DEBUG.  There are no buses, so that no device
 * knows its memory domain.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/devctl.h>
#include <sys/syslog.h>
#ifndef LIBVNET_BASE
#include <sys/bus.h>
#endif

/* For 13's headers, which do not have them yet. */
typedef void send_event_f(const char *, const char *, const char *,
    const char *);
void	devctl_set_notify_hook(send_event_f *);
void	devctl_unset_notify_hook(void);

static send_event_f *notify_hook;	/* netlink's */

void
devctl_set_notify_hook(send_event_f *hook)
{
	notify_hook = hook;
}

void
devctl_unset_notify_hook(void)
{
	notify_hook = NULL;
}

void
devctl_notify(const char *system, const char *subsystem, const char *type,
    const char *data)
{
	if (system == NULL || subsystem == NULL || type == NULL)
		return;
	if (notify_hook != NULL)
		notify_hook(system, subsystem, type, data);
	log(LOG_DEBUG, "!system=%s subsystem=%s type=%s%s%s\n", system,
	    subsystem, type, data != NULL ? " " : "", data != NULL ? data :
	    "");
}

#ifndef LIBVNET_BASE
int
bus_get_domain(device_t dev __unused, int *domain __unused)
{
	return (ENOENT);
}
#endif
