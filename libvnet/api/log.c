/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api.h"

const char *
libvnet_log(void)
{
	return (host_console_text(NULL));
}

void
libvnet_log_clear(void)
{
	host_console_reset();
}

void
libvnet_log_echo(bool on)
{
	host_console_echo(on);
}

int
libvnet_log_count(const char *regex)
{
	char reason[128], *copy, *line, *rest;
	struct host_regex *re;
	int n = 0;

	if (regex == NULL)
		return (api_fail(LIBVNET_EINVAL,
		    "libvnet_log_count: no expression given"));
	re = host_regex_new(regex, reason, sizeof(reason));
	if (re == NULL)
		return (api_fail(LIBVNET_EINVAL, "libvnet_log_count: \"%s\": "
		    "%s", regex, reason));
	copy = rest = strdup(libvnet_log());
	if (copy == NULL)
		abort();
	while ((line = strsep(&rest, "\n")) != NULL)
		if (*line != '\0' && host_regex_matches(re, line))
			n++;
	free(copy);
	host_regex_free(re);
	return (n);
}
