/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdarg.h>
#include <stdio.h>

#include "api.h"

static __thread char detail[512];

static const char *const texts[] = {
	[-LIBVNET_OK] = "success",
	[-LIBVNET_EINVAL] = "invalid argument",
	[-LIBVNET_ENOTBOOTED] = "the kernel world is not booted",
	[-LIBVNET_EBOOTED] = "the kernel world is booted already",
	[-LIBVNET_ENOVNET] = "not a live vnet",
	[-LIBVNET_ENOTSUP] = "the runtime lacks the option for this",
	[-LIBVNET_ENOENT] = "no such name",
	[-LIBVNET_ETYPE] = "wrong type",
	[-LIBVNET_EBUSY] = "in use",
	[-LIBVNET_ELIMIT] = "a limit was reached",
	[-LIBVNET_EKERNEL] = "the kernel code answered an error",
	[-LIBVNET_ETHREAD] = "this thread is not attached",
	[-LIBVNET_ELINK] = "the program was not linked whole",
	[-LIBVNET_EIO] = "a file cannot be read or is damaged",
	[-LIBVNET_EPANIC] = "the kernel world panicked"
};

const char *
libvnet_strerror(int error)
{
	if (error > 0 || error < LIBVNET_EPANIC)
		return ("unknown error");
	return (texts[-error]);
}

const char *
libvnet_error(void)
{
	return (detail);
}

int
api_fail(int error, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(detail, sizeof(detail), fmt, ap);
	va_end(ap);
	return (error);
}
