/* SPDX-License-Identifier: BSD-2-Clause */
/* What the kernel world prints: kept in memory, and echoed on request. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"

#define CONSOLE_MAX (1 << 20)	/* bytes kept; older ones give way */

static pthread_mutex_t console_lock = PTHREAD_MUTEX_INITIALIZER;
static char *text;
static size_t used, room;
static bool echo;

static bool
grow(size_t need)
{
	size_t n = room != 0 ? room : 4096;
	char *p;

	while (n < need)
		n *= 2;
	p = realloc(text, n);
	if (p == NULL)
		return (false);
	text = p;
	room = n;
	return (true);
}

void
vnh_console(int pri, const char *s, vnh_size_t len)
{
	(void)pri;
	if (len > CONSOLE_MAX / 2)
		len = CONSOLE_MAX / 2;
	pthread_mutex_lock(&console_lock);
	if (used + len + 1 > CONSOLE_MAX) {
		memmove(text, text + used / 2, used - used / 2);
		used -= used / 2;
	}
	if (used + len + 1 <= room || grow(used + len + 1)) {
		memcpy(text + used, s, len);
		used += len;
		text[used] = '\0';
	}
	if (echo)
		fwrite(s, 1, len, stderr);
	pthread_mutex_unlock(&console_lock);
}

void
host_console_reset(void)
{
	pthread_mutex_lock(&console_lock);
	used = 0;
	if (text != NULL)
		text[0] = '\0';
	pthread_mutex_unlock(&console_lock);
}

const char *
host_console_text(size_t *len)
{
	if (len != NULL)
		*len = used;
	return (text != NULL ? text : "");
}

void
host_console_cut(size_t len)
{
	pthread_mutex_lock(&console_lock);
	if (len < used) {
		used = len;
		text[used] = '\0';
	}
	pthread_mutex_unlock(&console_lock);
}

void
host_console_echo(bool on)
{
	echo = on;
}

bool
host_console_echoes(void)
{
	return (echo);
}
