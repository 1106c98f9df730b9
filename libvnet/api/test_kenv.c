/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The kernel environment that all tests of a run boot with.  Where a name is
 * given twice the first one counts, as in FreeBSD; so the command line, which
 * is added before the environment, has precedence.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

static char *lines;

static const char *
check(const char *text, size_t len)
{
	static char wrong[160];
	const char *eq = memchr(text, '=', len);

	if (eq != NULL && eq != text)
		return (NULL);
	snprintf(wrong, sizeof(wrong), "\"%.*s\" is not NAME=VALUE",
	    (int)(len < 100 ? len : 100), text);
	return (wrong);
}

static bool
there(const char *text)
{
	size_t name = strcspn(text, "=") + 1;

	for (const char *l = lines; l != NULL && *l != '\0';
	    l = strchr(l, '\n') + 1)
		if (strncmp(l, text, name) == 0)
			return (true);
	return (false);
}

static void
add(const char *text, size_t len)
{
	size_t have = lines != NULL ? strlen(lines) : 0;

	lines = realloc(lines, have + len + 2);
	if (lines == NULL)
		abort();
	memcpy(lines + have, text, len);
	memcpy(lines + have + len, "\n", 2);
}

const char *
test_kenv_add(const char *text)
{
	const char *wrong;
	size_t n;

	for (;; text += n + 1) {
		text += strspn(text, " \t");
		n = strcspn(text, ";\n");
		if (n > 0) {
			wrong = check(text, n);
			if (wrong != NULL)
				return (wrong);
			if (!there(text))
				add(text, n);
		}
		if (text[n] == '\0')
			return (NULL);
	}
}

const char *
test_kenv(void)
{
	return (lines);
}
