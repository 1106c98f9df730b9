/* SPDX-License-Identifier: BSD-2-Clause */
/* What subr_prf.c wants of subr_kvprintf.c. */
#ifndef SUBR_PRF_H
#define SUBR_PRF_H

#include <machine/stdarg.h>

/* Calls `func' with each character; returns how many there were. */
int	kvprintf(const char *fmt, void (*func)(int, void *), void *arg,
	    va_list ap);

#endif
