/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: printf(9), log(9), snprintf and asprintf, FreeBSD's kern/subr_prf.c.
 * Fidelity: exact
 * Differs: there is one console, host world's, for printf and log alike.
 *
 * A string is never overrun, and the length returned is what would have been
 * written, as in FreeBSD.  For the console, text is gathered on the stack and
 * handed over when the call ends or the buffer is full, then cut behind the
 * last complete line: lines of two threads do not mix.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/malloc.h>
#include <sys/syslog.h>
#include <machine/stdarg.h>

#undef malloc
#include <lvk.h>
#include "subr_prf.h"

#define CONSOLE_BUF 512

struct console {
	int c_pri;
	size_t c_used;
	char c_buf[CONSOLE_BUF];
};

struct string {
	char *s_buf;
	size_t s_size;
	size_t s_used;
};

static void
console_flush(struct console *c)
{
	size_t n = c->c_used;

	while (n > 0 && c->c_buf[n - 1] != '\n')
		n--;
	if (n == 0)
		n = c->c_used;
	vnh_console(c->c_pri, c->c_buf, n);
	c->c_used -= n;
	memmove(c->c_buf, c->c_buf + n, c->c_used);
}

static void
console_put(int ch, void *arg)
{
	struct console *c = arg;

	if (c->c_used == sizeof(c->c_buf))
		console_flush(c);
	c->c_buf[c->c_used++] = (char)ch;
}

static int
console(int pri, const char *fmt, va_list ap)
{
	struct console c;
	int n;

	c.c_pri = pri;
	c.c_used = 0;
	n = kvprintf(fmt, console_put, &c, ap);
	if (c.c_used > 0)
		vnh_console(pri, c.c_buf, c.c_used);
	return (n);
}

static void
string_put(int ch, void *arg)
{
	struct string *s = arg;

	if (s->s_used + 1 < s->s_size)
		s->s_buf[s->s_used++] = (char)ch;
}

int
vsnprintf(char *str, size_t size, const char *fmt, va_list ap)
{
	struct string s = { .s_buf = str, .s_size = size };
	int n;

	n = kvprintf(fmt, string_put, &s, ap);
	if (size > 0)
		str[s.s_used] = '\0';
	return (n);
}

int
snprintf(char *str, size_t size, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(str, size, fmt, ap);
	va_end(ap);
	return (n);
}

int
vsprintf(char *str, const char *fmt, va_list ap)
{
	return (vsnprintf(str, SIZE_MAX, fmt, ap));
}

int
sprintf(char *str, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsprintf(str, fmt, ap);
	va_end(ap);
	return (n);
}

int
asprintf(char **ret, struct malloc_type *type, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	*ret = malloc((size_t)n + 1, type, M_WAITOK);
	va_start(ap, fmt);
	(void)vsnprintf(*ret, (size_t)n + 1, fmt, ap);
	va_end(ap);
	return (n);
}

int
vprintf(const char *fmt, va_list ap)
{
	return (console(-1, fmt, ap));
}

int
printf(const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vprintf(fmt, ap);
	va_end(ap);
	return (n);
}

void
vlog(int level, const char *fmt, va_list ap)
{
	(void)console(LOG_PRI(level), fmt, ap);
}

void
log(int level, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vlog(level, fmt, ap);
	va_end(ap);
}
