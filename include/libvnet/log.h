/* SPDX-License-Identifier: BSD-2-Clause */
/* What the kernel code printed: printf(9) and log(9). */
#ifndef LIBVNET_LOG_H
#define LIBVNET_LOG_H

#include <libvnet/types.h>

LIBVNET_BEGIN

/*
 * All of it since boot, since the test began or since libvnet_log_clear(),
 * NUL terminated; the last megabyte is kept.  Valid until kernel code prints
 * again.  Never NULL.
 */
const char *libvnet_log(void);
void	libvnet_log_clear(void);

/*
 * How many lines match the POSIX extended regular expression.
 * LIBVNET_EINVAL: it is not one; libvnet_error() says why.
 */
int	libvnet_log_count(const char *regex);

/* Echo to stderr as well. */
void	libvnet_log_echo(bool on);

LIBVNET_END

#endif /* LIBVNET_LOG_H */
