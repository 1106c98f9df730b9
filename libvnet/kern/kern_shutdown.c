/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: panic(9).
 * Fidelity: modelled
 * Differs: the machine does not stop: host world ends the test, or the
 * program where none runs; so locks are taken as ever, and the scheduler
 * never counts as stopped.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <machine/stdarg.h>

#include <lvk.h>

const char *panicstr;
bool panicked;
#if __FreeBSD_version >= 1500000
bool scheduler_stopped;
#endif

void
panic(const char *fmt, ...)
{
	static char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	panicstr = text;
	panicked = true;
	vnh_panic(text);
}
